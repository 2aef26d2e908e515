"""What a fitted model says about its features, and how sure that is."""
