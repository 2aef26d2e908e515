"""The outer contracts and the one result that everything downstream reads."""
