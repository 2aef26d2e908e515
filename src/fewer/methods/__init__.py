"""The families: criterion and estimator together, one file per method or tight group."""
