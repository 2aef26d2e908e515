"""Fits of a cross-validation on a cluster, or wherever else: by subset, or by subset and fold where there are few."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.runners.elsewhere import PORTIONS, Place, portions

# A subset with some of the folds, from the first to before the last.
Item = tuple[np.ndarray, int, int]


@dataclass(frozen=True, eq=False)
class SentFits:
    """What the fits of all subsets need, sent once for a whole search.

    Attributes
    ----------
    criterion : CrossValidated
        Fits and scores.
    known : Validation
        The data with their splits.
    """

    criterion: Any
    known: Any


@dataclass(frozen=True, eq=False)
class Fitted:
    """What became of the fits of one item.

    Attributes
    ----------
    scores : ndarray of shape (n_folds,)
        NaN where there is none.
    failed : list of (str, Exception)
        What could not be done, and why.
    """

    scores: np.ndarray
    failed: list[tuple[str, Exception]]


def sent_scores(
    sent: SentFits, place: Place, subsets: list[np.ndarray]
) -> tuple[np.ndarray, list[list[tuple[str, Exception]]]]:
    """Return the scores (n_subsets, n_folds), and what failed on each subset.

    No candidate is given up, which needs to know what others are worth: their values are exact, not bounds.
    """
    n_folds, slots = sent.known.folds.n_folds, place.slots
    # One after another subset would leave most workers idle.
    cut = n_folds if len(subsets) < PORTIONS * slots else 1
    bounds = np.linspace(0, n_folds, cut + 1).astype(int).tolist()
    items: list[Item] = [(subset, a, b) for subset in subsets for a, b in zip(bounds[:-1], bounds[1:])]
    some = portions(items, slots)
    found: list[list[Fitted]] = [[]] * len(some)
    for at, results in place.each(fit_all, sent, some):
        found[at] = results
    every = [one for results in found for one in results]
    scores = np.concatenate([one.scores for one in every]).reshape(len(subsets), n_folds)
    return scores, [[f for one in every[i * cut : (i + 1) * cut] for f in one.failed] for i in range(len(subsets))]


def fit_all(sent: SentFits, items: list[Item]) -> list[Fitted]:
    """Fit and score on some folds of some subsets."""
    return [_fit(sent, *item) for item in items]


def _fit(sent: SentFits, subset: np.ndarray, first: int, last: int) -> Fitted:
    failed: list[tuple[str, Exception]] = []
    scores = sent.criterion.on_folds(sent.known, subset, range(first, last), failed)
    return Fitted(scores, [(what, portable(error)) for what, error in failed])


def portable(error: Exception) -> Exception:
    """Return an error as it can be sent: of an odd class that cannot be made again, one with the same words."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
