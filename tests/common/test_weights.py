"""What weights mean, for every method of the registry that takes them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.utils.validation import has_fit_parameter

from common.cases import CLASSIFIERS, EVIDENCE, NAMES, NOT_ROWS, case, is_classification, tags_of
from fewer import registry
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import FewerError, WeightWarning

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


@pytest.mark.parametrize("name", [name for name in NAMES if not tags_of(name).handles_weights])
def test_weights_that_a_method_does_not_take_are_refused_in_a_sentence(name):
    c = case(name, **SMALL)
    weight = np.ones(len(c.X))
    for refused in (lambda: c.make().fit(c.X, c.y, weight), lambda: c.make().fit(c.X, c.y, sample_weight=weight)):
        with pytest.raises(FewerError, match=r"sample_weight.*; leave "):
            refused()
    assert not has_fit_parameter(c.make(), "sample_weight")
    # None is no weight.
    c.make().fit(c.X, c.y, sample_weight=None)


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


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.parametrize("weight", [0.1, 1 / 60, 1e-7])
def test_equal_weights_leave_the_order(name, weight):
    """However small: what F, t and deviations need more rows for must not make features equal."""
    c = case(name, **SMALL)
    expected = c.make().fit(c.X, c.y).selection_
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeightWarning)
        got = c.make().fit(c.X, c.y, sample_weight=np.full(len(c.X), weight)).selection_
    if registry.entry(name).family == "causal":
        # Tests of independence depend on the number of rows, by definition; with too few they say so.
        assert set(got.indices.tolist()) <= set(expected.indices.tolist())
        return
    if name in EVIDENCE:
        # Evidence of fewer rows is weaker, for and against, and weak evidence may order otherwise.
        assert np.abs(got.scores).max() < np.abs(expected.scores).max()
        return
    if name == "WelchTest":
        # Variances of classes with few rows depend on their number, by definition; the clear features still lead.
        assert got.indices[:2].tolist() == expected.indices[:2].tolist()
        return
    assert got.order.tolist() == expected.order.tolist()
    assert got.indices.tolist() == expected.indices.tolist()


def tied_levels():
    """Codes in which some features are complements, so that they tie."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 10))
    X[:, 9], X[:, 8] = 1 - X[:, 0], 1 - X[:, 1]
    return X, rng.integers(0, 2, 40)


FRACTIONS = {
    "tenth": np.full(40, 0.1),
    "half": np.full(40, 0.5),
    "share": np.full(40, 1 / 40),
    "tenths": np.random.default_rng(1).integers(1, 10, 40) / 10,
    "any": np.random.default_rng(2).uniform(0.5, 2.0, 40),
}


# Of numbers there are means, which floats round in the order of the rows.
COUNTERS = [name for name in COUNTING if "codes" in tags_of(name).views and tags_of(name).task != "regression"]


@pytest.mark.parametrize("kind", FRACTIONS)
@pytest.mark.parametrize("name", COUNTERS)
def test_fractions_keep_ties_on_every_runner(name, kind):
    X, y = tied_levels()
    weight = FRACTIONS[kind]
    tags, known = tags_of(name), registry.load(name)().get_params()
    params = {key: None for key in ("discretizer", "n_features_to_select") if key in known and name != "LVF"}
    params |= {"discretizer": None} if name == "LVF" else {}

    def fitted(*data, **more):
        return case(name).make(**params).fit(*data, **more).selection_

    expected = fitted(X, y, sample_weight=weight)
    others = [fitted(ArrayTable(X, y, weight, batch_rows=7).load())]
    if tags.streams:
        others.append(fitted(ArrayTable(X, y, weight, batch_rows=7)))
    if tags.handles_sparse:
        others.append(fitted(scipy.sparse.csc_array(X), y, sample_weight=weight))
    rows = np.random.default_rng(3).permutation(40)
    others.append(fitted(X[rows], y[rows], sample_weight=weight[rows]))
    for other in others:
        assert other.order.tolist() == expected.order.tolist()
        np.testing.assert_array_equal(other.support, expected.support)
    if kind == "any" or name == "MDLScore" or registry.entry(name).family == "causal":
        # The length of a code and tests of independence depend on the number of rows, by definition.
        return
    whole = fitted(X, y, sample_weight=np.rint(weight * 10)) if kind == "tenths" else fitted(X, y)
    assert whole.order.tolist() == expected.order.tolist()
    assert whole.indices.tolist() == expected.indices.tolist()


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
    answer = "predict_proba" if hasattr(made, "predict_proba") else "decision_function"
    first, second, third = (getattr(one, answer)(c.X) for one in (absent, weighted, repeated))
    np.testing.assert_array_equal(first, second)
    assert tags_of(name).weights_count_rows
    np.testing.assert_allclose(second, third, rtol=1e-9, atol=1e-12)
