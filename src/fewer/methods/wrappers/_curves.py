"""How good the first so many features of a ranking are, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fewer.core.criteria.error_curve import ErrorCurve
from fewer.core.criteria.recognise import recognise
from fewer.core.runners import progress
from fewer.core.views.view import View

Splits = list[tuple[np.ndarray, np.ndarray]]


def cross_validated_curve(
    data: View,
    order_of_rows: Callable[[np.ndarray], np.ndarray],
    model: Any,
    scoring: Any,
    splits: Splits,
    sizes: list[int],
    params: Mapping[str, Any],
) -> ErrorCurve:
    """Score prefixes of an order that is made again on the training rows of every fold.

    Parameters
    ----------
    data : View
        All rows.
    order_of_rows : callable
        Returns the order of the features by some rows, best first; may hold fewer than asked for.
    model, scoring
        The estimator and its score.
    splits : list of (ndarray, ndarray)
        Rows to train on and to test on.
    sizes : list of int
        Lengths of the prefixes, ascending.
    params : mapping
        Further parameters of fit.
    """
    scores = np.empty((len(splits), len(sizes)))
    for f, (train, test) in enumerate(splits):
        order = order_of_rows(train)[: sizes[-1]]
        # A ranker with a rule of its own may rank fewer features in this fold: then all of them stand for more.
        lengths = [min(size, len(order)) for size in sizes]
        # In the order of the data, as a pipeline would give them: some estimators are not indifferent to it.
        columns = np.sort(order)
        places = np.searchsorted(columns, order)
        scores[f] = _fold(data.columns(columns), [places[:k] for k in lengths], model, scoring, (train, test), params)
        progress.report("cross-validating sizes", f + 1, len(splits))
    return ErrorCurve(list(sizes), scores)


def _fold(
    view: View, subsets: list[np.ndarray], model: Any, scoring: Any, split: tuple[np.ndarray, np.ndarray], params: Any
) -> np.ndarray:
    """Return the scores of subsets of the columns on one split."""
    return recognise(model, scoring, [split], params=params or None).fold_values_of(view, subsets)[:, 0]
