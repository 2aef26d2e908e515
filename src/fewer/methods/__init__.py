"""The rooms: criterion and estimator together, one file per method or tight family."""
