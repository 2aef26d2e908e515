"""What the charts show, read from a Selection; the drawings of `plots` and of `page` share it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.records.reasons import KEPT, KIND_NAMES
from fewer.core.records.result import Selection

# Okabe and Ito's palette, which every kind of colour vision tells apart; edges keep contrast on white.
FILLS = {"kept": "#0072B2", "redundant": "#E69F00", "irrelevant": "#999999", "not reached": "#FFFFFF"}
EDGES = {"kept": "#005A8C", "redundant": "#8F6200", "irrelevant": "#707070", "not reached": "#707070"}


@dataclass(frozen=True)
class Bars:
    """The best scores, best first.

    Attributes
    ----------
    names, kinds : list of str
        Feature names, and why each was kept or dropped.
    scores : ndarray
        Scores; may be infinite, never NaN.
    line : float, optional
        The number that every score had to reach, if it was the same for all.
    marks : ndarray
        The number that each score had to reach where it was not the same for all; NaN elsewhere.
    n_scored : int
        How many features have a score.
    """

    names: list[str]
    kinds: list[str]
    scores: np.ndarray
    line: float | None
    marks: np.ndarray
    n_scored: int


@dataclass(frozen=True)
class Slope:
    """All scores in falling order.

    Attributes
    ----------
    features : ndarray
        Feature numbers, best score first.
    scores : ndarray
        Their scores; may be infinite, never NaN.
    kept : ndarray of bool
        Which of them were kept.
    cut : int, optional
        How many were kept, if these are exactly the best scores and some were dropped.
    line : float, optional
        The number that every score had to reach, if it was the same for all.
    """

    features: np.ndarray
    scores: np.ndarray
    kept: np.ndarray
    cut: int | None
    line: float | None


@dataclass(frozen=True)
class Path:
    """A stepwise search: size and value of the subset after each step, and the step of the selection."""

    sizes: np.ndarray
    values: np.ndarray
    chosen: int | None


def best_scores(selection: Selection, most: int = 30) -> Bars | None:
    """Return the ``most`` best scores, or None if the selection has none."""
    features = _by_score(selection)
    if len(features) == 0:
        return None
    shown = features[:most]
    line = common_line(selection)
    needed = np.full(len(shown), np.nan)
    if line is None and np.ndim(selection.reasons.threshold) == 1:
        needed = np.asarray(selection.reasons.threshold, dtype=float)[shown]
    return Bars(
        names=[selection.feature_names[j] for j in shown],
        kinds=[KIND_NAMES[k] for k in selection.reasons.kind[shown]],
        scores=np.asarray(selection.scores, dtype=float)[shown],
        line=line,
        marks=np.where(np.isfinite(needed), needed, np.nan),
        n_scored=len(features),
    )


def sorted_scores(selection: Selection) -> Slope | None:
    """Return all scores in falling order, or None if the selection has none."""
    features = _by_score(selection)
    if len(features) == 0:
        return None
    kept = selection.reasons.kind[features] == KEPT
    n_kept = int(kept.sum())
    is_cut = 0 < n_kept < len(features) and bool(kept[:n_kept].all())
    return Slope(
        features=features,
        scores=np.asarray(selection.scores, dtype=float)[features],
        kept=kept,
        cut=n_kept if is_cut else None,
        line=common_line(selection),
    )


def search_path(selection: Selection) -> Path | None:
    """Return what a stepwise search did, or None if it took fewer than two steps."""
    steps = selection.trace.steps
    if len(steps) < 2:
        return None
    change = np.cumsum([len(step.added) - len(step.removed) for step in steps])
    started_full = _started_full(selection)
    return Path(
        sizes=change + (selection.n_features if started_full else 0),
        values=np.asarray(selection.trace.values, dtype=float),
        chosen=_chosen_step(selection, started_full),
    )


def common_line(selection: Selection) -> float | None:
    """Return the number that every score had to reach, if there is one number for all."""
    threshold = np.atleast_1d(np.asarray(selection.reasons.threshold, dtype=float))
    values = np.unique(threshold[np.isfinite(threshold)])
    return float(values[0]) if len(values) == 1 else None


def _by_score(selection: Selection) -> np.ndarray:
    """Return the features that have a score, best first; of equal scores the lower number comes first."""
    if selection.scores is None:
        return np.empty(0, dtype=np.int64)
    scores = np.asarray(selection.scores, dtype=float)
    order = np.argsort(-scores, kind="stable")
    return order[~np.isnan(scores[order])]


def _started_full(selection: Selection) -> bool:
    """Return whether a search began with all features: then one leaves that no step had added."""
    added: set[int] = set()
    for step in selection.trace:
        added.update(step.added)
        if not added.issuperset(step.removed):
            return True
    return False


def _chosen_step(selection: Selection, started_full: bool) -> int | None:
    """Return the first step after which the subset was the one that the selection keeps."""
    wanted = {int(j) for j in selection.indices}
    subset = set(range(selection.n_features)) if started_full else set()
    for number, step in enumerate(selection.trace):
        subset.update(int(j) for j in step.added)
        subset.difference_update(int(j) for j in step.removed)
        if len(subset) == len(wanted) and subset == wanted:
            return number
    return None
