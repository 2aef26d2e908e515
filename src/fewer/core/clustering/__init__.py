"""Engines that group rows: centres and their weights, directions, co-clusters, mixtures."""
