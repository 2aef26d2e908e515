"""Splits inside splits: by what rows a choice is made that the test rows of a fold have no part in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.records.errors import FewerError
from fewer.core.views.row_splits import MANY_ROWS, Splits, make_splits

# Folds are joined to so many blocks; two of them are left out at a time.
BLOCKS = 5
# Where folds cannot be left out in pairs, each training part is split into so many folds.
INNER_FOLDS = 3


@dataclass(frozen=True, eq=False)
class Inner:
    """Rows to train on, and one or two sets of rows to test on.

    Attributes
    ----------
    train : ndarray of int
        Row numbers.
    test : tuple of ndarray of int
        Row numbers to score on.
    serves : tuple of tuple of int
        For each set, the folds for which its score may choose: nothing here trains or tests on their test rows, but
        for what is tested in the set of the other.
    """

    train: np.ndarray
    test: tuple[np.ndarray, ...]
    serves: tuple[tuple[int, ...], ...]


def inner_splits(splits: Splits, y: np.ndarray, task: str, groups: Any = None, seed: int = 0) -> tuple[Inner, ...]:
    """Return splits by whose scores a setting can be chosen for every fold without a look at its test rows.

    The folds of a repetition are joined to five blocks. A model that is trained without two blocks is scored on both:
    the score on one of them helps to choose for the folds of the other. So ten models choose for all folds, however
    many there are. With more than 2,000 rows five pairs of blocks are enough. Where there are only two folds, or
    one, the rows that a fold trains on are split in three instead. In the order of time nothing is needed: earlier
    folds never saw the later ones.

    Parameters
    ----------
    splits : Splits
        The folds.
    y, task, groups
        As for `make_splits`.
    seed : int, default=0
        Of the splits of training parts.

    Returns
    -------
    tuple of Inner
        Folds that none of them serves have too few rows.

    Examples
    --------
    >>> y = np.arange(20) % 2
    >>> inner = inner_splits(make_splits(10, y, "classification"), y, "classification")
    >>> len(inner), len(inner[0].train), inner[0].serves
    (10, 12, ((1, 6), (0, 5)))
    """
    if in_time(np.array([len(rows) for rows in splits.train]), np.array([len(rows) for rows in splits.test])):
        return ()
    found: list[Inner] = []
    for r in np.unique(splits.repeat):
        folds = np.flatnonzero(splits.repeat == r)
        pairs = _pairs(splits, folds, y) if len(folds) > 2 else []
        enough = pairs and all(_usable(one.train, y, task) for one in pairs)
        found += pairs if enough else [one for f in folds for one in _within(splits, int(f), y, task, groups, seed)]
    return tuple(found)


def in_time(n_train: np.ndarray, n_test: np.ndarray) -> bool:
    """Return whether each fold learns from all that came before it, which other protocols do not."""
    return len(n_train) > 1 and bool((n_train[1:] == n_train[:-1] + n_test[:-1]).all())


def _pairs(splits: Splits, folds: np.ndarray, y: np.ndarray) -> list[Inner]:
    """Return splits that leave out two blocks of folds each."""
    n_blocks = min(BLOCKS, len(folds))
    blocks = [tuple(map(int, folds[b::n_blocks])) for b in range(n_blocks)]
    tested = [np.sort(np.concatenate([splits.test[f] for f in block])) for block in blocks]
    learned = [_common([splits.train[f] for f in block], len(y)) for block in blocks]
    out = []
    for a in range(n_blocks):
        for b in range(a + 1, n_blocks):
            near = b == a + 1 or (a == 0 and b == n_blocks - 1)
            if near or len(y) <= MANY_ROWS:
                train = np.flatnonzero(learned[a] & learned[b])
                out.append(Inner(train, (tested[a], tested[b]), (blocks[b], blocks[a])))
    return out


def _common(parts: list[np.ndarray], n_rows: int) -> np.ndarray:
    """Return which rows are in all parts, as a mask."""
    return np.bincount(np.concatenate(parts), minlength=n_rows) == len(parts)


def _within(splits: Splits, fold: int, y: np.ndarray, task: str, groups: Any, seed: int) -> list[Inner]:
    """Return splits of the rows that a fold trains on; none if they are too few."""
    rows = splits.train[fold]
    try:
        made = make_splits(INNER_FOLDS, y[rows], task, None if groups is None else np.asarray(groups)[rows], seed)
    except FewerError:
        return []
    found = [Inner(rows[a], (rows[b],), ((fold,),)) for a, b in zip(made.train, made.test)]
    return [one for one in found if _usable(one.train, y, task)]


def _usable(rows: np.ndarray, y: np.ndarray, task: str) -> bool:
    """Return whether there is something to learn: two rows, of two classes."""
    return len(rows) > 1 and (task != "classification" or bool((y[rows] != y[rows[0]]).any()))
