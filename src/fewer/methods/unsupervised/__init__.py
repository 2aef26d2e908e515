"""Features selected without a target, and groups of rows that weigh features."""
