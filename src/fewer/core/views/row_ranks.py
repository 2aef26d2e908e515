"""The order of the features inside each row: ranks, comparisons of pairs, projections."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.measures.order_ranks import order_codes, rank_rows
from fewer.core.views.view import View

__all__ = [
    "AFTER",
    "BEFORE",
    "EQUAL",
    "UNKNOWN",
    "RankBlock",
    "boolean_order",
    "compare_pairs",
    "order_codes",
    "project",
    "rank_rows",
    "ranks_view",
]

# States of a pair of features (i, j), i < j, in a boolean-order row.
AFTER, BEFORE, EQUAL, UNKNOWN = 0, 1, 2, -1


@dataclass(frozen=True, eq=False)
class RankBlock:
    """Rows of places, ``codes`` (n_rows, n_features) uint16 or uint32, C-contiguous.

    The lowest value of a row has code 1, the next higher one 2, and so on; equal values share a code and 0 means
    unknown. ``y`` holds class numbers.
    """

    codes: np.ndarray
    y: np.ndarray | None = None
    kind = "ranks"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.codes.shape[1])


def boolean_order(row: Any) -> np.ndarray:
    """Return how the features i < j of a row, or of each of several rows, compare (Def. 4).

    Parameters
    ----------
    row : array-like of shape (n_features,) or (n_rows, n_features)
        Values or ranks.

    Returns
    -------
    ndarray of int8, shape (n_pairs,) or (n_rows, n_pairs)
        For the pairs (0, 1), (0, 2), ..., (1, 2), ...: 1 where feature i is below feature j, 0 where it is above,
        2 where both are equal and -1 where one of them is unknown.

    Examples
    --------
    >>> boolean_order([20, 40, 65, 33]).tolist()
    [1, 1, 1, 1, 0, 0]
    """
    values = np.asarray(row, dtype=float)
    n_features = values.shape[-1]
    states = np.empty((*values.shape[:-1], n_features * (n_features - 1) // 2), np.int8)
    compare_pairs(np.atleast_2d(values), np.atleast_2d(states), EQUAL, UNKNOWN)
    return states


def compare_pairs(rows: np.ndarray, out: np.ndarray, equal: float, unknown: float) -> None:
    """Fill in how the features i < j of each row compare, see `boolean_order`; nothing else of this size is made.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_features)
        Values or ranks, NaN where unknown.
    out : ndarray of shape (n_rows, n_pairs)
        Gets BEFORE, AFTER, or one of the next two.
    equal, unknown : float
        What stands for equal values, and for a pair with a missing value.
    """
    missing = np.isnan(rows) if rows.dtype.kind == "f" else np.zeros(rows.shape, bool)
    some_missing, at = bool(missing.any()), 0
    for i in range(rows.shape[1] - 1):
        own, others = rows[:, i, None], rows[:, i + 1 :]
        states = out[:, at : at + others.shape[1]]
        at += others.shape[1]
        states[:] = np.where(own < others, BEFORE, AFTER)
        states[own == others] = equal
        if some_missing:
            states[missing[:, i, None] | missing[:, i + 1 :]] = unknown


def project(ranks: Any, subset: Any) -> np.ndarray:
    """Return the ranks of some features among themselves: a projection ranks again.

    Parameters
    ----------
    ranks : array-like of shape (n_features,) or (n_rows, n_features)
        Values or ranks.
    subset : array-like of int
        The features that stay, in the order in which they are returned.

    Examples
    --------
    >>> project([3, 1, 4, 2], [0, 1, 2]).tolist()
    [2.0, 1.0, 3.0]
    """
    values = np.asarray(ranks, dtype=float)[..., np.asarray(subset, dtype=np.int64)]
    return rank_rows(values) if values.ndim == 2 else rank_rows(values[None])[0]


def ranks_view(data: View) -> View:
    """Return the rows of a dense view as places of the features, wherever the rows are."""
    return replace(data, blocks=data.run.place(data.blocks, _rank_block), kind="ranks", _memo={})


def _rank_block(block: Any) -> RankBlock:
    return RankBlock(order_codes(block.X), block.y)
