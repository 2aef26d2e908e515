"""FeatureDependence against plain loops, and the facts of its catalogue entry."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import fewer
from fewer.core.kernels import dependence
from oracles import distances as oracle


@pytest.mark.parametrize("seed", range(6))
def test_scores_agree_with_loops(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, rng.integers(1, 6, 5), (int(rng.integers(2, 40)), 5))
    codes[:, 4] = codes[:, 0]
    found = fewer.FeatureDependence(None, discretizer=None).fit(codes)
    np.testing.assert_allclose(found.scores_, oracle.dependence(codes), atol=1e-12)
    assert (found.scores_ >= 0).all()
    assert found.scores_[0] == found.scores_[4]


def test_many_levels_are_grouped_instead_of_counted_in_a_table(rng):
    """Both ways give the same, and a product of levels far above the limit needs no table."""
    wide = np.column_stack([rng.integers(0, 300, 500), rng.integers(0, 200, 500), rng.integers(0, 3, 500)])
    columns = np.ascontiguousarray(wide.T.astype(np.uint16))
    out = np.empty((3, 3))
    dependence.guesses(columns, np.array([300, 200, 3]), 0, 3, out)
    for m in range(3):
        for i in range(3):
            groups = [wide[wide[:, i] == v, m] for v in np.unique(wide[:, i])]
            wanted = sum((np.bincount(g) ** 2).sum() / len(g) for g in groups) / 500
            assert out[m, i] == pytest.approx(wanted, rel=1e-12)


def test_identical_balanced_binary_features_add_a_half():
    x = np.array([0, 0, 1, 1])
    assert fewer.FeatureDependence(discretizer=None).fit(np.column_stack([x, x])).scores_.tolist() == [0.5, 0.5]
    assert fewer.FeatureDependence(discretizer=None).fit(np.column_stack([x, 1 - x])).scores_.tolist() == [0.5, 0.5]


def test_independent_features_and_an_exclusive_or_score_nothing():
    """Pairwise independent in these rows, although each is determined by the two others."""
    a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert fewer.FeatureDependence(discretizer=None).fit(np.column_stack([a, b, a ^ b])).scores_.tolist() == [0, 0, 0]


def test_a_term_is_the_numerator_of_tau():
    """Divided by the wrong guesses without help it is tau: 1 where one feature determines the other."""
    a, b = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 1])
    scores = fewer.FeatureDependence(discretizer=None).fit(np.column_stack([a, b])).scores_
    assert scores[1] / (1 - (4 + 16) / 36) == pytest.approx(1.0)
    assert scores[0] / (1 - 1 / 3) < 1.0


def test_shuffled_rows_have_the_mean_of_the_notes():
    """(L - 1)(1 - sum p^2) / (n - 1) over all orders of the rows."""
    x, y = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 0, 0])
    found = [oracle.dependence(np.column_stack([x, y[list(order)]]))[1] for order in permutations(range(5))]
    assert np.mean(found) == pytest.approx((3 - 1) * (1 - (9 + 4) / 25) / (5 - 1))


def test_constant_columns_one_feature_and_missing_values(rng):
    X = rng.normal(size=(60, 4))
    X[:, 2] = 5.0
    X[::3, 0] = np.nan
    found = fewer.FeatureDependence("threshold:1e-6").fit(X)
    assert found.scores_[2] == 0
    assert found.selection_.reason(2).kind == "irrelevant"
    assert fewer.FeatureDependence().fit(X[:, [1]]).scores_.tolist() == [0.0]
    with pytest.raises(ValueError, match="target"):
        fewer.FeatureDependence(discretizer="relief").fit(X[:, [1, 3]])
