"""What a subset is worth: any estimator by cross-validation, exact short cuts, and criteria without an estimator.

Every criterion is named by its module, so that a method loads those that it uses and no other.
"""
