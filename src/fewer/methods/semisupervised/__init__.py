"""Features selected from few labels or from pairs of rows that belong together or apart."""
