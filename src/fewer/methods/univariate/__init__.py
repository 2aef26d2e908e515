"""One score per feature."""
