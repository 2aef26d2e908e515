"""What a Winnow knows: its weights, class by class, and the ranges of the columns it was shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.kernels import winnow
from fewer.core.records.errors import InputError
from fewer.core.summaries.results import Extent

# Values of dense rows that become sparse ones at a time.
VALUES = 2**20


@dataclass(frozen=True)
class Rules:
    """How weights move; see `Winnow` for the parameters."""

    variant: str
    eta: float
    threshold: float
    margin: float
    normalize: bool


@dataclass(eq=False)
class WinnowState:
    """Weights of one Winnow per class, or one for two classes.

    Attributes
    ----------
    first, second : ndarray of shape (n_problems, n_weights)
        Weights of the plain Winnow and none; of the balanced one for and against a class, with those of a feature that
        is always 1 at the end; or the weights and theta of a generalised linear model.
    facts : ndarray of shape (n_problems, 5)
        Sum of weights, steps, mistakes, rows seen and the largest sum; see the kernel.
    low, high : ndarray of shape (n_features,)
        Ranges of the columns so far.
    made_for : tuple
        Number of features, number of classes, variant and scaling, which all rows to come must share.
    """

    first: np.ndarray
    second: np.ndarray
    facts: np.ndarray
    low: np.ndarray
    high: np.ndarray
    made_for: tuple[int, int, str, str]

    @classmethod
    def start(cls, n_features: int, n_classes: int, variant: str, scaling: str) -> WinnowState:
        """Return the state before any row."""
        n = n_classes if n_classes > 2 else 1
        bias = variant == "balanced"
        value = 0.5 / (n_features + 1) if bias else 1.0
        first = np.full((n, n_features + bias), value)
        second = {
            "plain": np.empty((n, 0)),
            "balanced": first.copy(),
            "glm": np.zeros((n, n_features + 1)),
        }[variant]
        low, high = np.full(n_features, np.inf), np.full(n_features, -np.inf)
        return cls(first, second, np.zeros((n, 5)), low, high, (n_features, n_classes, variant, scaling))

    def widen(self, extent: Extent) -> None:
        """Take in the ranges of more rows."""
        self.low, self.high = np.minimum(self.low, extent.low), np.maximum(self.high, extent.high)

    @property
    def largest(self) -> np.ndarray:
        """The largest absolute value of every column so far, 1 for columns of zeros."""
        out = np.maximum(np.abs(self.low), np.abs(self.high))
        return np.where(out > 0, out, 1.0)

    def show(self, blocks: Iterable[Any], rules: Rules, factor: np.ndarray, order: Any = None) -> tuple[float, float]:
        """Show rows to every Winnow, in their order; return mistakes and steps of this pass."""
        before = self.facts[:, [winnow.MISTAKES, winnow.STEPS]].sum(axis=0)
        for X, y in sparse_rows(blocks, order):
            data = X.data * factor[X.indices]
            for k in range(len(self.first)):
                signs = np.where(y == (k if len(self.first) > 1 else 1), 1.0, -1.0)
                rows = (data, X.indices, X.indptr, signs, rules.eta)
                mine = (self.first[k], self.second[k], self.facts[k])
                if rules.variant == "glm":
                    winnow.winnow_glm_rows(*rows, rules.margin, rules.normalize, *mine)
                else:
                    winnow.winnow_rows(*rows, rules.threshold, rules.margin, rules.normalize, *mine)
        mistakes, steps = self.facts[:, [winnow.MISTAKES, winnow.STEPS]].sum(axis=0) - before
        return float(mistakes), float(steps)

    def linear(self, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
        """Return coefficients of the scaled columns, (n_problems, n_features), and intercepts."""
        total = self.first.sum(axis=1) + (self.second.sum(axis=1) if rules.variant == "balanced" else 0.0)
        unit = 1.0 / total if rules.normalize else np.ones(len(total))
        if rules.variant == "plain":
            return self.first * unit[:, None], np.full(len(total), -rules.threshold)
        if rules.variant == "glm":
            unit = unit * self.first.shape[1] if rules.normalize else unit
            return self.second[:, :-1] * self.first * unit[:, None], self.second[:, -1].copy()
        both = self.first - self.second
        both[np.abs(both) <= winnow.ROUNDING * (self.first + self.second)] = 0.0
        both *= unit[:, None]
        return both[:, :-1], both[:, -1].copy()


def sparse_rows(blocks: Iterable[Any], order: np.ndarray | None = None) -> Iterator[tuple[Any, np.ndarray]]:
    """Yield the rows of blocks as CSR matrices of some size, with their class numbers; ``order`` is for one block."""
    for block in blocks:
        X, y = block.X.tocsr() if block.kind == "sparse" else block.X, block.y
        step = len(y) if block.kind == "sparse" else max(1, VALUES // max(X.shape[1], 1))
        for start in range(0, len(y), step):
            rows = slice(start, start + step) if order is None else order[start : start + step]
            some = X if step == len(y) and order is None else X[rows]
            some = scipy.sparse.csr_array(some, dtype=np.float64)
            some.sort_indices()
            yield some, y[rows]


def known_classes(y: np.ndarray, classes: Any, known: np.ndarray | None) -> np.ndarray:
    """Return the classes of the first call of ``partial_fit``, which no later one can change."""
    given = None if classes is None else np.unique(np.asarray(classes))
    if known is None:
        known = np.unique(y) if given is None else given
    elif given is not None and given.tolist() != known.tolist():
        raise InputError(
            f"Winnow.partial_fit got classes={given.tolist()}, but knows {known.tolist()} from an earlier call; leave "
            "classes out, or begin anew with fit."
        )
    if len(known) < 2:
        raise InputError(
            "Winnow.partial_fit needs at least two classes, but got one class in its first rows; pass all that will "
            "come, classes=[...]."
        )
    return known


def class_numbers(y: np.ndarray, known: np.ndarray, n_rows: int) -> np.ndarray:
    """Return the places of classes among those that are known."""
    if len(y) != n_rows:
        raise InputError(f"Winnow.partial_fit got {n_rows} rows and {len(y)} classes; pass one class per row.")
    numbers = np.minimum(np.searchsorted(known, y), len(known) - 1)
    new = y[known[numbers] != y].tolist()
    if new:
        raise InputError(
            f"Winnow.partial_fit got the class {new[0]!r}, but knows {known.tolist()}; name all classes in the first "
            "call, classes=[...]."
        )
    return numbers.astype(np.int64)
