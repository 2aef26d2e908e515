"""Nearest points of borders by tangent planes against the slower search."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.svm import SVC

from fewer.core.borders.foot_points import foot_points
from fewer.core.borders.smooth_classifiers import decision_of
from fewer.core.borders.tangent_feet import tangent_feet


@pytest.mark.parametrize("seed", range(6))
def test_both_searches_find_points_as_near(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 2 + seed))
    y = ((X[:, :2] ** 2).sum(axis=1) > 1.4).astype(int)
    border = decision_of(SVC(gamma=0.5).fit(X, y), X).pair(0, 1)
    rows = rng.normal(size=(25, X.shape[1]))
    slow, quick = foot_points(border, rows, X), tangent_feet(border, rows, X, 4)
    assert_allclose(border.values(quick.points), 0.0, atol=1e-9)
    assert_allclose(np.linalg.norm(quick.points - rows, axis=1), quick.distances)
    assert (quick.distances <= slow.distances * (1 + 1e-6)).mean() > 0.9
    assert (quick.distances <= slow.distances * 1.3).all()


def test_rows_without_a_border_have_none():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    border = decision_of(SVC(gamma=1.0).fit(X, [0, 0, 1, 1]), X).pair(0, 1)
    assert len(tangent_feet(border, X[:0], X).points) == 0
    found = tangent_feet(border, X, X)
    assert_allclose(found.points[:, 1], 0.5, atol=1e-9)
    assert_allclose(found.distances, 0.5, atol=1e-9)
