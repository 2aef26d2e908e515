"""Precision and false alarms along a ranking of rows: 11-point average, break-even point, rate at a recall."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fewer.core.records.errors import InputError, ParameterError

# Recalls such as 3 / 10 and .3 differ by rounding.
ROUNDING = 1e-9


class ThresholdCounts(NamedTuple):
    """Positive and negative rows at or above every threshold, the highest first; equal scores are one threshold."""

    thresholds: np.ndarray
    true: np.ndarray
    false: np.ndarray

    @property
    def recall(self) -> np.ndarray:
        """Fraction of the positive rows."""
        return self.true / self.true[-1]

    @property
    def precision(self) -> np.ndarray:
        """Fraction of positive ones among the rows."""
        return self.true / (self.true + self.false)


def threshold_counts(where: str, y_true: Any, y_score: Any) -> ThresholdCounts:
    """Return the counts at every threshold; of two labels the second in order is positive."""
    labels, scores = np.asarray(y_true), np.asarray(y_score, dtype=np.float64)
    if labels.ndim != 1 or labels.shape != scores.shape or not len(labels):
        raise InputError(
            f"{where} got labels of shape {labels.shape} and scores of shape {scores.shape}, but needs one of each per "
            "row; pass both as lists of one length."
        )
    if np.isnan(scores).any():
        raise InputError(f"{where} got NaN among the scores, but rows are put in order by them; replace it.")
    classes = np.unique(labels)
    if len(classes) != 2:
        raise InputError(
            f"{where} got {len(classes)} different label(s), but needs rows of two classes; pass, for several classes, "
            "one of them against the rest."
        )
    order = np.argsort(-scores, kind="stable")
    ordered, positive = scores[order], labels[order] == classes[1]
    last = np.append(ordered[1:] != ordered[:-1], True)
    true = np.cumsum(positive)
    return ThresholdCounts(ordered[last], true[last], (np.arange(1, len(labels) + 1) - true)[last])


def eleven_point_average_precision(y_true: Any, y_score: Any, *, interpolated: bool = True) -> float:
    """Return the mean of the precisions at recall 0, .1, ..., 1 (section 18.4 of [1]_).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Two classes; the second in order is positive.
    y_score : array-like of shape (n_samples,)
        What speaks for the positive class.
    interpolated : bool, default=True
        Whether the precision at a recall is the best one at this recall or a larger one, which makes recall 0 well
        defined; otherwise that at the highest threshold which reaches the recall.

    Returns
    -------
    float
        From 0 to 1.

    References
    ----------
    .. [1] R. Islamaj Dogan, L. Getoor and W. J. Wilbur, "A feature generation algorithm with applications to
       biological sequence classification", in Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> round(eleven_point_average_precision([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]), 6)
    0.848485
    """
    found = threshold_counts("eleven_point_average_precision", y_true, y_score)
    precision = found.precision
    if interpolated:
        precision = np.maximum.accumulate(precision[::-1])[::-1]
    reached = np.searchsorted(found.recall, np.arange(11) / 10 - ROUNDING)
    return float(precision[reached].mean())


def break_even_point(y_true: Any, y_score: Any) -> float:
    """Return the value at which precision and recall are equal.

    They are where as many rows are predicted positive as are; where equal scores lie across this place, both are
    interpolated between the thresholds around it.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Two classes; the second in order is positive.
    y_score : array-like of shape (n_samples,)
        What speaks for the positive class.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> break_even_point([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    0.5
    """
    found = threshold_counts("break_even_point", y_true, y_score)
    positive = found.true[-1]
    predicted = np.append(0, found.true + found.false)
    # As if the rows of a block of equal scores came one by one, positive and negative ones mixed evenly.
    return float(np.interp(positive, predicted, np.append(0, found.true)) / positive)


def fpr_at_recall(y_true: Any, y_score: Any, recall: float = 0.95) -> float:
    """Return the fraction of negative rows at or above the highest threshold that reaches a recall.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Two classes; the second in order is positive.
    y_score : array-like of shape (n_samples,)
        What speaks for the positive class.
    recall : float, default=0.95
        Fraction of the positive rows that must be found, above 0 and at most 1.

    Returns
    -------
    float
        FP / (FP + TN).

    Examples
    --------
    >>> fpr_at_recall([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], 1.0)
    0.3333333333333333
    """
    if not isinstance(recall, (int, float, np.number)) or not 0 < recall <= 1:
        raise ParameterError(f"fpr_at_recall got recall={recall!r}, but takes a number above 0, at most 1; pass 0.95.")
    found = threshold_counts("fpr_at_recall", y_true, y_score)
    at = int(np.searchsorted(found.recall, recall - ROUNDING))
    return float(found.false[at] / found.false[-1])
