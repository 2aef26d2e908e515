"""P-values of rank sums with a small class or few values that differ, where normal tails are not to be trusted."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fewer.core.kernels.exact_ranks import rank_sums

# Up to so many rows in the smaller class, or with another value than the most frequent one, p-values are exact.
FEWEST = 20
# Groups of equal values, and different rank sums, beyond which neighbours are joined.
MOST_GROUPS, MOST_CELLS = 400, 8192


def few_rows(n_smaller: int, largest_tie: np.ndarray, n_rows: int) -> np.ndarray:
    """Return for which features the smaller class, or the rows outside the largest group of ties, are few."""
    return (n_smaller < FEWEST) | (n_rows - largest_tie < FEWEST)


def rank_sum_pvalues(sizes: list[np.ndarray], rank_sum: np.ndarray, n_chosen: int) -> np.ndarray:
    """Return the probability that a rank sum is as far from its mean as that of each feature, on either side.

    Every choice of ``n_chosen`` rows is as likely as any other. Without ties this is the exact test of Wilcoxon, Mann
    and Whitney; with ties that of all permutations. It is exact for up to 400 different values and 8,192 different
    rank sums, such as those of 20 rows among 400 without ties; beyond, neighbouring ranks are joined, which moves a
    rank sum by less than a thousandth of its range, to the safe side: a p-value of 1e-7 grows by a tenth.

    Parameters
    ----------
    sizes : list of ndarray of int
        Sizes of the groups of equal values of every feature, in the order of the values.
    rank_sum : ndarray of shape (n_features,)
        Sum of the midranks of the chosen rows.
    n_chosen : int
        Rows of one class.
    """
    out = np.empty(len(sizes))
    for j, groups in enumerate(sizes):
        groups = np.ascontiguousarray(groups, dtype=np.int64)
        n, chosen = int(groups.sum()), n_chosen
        distance = abs(rank_sum[j] - chosen * (n + 1) / 2.0)
        # The other rows have the same distance.
        out[j] = _tail(groups.tobytes(), min(chosen, n - chosen), 2.0 * distance)
    return out


def _tail(sizes: bytes, n_chosen: int, distance: float) -> float:
    distances, tails, slack = _null(sizes, n_chosen)
    return min(float(tails[np.searchsorted(distances, distance * (1.0 - 1e-9) - slack)]), 1.0)


@lru_cache(maxsize=512)
def _null(sizes: bytes, n_chosen: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return doubled distances of rank sums from their mean, ascending, the chance of each or more, and rounding."""
    groups = np.frombuffer(sizes, np.int64)
    n = int(groups.sum())
    # Doubled midranks are whole.
    ranks = 2.0 * np.cumsum(groups) - groups + 1.0
    if len(groups) > MOST_GROUPS:
        starts = np.linspace(0, len(groups), MOST_GROUPS + 1).astype(np.int64)[:-1]
        joined = np.add.reduceat(groups, starts)
        groups, ranks = joined, np.add.reduceat(groups * ranks, starts) / joined
    last = int(np.argmax(groups))
    others, lowest = np.delete(np.arange(len(groups)), last), float(ranks.min())
    most = min(n_chosen, n - int(groups[last]))
    span, exact = most * float(ranks.max() - lowest), len(groups) == len(sizes) // 8
    # Without ties, and with most kinds of them, doubled ranks have a common step.
    step = float(np.gcd.reduce((ranks - lowest).astype(np.int64))) if exact and len(groups) > 1 else 1.0
    exact = exact and span < MOST_CELLS * step
    width = step if exact else max(span / (MOST_CELLS - 1), 1e-9)
    cells = np.rint((ranks[others] - lowest) / width).astype(np.int64)
    n_cells = int(most * cells.max(initial=0)) + 1
    chance = rank_sums(groups[others], cells, int(groups[last]), n_chosen, most, n_cells)
    moved = np.arange(n_cells) * width - np.arange(most + 1)[:, None] * (ranks[last] - lowest)
    distance = np.abs(n_chosen * (ranks[last] - (n + 1.0)) + moved).ravel()
    order = np.argsort(distance, kind="stable")
    tails = np.cumsum(chance.ravel()[order][::-1])[::-1]
    return distance[order], np.append(tails, 0.0), 0.0 if exact else 0.5 * most * width
