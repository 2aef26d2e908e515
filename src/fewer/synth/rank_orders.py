"""Orders: data in which only the order of the features inside a row tells the class."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.synth.checks import counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic

TRIES = 2000


def make_rank_order(
    n_classes: int = 7, per_class: int = 20, extraneous: int = 4, redundant: int = 4, random_state: Any = None
) -> Synthetic:
    """Make classes that differ in the order of a few features, with extraneous and redundant ones.

    Seed features, the fewest that have as many orders as there are classes, get a different order in each class, the
    same for all its rows. An extraneous feature comes in at a random place of every row. A redundant one comes in
    directly beside a feature drawn once for all rows, left or right of it at random in every row; that feature may be a
    seed, an extraneous or an earlier redundant one. A redundant feature that comes in later may stand between the two.

    Parameters
    ----------
    n_classes : int, default=7
        Number of classes, at least 2.
    per_class : int, default=20
        Rows per class.
    extraneous : int, default=4
        Number of features without meaning.
    redundant : int, default=4
        Number of features that stand beside another one.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
        Ranks from 1; ``relevant`` are the seed features, ``redundant`` names for each redundant feature the one that
        it was put beside.

    Notes
    -----
    All seed features are needed to tell the classes apart: fewer have fewer orders than there are classes. What was put
    beside a seed feature can stand in for it; what was put beside an extraneous one is as irrelevant as that.

    References
    ----------
    .. [1] D. J. Slotta et al., "Algorithms for feature selection in rank-order spaces", section 5.1, 2005.
    """
    counts("make_rank_order", 2, n_classes=n_classes)
    counts("make_rank_order", 1, per_class=per_class)
    counts("make_rank_order", 0, extraneous=extraneous, redundant=redundant)
    rng = generator("make_rank_order", random_state)
    n_seed = next(n for n in range(2, n_classes + 2) if factorial(n) >= n_classes)
    y = np.repeat(np.arange(n_classes), per_class)
    seeds = _distinct_orders(n_classes, n_seed, rng)
    rows = [list(seeds[c]) for c in y]
    beside: dict[int, int] = {}
    for new in range(n_seed, n_seed + extraneous):
        for row in rows:
            row.insert(int(rng.integers(0, len(row) + 1)), new)
    first = n_seed + extraneous
    for new in range(first, first + redundant):
        beside[new] = int(rng.integers(0, new))
        for row in rows:
            row.insert(row.index(beside[new]) + int(rng.integers(0, 2)), new)
    names = (*numbered("seed", n_seed), *numbered("extra", extraneous), *numbered("beside", redundant))
    words = f"{n_classes} classes by the order of {n_seed} features, {extraneous} extraneous, {redundant} redundant."
    return Synthetic(_ranks(rows), y, names, tuple(range(n_seed)), beside, description=words)


def make_concordant_orders(
    n_features: int = 25,
    per_class: int = 100,
    n_classes: int = 5,
    c_min: float = 0.9,
    c_max: float = 0.1,
    random_state: Any = None,
) -> Synthetic:
    """Make classes of similar orders around orders that differ.

    The orders that the classes start from have a concordance (Fig. 6 of [1]_) below ``c_max``; rows join a class
    as long as its concordance stays above ``c_min``. High ``c_min`` and low ``c_max`` make an easy problem.

    Parameters
    ----------
    n_features : int, default=25
        Number of features, at least 2.
    per_class : int, default=100
        Rows per class.
    n_classes : int, default=5
        Number of classes, at least 2.
    c_min : float, default=0.9
        What the concordance of every class stays above, from 0 to below 1.
    c_max : float, default=0.1
        What the concordance of the first orders of all classes is below, at most 1.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
        Ranks from 1; all features count as relevant.

    Notes
    -----
    The text draws rows at random until they fit, which hardly ever happens for a high ``c_min``. Here a row is the
    first order of its class after a random number of swaps of neighbours, halved until it fits. The text also
    prints the two bounds of its easy and hard data the other way round than its construction needs.

    References
    ----------
    .. [1] D. J. Slotta et al., "Algorithms for feature selection in rank-order spaces", section 5.1, 2005.
    """
    where = "make_concordant_orders"
    counts(where, 2, n_features=n_features, n_classes=n_classes)
    counts(where, 1, per_class=per_class)
    numbers(where, 0.0, 0.999, c_min=c_min)
    numbers(where, -1.0, 1.0, c_max=c_max)
    rng = generator(where, random_state)
    seeds = _discordant(n_classes, n_features, c_max, rng)
    X = np.concatenate([_concordant_rows(seed, per_class, c_min, rng) for seed in seeds])
    words = f"{n_classes} classes of orders with concordance above {c_min:g} around orders below {c_max:g}."
    y = np.repeat(np.arange(n_classes), per_class)
    return Synthetic(X, y, numbered("x", n_features), tuple(range(n_features)), description=words)


def _distinct_orders(n: int, length: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Return different random orders."""
    found: dict[tuple[int, ...], None] = {}
    while len(found) < n:
        found[tuple(rng.permutation(length).tolist())] = None
    return list(found)


def _ranks(rows: list[list[int]]) -> np.ndarray:
    """Return ranks from 1 of orders that list the features from low to high."""
    return np.argsort(np.asarray(rows), axis=1).astype(float) + 1.0


def _signs(order: np.ndarray) -> np.ndarray:
    """Return +1 or -1 for every pair of features."""
    i, j = np.triu_indices(len(order), 1)
    return np.where(order[i] < order[j], 1, -1)


def _tau(balance: np.ndarray, m: int) -> float:
    """Return the concordance of m orders from the sums of their signs."""
    return 1.0 if m == 1 else float((balance.astype(float) ** 2).mean() / (m * m - m) - 1.0 / (m - 1))


def _discordant(n_classes: int, n: int, c_max: float, rng: np.random.Generator) -> np.ndarray:
    """Return different orders of low concordance."""
    for _ in range(TRIES):
        orders = np.array([rng.permutation(n) + 1 for _ in range(n_classes)])
        different = len(np.unique(orders, axis=0)) == n_classes
        if different and _tau(np.sum([_signs(o) for o in orders], axis=0), n_classes) < c_max:
            return orders
    raise ParameterError(
        f"make_concordant_orders found no {n_classes} different orders of {n} features with concordance below "
        f"c_max={c_max:g} in {TRIES} tries; pass a larger c_max or more features."
    )


def _concordant_rows(seed: np.ndarray, n_rows: int, c_min: float, rng: np.random.Generator) -> np.ndarray:
    """Return rows of ranks, the seed first, whose concordance stays above ``c_min`` with each that joins."""
    rows, balance = [seed], _signs(seed)
    n_pairs = len(balance)
    while len(rows) < n_rows:
        swaps = int(rng.integers(0, n_pairs + 1))
        while True:
            row = _swapped(seed, swaps, rng)
            tried = balance + _signs(row)
            if swaps == 0 or _tau(tried, len(rows) + 1) > c_min:
                break
            swaps //= 2
        rows.append(row)
        balance = tried
    return np.array(rows, dtype=float)


def _swapped(ranks: np.ndarray, n_swaps: int, rng: np.random.Generator) -> np.ndarray:
    """Return ranks after swaps of neighbours in the order."""
    order = np.argsort(ranks)
    for at in rng.integers(0, len(order) - 1, n_swaps):
        order[at], order[at + 1] = order[at + 1], order[at]
    return np.argsort(order) + 1
