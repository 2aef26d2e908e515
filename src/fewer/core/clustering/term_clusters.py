"""Documents in clusters and terms that tell them apart, by the integrated likelihood of their counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln

from fewer.core.clustering.term_groups import term_groups
from fewer.core.kernels.term_moves import document_sweep, term_sweep
from fewer.core.measures.text_likelihood import integrated_likelihood


@dataclass(frozen=True, eq=False)
class TermClusters:
    """A division of documents and of terms.

    Attributes
    ----------
    labels : ndarray of int of shape (n_documents,)
        Cluster of every document; no cluster is empty.
    useful : ndarray of bool of shape (n_terms,)
        Which terms have a distribution of their own in every cluster.
    counts : ndarray of shape (n_clusters, n_terms)
        Tokens of every term in every cluster.
    value : float
        The integrated likelihood, in nats.
    history : list of float
        Its values after every sweep; they never fall.
    """

    labels: np.ndarray
    useful: np.ndarray
    counts: np.ndarray
    value: float
    history: list[float]

    def __len__(self) -> int:
        return len(self.counts)


def climb_terms(
    X: Any, labels: np.ndarray, useful: np.ndarray, n_groups: int = 10, prior: float = 1.0, max_iter: int = 100
) -> TermClusters:
    """Move documents between clusters and terms between useful and noise until nothing moves.

    Documents move one by one; terms first in groups of like distributions, then one by one.

    Parameters
    ----------
    X : sparse array of shape (n_documents, n_terms), by rows
        Counts, at least 0.
    labels : ndarray of int of shape (n_documents,)
        Clusters to start from, numbered from 0.
    useful : ndarray of bool of shape (n_terms,)
        Useful terms to start from. Terms that never occur are noise.
    n_groups : int, default=10
        Most groups of terms; 0 for none.
    prior : float, default=1.0
        Parameter of all Dirichlet priors.
    max_iter : int, default=100
        Most rounds.
    """
    labels = np.array(labels, dtype=np.int64)
    tokens = np.asarray(X.sum(axis=0), dtype=np.float64).ravel()
    useful = useful & (tokens > 0)
    history: list[float] = []
    counts = _counted(X, labels)
    for _ in range(max_iter):
        labels, counts = _tidied(X, labels)
        moved = _move_documents(X, labels, useful, counts, prior)
        counts = _counted(X, labels)
        history.append(_value(counts, labels, useful, prior))
        if n_groups:
            moved += _move_groups(counts, labels, useful, n_groups, prior)
        moved += _move_terms(counts, tokens, useful, prior)
        history.append(_value(counts, labels, useful, prior))
        if not moved:
            break
    labels, counts = _tidied(X, labels)
    return TermClusters(labels, useful, counts, _value(counts, labels, useful, prior), history)


def _counted(X: Any, labels: np.ndarray) -> np.ndarray:
    """Return the tokens of every term in every cluster."""
    n, k = len(labels), int(labels.max(initial=0)) + 1
    which = type(X)((np.ones(n), (labels, np.arange(n))), shape=(k, n))
    return np.ascontiguousarray((which @ X).toarray(), dtype=np.float64)


def _tidied(X: Any, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return labels without empty clusters, which only cost, and what is counted by them."""
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    return labels, _counted(X, labels)


def _value(counts: np.ndarray, labels: np.ndarray, useful: np.ndarray, prior: float) -> float:
    sizes = np.bincount(labels, minlength=len(counts))
    return integrated_likelihood(counts, sizes, useful, prior=prior, noise_prior=prior, size_prior=prior)


def _move_documents(X: Any, labels: np.ndarray, useful: np.ndarray, counts: np.ndarray, prior: float) -> int:
    """Move documents until none moves or the sweeps are many; return how often one moved. Labels are changed."""
    own = np.where(useful, counts, 0.0)
    sizes = np.bincount(labels, minlength=len(counts)).astype(np.float64)
    data = np.ascontiguousarray(X.data, dtype=np.float64)
    indptr, indices = X.indptr.astype(np.int64), X.indices.astype(np.int64)
    totals, order, moved = own.sum(axis=1), np.arange(len(labels)), 0
    for _ in range(20):
        now = document_sweep(indptr, indices, data, useful, order, labels, own, totals, sizes, prior, prior)
        moved += now
        if not now:
            break
    return moved


def _move_groups(counts: np.ndarray, labels: np.ndarray, useful: np.ndarray, n_groups: int, prior: float) -> int:
    """Make groups of terms useful or noise as a whole where that helps; return how many changed."""
    groups, _ = term_groups(counts, n_groups)
    value, moved = _value(counts, labels, useful, prior), 0
    for group in range(groups.max(initial=-1) + 1):
        for wanted in (False, True):
            tried = np.where(groups == group, wanted, useful)
            found = _value(counts, labels, tried, prior)
            if found > value + 1e-9 * abs(value):
                useful[:], value, moved = tried, found, moved + 1
    return moved


def _move_terms(counts: np.ndarray, tokens: np.ndarray, useful: np.ndarray, prior: float) -> int:
    """Move terms until none moves or the sweeps are many; return how often one moved. Useful terms are changed."""
    own = (gammaln(prior + counts) - gammaln(prior)).sum(axis=0) - gammaln(prior + tokens) + gammaln(prior)
    order = np.argsort(-own, kind="stable")
    order = order[tokens[order] > 0]
    moved = 0
    for _ in range(20):
        totals = counts[:, useful].sum(axis=1)
        state = np.array([useful.sum(), (~useful).sum(), totals.sum(), tokens[~useful].sum()], dtype=np.float64)
        now = term_sweep(order, counts, tokens, own, useful, totals, state, prior, prior, 1.0)
        moved += now
        if not now:
            break
    return moved


def first_labels(X: Any, n_clusters: int, rng: np.random.Generator) -> np.ndarray:
    """Return clusters to start from: documents go to the most alike of some that were drawn far from each other.

    Alike is the cosine of two documents; the next is drawn in proportion to the squared distance from those drawn, as
    k-means++ does.
    """
    lengths = np.sqrt(np.asarray((X * X).sum(axis=1), dtype=np.float64).ravel())
    lengths = np.where(lengths > 0, lengths, 1.0)
    alike = np.zeros((X.shape[0], 0))
    seed = int(rng.integers(X.shape[0]))
    for _ in range(n_clusters):
        cosine = np.asarray((X @ X[[seed]].T).todense(), dtype=np.float64).ravel() / lengths / lengths[seed]
        alike = np.column_stack([alike, cosine])
        far = np.maximum(1.0 - alike.max(axis=1), 0.0) ** 2
        seed = int(rng.choice(len(far), p=far / far.sum())) if far.sum() > 0 else int(rng.integers(len(far)))
    return alike.argmax(axis=1)
