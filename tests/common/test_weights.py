"""What weights mean, for every method of the registry that takes them."""

from __future__ import annotations

import numpy as np
import pytest

from common.cases import CLASSIFIERS, NAMES, NOT_ROWS, case, is_classification, tags_of
from fewer import registry
from fewer.core.views.table import ArrayTable

WEIGHTED = [name for name in NAMES if tags_of(name).handles_weights]
COUNTING = [name for name in WEIGHTED if tags_of(name).weights_count_rows]
WEIGHTED_CLASSIFIERS = [name for name in CLASSIFIERS if tags_of(name).handles_weights]
# Searches of many subsets need few rows and features here, others enough to fill several batches.
SMALL = {"n_rows": 60, "n_noise": 4}


def facts_of(selection):
    """Everything that a selection says about features, as plain values."""
    reasons = selection.reasons
    numbers = {"scores": selection.scores, "threshold": reasons.threshold, **selection.columns}
    numbers["amount"] = [reasons.amount.get(j, np.nan) for j in range(selection.n_features)]
    numbers["value"] = [step.value for step in selection.trace]
    words = {"rule": reasons.rule, "related": dict(reasons.related), "note": dict(reasons.note)}
    words |= {"indices": selection.indices.tolist(), "order": selection.order.tolist(), "kind": reasons.kind.tolist()}
    words["steps"] = [(tuple(step.added), tuple(step.removed)) for step in selection.trace]
    return numbers, words


def assert_same(got, expected, rtol=0.0):
    numbers, words = facts_of(got)
    expected_numbers, expected_words = facts_of(expected)
    assert words == expected_words
    assert numbers.keys() == expected_numbers.keys()
    for what, values in numbers.items():
        np.testing.assert_allclose(values, expected_numbers[what], rtol=rtol, atol=rtol / 1e3, err_msg=what)


def with_absent_rows(c, weight):
    """Put rows of weight 0 before, between and after the rows of a case, with what no other row holds."""
    rng = np.random.default_rng(3)
    n = len(c.X)
    places = np.array([0, 0, n // 3, n // 2, n])
    odd = rng.normal(size=(5, c.X.shape[1]))
    # A value far from all others, one that is missing, one that no method takes, levels and a class of their own.
    odd[0], odd[1, 0], odd[2, 1], odd[3] = 1e9, np.nan, np.inf, -7e8
    y = np.full(5, 9) if is_classification(c.name) else np.array([1e9, -1e9, 0.0, 5.5, 3e7])
    parts = (c.X, odd), (c.y, y), (weight, np.zeros(5))
    return [np.insert(here, places, absent, axis=0) for here, absent in parts]


def test_tags_hold_for_default_parameters():
    for name in NAMES:
        tags, made = tags_of(name), registry.load(name)()._tags_in_use()
        assert (tags.handles_weights, tags.weights_count_rows) == (made.handles_weights, made.weights_count_rows)
        assert tags.handles_weights or not tags.weights_count_rows


@pytest.mark.parametrize("name", WEIGHTED)
def test_a_row_of_weight_zero_is_absent(name):
    c = case(name, **SMALL)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(c.X))
    X, y, w = with_absent_rows(c, weight)
    got = c.make().fit(X, y, sample_weight=w).selection_
    assert_same(got, c.make().fit(c.X, c.y, sample_weight=weight).selection_)
    assert got.meta["data"]["n_rows"] == len(c.X)
    assert got.meta["data"]["n_zero_weight"] == 5
    if is_classification(name):
        assert "9" not in got.meta["data"]["classes"]


@pytest.mark.parametrize("name", WEIGHTED)
def test_a_row_of_weight_zero_is_absent_from_a_table(name):
    c = case(name, **SMALL)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(c.X))
    X, y, w = with_absent_rows(c, weight)
    tables = [ArrayTable(c.X, c.y, weight, batch_rows=13), ArrayTable(X, y, w, batch_rows=13)]
    if not tags_of(name).streams:
        tables = [table.load() for table in tables]
    expected, got = (c.make().fit(table).selection_ for table in tables)
    assert_same(got, expected)
    assert got.meta["data"]["n_rows"] == len(c.X)
    assert got.meta["data"]["n_zero_weight"] == 5


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("size", [3, "all"])
def test_a_weight_of_two_is_the_row_twice(name, size):
    c = case(name, n_rows=90)
    w = np.random.default_rng(2).integers(1, 4, len(c.X))
    size = None if size == "all" else size
    weighted, repeated = c.make(n_features_to_select=size), c.make(n_features_to_select=size)
    got = weighted.fit(c.X, c.y, sample_weight=w).selection_
    expected = repeated.fit(np.repeat(c.X, w, axis=0), np.repeat(c.y, w)).selection_
    assert_same(got, expected, rtol=1e-9)
    if tags_of(name).streams:
        table = c.make(n_features_to_select=size).fit(ArrayTable(c.X, c.y, w, batch_rows=37)).selection_
        np.testing.assert_allclose(table.scores, expected.scores, rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(table.order, expected.order)


def test_methods_whose_weights_do_not_count_rows_are_listed():
    assert set(NOT_ROWS) == set(WEIGHTED) - set(COUNTING)


@pytest.mark.parametrize("name", sorted(NOT_ROWS))
def test_methods_are_listed_for_a_reason(name):
    """A method whose selection would be the same for weights and for repeated rows should have the tag."""
    c = case(name, n_rows=90, n_noise=6)
    w = np.random.default_rng(2).integers(1, 4, len(c.X))
    weighted = c.make().fit(c.X, c.y, sample_weight=w).selection_
    repeated = c.make().fit(np.repeat(c.X, w, axis=0), np.repeat(c.y, w)).selection_
    with pytest.raises(AssertionError):
        assert_same(weighted, repeated, rtol=1e-9)


@pytest.mark.parametrize("discretizer", ["quantile", "uniform", "sigma", "mdl", "relief", "mixture"])
def test_the_tag_follows_the_discretizer(discretizer):
    """Rows of weight 0 are absent for every discretizer; only some look at other weights."""
    c = case("InformationGain", n_rows=90)
    made = c.make(discretizer=discretizer)
    weight = np.random.default_rng(2).integers(1, 4, len(c.X))
    X, y, w = with_absent_rows(c, weight)
    weighted = c.make(discretizer=discretizer).fit(c.X, c.y, sample_weight=weight).selection_
    assert_same(c.make(discretizer=discretizer).fit(X, y, sample_weight=w).selection_, weighted)
    repeated = made.fit(np.repeat(c.X, weight, axis=0), np.repeat(c.y, weight)).selection_
    same = np.allclose(weighted.scores, repeated.scores, rtol=1e-9, atol=1e-12)
    assert same == made._tags_in_use().weights_count_rows == (discretizer in ("quantile", "uniform", "sigma"))


@pytest.mark.parametrize("name", WEIGHTED_CLASSIFIERS)
def test_weights_of_classifiers(name):
    c = case(name, n_rows=90)
    weight = np.random.default_rng(2).integers(1, 4, len(c.X))
    X, y, w = with_absent_rows(c, weight)
    made = registry.load(name)
    weighted = made().fit(c.X, c.y, sample_weight=weight)
    absent = made().fit(X, y, sample_weight=w)
    repeated = made().fit(np.repeat(c.X, weight, axis=0), np.repeat(c.y, weight))
    np.testing.assert_array_equal(absent.classes_, weighted.classes_)
    np.testing.assert_array_equal(absent.predict_proba(c.X), weighted.predict_proba(c.X))
    assert tags_of(name).weights_count_rows
    np.testing.assert_allclose(weighted.predict_proba(c.X), repeated.predict_proba(c.X), rtol=1e-9)
