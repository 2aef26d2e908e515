"""P-values of the default recipe where counts are small, against exact tests and shuffled classes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact

from fewer.core.folds.relevance import relevance
from fewer.core.measures.exact_tables import exact_pvalues
from fewer.core.summaries.results import Counts


def pvalues(x, y, numbers=False):
    """Return the p-values of columns of levels."""
    tables = [np.array([[np.sum((c == a) & (y == b)) for b in np.unique(y)] for a in np.unique(c)]) for c in x]
    offsets = np.concatenate([[0], np.cumsum([len(table) for table in tables])])
    some = np.ones(len(x), bool)
    return relevance(Counts(np.concatenate(tables), offsets), some, ~some, numbers).pvalue


def test_two_by_two_is_fishers():
    y = np.arange(200) < 8
    x = np.isin(np.arange(200), [0, 1, 2, 50, 60, 70])
    assert pvalues([x], y)[0] == pytest.approx(fisher_exact([[3, 3], [5, 189]])[1])


@pytest.mark.parametrize(
    ("sizes", "numbers"), [((46, 4), False), ((40, 40, 4, 3), False), ((60, 4, 3, 3), True), ((20,) * 10, True)]
)
def test_small_pvalues_are_as_frequent_as_they_say(sizes, numbers):
    rng = np.random.default_rng(0)
    y, n = np.repeat(np.arange(len(sizes)), sizes), sum(sizes)
    rare = [np.where(rng.random(n) < 0.04, rng.integers(1, 6, n), 0) for _ in range(200)]
    even = [rng.permutation(np.arange(n) * 8 // n) for _ in range(200)]
    for columns in (rare, even):
        found = pvalues(columns, y, numbers)
        for level, most in ((0.05, 19), (0.005, 5), (1e-4, 0)):
            assert (found <= level).sum() <= most


def test_one_common_level_beside_rare_ones():
    """Seven rows in other levels, each in a level of its own: four in one bin of ten are no proof."""
    table = np.full((7, 10), 0)
    table[0] = 20
    table[1:, :] = np.eye(10, dtype=int)[[8, 6, 8, 8, 2, 8]]
    table[0] -= table[1:].sum(axis=0)
    shuffles = np.random.default_rng(0)
    y = np.repeat(np.arange(10), 20)
    hits = 0
    for _ in range(3000):
        drawn = np.bincount(shuffles.choice(y, 6, replace=False), minlength=10)
        hits += ((20 - drawn - 19.4) ** 2).sum() >= ((table[0] - 19.4) ** 2).sum() - 1e-9
    found = exact_pvalues(Counts(table, np.array([0, 7])), np.array([1e-7]), "chi2")[0]
    assert 0.4 * hits / 3000 < found < 2.5 * hits / 3000
