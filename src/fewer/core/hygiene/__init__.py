"""What a look at the columns finds before any method runs."""
