"""Columns of few values over all methods that cut columns into levels."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import fewer
from common.cases import NAMES, SPECIAL, is_classification, tags_of
from fewer import registry
from fewer.core.reading.table import ArrayTable

CUTTING = [
    name
    for name in NAMES
    if "discretizer" in inspect.signature(registry.load(name)).parameters and tags_of(name).views == ("codes",)
]


def unbalanced(n=200, seed=0):
    """Column 0 is the class, which 5 % of the rows have; the others are rare marks, ratings and noise."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 20 > 0).astype(int)
    rare = rng.random((n, 3)) < [0.95, 0.03, 0.5]
    ratings = np.column_stack([rng.choice([1, 2, 3, 4, 5], p=p, size=n) for p in (RATED_HIGH, RATED_HIGH[::-1])])
    noisy = np.where(rng.random(n) < 0.02, 1 - y, y)
    return np.column_stack([y, rare, ratings, noisy]).astype(float), y


RATED_HIGH = [0.01, 0.01, 0.01, 0.01, 0.96]


def fitted(name, X, y, **more):
    params = {**SPECIAL.get(name, {}), "n_features_to_select": 3, **more}
    if name == "ExhaustiveSelector":
        params["n_features_to_select"] = (1, 3)
    return registry.load(name)(**params).fit(X, y)


@pytest.mark.parametrize("name", CUTTING)
def test_turning_columns_of_few_values_around_changes_nothing(name):
    X, y = unbalanced()
    target = y if is_classification(name) else y + np.arange(len(y)) / 1000
    there, back = fitted(name, X, target), fitted(name, X.max(axis=0) - X, target)
    np.testing.assert_allclose(back.scores_, there.scores_, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(back.selection_.indices, there.selection_.indices)
    assert 0 in there.selection_.indices or tags_of(name).task == "none"


def test_a_column_that_is_a_rare_class_has_its_whole_entropy():
    X, y = unbalanced()
    entropy = -0.05 * np.log(0.05) - 0.95 * np.log(0.95)
    assert entropy == pytest.approx(0.1985, abs=5e-5)
    for column in (X[:, 0], 1 - X[:, 0], X[:, 0] > 0, 7 * X[:, 0] - 1e9):
        got = fewer.InformationGain(1).fit(column[:, None], y)
        assert got.scores_[0] == pytest.approx(entropy)
        assert got.selection_.columns["pvalue"][0] < 1e-10
    table = ArrayTable(X[:, [0]], y, classes=[0, 1], batch_rows=7)
    assert fewer.InformationGain(1).fit(table).scores_[0] == pytest.approx(entropy)
    # With two levels of equal frequency, the rule for many values must not lose it either.
    assert fewer.InformationGain(1, bins=2).fit(X[:, [0]], y).scores_[0] == pytest.approx(entropy)


def test_a_numeric_target_of_few_values_keeps_them_as_levels():
    """Nearly all rows have the largest value of the target; it is cut like a feature."""
    X, y = unbalanced()
    for target in (y + 0.5, 1.5 - y):
        assert fewer.JMI(1).fit(X, target).selection_.scores[0] == pytest.approx(0.1985, abs=5e-5)


def test_select_prefers_the_feature_that_is_the_class_to_noise():
    X, y = unbalanced()
    assert fewer.select(X[:, [2, 3, 0]], y, "InformationGain", n_features_to_select=1).indices.tolist() == [2]
