"""Level by level: make features of one more letter, score them, and keep the best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from fewer.core.measures.presence import PRESENCE_SCORES
from fewer.core.records.rounding import steady
from fewer.core.views.letters import Letters
from fewer.methods.sequences._base import refuse_many
from fewer.methods.sequences._conjuncts import ConjunctSet, Scored, grow
from fewer.methods.sequences._words import WordKind, WordSet, count_words


@dataclass(frozen=True)
class LevelTask:
    """How features of one type are made and selected.

    ``keep`` is a number or a fraction of the features of every level, or None for all; ``levels`` are the numbers of
    letters of features that are collected.
    """

    type: str
    levels: range
    score: str
    keep: int | float | None
    coupled: bool
    event: str
    min_count: int
    threshold: float


@dataclass(frozen=True, eq=False)
class Level:
    """What one level has brought: the kept features, their scores, and how many were scored."""

    type: str
    k: int
    features: Any
    scores: np.ndarray
    n_scored: int


def word_levels(letters: Letters, y: np.ndarray, n_classes: int, kind: WordKind, task: LevelTask) -> list[Level]:
    """Return the kept words of every level; in coupled mode longer ones begin with kept ones."""
    out: list[Level] = []
    measure, kept = PRESENCE_SCORES[task.score], None
    for k in task.levels:
        kind.check("FGA", letters.alphabet, k)
        found = count_words(letters, kind, k, y, n_classes, kept if task.coupled else None, task.event)
        often = np.flatnonzero(found.rows >= task.min_count)
        ids = found.ids[often]
        scores = measure(found.counts[often], found.sizes)
        chosen = np.sort(_best(scores, task))
        kept = ids[chosen]
        out.append(Level(task.type, k, WordSet(kind, k, kept), scores[chosen], len(ids)))
    return out


def conjunction_levels(
    letters: Letters, y: np.ndarray, n_classes: int, positions: np.ndarray, task: LevelTask
) -> list[Level]:
    """Return the kept conjunctions of every level, from those of one letter on, which are not among them."""
    size = letters.alphabet.size
    basics = (positions[:, None] * size + np.arange(size)).ravel()
    score = partial(_scored, PRESENCE_SCORES[task.score], np.bincount(y, minlength=n_classes))
    parents, out = np.zeros((1, 0), np.int64), []
    keep = None if task.keep is None else int(task.keep)
    for k in range(1, task.levels[-1] + 1):
        every = None if not task.coupled else keep
        limit = task.threshold if task.coupled else -np.inf
        found = grow(letters, y, n_classes, parents, basics, score, every, not task.coupled, task.min_count, limit)
        refuse_many("FGA", len(found.basics), "pass coupled=True or fewer max_letters")
        parents = found.basics
        if k >= task.levels[0]:
            out.append(_collected(found, k, task))
    return out


def _collected(found: Scored, k: int, task: LevelTask) -> Level:
    """Return what is kept of a level; in uncoupled mode all others went on, too."""
    chosen = _best(found.scores, task)
    order = chosen[np.lexsort(found.basics[chosen].T[::-1])]
    return Level(task.type, k, ConjunctSet(found.basics[order]), found.scores[order], found.n_seen)


def _scored(measure: Callable[..., np.ndarray], sizes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return measure(counts, sizes)


def _best(scores: np.ndarray, task: LevelTask) -> np.ndarray:
    """Return the numbers of the best features, of equal ones the first, that reach the threshold."""
    order = np.argsort(-steady(scores), kind="stable")
    n = len(scores)
    if task.keep is not None:
        n = int(task.keep) if isinstance(task.keep, (int, np.integer)) else int(np.ceil(task.keep * n))
    order = order[:n]
    return order[scores[order] >= task.threshold]
