"""Classifiers that measure distance otherwise at every point."""
