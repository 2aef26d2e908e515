"""Generators of orders: the construction of section 5.1, and what it promises."""

from itertools import combinations

import numpy as np
import pytest

from fewer.core.measures.orders import concordance, subset_divergence
from fewer.core.records.errors import ParameterError
from fewer.synth import make_concordant_orders, make_rank_order


@pytest.mark.parametrize(("n_classes", "n_seed"), [(2, 2), (3, 3), (6, 3), (7, 4), (24, 4), (25, 5)])
def test_the_fewest_features_that_can_tell_the_classes(n_classes, n_seed):
    s = make_rank_order(n_classes, 2, 0, 0, random_state=0)
    assert s.X.shape == (2 * n_classes, n_seed)
    assert len(np.unique(s.X, axis=0)) == n_classes


def test_rows_are_permutations_and_the_seed_features_say_all():
    s = make_rank_order(7, 20, 6, 5, random_state=3)
    assert (np.sort(s.X, axis=1) == np.arange(1, 16)).all()
    assert subset_divergence(s.X, s.y, s.relevant) == pytest.approx(0, abs=1e-12)


def test_redundant_features_have_the_comparisons_of_their_neighbour():
    s = make_rank_order(4, 30, 3, 1, random_state=1)
    ((new, old),) = s.redundant.items()
    others = [j for j in range(s.n_features) if j not in (new, old)]
    assert (np.abs(s.X[:, new] - s.X[:, old]) == 1).all()
    for j in others:
        np.testing.assert_array_equal(s.X[:, new] < s.X[:, j], s.X[:, old] < s.X[:, j])
    assert 0 < (s.X[:, new] < s.X[:, old]).mean() < 1


def test_what_the_description_says_may_happen_does():
    """All seed features are needed; a redundant feature may stand beside any other, and another come between."""
    many = [make_rank_order(7, 2, 2, 3, random_state=seed) for seed in range(20)]
    for s in many:
        assert all(len(np.unique(np.argsort(s.X[:, np.delete(np.arange(4), j)]), axis=0)) < 7 for j in range(4))
    apart = [np.abs(s.X[:, new] - s.X[:, old]).max() for s in many for new, old in s.redundant.items()]
    assert set(apart) >= {1, 2}
    beside = [(new, old) for s in many for new, old in s.redundant.items()]
    assert {old < 4 for _, old in beside} == {True, False}
    assert any(old > 5 for _, old in beside)
    assert all(s.origin(j) in (*s.relevant, 4, 5) for s in many for j in range(s.n_features))


@pytest.mark.parametrize(("c_min", "c_max"), [(0.9, 0.1), (0.3, 0.5)])
def test_concordances_keep_their_bounds(c_min, c_max):
    s = make_concordant_orders(10, 25, 4, c_min, c_max, random_state=0)
    firsts = []
    for c in range(4):
        rows = s.X[s.y == c]
        assert concordance(rows) > c_min
        assert len(np.unique(rows, axis=0)) > 1
        firsts.append(rows[0])
    assert concordance(firsts) < c_max
    assert (np.sort(s.X, axis=1) == np.arange(1, 11)).all()
    assert all(not np.array_equal(a, b) for a, b in combinations(firsts, 2))


def test_what_cannot_be_is_said():
    with pytest.raises(ParameterError, match="larger c_max"):
        make_concordant_orders(5, 3, 4, c_max=-0.9, random_state=0)
    with pytest.raises(ParameterError, match="c_min"):
        make_concordant_orders(c_min=1.0)
