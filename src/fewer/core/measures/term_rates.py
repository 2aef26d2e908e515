"""Scores of a term from its frequency in a class and outside (Forman 2003; book ch. 13, table 13.1, and ch. 14).

Every function takes the documents of the class with and without the term (``tp``, ``fn``) and those outside it (``fp``,
``tn``), numbers or arrays of one shape, and returns one score for each. `TermCounts.each_class` makes such arrays.
A class of no documents, or of all, scores 0. So do terms that no document holds, or all, except where the formula says
otherwise: `accuracy_gain`, `term_f1`, `probability_ratio` and `odds_ratio`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from fewer.core.measures._cells import Cells
from fewer.core.measures._tables import ratio
from fewer.core.records.errors import ParameterError

BACKOFFS = ("clip", "count")


def bns(
    tp: ArrayLike,
    fn: ArrayLike,
    fp: ArrayLike,
    tn: ArrayLike,
    *,
    backoff: str = "clip",
    eps: float = 0.0005,
    xi: float = 0.1,
) -> np.ndarray:
    """Return the bi-normal separation, the distance of the normal quantiles of both rates.

    Parameters
    ----------
    tp, fn, fp, tn : array-like
        Documents of the class with and without the term, and of the others.
    backoff : {"clip", "count"}, default="clip"
        How rates of 0 and 1, whose quantiles are infinite, are avoided: "clip" moves all rates into [eps, 1 - eps]
        (Forman 2003; book ch. 14), "count" takes ``xi`` documents for none, and for all those but ``xi`` (book ch. 13).
    eps : float, default=0.0005
        Smallest rate for "clip".
    xi : float, default=0.1
        Documents for "count"; classes of no more than twice as many are taken for half of each.

    Examples
    --------
    >>> bns(40, 10, 20, 130).round(8), bns(10, 40, 0, 1750, backoff="count").round(8)
    (np.float64(1.95239285), np.float64(3.01644921))
    """
    if backoff not in BACKOFFS or not 0 < eps < 0.5 or not 0 < xi < np.inf:
        raise ParameterError(
            f"bns got backoff={backoff!r}, eps={eps!r} and xi={xi!r}, but takes 'clip' or 'count', eps between 0 and "
            "0.5, and xi above 0; pass such."
        )
    cells = Cells("bns", tp, fn, fp, tn)

    def rate(inside: np.ndarray, size: np.ndarray) -> np.ndarray:
        if backoff == "clip":
            return np.clip(ratio(inside, size), eps, 1.0 - eps)
        least = np.minimum(xi, 0.5 * size)
        moved = np.where(inside == 0, least, np.where(inside == size, size - least, inside))
        return ratio(moved, size, 0.5)

    # ndtri itself has no more than about 1e-16 between equal rates, which are equal here.
    distance = np.abs(ndtri(rate(cells.tp, cells.positive)) - ndtri(rate(cells.fp, cells.negative)))
    return cells.where_telling(distance)[()]


def accuracy_gain(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> np.ndarray:
    """Return tp - fp, by how many documents the rule "with the term, of the class" beats "never of the class"."""
    cells = Cells("accuracy_gain", tp, fn, fp, tn)
    return cells.where_two_sides(cells.tp - cells.fp)[()]


def balanced_accuracy_gain(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> np.ndarray:
    """Return the distance of both rates, abs(tpr - fpr)."""
    cells = Cells("balanced_accuracy_gain", tp, fn, fp, tn)
    return cells.where_telling(np.abs(cells.tpr - cells.fpr))[()]


def term_f1(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> np.ndarray:
    """Return the F1 measure of the rule "with the term, of the class", 2 tp / (positives + tp + fp)."""
    cells = Cells("term_f1", tp, fn, fp, tn)
    return cells.where_two_sides(ratio(2.0 * cells.tp, cells.positive + cells.holding))[()]


def odds_numerator(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> np.ndarray:
    """Return the numerator of the odds ratio, tpr (1 - fpr)."""
    cells = Cells("odds_numerator", tp, fn, fp, tn)
    return cells.where_telling(cells.tpr * (1.0 - cells.fpr))[()]


def power(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, *, exponent: float = 5.0) -> np.ndarray:
    """Return (1 - fpr)^k - (1 - tpr)^k with k = ``exponent``, which favours terms that are rare outside the class."""
    if not 0 < exponent < np.inf:
        raise ParameterError(f"power got exponent={exponent!r}, but takes a number above 0; pass such.")
    cells = Cells("power", tp, fn, fp, tn)
    return cells.where_telling((1.0 - cells.fpr) ** exponent - (1.0 - cells.tpr) ** exponent)[()]


def probability_ratio(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, *, xi: float = 0.1) -> np.ndarray:
    """Return tpr / fpr; ``xi`` documents are taken for none outside the class, and with xi=0 the ratio is infinite."""
    if not 0 <= xi < np.inf:
        raise ParameterError(f"probability_ratio got xi={xi!r}, but takes a number from 0; pass such.")
    cells = Cells("probability_ratio", tp, fn, fp, tn)
    outside = ratio(np.where(cells.fp == 0, xi, cells.fp), cells.negative)
    with np.errstate(divide="ignore", invalid="ignore"):
        return cells.where_two_sides(np.where(cells.tp > 0, cells.tpr / outside, 0.0))[()]


def odds_ratio(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, *, add: float = 0.1, log: bool = False
) -> np.ndarray:
    """Return (tp tn) / (fn fp), the odds of the term in the class over those outside.

    Parameters
    ----------
    tp, fn, fp, tn : array-like
        Documents of the class with and without the term, and of the others.
    add : float, default=0.1
        What is added to all four counts (book ch. 14); 0 takes a count of 0 for 1 instead (Forman 2003).
    log : bool, default=False
        Whether to return the logarithm.

    Returns
    -------
    ndarray
        Above 1 for terms of the class, below for those of others; 1 for terms that no document holds, or all.

    Examples
    --------
    >>> odds_ratio(40, 10, 20, 130).round(6), odds_ratio(40, 10, 20, 130, add=0)
    (np.float64(25.698291), np.float64(26.0))
    """
    if not 0 <= add < np.inf:
        raise ParameterError(f"odds_ratio got add={add!r}, but takes a number from 0; pass such.")
    cells = Cells("odds_ratio", tp, fn, fp, tn)
    counts = (cells.tp, cells.tn, cells.fn, cells.fp)
    a, d, b, c = (n + add if add else np.where(n == 0, 1.0, n) for n in counts)
    # Ratios one by one: a product of two weights may overflow.
    found = cells.where_telling((a / b) * (d / c), 1.0)
    return (np.log(found) if log else found)[()]


def signed_by_rates(scores: ArrayLike, tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> np.ndarray:
    """Return scores with a minus for terms that are rarer in the class than outside, and 0 where rates are equal.

    Scores below 0 stay what they are: these terms tell nothing of either side.
    """
    cells = Cells("signed_by_rates", tp, fn, fp, tn)
    given = np.asarray(scores, dtype=np.float64)
    # Cross products of whole numbers are exact; rates are not.
    side = np.sign(cells.tp * cells.negative - cells.fp * cells.positive)
    return np.where(given > 0, side * given, given)[()] + 0.0
