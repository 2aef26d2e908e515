"""The random ranking: uniform over all orders, repeatable by a seed, and blind to the data."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.sparse
from scipy.stats import chisquare

import fewer


def order(seed, X=None, **given):
    X = np.zeros((3, 4)) if X is None else X
    return tuple(fewer.RandomRanking(None, random_state=seed, **given).fit(X).selection_.order.tolist())


def test_every_order_is_equally_likely():
    counts = Counter(order(seed, np.zeros((3, 3))) for seed in range(1200))
    assert set(counts) == set(permutations(range(3)))
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_drawn_subsets_are_uniform_at_every_size():
    drawn = fewer.RandomRanking(n_subsets=3000, random_state=0).draw(5, 3)
    assert drawn.shape == (3000, 3)
    for size in (1, 2, 3):
        counts = Counter(tuple(sorted(row[:size])) for row in drawn.tolist())
        assert set(counts) == set(combinations(range(5), size))
        assert chisquare(list(counts.values())).pvalue > 0.001


def test_the_seed_alone_decides(rng):
    """Neither the values, nor the target, nor the kind of table is looked at."""
    X = rng.normal(size=(30, 12))
    expected = order(5, X)
    assert order(5, np.full((4, 12), np.nan)) == expected
    assert order(5, scipy.sparse.random(9, 12, 0.3, format="csr", random_state=0)) == expected
    with_target = fewer.RandomRanking(None, random_state=5).fit(X, rng.integers(0, 3, 30))
    assert tuple(with_target.selection_.order.tolist()) == expected
    assert order(6, X) != expected


def test_without_a_seed_two_fits_differ():
    X = np.zeros((3, 50))
    assert order(None, X) != order(None, X)
    assert not fewer.RandomRanking.method_tags.deterministic
    assert fewer.RandomRanking().__sklearn_tags__().non_deterministic


def test_it_serves_where_rankings_do(rng):
    X, y = rng.normal(size=(40, 6)), np.arange(40) % 2
    assert len(fewer.rank(X, y, "RandomRanking")) == 6
    assert len(fewer.ScoreSelector("RandomRanking", 2).fit(X, y).selection_) == 2
    assert fewer.RandomRanking("threshold:0.5", random_state=0).fit(X).selection_.scores.min() < 0.5
    kept = fewer.RandomRanking("threshold:0.5", random_state=0).fit(X).selection_
    assert (kept.scores[kept.indices] >= 0.5).all()
    with pytest.raises(ValueError, match="probes"):
        fewer.RandomRanking("probes:0.05").fit(X, y)


@pytest.mark.parametrize("size", [-1, 4])
def test_more_than_all_features_cannot_be_drawn(size):
    with pytest.raises(ValueError, match=rf"draw got size={size} of n_features=3, but .* pass a size from 0 to 3"):
        fewer.RandomRanking().draw(3, size)
    assert fewer.RandomRanking(n_subsets=2).draw(3, 3).shape == (2, 3)


@pytest.mark.parametrize("wrong", [{"n_subsets": 0}, {"n_subsets": 2.5}, {"random_state": -1}])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=f"'{next(iter(wrong))}' parameter of RandomRanking"):
        fewer.RandomRanking(**wrong).fit(np.zeros((3, 2)))
