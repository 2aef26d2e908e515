"""Protocols without leakage, stability and comparison statistics."""
