"""Filters that look at columns before any method: constants, copies, identifiers, leaks, drift."""
