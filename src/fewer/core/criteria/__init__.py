"""What a feature, or a subset of features, is worth."""
