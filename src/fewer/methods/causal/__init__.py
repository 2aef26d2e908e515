"""Markov blankets and local causal discovery, by tests of independence."""
