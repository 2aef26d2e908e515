"""Discretizers: from numbers to bins."""
