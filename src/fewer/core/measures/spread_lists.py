"""One list from one ranking per class, the classes taking turns (SpreadFx: Forman 2004; book ch. 13, s. 13.3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError

SCHEDULERS, DUPLICATES = ("round", "random"), ("consume", "skip")


def spread_lists(
    lists: Sequence[Sequence[int]],
    *,
    scheduler: str = "round",
    on_duplicate: str = "consume",
    weights: Sequence[float] | None = None,
    random_state: Any = None,
) -> list[int]:
    """Return one list of all features, each class naming its next best in its turn.

    Parameters
    ----------
    lists : sequence of sequences of int
        The features of every class, best first.
    scheduler : {"round", "random"}, default="round"
        Whose turn it is: one class after another, or a class drawn with probabilities in proportion to ``weights``.
        Classes whose list is at its end have no more turns.
    on_duplicate : {"consume", "skip"}, default="consume"
        Whether naming a feature that is there already uses up the turn, or the class names its best that is not.
    weights : sequence of float, optional
        Weights of the classes for "random"; alike by default.
    random_state : int, Generator or None
        Seed of the draws.

    Examples
    --------
    >>> lists = [[1, 2, 3, 4], [1, 3, 5], [6, 2, 1]]
    >>> spread_lists(lists), spread_lists(lists, on_duplicate="skip")
    ([1, 6, 2, 3, 5, 4], [1, 3, 6, 2, 5, 4])
    """
    if scheduler not in SCHEDULERS or on_duplicate not in DUPLICATES:
        raise ParameterError(
            f"spread_lists got scheduler={scheduler!r} and on_duplicate={on_duplicate!r}, but takes 'round' or "
            "'random', and 'consume' or 'skip'; pass such."
        )
    given = [list(one) for one in lists]
    at, alive = [0] * len(given), [bool(one) for one in given]
    turns = _rounds(alive) if scheduler == "round" else _draws(alive, weights, random_state)
    taken: dict[int, None] = {}
    for k in turns:
        one = given[k]
        while on_duplicate == "skip" and at[k] < len(one) and one[at[k]] in taken:
            at[k] += 1
        if at[k] < len(one):
            taken[one[at[k]]] = None
            at[k] += 1
        alive[k] = at[k] < len(one)
    return list(taken)


def _rounds(alive: list[bool]) -> Iterator[int]:
    """Return classes one after another for as long as some list is not at its end; the caller keeps ``alive``."""
    while any(alive):
        for k in range(len(alive)):
            if alive[k]:
                yield k


def _draws(alive: list[bool], weights: Sequence[float] | None, random_state: Any) -> Iterator[int]:
    """Return classes drawn by weight; to draw again where a list is at its end is to draw among the others."""
    shares = np.ones(len(alive)) if weights is None else np.asarray(weights, dtype=np.float64)
    if shares.shape != (len(alive),) or not (shares >= 0).all() or not 0 < shares.sum() < np.inf:
        raise ParameterError(
            f"spread_lists got weights={weights!r} of {len(alive)} lists, but takes one number from 0 for each, not "
            "all 0; pass such."
        )
    rng = np.random.default_rng(random_state)
    while any(alive):
        # Classes without weight come when the others are at their end.
        left = np.where(alive, shares, 0.0)
        left = left if left.sum() > 0 else np.asarray(alive, dtype=np.float64)
        # The last edge is exactly 1, above every draw.
        edges = np.cumsum(left) / left.sum()
        edges[np.flatnonzero(left)[-1] :] = 1.0
        for k in np.searchsorted(edges, rng.random(256), side="right").tolist():
            if not alive[k]:
                break
            yield k


def round_order(orders: np.ndarray) -> np.ndarray:
    """Return what `spread_lists` makes by "round" and "consume" of complete lists, (n_classes, n_features), at once.

    A feature comes at its first turn, and a class names its r-th feature in turn r * n_classes + its number.
    """
    n_classes, n = orders.shape
    turn = np.full(n, n_classes * n, np.int64)
    for k in range(n_classes):
        turn[orders[k]] = np.minimum(turn[orders[k]], np.arange(n) * n_classes + k)
    return np.argsort(turn, kind="stable")
