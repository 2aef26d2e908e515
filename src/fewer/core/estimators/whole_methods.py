"""Whole methods as parts of others: sized, fitted to a view, and read as a list of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
import scipy.stats
from sklearn.base import clone

from fewer.core.records.errors import RequirementError
from fewer.core.records.result import Selection
from fewer.core.records.rounding import TOLERANCE, joined
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import OF_TASK
from fewer.core.views.view import View


def joint_targets(tags: Sequence[MethodTags]) -> tuple[str, ...]:
    """Return the kinds of target that methods take together."""
    wanted = [t.targets for t in tags if t.needs_target] or [tags[0].targets]
    if len(set(wanted)) == 1:
        return wanted[0]
    # The target is read as the most demanding method needs it; others take numbers from labels.
    strict = any(t.task == "classification" for t in tags)
    reads = any(t.reads_classes for t in tags)
    return OF_TASK["classification" if strict else "any" if reads else "regression"]


def counts(made: Any) -> bool:
    """Return whether a selector was given a number, or none, rather than a rule of its own."""
    size = made.get_params(deep=False).get("n_features_to_select", "")
    return size is None or isinstance(size, Integral)


def resized(made: Any, most: int) -> Any:
    """Return a copy of a selector that orders so many features; a rule that it has in place of a number stays."""
    made = clone(made)
    return made.set_params(n_features_to_select=most) if counts(made) else made


def ranked(made: Any, data: View) -> Selection:
    """Fit a selector to data and return its selection."""
    if not hasattr(made, "fit_view"):
        raise RequirementError(
            f"{type(made).__name__} was given as ranker, but says no order of the features (selection_); pass a "
            "selector of this library."
        )
    return made.fit_view(replace(data, groups=None, fit_params={})).selection_


def order_of(made: Any, selection: Selection, most: int) -> np.ndarray:
    """Return the features in order, best first: as many as asked for, or those that its own rule keeps."""
    return (selection.order if counts(made) else selection.indices)[:most]


def list_ranks(made: Any, selection: Selection) -> np.ndarray:
    """Return the rank of every feature, 1 is best, NaN where the method did not rank it.

    Features of equal score, up to rounding, share their mean rank where the order is that of the scores; in a search it
    is not.
    """
    order = order_of(made, selection, selection.n_features)
    out = np.full(selection.n_features, np.nan)
    none = np.full(selection.n_features, np.nan)
    scores = np.asarray(none if selection.scores is None else selection.scores, dtype=float)[order]
    shared = _ties(scores)
    falling = not np.isnan(scores).any() and bool((shared[1:] <= shared[:-1]).all())
    out[order] = scipy.stats.rankdata(-shared) if falling else np.arange(1, len(order) + 1)
    return out


def _ties(scores: np.ndarray) -> np.ndarray:
    """Return scores of which those that a ranking takes for equal are the same number."""
    with np.errstate(invalid="ignore"):
        # `steady` takes numbers for equal that are up to two roundings apart; infinite ones have no rounding.
        return joined(scores, np.where(np.isfinite(scores), 2 * TOLERANCE * np.abs(scores), 0.0))
