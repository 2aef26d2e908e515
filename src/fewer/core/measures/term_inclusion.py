"""Posterior inclusion of terms in a naive Bayes classifier, in logarithms (book ch. 14, eqs. 14.1 to 14.7).

A term is included in the model of a class if its documents, or counts, have parameters of their own there. The log
Bayes factor compares the marginal likelihoods with and without; with independent priors that of one term is all that
the sum over all models leaves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, expit, gammaln, logit

from fewer.core.measures._cells import Cells
from fewer.core.records.errors import InputError, ParameterError

# Of the class, of the others, of all; as printed in the chapter.
SHAPES = (0.1, 0.1, 0.2)
BETAS = (1 / 25, 1 / 25, 2 / 25)
# The second numbers of the chapter read as rates, which is diffuse; as scales they say 0.004 counts per document.
SCALES = (25.0, 25.0, 12.5)
Three = tuple[float, float, float]


def presence_factor(
    tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike, *, alphas: Three = SHAPES, betas: Three = BETAS
) -> np.ndarray:
    """Return the log Bayes factor that presence of the term depends on the class (PIP, eqs. 14.3 to 14.6).

    Parameters
    ----------
    tp, fn, fp, tn : array-like
        Documents of the class with and without the term, and of the others.
    alphas, betas : tuple of three float
        Parameters of the beta distributions of the fraction of documents with the term, and without: in the class,
        among the others, in all documents.

    Examples
    --------
    >>> inclusion_probability(presence_factor(3, 2, 1, 4)).round(10)
    np.float64(0.1213041889)
    """
    _check("presence_factor", alphas=alphas, betas=betas)
    c = Cells("presence_factor", tp, fn, fp, tn)
    pairs = ((c.tp, c.fn, 1), (c.fp, c.tn, 1), (_once(c.holding), _once(c.lacking), -1))
    found = np.zeros(np.broadcast_shapes(c.total.shape))
    for (present, absent, sign), alpha, beta in zip(pairs, alphas, betas):
        found = found + sign * (betaln(present + alpha, absent + beta) - betaln(alpha, beta))
    return found[()]


def count_factor(
    inside: ArrayLike,
    n_inside: ArrayLike,
    outside: ArrayLike,
    n_outside: ArrayLike,
    *,
    shapes: Three = SHAPES,
    scales: Three = SCALES,
) -> np.ndarray:
    """Return the log Bayes factor that the counts of a term depend on the class (PIPp, book ch. 14, s. 14.2.3).

    Parameters
    ----------
    inside, outside : array-like
        Occurrences of the term in all documents of the class, and in the others.
    n_inside, n_outside : array-like
        Documents of the class, and others.
    shapes, scales : tuple of three float
        Parameters of the gamma distributions of the mean count: in the class, among the others, in all documents.

    Examples
    --------
    >>> inclusion_probability(count_factor(7, 5, 2, 10)).round(8)
    np.float64(0.78470185)
    """
    _check("count_factor", shapes=shapes, scales=scales)
    numbers = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (inside, n_inside, outside, n_outside)))
    if any(v.size and not (v.min() >= 0 and np.isfinite(v.sum())) for v in numbers):
        raise InputError("count_factor got negative, infinite or missing counts, but takes counts from 0; check them.")
    a, n, c, m = numbers
    found = np.zeros(a.shape)
    for (times, size, sign), shape, scale in zip(((a, n, 1), (c, m, 1), (a + c, n + m, -1)), shapes, scales):
        # ln Gamma(S + alpha) - ln Gamma(alpha) + S ln beta - (S + alpha) ln (n beta + 1); the factorials cancel.
        part = gammaln(times + shape) - gammaln(shape) + times * np.log(scale)
        found = found + sign * (part - (times + shape) * np.log1p(size * scale))
    return found[()]


def inclusion_probability(factors: ArrayLike, *, prior_inclusion: float = 0.5) -> np.ndarray:
    """Return the posterior probability of inclusion of log Bayes factors, given the one before (eqs. 14.1, 14.2)."""
    return expit(np.asarray(factors, dtype=np.float64) + _prior("inclusion_probability", prior_inclusion))


def mean_inclusion_odds(factors: ArrayLike, weights: ArrayLike, *, prior_inclusion: float = 0.5) -> np.ndarray:
    """Return the log odds of the mean inclusion probability over the classes.

    The mean itself is 1 for all strong terms, because doubles end there; its odds tell these apart and order terms as
    the exact mean does. For one class they are the log Bayes factor plus the log odds before.

    Parameters
    ----------
    factors : array-like of shape (n_classes, n_terms)
        Log Bayes factors.
    weights : array-like of shape (n_classes,)
        Weights of the classes; their sum does not matter.
    prior_inclusion : float, default=0.5
        Probability of inclusion before.
    """
    odds = np.asarray(factors, dtype=np.float64) + _prior("mean_inclusion_odds", prior_inclusion)
    given = np.asarray(weights, dtype=np.float64)
    used = given > 0
    log_weights = np.log(given[used])[:, None]
    # log sigma(z) = -log(1 + exp(-z)), and log(1 - sigma(z)) = log sigma(-z).
    sides = (np.logaddexp.reduce(log_weights - np.logaddexp(0.0, sign * odds[used]), axis=0) for sign in (-1, 1))
    inside, outside = sides
    return inside - outside


def _once(cells: np.ndarray) -> np.ndarray:
    """Return one line of cells that are the same for all classes, which need not be worked out for each."""
    return cells[:1] if cells.ndim == 2 and (cells == cells[:1]).all() else cells


def _prior(where: str, prior_inclusion: float) -> float:
    if not 0 < prior_inclusion < 1:
        raise ParameterError(
            f"{where} got prior_inclusion={prior_inclusion!r}, but takes a probability between 0 and 1; pass such."
        )
    return float(logit(prior_inclusion))


def _check(where: str, **given: Three) -> None:
    for name, values in given.items():
        if len(values) != 3 or not all(0 < value < np.inf for value in values):
            raise ParameterError(
                f"{where} got {name}={values!r}, but takes three numbers above 0, of the class, the others and all; "
                "pass such."
            )
