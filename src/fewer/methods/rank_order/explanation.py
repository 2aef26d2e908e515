"""Which order relations between features separate the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_X_y

from fewer.core.records.errors import InputError, MissingExtraError, ParameterError, closest
from fewer.core.records.result_table import ResultTable
from fewer.methods.rank_order._pairs import count_before, count_known, refuse_too_many


@dataclass(frozen=True)
class SeparatingPairs:
    """Order relations, the most telling first; prints itself as a table.

    Attributes
    ----------
    lower, higher : ndarray of int
        Column numbers: the relation is that the first is smaller than the second.
    label : ndarray
        The class in which the relation holds more often than elsewhere.
    inside, outside : ndarray
        How often it holds in that class and in all other rows; ties count one half.
    score : ndarray
        The difference of both, between 0 and 1.
    names : tuple of str
        Names of all columns.
    """

    lower: np.ndarray
    higher: np.ndarray
    label: np.ndarray
    inside: np.ndarray
    outside: np.ndarray
    score: np.ndarray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.score)

    def table(self) -> dict[str, list[Any]]:
        """Return one row per relation as columns of plain values."""
        return {
            "lower": [self.names[j] for j in self.lower],
            "higher": [self.names[j] for j in self.higher],
            "class": self.label.tolist(),
            "inside": self.inside.tolist(),
            "outside": self.outside.tolist(),
            "score": self.score.tolist(),
        }

    def result_table(self) -> ResultTable:
        """Return the table that a selection carries: an edge from the lower to the higher feature."""
        columns = {**self.table(), "lower": self.lower, "higher": self.higher, "class": self.label.astype(str)}
        return ResultTable("Pairs whose order tells the classes apart", columns, "graph", ("lower", "higher"))

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame."""
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError(
                "to_frame needs pandas, which is not installed; run pip install pandas, or use table()."
            ) from error
        return pd.DataFrame(self.table())

    def __str__(self) -> str:
        lines = [("relation", "class", "inside", "outside", "score")]
        for i in range(len(self)):
            relation = f"{self.names[self.lower[i]]} < {self.names[self.higher[i]]}"
            shares = (f"{self.inside[i]:.1%}", f"{self.outside[i]:.1%}", f"{self.score[i]:.3f}")
            lines.append((relation, str(self.label[i]), *shares))
        widths = [max(len(line[k]) for line in lines) for k in range(5)]
        return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(line, widths)).rstrip() for line in lines)

    __repr__ = __str__


def separating_pairs(X: Any, y: Any, features: Sequence[int | str] | None = None, top: int = 20) -> SeparatingPairs:
    r"""Return the order relations between features that tell most about the class.

    A relation :math:`f_i < f_j` has the score :math:`\max_c |P(f_i < f_j \mid c) - P(f_i < f_j \mid \bar c)|` over all
    classes c against the rest, which for two classes is the score of top scoring pairs [1]_. It is turned so that it
    holds more often in its class than elsewhere.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers that can be compared with each other; a pair with a missing value is left aside in that row.
    y : array-like of shape (n_samples,)
        The classes.
    features : sequence of int or str, optional
        Columns to look at, such as ``selection.indices``; all if None.
    top : int, default=20
        How many relations to return at most.

    Returns
    -------
    SeparatingPairs
        The relations, best first; of equal scores those of the features named first.

    Notes
    -----
    The scores describe the rows given. The best of many pairs is high by chance: with features chosen on the same
    rows they are no estimate for new ones.

    References
    ----------
    .. [1] D. Geman, C. d'Avignon, D. Q. Naiman and R. L. Winslow, "Classifying gene expression profiles from pairwise
       mRNA comparisons", Statistical Applications in Genetics and Molecular Biology 3, 2004.

    Examples
    --------
    >>> X = [[1, 2, 3], [10, 20, 15], [3, 2, 1], [30, 20, 25]]
    >>> print(separating_pairs(X, ["up", "up", "down", "down"], top=2))
    relation  class  inside  outside  score
    x1 < x0   down   100.0%  0.0%     1.000
    x2 < x0   down   100.0%  0.0%     1.000
    """
    if top < 1:
        raise ParameterError(f"separating_pairs returns at least one pair, but top={top}; pass top=1 or more.")
    names = _names(X)
    X, y = check_X_y(X, y, ensure_all_finite="allow-nan", estimator="separating_pairs")
    check_classification_targets(y)
    names = names or tuple(f"x{j}" for j in range(X.shape[1]))
    columns = np.arange(len(names)) if features is None else np.array([_number(f, names) for f in features], np.int64)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2 or len(columns) < 2:
        raise InputError(
            f"separating_pairs got {len(classes)} class(es) and {len(columns)} feature(s); it compares classes by "
            "pairs of features, so give at least two of both."
        )
    refuse_too_many("separating_pairs", len(columns), len(classes))
    return best_pairs(X, codes, classes, columns, names, top)


def best_pairs(
    X: np.ndarray, codes: np.ndarray, classes: np.ndarray, columns: np.ndarray, names: tuple[str, ...], top: int
) -> SeparatingPairs:
    """Return the best pairs of some columns, given rows with class numbers."""
    inside, outside = _shares(X[:, columns], codes, len(classes))
    return _best(inside, outside, columns, classes, names, top)


def _shares(X: np.ndarray, codes: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return P(i < j | c) and P(i < j | not c), ties halved; one half where no row knows the pair."""
    weight = np.ones(len(X))
    less, known = count_before(X, codes, weight, n_classes), count_known(X, codes, weight, n_classes)
    halved = (less + known - less.transpose(0, 2, 1)) / 2
    others, known_elsewhere = halved.sum(axis=0) - halved, known.sum(axis=0) - known
    unknown = np.full(halved.shape, 0.5)
    inside = np.divide(halved, known, out=unknown.copy(), where=known > 0)
    return inside, np.divide(others, known_elsewhere, out=unknown, where=known_elsewhere > 0)


def _best(
    inside: np.ndarray, outside: np.ndarray, columns: np.ndarray, classes: np.ndarray, names: tuple[str, ...], top: int
) -> SeparatingPairs:
    """Return the best pairs, each with the class and the direction that show it."""
    first, second = np.triu_indices(len(columns), 1)
    differences = (inside - outside)[:, first, second]
    best = np.abs(differences).argmax(axis=0)
    signed = differences[best, np.arange(len(first))]
    chosen = np.argsort(-np.abs(signed), kind="stable")[:top]
    c, i, j = best[chosen], first[chosen], second[chosen]
    i, j = np.where(signed[chosen] >= 0, i, j), np.where(signed[chosen] >= 0, j, i)
    shown_inside, shown_outside = inside[c, i, j], outside[c, i, j]
    return SeparatingPairs(
        columns[i], columns[j], classes[c], shown_inside, shown_outside, shown_inside - shown_outside, names
    )


def _names(X: Any) -> tuple[str, ...] | None:
    """Return the column names of a data frame."""
    return tuple(str(name) for name in X.columns) if hasattr(X, "columns") else None


def _number(feature: int | str, names: tuple[str, ...]) -> int:
    """Return the number of a column given by name or number."""
    if isinstance(feature, str):
        if feature in names:
            return names.index(feature)
        raise InputError(
            f"separating_pairs found no feature named {feature!r} among {len(names)}; give a name or a "
            f"number.{closest(feature, names)}"
        )
    if not 0 <= feature < len(names):
        raise InputError(f"separating_pairs found no feature {feature}; numbers go from 0 to {len(names) - 1}.")
    return int(feature)
