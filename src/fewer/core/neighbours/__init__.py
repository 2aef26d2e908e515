"""Rows as points: spaces, nearest rows and sums over them."""
