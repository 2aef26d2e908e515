"""Rows of weight 0 are absent from whatever comes with the rows: groups, splits, parameters of fit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit
from sklearn.naive_bayes import GaussianNB

from fewer.core.reading.table import ArrayTable
from fewer.methods.recipe import DefaultRecipe
from fewer.methods.wrappers.ordered_fs import OrderedFS
from fewer.methods.wrappers.sequential import SequentialSelector

METHODS = {
    "search": lambda cv=None: SequentialSelector(GaussianNB(), 3, cv=cv),
    "ordered": lambda cv=None: OrderedFS(GaussianNB(), ranker="FTest", cv=cv),
    "recipe": lambda cv=None: DefaultRecipe(cv=cv),
}
every = pytest.mark.parametrize("make", METHODS.values(), ids=METHODS)


class Marked(GaussianNB):
    """Naive Bayes that is told the first column beside the rows, and says so if it does not fit them."""

    def fit(self, X, y, sample_weight=None, marks=None, note=None):
        assert note == "for all rows"
        np.testing.assert_array_equal(marks[:, 0], X[:, 0])
        return super().fit(X, y, sample_weight=sample_weight)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(90, 6)), rng.integers(0, 2, 90), rng.integers(0, 3, 90) / 2.0
    X[:, 2] += 2 * y
    X[weight == 0] *= 1e6
    return X, y, weight, weight > 0


def assert_equal(got, expected):
    np.testing.assert_array_equal(got.selection_.order, expected.selection_.order)
    np.testing.assert_array_equal(got.scores_, expected.scores_)
    assert got.selection_.meta["value"] == expected.selection_.meta["value"]


@every
@pytest.mark.parametrize("cv", [None, 3, GroupKFold(4)], ids=["default", "number", "splitter"])
def test_groups(data, make, cv):
    X, y, weight, counted = data
    groups = np.arange(90) // 6
    got = make(cv).fit(X, y, sample_weight=weight, groups=groups)
    expected = make(cv).fit(X[counted], y[counted], sample_weight=weight[counted], groups=groups[counted])
    assert_equal(got, expected)
    table = ArrayTable(X, y, weight).load()
    assert_equal(make(cv).fit(table, groups=groups.tolist()), expected)


@every
@pytest.mark.parametrize("marks", [False, True], ids=["numbers", "marks"])
def test_splits_that_name_rows(data, make, marks):
    X, y, weight, counted = data
    fold = np.random.default_rng(1).integers(0, 3, 90)
    masks = [(fold != f, fold == f) for f in range(3)]
    splits = masks if marks else [(np.flatnonzero(train), np.flatnonzero(test)) for train, test in masks]
    got = make(splits).fit(X, y, sample_weight=weight)
    left = [(np.flatnonzero(train[counted]), np.flatnonzero(test[counted])) for train, test in masks]
    expected = make(left).fit(X[counted], y[counted], sample_weight=weight[counted])
    assert_equal(got, expected)
    assert_equal(make(PredefinedSplit(fold)).fit(X, y, sample_weight=weight), expected)


@every
def test_a_splitter_sees_the_rows_that_count(data, make):
    X, y, weight, counted = data
    got = make(KFold(4)).fit(X, y, sample_weight=weight)
    assert_equal(got, make(KFold(4)).fit(X[counted], y[counted], sample_weight=weight[counted]))


def test_parameters_of_fit(data):
    X, y, weight, _ = data
    marks = np.column_stack([X[:, 2], y])
    search = SequentialSelector(Marked(), 1, cv=3, fixed_features=[2])
    search.fit(X, y, sample_weight=weight, marks=marks, note="for all rows")
    assert search.selection_.indices.tolist() == [2]
