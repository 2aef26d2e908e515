"""Sums by labels, choices of labels, and rows for empty groups."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from fewer.core.clustering.by_label import best_label, columns_added, dense, fill_empty, rows_added


@pytest.mark.parametrize("seed", range(8))
def test_sums_are_those_of_loops(seed):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.7, (9, 6)).astype(float)
    rows, columns = rng.integers(-1, 3, 9), rng.integers(-1, 4, 6)
    for Z in (X, scipy.sparse.csr_array(X)):
        np.testing.assert_allclose(dense(rows_added(Z, rows, 3)), [X[rows == g].sum(axis=0) for g in range(3)])
        wanted = np.column_stack([X[:, columns == h].sum(axis=1) for h in range(4)])
        np.testing.assert_allclose(columns_added(Z, columns, 4), wanted)


def test_a_row_that_is_alone_stays_and_the_worst_other_fills():
    labels = np.array([0, 0, 0, 1])
    misfit = np.array([0.1, 0.5, 0.2, 9.0])
    assert fill_empty(labels, misfit, np.zeros(4), 3) == 1
    assert labels.tolist() == [0, 2, 0, 1]
    # Two empty groups, and only one row that does not fit.
    labels = np.array([0, 0, 0, 0])
    assert fill_empty(labels, np.array([0.0, 0.0, 1.0, 0.0]), np.full(4, 0.5), 3) == 1
    assert labels.tolist() == [0, 0, 1, 0]


def test_of_equal_groups_a_row_keeps_its_own_then_takes_the_first():
    worth = np.array([[1.0, 1.0 + 1e-14, 0.0]] * 3)
    assert best_label(worth, np.array([0, 1, -1]), np.full(3, 1e-12)).tolist() == [0, 1, 0]
    assert best_label(worth, np.array([2, 2, 2]), np.zeros(3)).tolist() == [1, 1, 1]
