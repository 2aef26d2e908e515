"""Searches through subsets, by what a model makes of them."""
