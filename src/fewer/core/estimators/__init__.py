"""The contracts that scikit-learn sees: selectors, classifiers, shared constructors."""
