"""Whether a set of features that was chosen on one data set does as well on another (book 19.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score

from fewer.core.records.errors import InputError
from fewer.core.records.result_table import ResultTable
from fewer.methods.ensembles._ensemble import CLASSIFIERS, classifier_named


def cross_dataset_robustness(
    sets: Mapping[str, Sequence[int]],
    chosen_on: tuple[Any, Any],
    other: tuple[Any, Any],
    *,
    classifiers: Mapping[str, Any] | None = None,
    cv: int = 10,
    coordinates: tuple[Any, Any] | None = None,
    tolerance: float = 1.0,
) -> ResultTable:
    """Cross-validate classifiers with given features on the data they were chosen on, and on other data.

    Classifiers are trained on each of the data sets again: what is compared is the set of features, not a model. The
    accuracy on the data that the features were chosen on is optimistic, which is what the comparison shows.

    Parameters
    ----------
    sets : mapping of str to sequence of int
        Columns of the first data set, by name of the set, such as ``{"votes": selection.indices}``.
    chosen_on, other : tuple of X and y
        The two data sets, dense numbers and two or more classes.
    classifiers : mapping of str to classifier, optional
        By default naive Bayes, a tree, a linear support vector machine and a neural network.
    cv : int, default=10
        Number of folds, by class; fewer if a class has fewer rows.
    coordinates : tuple of two array-like, optional
        Coordinates of the columns, such as m/z, of both data sets; a feature is then the nearest column of the other.
        By default column j is column j of the other.
    tolerance : float, default=1.0
        How near it must be: closer than this.

    Returns
    -------
    ResultTable
        One row per set and classifier: number of features, accuracy on both data sets, and the drop.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> halves = (X[::2], y[::2]), (X[1::2], y[1::2])
    >>> found = cross_dataset_robustness({"three": [7, 20, 22]}, *halves, classifiers={"naive Bayes": GaussianNB()})
    >>> found.columns["features"], [round(drop, 3) for drop in found.columns["drop"]]
    ([3], [0.018])
    """
    (X, y), (Z, t) = ((np.asarray(a), np.asarray(b)) for a, b in (chosen_on, other))
    models = {name: classifier_named(name, 0) for name in CLASSIFIERS} if classifiers is None else dict(classifiers)
    rows: dict[str, list[Any]] = {"set": [], "classifier": [], "features": []}
    accuracies: tuple[list[float], list[float]] = [], []
    for name, columns in sets.items():
        here = np.asarray(columns, dtype=np.int64)
        there = here if coordinates is None else matched(here, coordinates, tolerance)
        if not len(here) or here.min() < 0 or here.max() >= X.shape[1] or there.max() >= Z.shape[1]:
            raise InputError(
                f"cross_dataset_robustness got the set {name!r} of columns {here.tolist()}, but takes at least one "
                f"column that both data sets have, from 0 to {min(X.shape[1], Z.shape[1]) - 1}; pass such a set."
            )
        for label, model in models.items():
            for values, one in zip((name, label, len(here)), rows.values()):
                one.append(values)
            accuracies[0].append(_accuracy(model, X[:, here], y, cv))
            accuracies[1].append(_accuracy(model, Z[:, there], t, cv))
    drop = np.subtract(*accuracies)
    numbers = {"accuracy where chosen": accuracies[0], "accuracy elsewhere": accuracies[1], "drop": drop}
    return ResultTable("Sets of features on other data", {**rows, **numbers})


def matched(columns: np.ndarray, coordinates: tuple[Any, Any], tolerance: float) -> np.ndarray:
    """Return for every column of the first data set the nearest one of the second."""
    first, second = (np.asarray(one, dtype=np.float64) for one in coordinates)
    apart = np.abs(first[columns][:, None] - second)
    far = np.flatnonzero(apart.min(axis=1) >= tolerance)
    if len(far):
        raise InputError(
            f"cross_dataset_robustness found no column of the other data set within {tolerance:g} of coordinate "
            f"{first[columns[far[0]]]:g}; leave that feature out, or give a larger tolerance."
        )
    return apart.argmin(axis=1)


def _accuracy(model: Any, X: np.ndarray, y: np.ndarray, cv: int) -> float:
    """Return the cross-validated accuracy, with no more folds than rows of the smallest class."""
    fewest = int(np.unique(y, return_counts=True)[1].min())
    if fewest < 2:
        raise InputError("cross_dataset_robustness got a class with one row; give at least two rows of each class.")
    return float(cross_val_score(clone(model), X, y, cv=StratifiedKFold(min(cv, fewest)), scoring="accuracy").mean())
