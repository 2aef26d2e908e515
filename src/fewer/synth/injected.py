"""The best features, the same with copies, and the same with the worst: how much redundancy and noise cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fewer.core.records.errors import InputError
from fewer.synth.checks import counts, generator, numbers


class InjectedSets(NamedTuple):
    """Three sets of as many features.

    Attributes
    ----------
    best : ndarray or csc_array of shape (n_samples, n)
        The n best features.
    redundant : ndarray or csc_array of shape (n_samples, n)
        The n // 2 best, and nearly equal copies of them.
    noisy : ndarray or csc_array of shape (n_samples, n)
        The n // 2 best, and the n - n // 2 worst.
    """

    best: Any
    redundant: Any
    noisy: Any


def redundancy_noise_sets(
    X: Any, ranking: Any, n: int, *, noise: float = 0.01, random_state: Any = None
) -> InjectedSets:
    """Make three sets of n features out of a ranking: the best, half of them copies, half of them noise.

    (A) has the n best features, (B) the n // 2 best and n - n // 2 copies of them, (C) the n // 2 best and the
    n - n // 2 worst (section 16.2.2 of [1]_, eq. 16.1). Where B does much worse than A, redundancy is as harmful as
    noise.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data.
    ranking : array-like of int of shape (n_features,)
        Numbers of the features, best first.
    n : int
        How many features a set has, at least 2; not more than there are.
    noise : float, default=0.01
        What copies differ by: of a feature with the values 0 and 1 the fraction of its values that change, of others
        the standard deviation of what is added, in standard deviations of the feature.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    InjectedSets
        Sparse sets of a sparse matrix; copies of a sparse column that is not binary keep its zeros.

    Notes
    -----
    The text says "very small noise" and no more. With an odd n one original has two copies. A binary feature is lost
    in its copy if fewer rows have it than `noise` changes: of a term in 1 % of the documents half of the copy is noise
    by default.

    References
    ----------
    .. [1] M. Makrehchi and M. S. Kamel, "Aggressive feature selection by feature ranking", ch. 16 of H. Liu and
       H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> sets = redundancy_noise_sets(np.arange(12).reshape(2, 6), [5, 4, 3, 2, 1, 0], 4, noise=0, random_state=0)
    >>> [made.tolist()[0] for made in sets]
    [[5.0, 4.0, 3.0, 2.0], [5.0, 4.0, 5.0, 4.0], [5.0, 4.0, 1.0, 0.0]]
    """
    import scipy.sparse

    where = "redundancy_noise_sets"
    X = scipy.sparse.csc_array(X, dtype=np.float64) if scipy.sparse.issparse(X) else np.asarray(X, dtype=np.float64)
    order = np.asarray(ranking)
    if X.ndim != 2 or not np.array_equal(np.sort(order), np.arange(X.shape[1])):
        raise InputError(
            f"{where} got a ranking of {order.size} numbers for X of shape {X.shape}, but needs the number of every "
            "feature once, best first; pass for example selection_.order of a method that ranks all."
        )
    counts(where, 2, X.shape[1], n=n)
    numbers(where, 0.0, 1.0, noise=noise)
    rng = generator(where, random_state)
    half = n // 2
    originals, best = order[:half], X[:, order[:n]]
    first = X[:, originals]
    copied = _copies(X[:, np.resize(originals, n - half)], noise, rng)
    return InjectedSets(best, _beside(first, copied), _beside(first, X[:, order[len(order) - (n - half) :]]))


def _copies(columns: Any, noise: float, rng: np.random.Generator) -> Any:
    """Return columns with a little noise; binary ones have some values flipped."""
    import scipy.sparse

    if noise == 0:
        return columns.copy()
    made = [_copy(columns[:, [j]], noise, rng) for j in range(columns.shape[1])]
    return scipy.sparse.hstack(made, format="csc") if scipy.sparse.issparse(columns) else np.hstack(made)


def _copy(column: Any, noise: float, rng: np.random.Generator) -> Any:
    import scipy.sparse

    sparse = scipy.sparse.issparse(column)
    values = column.data if sparse else column
    if np.isin(values, (0.0, 1.0)).all():
        dense = column.toarray() if sparse else column
        flipped = np.abs(dense - (rng.random(dense.shape) < noise))
        return scipy.sparse.csc_array(flipped) if sparse else flipped
    scale = noise * (column.toarray() if sparse else column).std()
    out = column.copy()
    if sparse:
        out.data = out.data + scale * rng.normal(size=out.data.shape)
        return out
    return out + scale * rng.normal(size=out.shape)


def _beside(left: Any, right: Any) -> Any:
    import scipy.sparse

    return scipy.sparse.hstack([left, right], format="csc") if scipy.sparse.issparse(left) else np.hstack([left, right])
