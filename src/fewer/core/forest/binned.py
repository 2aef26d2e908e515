"""Columns as codes of one byte, which is what trees split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.discretize.codes import codes_view
from fewer.core.discretize.named import EqualFrequency
from fewer.core.views.view import View

MOST_CODES = 256


@dataclass(frozen=True, eq=False)
class Binned:
    """Rows of codes.

    Attributes
    ----------
    codes : ndarray of uint8 of shape (n_rows, n_columns), by columns (F order)
        The codes.
    nominal : ndarray of bool
        Which columns have codes without an order.
    missing : ndarray of int64
        The code that stands for missing values in a numeric column, -1 if none is missing; in a nominal column they
        are a level like others.
    """

    codes: np.ndarray
    nominal: np.ndarray
    missing: np.ndarray

    @classmethod
    def of(cls, codes: Any) -> Binned:
        """Return codes as they are; a matrix of codes has neither nominal columns nor missing values."""
        if isinstance(codes, Binned):
            return codes
        codes = np.asfortranarray(codes, dtype=np.uint8)
        return cls(codes, np.zeros(codes.shape[1], bool), np.full(codes.shape[1], -1))

    @property
    def columns(self) -> np.ndarray:
        """The codes, one column after another, (n_columns, n_rows)."""
        return self.codes.T

    def some(self, subset: np.ndarray) -> Binned:
        """Return some of the columns."""
        return Binned(np.asfortranarray(self.codes[:, subset]), self.nominal[subset], self.missing[subset])

    def with_contrasts(self, rng: np.random.Generator) -> Binned:
        """Return the columns and behind them their contrasts: each column in a random order of its own."""
        both = np.concatenate([self.columns, rng.permuted(self.columns, axis=1)])
        return Binned(both.T, np.tile(self.nominal, 2), np.tile(self.missing, 2))


def binned(view: View, bins: int = 64) -> Binned:
    """Return a view in memory as codes.

    Parameters
    ----------
    view : View
        Dense or sparse numbers, or codes.
    bins : int, default=64
        Bins of equal frequency for numeric columns, at most 255; few distinct values have a bin each.

    Returns
    -------
    Binned
        Missing values have a code of their own. A nominal column keeps its 255 most frequent levels; the others share
        a code.
    """
    coded = view if view.kind.endswith("codes") else codes_view(view, EqualFrequency(bins))
    block = coded.whole()
    codes = np.empty((view.n_rows, view.n_features), np.uint8, order="F")
    for j in range(view.n_features):
        column = block.rows[:, j] if block.kind == "codes" else block.column(j)
        codes[:, j] = column if block.n_levels[j] <= MOST_CODES else _frequent(column)
    missing = np.full(view.n_features, -1)
    holed = np.flatnonzero(_holed(view) & ~view.nominal)
    missing[holed] = block.n_levels[holed] - 1
    return Binned(codes, view.nominal.copy(), missing)


def _holed(view: View) -> np.ndarray:
    """Return which columns of numbers miss values."""
    block = view.whole()
    if not view.may_miss or block.kind not in ("dense", "sparse") or block.X.dtype.kind != "f":
        return np.zeros(view.n_features, bool)
    if block.kind == "dense":
        return np.isnan(block.X).any(axis=0)
    holes = block.X.indices[:0] if not block.X.nnz else np.repeat(np.arange(block.n_features), np.diff(block.X.indptr))
    return np.bincount(holes[np.isnan(block.X.data)], minlength=block.n_features) > 0


def _frequent(column: np.ndarray) -> np.ndarray:
    """Number the levels by frequency, the lower level first; all from the 256th on share a number."""
    counts = np.bincount(column)
    number = np.empty(len(counts), np.int64)
    number[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return np.minimum(number, MOST_CODES - 1)[column].astype(np.uint8)
