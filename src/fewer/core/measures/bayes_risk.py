"""The rule of least risk, and what the answers of a rule cost on labelled rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.measures.costs import as_costs, cheapest_class
from fewer.core.records.errors import InputError


def bayes_rule(probabilities: Any, cost_matrix: Any = None, classes: Any = None) -> np.ndarray:
    """Return for every row the class of least expected cost: Bayes rule (book ch. 6, section 6.1.1).

    The class j with the smallest sum_i b(i, j) P(i | x), of equal ones the first; with two classes the first if
    P(1 | x) / P(2 | x) > b(2, 1) / b(1, 2), and without costs the most probable.

    Parameters
    ----------
    probabilities : array-like of shape (n_rows, n_classes)
        P(i | x), or numbers in proportion to them, such as prior times density.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        Row i, column j: what it costs to say class j of a row of class i. None for all errors alike.
    classes : array-like of shape (n_classes,), optional
        Labels of the classes; without them numbers of classes are returned.

    Returns
    -------
    ndarray of shape (n_rows,)

    Examples
    --------
    >>> bayes_rule([[0.7, 0.3], [0.9, 0.1]], [[0, 1], [5, 0]]).tolist()
    [1, 0]
    >>> bayes_rule([[0.7, 0.3], [0.2, 0.8]]).tolist()
    [0, 1]
    """
    given = np.asarray(probabilities, dtype=np.float64)
    if given.ndim != 2 or not given.shape[1] or not (np.isfinite(given) & (given >= 0)).all():
        raise InputError(
            f"bayes_rule got probabilities of shape {given.shape}, but needs one row per instance and one column per "
            "class, finite and not negative; give what predict_proba returns, or prior times density."
        )
    labels = np.arange(given.shape[1]) if classes is None else np.asarray(classes)
    if labels.shape != (given.shape[1],):
        raise InputError(
            f"bayes_rule got classes of shape {labels.shape}, but probabilities have {given.shape[1]} columns; give "
            "one label per column."
        )
    return labels[given.argmax(axis=1)] if cost_matrix is None else cheapest_class(given, cost_matrix, labels)


def misclassification_risk(y_true: Any, y_pred: Any, cost_matrix: Any = None, classes: Any = None) -> float:
    """Return the mean cost of answers, the sample's version of eq. 6.2 of the book (ch. 6).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted classes.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        Row i, column j: what it costs to say class j of a row of class i. None for all errors alike: the error rate.
    classes : array-like of shape (n_classes,), optional
        Labels of the classes in the order of the matrix; None for all that occur, sorted.

    Returns
    -------
    float

    Examples
    --------
    >>> misclassification_risk([0, 0, 1, 1], [0, 1, 1, 0], [[0, 1], [5, 0]])
    1.5
    >>> misclassification_risk(["a", "b"], ["a", "a"])
    0.5
    """
    true, said = np.asarray(y_true), np.asarray(y_pred)
    if true.shape != said.shape or true.ndim != 1 or not len(true):
        raise InputError(
            f"misclassification_risk got classes of shapes {true.shape} and {said.shape}, but needs one true and one "
            "predicted class for every row; give two lists of the same length."
        )
    if cost_matrix is None:
        return float(np.mean(true != said))
    labels = np.unique(np.concatenate([true, said])) if classes is None else np.asarray(classes)
    costs = as_costs("misclassification_risk", cost_matrix, len(labels))
    places = {label: k for k, label in enumerate(labels.tolist())}
    unknown = sorted({str(label) for label in [*true.tolist(), *said.tolist()] if label not in places})
    if unknown:
        raise InputError(
            f"misclassification_risk got {', '.join(unknown[:3])}, which is not among the {len(labels)} classes; name "
            "all classes in the order of cost_matrix."
        )
    return float(np.mean([costs[places[t], places[s]] for t, s in zip(true.tolist(), said.tolist())]))
