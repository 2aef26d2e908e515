"""Which value to measure next."""
