"""Scores by fold of the subsets along a search, in the form of scikit-learn's searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.stats

from fewer.core.records.trace import Trace
from fewer.core.views.view import View

# Fold scores are computed again for so many subsets at most: the best ones of a long walk.
MOST = 100


def walked_subsets(trace: Trace) -> dict[tuple[int, ...], float]:
    """Return the different subsets along a search, in the order of their first visit, and their values."""
    here: set[int] = set()
    found: dict[tuple[int, ...], float] = {}
    for step in trace:
        here = (here | set(step.added)) - set(step.removed)
        found.setdefault(tuple(sorted(here)), step.value)
    return found


def cv_results(view: View, criterion: Any, trace: Trace) -> dict[str, Any]:
    """Return the scores of the subsets along a search in every fold.

    Parameters
    ----------
    view : View
        The data.
    criterion : SubsetScore
        With folds.
    trace : Trace
        What the search did; of more than 100 different subsets the best 100 are told.

    Returns
    -------
    dict
        As ``cv_results_`` of `sklearn.model_selection.GridSearchCV`, with ``features`` in place of parameters.
    """
    walked = walked_subsets(trace)
    if len(walked) > MOST:
        best = set(sorted(walked, key=lambda subset: -walked[subset])[:MOST])
        walked = {subset: value for subset, value in walked.items() if subset in best}
    scores = [np.asarray(criterion.fold_values(view, subset), float) for subset in walked]
    return as_results(list(walked), np.array(scores))


def as_results(subsets: list[tuple[int, ...]], scores: np.ndarray) -> dict[str, Any]:
    """Return scores by subset and fold as a dictionary of columns."""
    features = np.empty(len(subsets), dtype=object)
    features[:] = subsets
    means = scores.mean(axis=1) if len(subsets) else np.empty(0)
    ranked = scipy.stats.rankdata(-np.where(np.isnan(means), -np.inf, means), method="min")
    return {
        "features": features,
        "n_features": np.array([len(subset) for subset in subsets], dtype=np.int64),
        **{f"split{f}_test_score": scores[:, f] for f in range(scores.shape[1] if len(subsets) else 0)},
        "mean_test_score": means,
        "std_test_score": scores.std(axis=1) if len(subsets) else np.empty(0),
        "rank_test_score": ranked.astype(np.int32),
    }
