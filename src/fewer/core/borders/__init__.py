"""Borders between classes: decision functions with gradients, points on borders, nearest points of borders."""
