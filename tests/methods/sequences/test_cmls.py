"""C-modified least squares against loops and scikit-learn's squared hinge; elimination in blocks."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

import fewer
from fewer.methods.sequences import _modified_squares
from oracles import sequences as slow


def problem(rng, n=60, d=5):
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] - X[:, 1] + 0.5 * rng.normal(size=n) > 0).astype(int)


def test_passes_of_the_paper_lead_to_the_same_weights(rng):
    """The entry's fact: 2e-2 after 100 passes of Gauss-Seidel, next to nothing after 2,000."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    signs = np.sign(X[:, 0] + 0.5 * rng.normal(size=60))
    made = fewer.CMLS(1e-3).fit(X, signs)
    want, given = np.append(made.coef_, made.intercept_), np.column_stack([X, np.ones(60)])
    for n_passes, most in ((100, 2e-2), (2000, 4e-8)):
        schedule = [max(0.0, 1 - k / 50) for k in range(1, n_passes + 1)]
        np.testing.assert_allclose(slow.modified_squares(given, signs, 1e-3, schedule), want, atol=most)


def slope(X, signs, l2, weights):
    lack = np.maximum(1 - signs * (X @ weights), 0)
    return 2 * l2 * weights - 2 * X.T @ (signs * lack) / len(X)


@pytest.mark.parametrize("seed", range(40))
def test_the_slope_is_zero_at_the_defaults(seed):
    """More columns than rows, marks, copies and zeros; passes one weight at a time were far from it."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 60), rng.integers(1, 200)
    X = rng.normal(size=(n, d)) if seed % 2 else rng.integers(0, 2, (n, d)).astype(float)
    X[:, 0] = 0.0 if seed % 3 else X[:, -1]
    y = np.arange(n) % 2 if seed % 5 else (np.arange(n) == 0).astype(int)
    l2 = 10.0 ** rng.integers(-4, 1)
    made = fewer.CMLS(l2).fit(scipy.sparse.csr_array(X) if seed % 4 else X, y)
    weights = np.append(made.coef_, made.intercept_)
    found = slope(np.column_stack([X, np.ones(n)]), 2.0 * y - 1, l2, weights)
    np.testing.assert_allclose(found, 0, atol=1e-10)
    assert made.n_iter_ <= 30


def test_large_systems_are_solved_by_gradients(rng, monkeypatch):
    X, y = problem(rng, 120, 40)
    want = fewer.CMLS().fit(X, y)
    monkeypatch.setattr(_modified_squares, "LARGEST_DENSE", 10)
    for given in (X, scipy.sparse.csr_array(X)):
        np.testing.assert_allclose(fewer.CMLS().fit(given, y).coef_, want.coef_, atol=1e-6)


def test_columns_of_very_different_size(rng):
    X, y = problem(rng, 80, 4)
    X = X * np.array([1.0, 1e9, 1e-9, 1e5])
    made = fewer.CMLS().fit(X, y)
    assert made.score(X, y) > 0.6
    with pytest.raises(ValueError, match="largest value.*divide the columns"):
        fewer.CMLS().fit(X * 1e200, y)


def test_a_warning_tells_of_too_few_steps(rng):
    X, y = problem(rng, 200, 50)
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        fewer.CMLS(max_iter=2).fit(X, y)


def test_the_minimum_is_that_of_the_squared_hinge(rng):
    for n, d, l2 in ((60, 5, 1e-3), (40, 80, 1e-2), (200, 3, 0.5)):
        X, y = problem(rng, n, d)
        made = fewer.CMLS(l2, max_iter=100_000, tol=1e-11).fit(X, y)
        svm = LinearSVC(loss="squared_hinge", dual=False, C=1 / (2 * l2 * n), fit_intercept=False, tol=1e-11,
                        max_iter=100_000).fit(np.column_stack([X, np.ones(n)]), y)  # fmt: skip
        np.testing.assert_allclose(np.append(made.coef_, made.intercept_), svm.coef_[0], atol=1e-5)
        np.testing.assert_array_equal(made.predict(X), svm.predict(np.column_stack([X, np.ones(n)])))
        sparse = fewer.CMLS(l2, max_iter=100_000, tol=1e-11).fit(scipy.sparse.csr_array(X), y)
        np.testing.assert_allclose(sparse.coef_, made.coef_, atol=1e-9)


def test_several_classes_are_each_divided_from_the_rest(rng):
    X, _ = problem(rng, 150)
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    made = fewer.CMLS(tol=1e-10, max_iter=10_000).fit(X, y)
    for c in range(3):
        one = fewer.CMLS(tol=1e-10, max_iter=10_000).fit(X, y == c)
        np.testing.assert_allclose(made.coef_[c], one.coef_[0], atol=1e-7)
    assert (made.predict(X) == made.decision_function(X).argmax(axis=1)).all()
    np.testing.assert_allclose(made.selection_.scores, (made.coef_**2).sum(axis=0))


def test_features_without_a_weight_are_irrelevant(rng):
    X, y = problem(rng)
    X[:, 3] = 0.0
    selection = fewer.CMLS().fit(X, y).selection_
    assert set(selection.indices[:2]) == {0, 1}
    assert selection.reason(3).kind == "irrelevant"


def test_blocks_leave_by_the_weights_of_what_is_left(rng):
    """Recursive elimination with blocks (section 18.3.2): nested subsets, the last block smaller."""
    X, y = problem(rng, 120, 23)
    found = fewer.RFE(fewer.CMLS(), 3, step=8).fit(X, y).selection_
    assert set(found.indices) >= {0, 1}
    rounds = found.columns["round"].astype(int)
    assert np.bincount(rounds)[1:].tolist() == [8, 8, 4]
    left = np.arange(23)
    for block in (1, 2, 3):
        weights = fewer.CMLS().fit(X[:, left], y).coef_[0] ** 2
        gone = left[np.argsort(weights, kind="stable")[: (rounds == block).sum()]]
        assert set(np.flatnonzero(rounds == block)) == set(gone)
        left = np.setdiff1d(left, gone)


def test_new_rows_as_those_of_fit(rng):
    X, y = problem(rng)
    made = fewer.CMLS().fit(X, y)
    np.testing.assert_allclose(made.decision_function(scipy.sparse.csr_array(X)), made.decision_function(X))
    with pytest.raises(ValueError, match="features"):
        made.predict(X[:, :3])
