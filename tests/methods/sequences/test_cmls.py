"""C-modified least squares against loops and scikit-learn's squared hinge; elimination in blocks."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from sklearn.svm import LinearSVC

import fewer
from fewer.core.kernels.modified_squares import modified_squares_pass
from oracles import sequences as slow


def problem(rng, n=60, d=5):
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] - X[:, 1] + 0.5 * rng.normal(size=n) > 0).astype(int)


def test_passes_agree_with_loops(rng):
    X, y = problem(rng)
    X[:, 2] = 0.0
    signs = 2.0 * y - 1.0
    schedule = [max(0.0, 1 - k / 50) for k in range(1, 71)]
    want = slow.modified_squares(X, signs, 1e-3, schedule)
    columns = scipy.sparse.csc_array(X)
    weights, margins = np.zeros(5), np.zeros(60)
    for c in schedule:
        change = modified_squares_pass(
            columns.data, columns.indices.astype(np.int64), columns.indptr.astype(np.int64), signs,
            (X**2).sum(axis=0), 1e-3 * 60, c, weights, margins,
        )  # fmt: skip
    np.testing.assert_allclose(weights, want, atol=1e-12)
    np.testing.assert_allclose(margins, signs * (X @ weights), atol=1e-12)
    assert change >= 0


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
