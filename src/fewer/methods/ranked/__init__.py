"""Methods for features whose order inside a row matters, not their values."""
