"""Graphs of causes: directed acyclic graphs, what they say of independence, and what data can tell of them."""
