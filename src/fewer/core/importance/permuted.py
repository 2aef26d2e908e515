"""How much a score falls when the values of a feature, or of a group of features, are given to other rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from fewer.core.criteria.fold_scores import ReadyClassifier, ReadyRegressor, score_name
from fewer.core.criteria.folds import of_rows
from fewer.core.criteria.model_input import take_rows
from fewer.core.importance.models import fitted
from fewer.core.importance.tree_answers import TreeAnswers, has_routes

# Bytes of permuted copies that are predicted at once: few calls for small data, and none that leaves the cache.
MOST_BYTES = 2**20

Orders = Callable[[int], np.ndarray]


def permuted_scores(
    model: Any, X: Any, y: np.ndarray, scorer: Any, units: list[np.ndarray], orders: Orders, params: Mapping[str, Any]
) -> tuple[float, np.ndarray]:
    """Return the score of a model, and its scores with each unit of columns permuted.

    Equal to scoring a copy of X for every unit and order. Copies are predicted many at a time; of scikit-learn's trees
    and forests only those rows take a new way through a tree that are asked about a column of the unit on the old one.

    Parameters
    ----------
    model : estimator
        Fitted.
    X, y : array-like, ndarray
        Rows that it was not fitted on.
    scorer : callable
        As `sklearn.metrics.check_scoring` returns it.
    units : list of ndarray of int
        Columns that are permuted together; no column is in two of them.
    orders : callable
        Returns for a unit the row from which each row takes its columns, (n_repeats, n_rows).
    params : mapping
        Further parameters of the scorer.

    Returns
    -------
    float, ndarray of shape (n_units, n_repeats)
    """
    whole = float(scorer(model, X, y, **params))
    n_repeats = len(orders(0)) if units else 0
    scores = np.full((len(units), n_repeats), whole)
    ready = ReadyClassifier if is_classifier(model) else ReadyRegressor
    classes, answers_count = getattr(model, "classes_", None), asks_for_answers(model, scorer)
    if has_routes(model, X) and answers_count:
        for u, repeat, answers in TreeAnswers(model, X).changed(units, orders):
            scores[u, repeat] = scorer(ready(answers, classes), X, y, **params)
        return whole, scores
    stack = answers_count and isinstance(X, np.ndarray)
    for some, copies in _portions(X, units, orders, n_repeats, stack):
        stacked = _Stacked(model, np.concatenate(copies), len(X)) if stack else None
        answering = model if stacked is None else ready(stacked, classes)
        for place, (u, repeat) in enumerate(some):
            if stacked is not None:
                stacked.place = place
            scores[u, repeat] = scorer(answering, copies[place], y, **params)
    return whole, scores


class _Stacked(dict):
    """Answers for the rows of one of several copies of the data, which are predicted together when first asked for."""

    def __init__(self, model: Any, X: np.ndarray, n_rows: int) -> None:
        super().__init__()
        self.model, self.X, self.n_rows, self.place = model, X, n_rows, 0

    def __contains__(self, method: object) -> bool:
        return hasattr(self.model, str(method))

    def __getitem__(self, method: str) -> np.ndarray:
        if not super().__contains__(method):
            self[method] = getattr(self.model, method)(self.X)
        return super().__getitem__(method)[self.place * self.n_rows : (self.place + 1) * self.n_rows]


def asks_for_answers(model: Any, scorer: Any) -> bool:
    """Return whether a scorer looks at nothing but what the model predicts, so that another may answer for it."""
    # The first is made of a function of answers; the other stands for the score method of the model.
    return hasattr(scorer, "_score_func") or (hasattr(scorer, "_estimator") and score_name(model, None) is not None)


def held_out_falls(model: Any, X: Any, y: np.ndarray, fit_params: Mapping[str, Any], seed: int) -> np.ndarray:
    """Return how much the own score of a model falls on a third of the rows, held out, by each column permuted.

    For models that report no importances themselves. None is below 0: what a column that tells nothing loses or gains
    is chance.
    """
    classes = is_classifier(model)
    split = StratifiedShuffleSplit if classes and min(np.unique(y, return_counts=True)[1]) > 1 else ShuffleSplit
    train, test = next(split(1, test_size=1 / 3, random_state=seed).split(np.zeros((len(y), 1)), y))
    one = fitted(model, take_rows(X, train), y[train], of_rows(fit_params, len(y), train), seed)
    weights = {k: v for k, v in of_rows(fit_params, len(y), test).items() if k == "sample_weight"}
    order = np.random.default_rng(seed).permutation(len(test))[None, :]
    units = [np.array([j]) for j in range(X.shape[1])]
    whole, scores = permuted_scores(
        one, take_rows(X, test), y[test], check_scoring(one), units, lambda u: order, weights
    )
    return np.maximum(whole - scores[:, 0], 0.0)


def permuted_copy(X: Any, columns: np.ndarray, order: np.ndarray) -> Any:
    """Return X with some columns taken from other rows."""
    if hasattr(X, "iloc"):
        out = X.copy()
        for j in columns.tolist():
            name = X.columns[j]
            out[name] = X[name].array[order]
        return out
    if scipy.sparse.issparse(X):
        taken = X.tocsc()
        moved = taken[:, columns].tocsr()[order].tocsc()
        parts = [taken[:, [j]] for j in range(X.shape[1])]
        for place, j in enumerate(columns.tolist()):
            parts[j] = moved[:, [place]]
        return scipy.sparse.hstack(parts, format="csr")
    out = X.copy()
    out[:, columns] = X[np.ix_(order, columns)]
    return out


def _portions(
    X: Any, units: list[np.ndarray], orders: Orders, n_repeats: int, stack: bool
) -> Iterator[tuple[list[tuple[int, int]], list[Any]]]:
    """Yield permutations and the copies of X that belong to them, as many as are predicted at once."""
    most = max(1, MOST_BYTES // max(1, X.nbytes)) if stack else 1
    pairs = [(u, repeat) for u in range(len(units)) for repeat in range(n_repeats)]
    for first in range(0, len(pairs), most):
        some = pairs[first : first + most]
        yield some, [permuted_copy(X, units[u], orders(u)[repeat]) for u, repeat in some]
