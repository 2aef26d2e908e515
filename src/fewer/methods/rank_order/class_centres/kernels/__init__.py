"""Loops over pairs of class centres."""
