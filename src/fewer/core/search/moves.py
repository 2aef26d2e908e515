"""Random subsets of allowed sizes, and random steps between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

from fewer.core.records.errors import ParameterError
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.units import Subset, as_units

STARTS = ("empty", "full", "random")
# Random numbers that are sorted at once.
CELLS = 2**20


def random_masks(rng: np.random.Generator, count: int, evaluations: Evaluations) -> np.ndarray:
    """Return masks of subsets drawn uniformly among all of allowed size, shape (count, n_units)."""
    n, low, high = evaluations.n_units, evaluations.low, evaluations.high
    sizes = np.arange(low, high + 1)
    # Uniform over subsets: a size as often as it has subsets, then any subset of that size.
    logs = gammaln(n + 1) - gammaln(sizes + 1) - gammaln(n - sizes + 1)
    weights = np.exp(logs - logs.max())
    drawn = rng.choice(sizes, size=count, p=weights / weights.sum())
    masks = np.empty((count, n), dtype=bool)
    # Some rows at a time: the numbers drawn are the same, but sorting many of them takes eight times the masks.
    step = max(1, CELLS // max(n, 1))
    for start in range(0, count, step):
        some = drawn[start : start + step]
        masks[start : start + step] = rng.random((len(some), n)).argsort(axis=1).argsort(axis=1) < some[:, None]
    return masks


def random_subset(rng: np.random.Generator, evaluations: Evaluations) -> Subset:
    """Return one subset drawn uniformly among all of allowed size."""
    return as_units(random_masks(rng, 1, evaluations)[0])


def repaired(rng: np.random.Generator, masks: np.ndarray, evaluations: Evaluations) -> np.ndarray:
    """Return masks whose sizes are allowed: random units join those too small and leave those too large."""
    masks = masks.copy()
    sizes = masks.sum(axis=1)
    for i in np.flatnonzero((sizes < evaluations.low) | (sizes > evaluations.high)):
        wanted = int(np.clip(sizes[i], evaluations.low, evaluations.high))
        side = wanted < sizes[i]
        movable = np.flatnonzero(masks[i] == side)
        masks[i, rng.choice(movable, size=abs(wanted - int(sizes[i])), replace=False)] = not side
    return masks


def flipped(rng: np.random.Generator, subset: Subset, flips: int, evaluations: Evaluations) -> Subset:
    """Return a subset with some random units put in or taken out; where sizes forbid that, units change places.

    At least one unit changes if any subset of allowed size is different.
    """
    n, low, high = evaluations.n_units, evaluations.low, evaluations.high
    mask = np.zeros(n, dtype=bool)
    mask[list(subset)] = True
    changed = mask.copy()
    at = rng.choice(n, size=min(flips, n), replace=False)
    changed[at] = ~changed[at]
    size = int(changed.sum())
    if low <= size <= high:
        return as_units(changed)
    # Undo the size, not the change: what was flipped stays, others move against it.
    wanted, side = (high, True) if size > high else (low, False)
    untouched = np.ones(n, dtype=bool)
    untouched[at] = False
    movable = np.flatnonzero((changed == side) & untouched)
    need = abs(wanted - size)
    if len(movable) < need:
        return as_units(repaired(rng, changed[None], evaluations)[0])
    changed[rng.choice(movable, size=need, replace=False)] = not side
    return as_units(changed)


def starting(start: Any, rng: np.random.Generator, evaluations: Evaluations) -> Subset:
    """Return the subset with which a search starts: none, all or random units, or those that are given."""
    if isinstance(start, str):
        if start == "random":
            return random_subset(rng, evaluations)
        if start in STARTS:
            return () if start == "empty" else tuple(range(evaluations.n_units))
    if isinstance(start, str) or not _are_units(start, evaluations.n_units):
        raise ParameterError(
            f"A search got start={start!r}, but knows {', '.join(map(repr, STARTS))} and unit numbers; pass one."
        )
    given = as_units(start)
    if given and not 0 <= given[0] <= given[-1] < evaluations.n_units:
        raise ParameterError(
            f"A search got start={start!r}, but units are numbered from 0 to {evaluations.n_units - 1}; pass such."
        )
    return given


def _are_units(given: Any, n_units: int) -> bool:
    """Return whether something is a list of whole numbers, or a mask of all units."""
    try:
        numbers = np.asarray(list(given) if isinstance(given, set | frozenset) else given)
    except (ValueError, TypeError):
        return False
    whole = numbers.dtype.kind in "iu" or not numbers.size or (numbers.dtype.kind == "b" and len(numbers) == n_units)
    return numbers.ndim == 1 and whole and not np.ma.is_masked(given)


def outside(subset: Subset, evaluations: Evaluations) -> np.ndarray:
    """Return the units that are not in a subset."""
    free = np.ones(evaluations.n_units, dtype=bool)
    free[list(subset)] = False
    return np.flatnonzero(free)
