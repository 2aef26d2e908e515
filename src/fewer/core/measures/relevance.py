"""Exact relevance in a distribution that is given row by row: strong, weak, irrelevant; blankets and best subsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError

STRONG, WEAK, IRRELEVANT = "strong", "weak", "irrelevant"
# All subsets of more features than this are too many.
MOST_FEATURES = 16


def relevance_categories(X: Any, y: Any, weights: Any = None, tol: float = 1e-12) -> list[str]:
    """Return "strong", "weak" or "irrelevant" for every feature, by the definitions of Kohavi and John.

    The rows are taken for the whole distribution. A feature is strongly relevant if it tells something about the
    class given all others, weakly relevant if it does given some of them (or none), and else irrelevant.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_features)
        Levels, of at most 16 features: all subsets are looked at.
    y : array-like of shape (n_rows,)
        Classes.
    weights : array-like of shape (n_rows,), optional
        Probabilities of the rows, or multiples of them; equal ones if None.
    tol : float, default=1e-12
        Information in bits up to which it counts as none.

    Examples
    --------
    >>> from fewer.synth import make_boolean_redundant
    >>> data = make_boolean_redundant("xor")
    >>> relevance_categories(data.X, data.y)
    ['strong', 'weak', 'weak', 'irrelevant', 'irrelevant']
    """
    table, classes, weight = _read("relevance_categories", X, y, weights)
    return [_category(table, classes, weight, j, tol) for j in range(table.shape[1])]


def _category(table: np.ndarray, y: np.ndarray, weight: np.ndarray, j: int, tol: float) -> str:
    others = [i for i in range(table.shape[1]) if i != j]
    if _information(weight, table[:, [j]], y[:, None], table[:, others]) > tol:
        return STRONG
    some = (_information(weight, table[:, [j]], y[:, None], table[:, list(given)]) > tol for given in _subsets(others))
    return WEAK if any(some) else IRRELEVANT


def is_markov_blanket(
    X: Any, y: Any, feature: int, blanket: Sequence[int], weights: Any = None, tol: float = 1e-12
) -> bool:
    """Return whether features are a Markov blanket of another one: given them it tells nothing about the rest.

    The rest are all other features and the class. That is more than to tell nothing about the class.

    Parameters
    ----------
    X, y, weights, tol
        As for `relevance_categories`.
    feature : int
        The feature in question.
    blanket : sequence of int
        Other features.
    """
    table, classes, weight = _read("is_markov_blanket", X, y, weights)
    blanket = [int(j) for j in blanket]
    if feature in blanket:
        raise InputError(
            f"is_markov_blanket got feature {feature} as part of its own blanket, but a blanket holds others; leave it "
            "out."
        )
    return _covered(table, classes, weight, feature, blanket, range(table.shape[1]), tol)


def _covered(
    table: np.ndarray,
    y: np.ndarray,
    weight: np.ndarray,
    feature: int,
    blanket: Sequence[int],
    among: Sequence[int],
    tol: float,
) -> bool:
    rest = [j for j in among if j != feature and j not in blanket]
    told = np.column_stack([table[:, rest], y])
    return _information(weight, table[:, [feature]], told, table[:, list(blanket)]) <= tol


def blanket_filtered(X: Any, y: Any, weights: Any = None, tol: float = 1e-12) -> list[int]:
    """Return the features that are left when those with a Markov blanket among the others go, one after another.

    First goes the one with least information about the class, of equal ones that with the higher number; blankets are
    then looked for among those that are left.

    Parameters
    ----------
    X, y, weights, tol
        As for `relevance_categories`.
    """
    table, classes, weight = _read("blanket_filtered", X, y, weights)
    none = table[:, []]
    own = [round(_information(weight, table[:, [j]], classes[:, None], none), 12) for j in range(table.shape[1])]
    left = list(range(table.shape[1]))
    gone = [0]
    while gone:
        gone = []
        for j in sorted(left, key=lambda j: (own[j], -j)):
            others = [i for i in left if i != j]
            if any(_covered(table, classes, weight, j, some, left, tol) for some in _subsets(others)):
                gone = [j]
                left.remove(j)
                break
    return left


def optimal_subsets(X: Any, y: Any, weights: Any = None, tol: float = 1e-12) -> list[tuple[int, ...]]:
    """Return all smallest subsets that tell as much about the class as all features do.

    Parameters
    ----------
    X, y, weights, tol
        As for `relevance_categories`.

    Examples
    --------
    >>> from fewer.synth import make_boolean_redundant
    >>> data = make_boolean_redundant("and")
    >>> optimal_subsets(data.X, data.y)
    [(0, 1), (0, 2)]
    """
    table, classes, weight = _read("optimal_subsets", X, y, weights)
    d = table.shape[1]
    for size in range(d + 1):
        found = []
        for some in combinations(range(d), size):
            rest = [j for j in range(d) if j not in some]
            if _information(weight, table[:, rest], classes[:, None], table[:, list(some)]) <= tol:
                found.append(some)
        if found:
            return found
    return [tuple(range(d))]


def _subsets(columns: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(columns) + 1):
        yield from combinations(columns, size)


def _read(who: str, X: Any, y: Any, weights: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return levels, class numbers and probabilities of the rows."""
    table, labels = np.asarray(X), np.asarray(y)
    if table.ndim != 2 or labels.shape != (len(table),) or len(table) == 0:
        raise InputError(
            f"{who} got X of shape {table.shape} and y of shape {labels.shape}, but needs a table and one class for "
            "each of its rows; pass such."
        )
    if table.shape[1] > MOST_FEATURES:
        raise InputError(
            f"{who} got {table.shape[1]} features, but looks at all subsets of at most {MOST_FEATURES}; choose some, "
            "or use RelevanceClasses, which tests."
        )
    weight = np.ones(len(table)) if weights is None else np.asarray(weights, dtype=np.float64)
    if weight.shape != (len(table),) or not (weight >= 0).all() or not weight.sum() > 0:
        raise InputError(f"{who} got weights that are not one number of at least 0 for each row; correct them.")
    codes = np.empty(table.shape, np.int64)
    for j, column in enumerate(table.T):
        codes[:, j] = np.unique(column, return_inverse=True)[1]
    return codes, np.unique(labels, return_inverse=True)[1], weight / weight.sum()


def _information(weight: np.ndarray, one: np.ndarray, other: np.ndarray, given: np.ndarray) -> float:
    """Return I(one; other | given) in bits, of columns taken together."""
    parts = ((given, one), (given, other), (given, one, other), (given,))
    entropy = [_entropy(weight, np.column_stack(part)) for part in parts]
    return max(entropy[0] + entropy[1] - entropy[2] - entropy[3], 0.0)


def _entropy(weight: np.ndarray, columns: np.ndarray) -> float:
    if columns.shape[1] == 0:
        return 0.0
    place = np.unique(columns, axis=0, return_inverse=True)[1].ravel()
    p = np.bincount(place, weights=weight)
    p = p[p > 0]
    return float(-(p * np.log2(p)).sum())
