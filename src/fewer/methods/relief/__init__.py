"""Margins: how far the nearest row of another class is, against the nearest of the same."""
