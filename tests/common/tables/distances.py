"""Selectors without a target by distances, dependence, groups of features and category utility."""

from __future__ import annotations

import numpy as np


def common_states(X: np.ndarray, state: np.ndarray) -> None:
    """Two features that show the same two groups of rows."""
    X[:, 3] += 6.0 * state
    X[:, 5] -= 5.0 * state


def one_repeats_the_other(X: np.ndarray, state: np.ndarray) -> None:
    """A feature that depends on another."""
    X[:, 5] = X[:, 3] + 0.2 * X[:, 5]


def two_groups_of_columns(X: np.ndarray, state: np.ndarray) -> None:
    """Every other column repeats feature 3 or feature 5, with noise."""
    for j in range(X.shape[1]):
        if j not in (3, 5):
            X[:, j] = X[:, 3 if j % 2 else 5] + (0.3 + 0.01 * j) * X[:, j]


PLANTED = {
    "DistanceEntropy": common_states,
    "FeatureDependence": one_repeats_the_other,
    "CategoryUtility": common_states,
    "FeatureClustering": two_groups_of_columns,
}
SPECIAL = {
    "CategoryUtility": {"random_state": 0},
    # All pairs of 2,000 rows take long for every nested subset.
    "DistanceEntropy": {"n_features_to_select": 3},
    # As many groups as features would leave nothing to compare.
    "FeatureClustering": {"n_features_to_select": 3},
}
TABLES = {
    "DistanceEntropy": {"entropy": "curve"},
    "FeatureClustering": {"groups": "rows", "course": "curve"},
    "CategoryUtility": {"attention": "rows"},
}
SHARED = {"clusterer": ("clusterer, int or None", "What groups rows: a clusterer with")}
HOMONYMS = {
    # Which way a search goes; here it is also the form of a paper.
    "direction": ["DistanceEntropy"],
    # The weight of redundancy, or how steep a curve is.
    "beta": ["DistanceEntropy", "MIFS"],
}
OWN_TYPES = {
    "metric": {"DistanceEntropy": "rows are correlated"},
    "search": {"CategoryUtility": "has a ranking, too"},
}
OWN_TEXTS = {
    "metric": ["DistanceEntropy"],
    "search": ["CategoryUtility"],
    # Columns, not weights, are what it starts from.
    "n_starts": ["FeatureClustering"],
}
OWN_DEFAULTS = {
    # Its source returns the nested subset of lowest entropy.
    "n_features_to_select": ["DistanceEntropy"],
    # Only a clusterer draws rows.
    "random_state": ["DistanceEntropy"],
    "metric": ["DistanceEntropy"],
    "search": ["CategoryUtility"],
    "n_starts": ["FeatureClustering"],
    # Without one the entropy finds the size.
    "clusterer": ["CategoryUtility"],
}
