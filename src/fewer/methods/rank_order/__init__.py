"""Orders of the features inside each row."""
