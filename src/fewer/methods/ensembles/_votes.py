"""Votes of pipelines for features, and the final set by accuracy and relative absolute error (book 19.5-19.6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fewer.methods.ensembles._spectra import gap_bins

# Accuracies and errors that differ by less are equal: they are sums of rounded fractions.
SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Votes:
    """What pipelines voted for.

    Attributes
    ----------
    s, ws : ndarray of shape (n_features,)
        Sum of the accuracies of the pipelines with the feature (eq. 19.1), and the same of accuracies divided by the
        number of features (eq. 19.2).
    count : ndarray of shape (n_features,)
        Number of pipelines with the feature.
    stands_for : ndarray of shape (n_features,)
        The feature that a feature was merged with, itself if with none.
    """

    s: np.ndarray
    ws: np.ndarray
    count: np.ndarray
    stands_for: np.ndarray


def feature_votes(
    sets: Sequence[np.ndarray],
    accuracies: np.ndarray,
    n_features: int,
    coordinates: np.ndarray | None = None,
    tolerance: float = 1.0,
) -> Votes:
    """Count votes; features with votes whose coordinates form a chain of gaps below the tolerance are one.

    The member with most votes stands for all, of equal ones the first. A pipeline votes once for each. One without
    features does not vote.
    """
    count = np.zeros(n_features, dtype=np.int64)
    for chosen in sets:
        count[chosen] += 1
    stands_for = np.arange(n_features)
    voted = np.flatnonzero(count)
    if coordinates is not None and len(voted):
        bins = gap_bins(np.asarray(coordinates)[voted], tolerance)
        for number in range(bins.max() + 1):
            members = voted[bins == number]
            stands_for[members] = members[np.argmax(count[members])]
    s, ws, count = np.zeros(n_features), np.zeros(n_features), np.zeros(n_features, dtype=np.int64)
    for chosen, accuracy in zip(sets, accuracies):
        merged = np.unique(stands_for[chosen])
        if len(merged):
            s[merged] += accuracy
            ws[merged] += accuracy / len(merged)
            count[merged] += 1
    return Votes(s, ws, count, stands_for)


@dataclass(frozen=True, eq=False)
class FinalSet:
    """How accuracy and relative absolute error changed while features joined, and how many are enough."""

    size: int
    accuracy: list[float]
    rae: list[float]


def incremental_set(
    order: np.ndarray, evaluate: Callable[[np.ndarray], tuple[float, float]], patience: int = 0
) -> FinalSet:
    """Add features in order until neither accuracy nor relative absolute error improves, ``patience`` more times."""
    accuracies: list[float] = []
    errors: list[float] = []
    size = 0
    for k in range(1, len(order) + 1):
        accuracy, error = evaluate(order[:k])
        better = k == 1 or accuracy > max(accuracies) + SAME or error < min(errors) - SAME
        accuracies.append(accuracy)
        errors.append(error)
        size = k if better else size
        if k - size > patience:
            break
    return FinalSet(size, accuracies, errors)
