"""Information and chi-squared of a term and a class, or all classes, from documents (book ch. 13, 14 and 16).

Functions of ``tp``, ``fn``, ``fp``, ``tn`` take arrays as those of `term_rates` do; functions of `TermCounts` look at
all classes at once and need classes that exclude each other. Information in nats.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr, xlogy

from fewer.core.measures._cells import Cells, exclusive, moderate_power
from fewer.core.measures._tables import ratio
from fewer.core.records.errors import ParameterError
from fewer.core.summaries.term_counts import TermCounts

DENOMINATORS = ("entropy", "presence")


def _part(cell: np.ndarray, row: np.ndarray, column: np.ndarray, total: ArrayLike) -> np.ndarray:
    """Return n log (n N / (row column)), exactly 0 for independent counts."""
    return xlogy(cell, ratio(cell * total, row * column, 1.0))


def term_information(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> np.ndarray:
    """Return the information gain of a term about one class, in nats (book ch. 13, table 13.1).

    Examples
    --------
    >>> term_information(40, 10, 20, 130).round(10)
    np.float64(0.1912578457)
    """
    c = Cells("term_information", tp, fn, fp, tn).moderate()
    nats = _part(c.tp, c.holding, c.positive, c.total) + _part(c.fn, c.lacking, c.positive, c.total)
    nats += _part(c.fp, c.holding, c.negative, c.total) + _part(c.tn, c.lacking, c.negative, c.total)
    return c.where_telling(np.maximum(ratio(nats, c.total), 0.0))[()]


def term_chi2(tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> np.ndarray:
    """Return Pearson's chi-squared of a term and one class, N (tp tn - fp fn)^2 / (product of margins) (book ch. 14).

    Examples
    --------
    >>> term_chi2(50, 0, 0, 150)
    np.float64(200.0)
    """
    given = Cells("term_chi2", tp, fn, fp, tn)
    c = given.moderate()
    # One root after the other: the product of the margins may overflow.
    phi = ratio(ratio(c.tp * c.tn - c.fp * c.fn, np.sqrt(c.positive * c.negative)), np.sqrt(c.holding * c.lacking))
    return c.where_telling(given.total * phi**2)[()]


def class_information(counts: TermCounts) -> np.ndarray:
    """Return the information gain of every term about all classes, in nats (book ch. 14, s. 14.2.4; eq. 16.2, 16.3).

    It is the mutual information of presence and class.
    """
    c = exclusive("class_information", counts)
    documents, sizes, holding, total = _moderate(c)
    nats = np.zeros(c.n_terms)
    for with_term, size in zip(documents, sizes):
        nats += _part(with_term, holding, size, total) + _part(size - with_term, total - holding, size, total)
    return np.maximum(ratio(nats, total), 0.0)


def class_chi2(counts: TermCounts) -> np.ndarray:
    """Return Pearson's chi-squared of every term and all classes; the mean of `term_chi2` with weights 1 - P(class)."""
    c = exclusive("class_chi2", counts)
    documents, sizes, holding, total = _moderate(c)
    statistic = np.zeros(c.n_terms)
    for with_term, size in zip(documents, sizes):
        statistic += ratio((with_term * total - holding * size) ** 2, holding * (total - holding) * size)
    return np.ldexp(statistic, -moderate_power(float(c.n_documents)))


def _moderate(c: TermCounts) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return documents, sizes, documents with the term and all documents, times a power of two if extreme."""
    power = moderate_power(float(c.n_documents))
    parts = (np.ldexp(np.asarray(part, dtype=np.float64), power) for part in (c.documents, c.sizes, c.holding))
    documents, sizes, holding = parts
    return documents, sizes, holding, float(np.ldexp(float(c.n_documents), power))


def normalized_information(
    information: ArrayLike, holding: ArrayLike, total: ArrayLike, *, denominator: str = "entropy"
) -> np.ndarray:
    """Return an information gain over the entropy of the term (book ch. 16, eq. 16.4).

    Parameters
    ----------
    information : array-like
        Information gains, in nats.
    holding, total : array-like
        Documents that hold the term, and all.
    denominator : {"entropy", "presence"}, default="entropy"
        "entropy" is that of presence and absence, so that the result is in [0, 1]; "presence" is -p log p alone, as the
        chapter prints it, and grows without bound for terms of nearly all documents.
    """
    if denominator not in DENOMINATORS:
        raise ParameterError(
            f"normalized_information got denominator={denominator!r}, but takes 'entropy' or 'presence'; pass such."
        )
    share = ratio(holding, total)
    below = entr(share) if denominator == "presence" else entr(share) + entr(1.0 - share)
    inside = (share > 0) & (share < 1)
    found = np.where(inside, ratio(information, below), 0.0)
    return (np.minimum(found, 1.0) if denominator == "entropy" else found)[()]
