"""Greedy information filters: one engine, many criteria."""
