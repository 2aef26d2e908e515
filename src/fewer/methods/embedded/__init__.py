"""Features selected by the model that is fitted: sparse paths, support vector machines, online and Bayesian models."""
