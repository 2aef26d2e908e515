"""Rows that are alike in what a feature is correlated with: permutations inside them leave that correlation alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.tree import DecisionTreeRegressor

# A stratum has about so many of the rows that are permuted.
ROWS_PER_STRATUM = 20
MOST_DEPTH = 5


def correlations(X: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Return how strongly each two columns go together, between 0 and 1.

    For numbers that is the absolute rank correlation; for a nominal column the largest one of the indicators of its
    levels. Missing values stand in the middle of the ranks; a constant column goes with none.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Missing values are NaN.
    nominal : ndarray of bool of shape (n_features,)
        Which columns hold the numbers of levels.
    """
    parts = [_indicators(X[:, j]) if nominal[j] else _ranks(X[:, j])[:, None] for j in range(X.shape[1])]
    starts = np.cumsum([0, *(part.shape[1] for part in parts)])[:-1]
    Z = np.concatenate(parts, axis=1)
    Z = Z - Z.mean(axis=0)
    lengths = np.sqrt((Z**2).sum(axis=0))
    Z = np.divide(Z, lengths, out=np.zeros_like(Z), where=lengths > 0)
    found = np.abs(Z.T @ Z)
    if Z.shape[1] > X.shape[1]:
        found = np.maximum.reduceat(np.maximum.reduceat(found, starts, axis=0), starts, axis=1)
    found = np.minimum(found, 1.0)
    np.fill_diagonal(found, 1.0)
    return found


@dataclass(frozen=True, eq=False)
class AlikeRows:
    """Strata of rows by what units of columns are correlated with.

    The columns with which a unit goes together, and a tree of each of its columns on them, are learned from the rows
    that the model was fitted on; the leaves, joined over the columns of a unit, are the strata of other rows.

    Attributes
    ----------
    trees : list of list of (ndarray, DecisionTreeRegressor)
        Of each unit, the columns it is conditioned on and the trees of its columns; none where nothing is correlated.
    """

    trees: list[list[tuple[np.ndarray, Any]]]

    @classmethod
    def learned(
        cls, X: np.ndarray, nominal: np.ndarray, units: list[np.ndarray], least: float, n_permuted: int
    ) -> AlikeRows:
        """Learn strata.

        Parameters
        ----------
        X, nominal
            As for `correlations`.
        units : list of ndarray of int
            Columns that are permuted together.
        least : float
            Columns that go with a unit at least so strongly are held.
        n_permuted : int
            Number of rows that will be permuted.
        """
        found = correlations(X, nominal)
        # A tree splits rows so that about as many of those that are permuted are in each leaf.
        leaf = max(2, round(ROWS_PER_STRATUM * len(X) / max(1, n_permuted)))
        trees = []
        for unit in units:
            near = found[unit].max(axis=0) >= least
            near[unit] = False
            held = np.flatnonzero(near)
            trees.append(
                [(held, _tree(X[:, held], X[:, j], bool(nominal[j]), leaf)) for j in unit] if near.any() else []
            )
        return cls(trees)

    def of_rows(self, u: int, X: np.ndarray) -> np.ndarray:
        """Return the number of the stratum of every row, for one unit."""
        strata = np.zeros(len(X), dtype=np.int64)
        for held, tree in self.trees[u]:
            leaf = tree.apply(X[:, held])
            _, strata = np.unique(np.stack([strata, leaf]), axis=1, return_inverse=True)
        return strata.ravel()


def within(order: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """Return a permutation of rows that leaves every row in its stratum, made of a permutation of all rows.

    The rows of a stratum, ascending, take the values of the same rows as they follow each other in the permutation;
    so with one stratum it is the permutation itself.

    Examples
    --------
    >>> within(np.array([3, 0, 1, 2]), np.array([0, 1, 0, 1])).tolist()
    [0, 3, 2, 1]
    """
    out = np.empty_like(order)
    out[np.argsort(strata, kind="stable")] = order[np.argsort(strata[order], kind="stable")]
    return out


def _tree(X: np.ndarray, column: np.ndarray, nominal: bool, leaf: int) -> Any:
    """Return a shallow tree of a column on others; of a nominal one on the indicators of its levels."""
    target = _indicators(column) if nominal else _ranks(column)
    return DecisionTreeRegressor(max_depth=MOST_DEPTH, min_samples_leaf=leaf, random_state=0).fit(X, target)


def _ranks(column: np.ndarray) -> np.ndarray:
    """Return ranks of the values; those that are missing stand in the middle."""
    here = ~np.isnan(column)
    out = np.full(len(column), (here.sum() + 1) / 2)
    out[here] = rankdata(column[here])
    return out


def _indicators(column: np.ndarray) -> np.ndarray:
    """Return one column of 0 and 1 for every value that occurs; missing values have none."""
    levels = np.unique(column[~np.isnan(column)])
    return (column[:, None] == levels).astype(float) if len(levels) else np.zeros((len(column), 1))
