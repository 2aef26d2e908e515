"""New axes across the borders between classes."""
