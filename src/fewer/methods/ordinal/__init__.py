"""Ordered classes: features that rise with the class."""
