"""The likelihood of clustered documents with every parameter integrated out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln

from fewer.core.measures._divisions import checked_counts, checked_priors
from fewer.core.records.errors import InputError


def integrated_likelihood(
    counts: ArrayLike,
    sizes: ArrayLike,
    useful: ArrayLike,
    *,
    prior: float = 1.0,
    noise_prior: float = 1.0,
    size_prior: float = 1.0,
    split_prior: tuple[float, float] = (1.0, 1.0),
) -> float:
    """Return the log marginal likelihood of documents in clusters (Vaithyanathan and Dom 2000).

    Tokens are first divided between useful and noise terms (beta prior), those of noise terms have one distribution for
    all clusters, those of useful terms one per cluster (Dirichlet priors), and documents are divided among the clusters
    (Dirichlet prior). The multinomial coefficients, which depend on neither clusters nor terms, are left out.

    Parameters
    ----------
    counts : array-like of shape (n_clusters, n_terms)
        Tokens of every term in every cluster.
    sizes : array-like of shape (n_clusters,)
        Documents per cluster.
    useful : array-like of bool of shape (n_terms,)
        Which terms are useful; the others are noise.
    prior, noise_prior, size_prior : float, default=1.0
        Dirichlet parameter of every useful term, every noise term and every cluster.
    split_prior : tuple of float, default=(1.0, 1.0)
        Beta parameters of useful and of noise tokens.

    Returns
    -------
    float
        In nats; what is empty counts 0.

    Examples
    --------
    >>> apart = integrated_likelihood([[9, 0, 5], [0, 9, 5]], [4, 4], [True, True, False])
    >>> all_useful = integrated_likelihood([[9, 0, 5], [0, 9, 5]], [4, 4], [True, True, True])
    >>> round(apart - all_useful, 3)
    3.784
    """
    table, mask = checked_counts("integrated_likelihood", counts, useful)
    documents, (a, b) = np.asarray(sizes, dtype=np.float64), split_prior
    if documents.shape != table.shape[:1] or not (documents >= 0).all() or not np.isfinite(documents).all():
        raise InputError(
            f"integrated_likelihood got sizes {documents.tolist()} of {len(table)} clusters, but takes the number of "
            "documents of each; pass one number from 0 per cluster."
        )
    priors = {"prior": prior, "noise_prior": noise_prior, "size_prior": size_prior}
    checked_priors("integrated_likelihood", **priors, split_prior=min(a, b))
    inside, noise = table[:, mask], table[:, ~mask].sum(axis=0)
    value = betaln(a + inside.sum(), b + noise.sum()) - betaln(a, b)
    value += _dirichlet(noise[None, :], noise_prior)
    value += _dirichlet(documents[None, :], size_prior)
    return float(value + _dirichlet(inside, prior))


def _dirichlet(counts: np.ndarray, prior: float) -> float:
    """Return the sum over rows of ln of Gamma(A) / Gamma(A + n) prod Gamma(a + n_i) / Gamma(a); 0 of no columns."""
    if not counts.shape[1]:
        return 0.0
    whole = prior * counts.shape[1]
    values = (
        gammaln(whole) - gammaln(whole + counts.sum(axis=1)) + (gammaln(prior + counts) - gammaln(prior)).sum(axis=1)
    )
    return float(values.sum())


def term_evidence(counts: ArrayLike, useful: ArrayLike, prior: float = 1.0, noise_prior: float = 1.0) -> np.ndarray:
    """Return by how much `integrated_likelihood` is larger with each term useful than with it noise, others unchanged.

    Parameters
    ----------
    counts : array-like of shape (n_clusters, n_terms)
        Tokens of every term in every cluster.
    useful : array-like of bool of shape (n_terms,)
        Which terms are useful now.
    prior, noise_prior : float, default=1.0
        As for `integrated_likelihood`; the beta prior is uniform.

    Returns
    -------
    ndarray of shape (n_terms,)
        Log Bayes factors, in nats.
    """
    table, mask = checked_counts("term_evidence", counts, useful)
    checked_priors("term_evidence", prior=prior, noise_prior=noise_prior)
    tokens = table.sum(axis=0)
    # Everything else: the other useful terms by cluster, and the other noise terms.
    others = table[:, mask].sum(axis=1)[:, None] - np.where(mask, table, 0.0)
    noise = tokens[~mask].sum() - np.where(mask, 0.0, tokens)
    n_useful, n_noise = mask.sum() - mask, (~mask).sum() - ~mask
    own = (gammaln(prior + table) - gammaln(prior)).sum(axis=0) - gammaln(noise_prior + tokens) + gammaln(noise_prior)
    as_useful = _normalizer(prior * (n_useful + 1), others + table) + _normalizer(noise_prior * n_noise, noise[None, :])
    as_noise = _normalizer(prior * n_useful, others) + _normalizer(
        noise_prior * (n_noise + 1), (noise + tokens)[None, :]
    )
    inside = others.sum(axis=0)
    split = betaln(1.0 + inside + tokens, 1.0 + noise) - betaln(1.0 + inside, 1.0 + noise + tokens)
    return own + as_useful - as_noise + split


def _normalizer(whole: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return the sum over clusters of ln Gamma(whole) - ln Gamma(whole + total); 0 where there are no terms."""
    some = np.where(whole > 0, whole, 1.0)
    return np.where(whole > 0, (gammaln(some) - gammaln(some + totals)).sum(axis=0), 0.0)
