"""What must be read from the data: block functions whose results add up over rows."""
