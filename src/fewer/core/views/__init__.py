"""How the data are seen."""
