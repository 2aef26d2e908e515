"""SVM rankers: as written, as scikit-learn's elimination, kernel by kernel, in blocks, with ties and refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import RFE as TheirRFE
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import fewer
from fewer.core.records.errors import InputError
from fewer.core.search.elimination import lowest
from fewer.methods.embedded import dm_ranker, rm_ranker, svm_ranker
from fewer.methods.embedded._svm_grams import GRAMS
from fewer.methods.embedded._svm_machines import Machine
from oracles import svm_rankers as oracle

KERNELS = [
    {"kind": "linear", "gamma": 1.0, "coef0": 0.0, "degree": 1},
    {"kind": "poly", "gamma": 0.3, "coef0": 1.0, "degree": 3},
    {"kind": "rbf", "gamma": 0.2, "coef0": 0.0, "degree": 1},
]
RANKERS = {"SVMRanker": oracle.cost_change, "RMRanker": oracle.norm_slope, "DMRanker": oracle.right_side}


def rows(n=24, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(0.5, 1.0, size=(n, d))
    return X, np.where(X[:, 1] + X[:, 3] * X[:, 4] + 0.3 * rng.normal(size=n) > 0.8, 1.0, -1.0)


def gram_of(X, kind, gamma, coef0, degree):
    return GRAMS[kind](X, gamma, coef0, degree)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kind"])
def test_matrices_that_lose_features_are_those_computed_again(kernel):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(15, 300)) * rng.gamma(1.0, size=300)
    gram, left = gram_of(X, **{**kernel, "gamma": 0.01}), list(range(300))
    for step in range(298):
        feature = left.pop(int(rng.integers(len(left))))
        gram.remove(feature)
        if step % 60 == 0 or step > 290:
            fresh = gram_of(X[:, left], **{**kernel, "gamma": 0.01})
            np.testing.assert_allclose(gram.matrix, fresh.matrix, rtol=1e-9, atol=1e-11)
            assert sorted(gram.numbers.tolist()) == left
            np.testing.assert_array_equal(gram.features, X.T[gram.numbers])


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kind"])
def test_scores_are_those_of_kernels_computed_again(kernel):
    X, y = rows()
    gram, machine = gram_of(X, **kernel), Machine(np.arange(24), y, -y, 1.0, y)
    np.testing.assert_allclose(gram.matrix, oracle.kernel_of(X, X, **kernel), rtol=1e-12)
    weights = machine.fit(gram.matrix, 1e-10, 100_000)
    np.testing.assert_allclose(weights, oracle.row_weights(gram.matrix, y, 1.0), atol=1e-4)
    for ours, theirs in (
        (svm_ranker.cost_change, oracle.cost_change(X, weights, **kernel)),
        (rm_ranker.norm_slope, oracle.norm_slope(X, weights, **kernel)),
        (dm_ranker.right_side, oracle.right_side(X, weights, y, **kernel)),
    ):
        np.testing.assert_allclose(ours(gram, machine, weights), theirs, rtol=1e-6, atol=1e-8)


def test_the_change_of_the_cost_is_half_the_squared_weight_for_a_linear_kernel():
    X, y = rows()
    machine = Machine(np.arange(24), y, -y, 1.0, y)
    plain, general = GRAMS["linear"](X), GRAMS["poly"](X, 1.0, 0.0, 1)
    weights = machine.fit(plain.matrix, 1e-10, 100_000)
    half = 0.5 * (X.T @ weights) ** 2
    np.testing.assert_allclose(svm_ranker.cost_change(plain, machine, weights), half)
    # The way of all other kernels.
    np.testing.assert_allclose(svm_ranker.cost_change(general, machine, weights), half, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(rm_ranker.norm_slope(plain, machine, weights), 4 * half)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kind"])
@pytest.mark.parametrize("name", RANKERS)
def test_features_leave_as_in_an_elimination_from_nothing(name, kernel, seed):
    X, y = rows(seed=seed)
    params = {key: value for key, value in kernel.items() if key != "kind"}
    made = fewer.get(name)(1, kernel=kernel["kind"], standardize=False, **params)
    gone = oracle.removal_order(X, y, RANKERS[name], 1.0, **kernel)
    assert made.fit(X, y).selection_.order[::-1].tolist()[:5] == gone


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("step", [1, 3, 0.2])
def test_linear_ranks_are_those_of_scikit_learn(seed, step):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 60))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=40) > 0).astype(int)
    theirs = TheirRFE(SVC(kernel="linear", tol=1e-9), n_features_to_select=4, step=step).fit(X, y)
    ours = fewer.SVMRanker(4, step=step, standardize=False).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    rounds = ours.selection_.columns["round"]
    np.testing.assert_array_equal(np.where(rounds > 0, rounds.max() + 2 - rounds, 1), theirs.ranking_)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_pairs_of_classes_are_added_up_as_in_scikit_learn(load):
    X, y = load(return_X_y=True)
    Z = StandardScaler().fit_transform(X)
    theirs = TheirRFE(SVC(kernel="linear", tol=1e-9), n_features_to_select=1, step=1).fit(Z, y)
    ours = fewer.SVMRanker(1).fit(X, y)
    np.testing.assert_array_equal(ours.ranking_, theirs.ranking_)


def test_numbers_are_ranked_by_support_vector_regression():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 12))
    y = X[:, 2] - 2 * X[:, 7] + 0.5 * rng.normal(size=50)
    theirs = TheirRFE(SVR(kernel="linear", tol=1e-9), n_features_to_select=1, step=1).fit(X, y)
    np.testing.assert_array_equal(fewer.SVMRanker(1, standardize=False).fit(X, y).ranking_, theirs.ranking_)
    assert set(fewer.RMRanker(2).fit(X, y).selection_.indices) == {2, 7}


@pytest.mark.parametrize("seed", range(3))
def test_rm_is_svm_rfe_for_a_linear_kernel(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 40)) * rng.gamma(1.0, size=40)
    y = np.digitize(X[:, 0] + X[:, 1], [-1.0, 1.0]) if seed else (X[:, 0] > 0).astype(int)
    orders = [made(1, kernel="linear").fit(X, y).selection_.order for made in (fewer.SVMRanker, fewer.RMRanker)]
    np.testing.assert_array_equal(*orders)


def test_a_product_needs_a_kernel():
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, size=(150, 12))
    y = (X[:, 4] * X[:, 9] > 0).astype(int)
    for made in (fewer.RMRanker(2, kernel="rbf"), fewer.RMRanker(2, C=100.0), fewer.SVMRanker(2, kernel="rbf")):
        assert set(made.fit(X, y).selection_.indices) == {4, 9}


def test_of_copies_the_higher_number_leaves_and_constants_leave_first():
    X, y = rows(40, 5)
    X = np.column_stack([X, X[:, 1], np.zeros(40), np.full(40, 7.0)])
    for name in RANKERS:
        for kernel in ("linear", "poly", "rbf"):
            order = fewer.get(name)(1, kernel=kernel).fit(X, y).selection_.order.tolist()
            assert order.index(1) < order.index(5), (name, kernel)
            if name != "DMRanker" and kernel == "linear":
                assert order[-2:] == [6, 7]


def test_a_few_lowest_are_those_of_an_order_of_all():
    rng = np.random.default_rng(0)
    for count in (1, 2, 7):
        for scores in (rng.integers(0, 4, 100) / 3.0, rng.normal(size=100), np.full(100, 1 / 3)):
            scores = scores * (1 + 1e-15 * rng.integers(-2, 3, 100))
            left = np.flatnonzero(rng.random(100) < 0.9)
            rounded = np.round(scores, 9)
            expected = sorted(left, key=lambda j: (rounded[j], -j))[:count]
            assert lowest(scores, left, count).tolist() == expected
    assert lowest(np.append(np.full(50, np.nan), -np.inf), np.arange(51), 1).tolist() == [50]


def test_every_fit_is_certified():
    X, y = load_wine(return_X_y=True)
    assert fewer.SVMRanker(1).fit(X, y).selection_.meta["gap"] <= 1e-9
    with pytest.warns(ConvergenceWarning, match="missed optimality"):
        fewer.SVMRanker(1, C=1e4, max_iter=3).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fewer.SVMRanker(1, C=1e4).fit(X, y)


def test_one_class_and_all_zero_columns():
    X, y = rows()
    with pytest.raises(InputError, match="at least two classes"):
        fewer.SVMRanker().fit(X, np.ones(24, int))
    assert fewer.SVMRanker(2).fit(np.zeros((24, 3)), y).selection_.indices.tolist() == [0, 1]


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
@pytest.mark.parametrize("name", RANKERS)
def test_columns_with_one_value_leave_first_whatever_the_kernel(name, kernel):
    """Also where others count below 0, and where a raw constant would be one of the kernel."""
    for seed in range(4):
        X, y = rows(30, 6, seed)
        X[:, [0, 3]] = 5.0, -1e3
        for standardize in (True, False):
            made = getattr(fewer, name)(2, kernel=kernel, standardize=standardize, gamma=0.3)
            found = made.set_params(n_features_to_select=None).fit(X, y).selection_
            assert found.order.tolist()[-2:] == [0, 3]
            np.testing.assert_array_equal(found.scores[[0, 3]], 0.0)


@pytest.mark.filterwarnings("ignore::fewer.core.records.errors.TargetWarning")
@pytest.mark.parametrize("name", ["SVMRanker", "RMRanker"])
def test_targets_without_digits_are_refused_and_units_do_not_matter(name):
    X, _ = rows(40)
    y = X[:, 2] + 0.1 * X[:, 4]
    want = getattr(fewer, name)(2).fit(X, y).selection_.order
    for target in (1e-100 * y, 1e100 * y, 1e9 + y):
        np.testing.assert_array_equal(getattr(fewer, name)(2).fit(X, target).selection_.order, want)
    for target in (np.full(40, 0.5), 1e-300 * y, 1e300 * y):
        with pytest.raises(InputError, match="varies"):
            getattr(fewer, name)(2).fit(X, target)


@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_solutions_that_follow_give_the_ranks_of_fits_from_nothing(kind, C, monkeypatch):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(14, 150)) + rng.normal(size=(14, 3)) @ rng.normal(size=(3, 150))
    y = {"two": np.arange(14) % 2, "three": np.arange(14) % 3, "numbers": X[:, 0] + 0.1 * rng.normal(size=14)}[kind]
    made = fewer.SVMRanker(1, standardize=False, C=C).fit(X, y)
    theirs = SVR(kernel="linear", C=C, tol=1e-9) if kind == "numbers" else SVC(kernel="linear", C=C, tol=1e-9)
    np.testing.assert_array_equal(made.ranking_, TheirRFE(theirs, n_features_to_select=1, step=1).fit(X, y).ranking_)
    monkeypatch.setattr(GRAMS["linear"], "follows", False)
    plain = fewer.SVMRanker(1, standardize=False, C=C).fit(X, y)
    np.testing.assert_array_equal(made.ranking_, plain.ranking_)
    np.testing.assert_allclose(made.scores_, plain.scores_, rtol=1e-6, atol=1e-12)
    assert max(made.selection_.meta["gap"], plain.selection_.meta["gap"]) < 1e-8


def test_derivatives_below_zero_count_by_their_size():
    kernel = KERNELS[2]
    for seed in range(3):
        X = np.random.default_rng(seed).normal(size=(24, 6))
        y = np.where(X[:, 1] + X[:, 3] > 0, 1.0, -1.0)
        gram, machine = gram_of(X, **kernel), Machine(np.arange(24), y, -y, 1.0, y)
        weights = machine.fit(gram.matrix, 1e-10, 100_000)
        assert gram.slopes(weights).min() < -1.0
        scores = rm_ranker.norm_slope(gram, machine, weights)
        np.testing.assert_allclose(scores, oracle.norm_slope(X, weights, **kernel), rtol=1e-6, atol=1e-8)
        found = fewer.RMRanker(1, kernel="rbf", gamma=0.2, standardize=False).fit(X, y).selection_
        assert found.order[-1] == np.argmin(scores)
