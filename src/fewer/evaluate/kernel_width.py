"""The width of a kernel, or a number of neighbours, by cross-validation in the weighted space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fewer.core.records.errors import InputError

SIGMAS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
NEIGHBOURS = (1, 3, 5, 7, 9, 11, 15, 21)


class WidthChoice(NamedTuple):
    """The chosen value, the number of neighbours of the classifier that told it, and the error of every candidate."""

    value: Any
    n_neighbors: int
    errors: dict[Any, float]


def select_sigma_cv(
    estimator: Any,
    X: Any,
    y: Any,
    candidates: Sequence[Any] = SIGMAS,
    *,
    parameter: str = "sigma",
    n_neighbors: int | None = None,
    cv: int = 10,
    random_state: Any = None,
) -> WidthChoice:
    """Return the kernel width with which nearest neighbours in the weighted space err least in cross-validation.

    For every candidate, weights are learned on the training folds and the left-out fold is classified by k nearest
    neighbours under the distance :math:`\\sum_j w_j |x_j|`, so that no number of features has to be chosen (section
    12.7.2 of [1]_).

    Parameters
    ----------
    estimator : selector
        Its scores are the weights, negative ones taken as 0: `IRelief` or `OnlineIRelief`, or any other method.
    X : array-like of shape (n_samples, n_features)
        Training data only: the choice is part of the fit.
    y : array-like of shape (n_samples,)
        Classes.
    candidates : sequence
        Values to try; of equally good ones the first is chosen.
    parameter : str, default="sigma"
        Which parameter of the estimator takes them; the text chooses ``"n_neighbors"`` of ReliefF in the same way.
    n_neighbors : int, optional
        k of the classifier; None takes the one of some odd numbers up to 21 that errs least with all features,
        unweighted, as the text does.
    cv : int, default=10
        Number of stratified folds.
    random_state : int, Generator or None, default=None
        Seed of the folds.

    Returns
    -------
    WidthChoice
        ``value``, ``n_neighbors`` and ``errors`` by candidate.

    Notes
    -----
    The text finds that the width hardly matters once it is large enough.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, chapter 12.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fewer.methods.relief.irelief import IRelief
    >>> X, y = load_iris(return_X_y=True)
    >>> select_sigma_cv(IRelief(), X, y, (0.5, 1.0), cv=5, random_state=0).value
    0.5
    """
    from sklearn.base import clone
    from sklearn.model_selection import StratifiedKFold

    X, y = np.asarray(X, dtype=float), np.asarray(y)
    if len(candidates) == 0:
        raise InputError("select_sigma_cv got no candidates; pass at least one value to try.")
    seed = int(np.random.default_rng(random_state).integers(2**31))
    folds = list(StratifiedKFold(cv, shuffle=True, random_state=seed).split(X, y))
    everything = np.ones(X.shape[1])
    k = n_neighbors
    if k is None:
        most = min(len(train) for train, _ in folds)
        by_k = {
            k: sum(_wrong(X, y, train, test, everything, k) for train, test in folds) for k in NEIGHBOURS if k <= most
        }
        k = min(by_k, key=lambda k: (by_k[k], k))
    errors: dict[Any, float] = {}
    for value in candidates:
        learner = clone(estimator).set_params(**{parameter: value}, n_features_to_select=None)
        wrong = 0
        for train, test in folds:
            weights = np.maximum(learner.fit(X[train], y[train]).scores_, 0.0)
            wrong += _wrong(X, y, train, test, weights, k)
        errors[value] = wrong / len(X)
    return WidthChoice(min(errors, key=lambda value: errors[value]), k, errors)


def _wrong(X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray, weights: np.ndarray, k: int) -> int:
    """Return how many left-out rows the k nearest training rows misclassify under weighted, scaled distances."""
    from sklearn.neighbors import KNeighborsClassifier

    low, width = X[train].min(axis=0), np.ptp(X[train], axis=0)
    Z = (X - low) * weights / np.where(width > 0, width, 1.0)
    model = KNeighborsClassifier(k, metric="manhattan").fit(Z[train], y[train])
    return int((model.predict(Z[test]) != y[test]).sum())
