"""Plots and the HTML report, over a Selection."""
