"""The rows that train and those that test, fixed once per view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from fewer.core.criteria.model_input import take_columns
from fewer.core.records.errors import InputError
from fewer.core.records.target_kinds import known_labels
from fewer.core.views.view import View


@dataclass(frozen=True, eq=False)
class Folds:
    """Data of a view with the splits of one cross-validation.

    Attributes
    ----------
    X : ndarray, sparse matrix or data frame of shape (n_rows, n_features)
        The features; kept as they are, never copied as a whole.
    y : ndarray of shape (n_rows,)
        The target as estimators see it: labels or numbers.
    numbers : ndarray of shape (n_rows,)
        Class numbers (int64), or the target itself (float64).
    classes : ndarray or None
        Sorted labels.
    splits : list of (ndarray, ndarray)
        Rows to train on and rows to test on.
    weight : ndarray or None
        Weights of the rows.
    fit_params, score_params : mapping
        What `fit` and the scorer receive besides; entries with one value per row are cut with the rows.
    """

    X: Any
    y: np.ndarray
    numbers: np.ndarray
    classes: np.ndarray | None
    splits: list[tuple[np.ndarray, np.ndarray]]
    weight: np.ndarray | None = None
    fit_params: Mapping[str, Any] = field(default_factory=dict)
    score_params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_folds(self) -> int:
        """Number of splits."""
        return len(self.splits)

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @property
    def n_classes(self) -> int:
        """Number of classes, 0 for a numeric target."""
        return 0 if self.classes is None else len(self.classes)

    @cached_property
    def test(self) -> np.ndarray:
        """The rows to test on, fold after fold."""
        return _joined(test for _, test in self.splits)

    @cached_property
    def test_bounds(self) -> np.ndarray:
        """Where the rows of each fold begin in `test`."""
        return _bounds(test for _, test in self.splits)

    @cached_property
    def train(self) -> np.ndarray:
        """The rows to train on, fold after fold."""
        return _joined(train for train, _ in self.splits)

    @cached_property
    def train_bounds(self) -> np.ndarray:
        """Where the rows of each fold begin in `train`."""
        return _bounds(train for train, _ in self.splits)

    @cached_property
    def columns(self) -> np.ndarray:
        """The features one after another as float64, (n_features, n_rows)."""
        return np.ascontiguousarray(np.asarray(self.X, dtype=np.float64).T)

    @cached_property
    def target(self) -> np.ndarray:
        """Class numbers or target values of the rows to test on, fold after fold."""
        return self.numbers[self.test]

    @cached_property
    def class_counts(self) -> np.ndarray:
        """Rows to train on by fold and class."""
        return np.array([np.bincount(self.numbers[train], minlength=self.n_classes) for train, _ in self.splits])

    def columns_of(self, subset: np.ndarray) -> Any:
        """Return the chosen columns, ready to be cut by rows."""
        chosen = take_columns(self.X, subset)
        return chosen.tocsr() if hasattr(chosen, "tocsr") else chosen


def make_folds(view: View, cv: Any, classifier: bool, split_params: Mapping[str, Any], **routed: Any) -> Folds:
    """Split the rows of a view.

    Parameters
    ----------
    view : View
        Rows in memory with a target.
    cv : int, splitter, list of splits or None
        As for `sklearn.model_selection.check_cv`.
    classifier : bool
        Whether a number of folds means stratified ones.
    split_params : mapping
        Passed to the splitter, such as ``groups``.
    **routed : mapping
        ``fit_params`` and ``score_params`` of the result.
    """
    block = view.whole()
    X = block.rows if block.kind == "codes" else block.X
    if block.y is None:
        raise InputError("Cross-validation needs a target, but y is absent; pass y, or use a criterion without one.")
    classes = None if view.classes is None else known_labels(view.classes)
    y = block.y if classes is None else classes[block.y]
    splitter = check_cv(cv, y, classifier=classifier)
    given = [(_rows(train), _rows(test)) for train, test in splitter.split(X, y, **split_params)]
    if not given or any(len(train) == 0 or len(test) == 0 for train, test in given):
        raise InputError(
            f"cv={cv!r} gave {len(given)} splits, of which some may be empty; each split needs rows to train on and "
            "rows to test on: give another cv."
        )
    return Folds(X, y, block.y, classes, given, block.weight, **routed)


def _rows(rows: Any) -> np.ndarray:
    rows = np.asarray(rows)
    return (np.flatnonzero(rows) if rows.dtype == bool else rows).astype(np.int64)


def _joined(parts: Any) -> np.ndarray:
    return np.ascontiguousarray(np.concatenate(list(parts)), dtype=np.int64)


def _bounds(parts: Any) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)


def of_rows(params: Mapping[str, Any], n_rows: int, rows: np.ndarray) -> dict[str, Any]:
    """Return parameters of `fit` for some rows: what has one entry per row is cut."""
    return {
        name: np.asarray(given)[rows] if np.ndim(given) and len(given) == n_rows else given
        for name, given in params.items()
    }
