from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import BernoulliNB, CategoricalNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewer.core.records.errors import InputError
from fewer.methods.rank_order import _pairs
from fewer.methods.rank_order.naive_bayes import RankOrderNB
from oracles.order_classifiers import naive_bayes_joint


@parametrize_with_checks([RankOrderNB(), RankOrderNB(ties="state")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def pair_features(X, compare):
    first, second = np.triu_indices(X.shape[1], 1)
    return compare(X[:, first], X[:, second])


@pytest.mark.parametrize("ties", ["half", "state"])
@pytest.mark.parametrize("n_levels", [3, 1000])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_joint_log_probability_is_that_of_plain_loops(rng, ties, n_levels, missing):
    X = rng.integers(0, n_levels, (40, 6)).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    y, weight = rng.integers(0, 3, 40), rng.integers(0, 4, 40)
    queries = rng.integers(0, n_levels, (15, 6)).astype(float)
    queries[rng.random(queries.shape) < missing] = np.nan
    fitted = RankOrderNB(alpha=0.7, ties=ties).fit(X, y, sample_weight=weight)
    truth = naive_bayes_joint(X, y, queries, 0.7, ties, weight)
    np.testing.assert_allclose(fitted.predict_joint_log_proba(queries), truth, rtol=1e-10)
    np.testing.assert_array_equal(fitted.predict(queries), truth.argmax(axis=1))


@given(
    data=st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=4, max_size=12),
    alpha=st.floats(0.01, 5),
    ties=st.sampled_from(["half", "state"]),
)
def test_any_small_table_agrees_with_plain_loops(data, alpha, ties):
    X = np.array(data, dtype=float)
    y = np.arange(len(X)) % 2
    fitted = RankOrderNB(alpha, ties=ties).fit(X, y)
    np.testing.assert_allclose(
        fitted.predict_joint_log_proba(X), naive_bayes_joint(X, y, X, alpha, ties), rtol=1e-9, atol=1e-9
    )


def test_without_ties_it_is_bernoulli_naive_bayes_on_the_boolean_orders(rng):
    X, y = rng.normal(size=(60, 12)), rng.integers(0, 3, 60)
    boolean = pair_features(X, np.less)
    ours = RankOrderNB(0.5).fit(X[:40], y[:40]).predict_proba(X[40:])
    theirs = BernoulliNB(alpha=0.5).fit(boolean[:40], y[:40]).predict_proba(boolean[40:])
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_ties_as_state_are_categorical_naive_bayes_with_three_levels(rng):
    X, y = rng.integers(0, 4, (60, 8)), rng.integers(0, 3, 60)
    signs = pair_features(X, lambda a, b: np.sign(b - a) + 1)
    ours = RankOrderNB(ties="state").fit(X[:40], y[:40]).predict_proba(X[40:])
    theirs = CategoricalNB(alpha=1.0, min_categories=3).fit(signs[:40], y[:40]).predict_proba(signs[40:])
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_only_the_order_inside_a_row_matters(rng):
    X, y = rng.normal(size=(50, 7)), rng.integers(0, 2, 50)
    changed = np.exp(X) * rng.uniform(0.1, 9.0, (50, 1)) + rng.normal(size=(50, 1))
    np.testing.assert_allclose(
        RankOrderNB().fit(X, y).predict_proba(X), RankOrderNB().fit(changed, y).predict_proba(changed), rtol=1e-9
    )


def test_mirrored_values_give_the_same_probabilities(rng):
    """Neither order is preferred, also where values are equal."""
    X, y = rng.integers(0, 3, (50, 5)), rng.integers(0, 2, 50)
    a, b = RankOrderNB().fit(X, y).predict_proba(X), RankOrderNB().fit(-X, y).predict_proba(-X)
    np.testing.assert_allclose(a, b, rtol=1e-9)


def test_column_order_does_not_matter(rng):
    X, y, order = rng.normal(size=(50, 9)), rng.integers(0, 2, 50), rng.permutation(9)
    a, b = RankOrderNB().fit(X, y), RankOrderNB().fit(X[:, order], y)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X[:, order]), rtol=1e-9)


def test_weights_count_as_repetitions(rng):
    X, y, weight = rng.normal(size=(40, 5)), rng.integers(0, 2, 40), rng.integers(0, 4, 40)
    weighted = RankOrderNB().fit(X, y, sample_weight=weight)
    repeated = RankOrderNB().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-9)


def test_a_single_feature_predicts_the_most_frequent_class():
    fitted = RankOrderNB().fit([[1.0], [2.0], [3.0]], ["b", "b", "a"])
    assert fitted.predict([[0.0]]).tolist() == ["b"]
    np.testing.assert_allclose(fitted.predict_proba([[0.0]]), [[1 / 3, 2 / 3]])


def test_a_row_of_missing_values_gets_the_prior(rng):
    X, y = rng.normal(size=(30, 4)), np.arange(30) % 3 == 0
    fitted = RankOrderNB().fit(X, y)
    np.testing.assert_allclose(fitted.predict_proba(np.full((1, 4), np.nan)), [[2 / 3, 1 / 3]])


def test_too_many_features_are_refused_with_advice():
    n = int((_pairs.MOST_CELLS / 2) ** 0.5) + 1
    with pytest.raises(InputError, match=rf"{n:,} of them.*{n - 1:,} are the most.*RankOrderElimination"):
        RankOrderNB().fit(np.zeros((4, n)), [0, 1, 0, 1])


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"alpha": -1.0}, {"ties": "drop"}])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        RankOrderNB(**wrong).fit([[1, 2], [2, 1]], [0, 1])
