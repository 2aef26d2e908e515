"""Backward elimination by approximate Markov blankets: the engine of two selectors."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fewer.core.kernels.candidates import best_candidates, fill_blankets
from fewer.core.kernels.conditional import conditional_information
from fewer.core.measures.count_logs import CountLogs
from fewer.core.runners import progress
from fewer.core.runners.runner import Runner

# Candidates kept per feature; a list is made again when all of them have gone.
LISTED = 64
# Similarities looked at together.
PAIRS_AT_ONCE = 2**21
FEATURES_PER_TASK = 32
GONE = np.iinfo(np.int64).max


class Similarity(Protocol):
    """Says how much features resemble each other."""

    def rows(self, features: np.ndarray) -> np.ndarray:
        """Return the similarity of some features with every feature, as whole numbers."""


@dataclass(frozen=True, eq=False)
class BlanketElimination:
    """What the elimination did, features in the order in which they left.

    Attributes
    ----------
    removed : ndarray of int64
        Feature numbers; the last one was never removed but is left over.
    delta : ndarray of float64
        What each feature told about the class beyond its blanket when it left, in nats.
    own : ndarray of float64
        What each feature tells about the class alone, in nats.
    covered : ndarray of bool
        Whether the blanket covers at least half of own, and own is significant or all of it is covered.
    blankets : ndarray of int64, shape (n_features, k)
        The blankets at that time; -1 where fewer than k features were left.
    evaluations : ndarray of int64
        How many deltas were computed before each removal.
    seconds : ndarray of float64
        How long each step took.
    """

    removed: np.ndarray
    delta: np.ndarray
    own: np.ndarray
    covered: np.ndarray
    blankets: np.ndarray
    evaluations: np.ndarray
    seconds: np.ndarray


class _Blankets:
    """The k living features most similar to each living feature."""

    def __init__(self, similarity: Similarity, n_features: int, k: int, alive: np.ndarray) -> None:
        self.similarity, self.alive = similarity, alive
        self.members = np.full((n_features, k), -1, np.int64)
        self._lists = np.full((n_features, max(LISTED, 2 * k)), -1, np.int32)
        if k:
            self._list(np.arange(n_features))
            fill_blankets(np.arange(n_features), self._lists, alive, self.members)

    def _list(self, owners: np.ndarray) -> None:
        step = max(1, PAIRS_AT_ONCE // len(self.alive))
        for start in range(0, len(owners), step):
            some = owners[start : start + step]
            best = np.empty((len(some), self._lists.shape[1]), np.int32)
            best_candidates(self.similarity.rows(some), some, self.alive, best)
            self._lists[some] = best
            progress.report("comparing features", start + len(some), len(owners))

    def without(self, gone: int) -> np.ndarray:
        """Replace a feature that has gone in every blanket; return the features whose blanket it was in."""
        losers = np.flatnonzero((self.members == gone).any(axis=1) & self.alive)
        short = fill_blankets(losers, self._lists, self.alive, self.members)
        if short.any():
            self._list(losers[short])
            fill_blankets(losers[short], self._lists, self.alive, self.members)
        return losers


def eliminate(
    block: Any, n_classes: int, similarity: Similarity, k: int, run: Runner, significant: np.ndarray
) -> BlanketElimination:
    """Drop features one by one, always the one that tells least beyond its blanket, of equal ones the highest.

    Only features whose blanket lost a member are looked at again: nothing else changes for the others.

    Parameters
    ----------
    block : CodesBlock
        Codes and classes of all rows.
    n_classes : int
        Number of classes.
    similarity : Similarity
        Chooses the blankets; not used if k is 0.
    k : int
        Size of a blanket.
    run : Runner
        Its threads share the features.
    significant : ndarray of bool, shape (n_features,)
        Which features tell something significant about the class.
    """
    begin, d = time.perf_counter(), block.n_features
    logs = CountLogs.up_to(block.n_rows)
    delta, own, alive = np.empty(d, np.int64), np.empty(d, np.int64), np.ones(d, bool)
    blankets = _Blankets(similarity, d, k, alive)

    def measure(features: np.ndarray, given: np.ndarray) -> np.ndarray:
        out = np.empty(len(features), np.int64)

        def work(start: int, stop: int) -> None:
            part = slice(start, stop)
            conditional_information(
                block.columns, block.n_levels, block.y, n_classes, logs.growth, features[part], given[part], out[part]
            )

        run.scan(work, len(features), FEATURES_PER_TASK)
        return out

    everything, evaluations = np.arange(d), d
    own[:] = measure(everything, blankets.members[:, :0])
    delta[:] = measure(everything, blankets.members) if k else own
    steps: list[tuple[int, int, int, float]] = []
    at_exit = np.full((d, k), -1, np.int64)
    for step in range(d):
        worst = d - 1 - int(np.argmin(delta[::-1]))
        at_exit[step] = blankets.members[worst]
        now = time.perf_counter()
        steps.append((worst, int(delta[worst]), evaluations, now - begin))
        begin = now
        alive[worst], delta[worst] = False, GONE
        losers = blankets.without(worst)
        evaluations = len(losers)
        if evaluations:
            delta[losers] = measure(losers, blankets.members[losers])
        progress.report("dropping features", step + 1, d)
    removed, left_with, counted, seconds = (np.array(column) for column in zip(*steps))
    n, alone = block.n_rows, own[removed]
    half = left_with <= alone // 2
    return BlanketElimination(
        removed,
        logs.nats(left_with, n),
        logs.nats(alone, n),
        (alone > 0) & half & (significant[removed] | (left_with == 0)),
        at_exit,
        counted,
        seconds,
    )
