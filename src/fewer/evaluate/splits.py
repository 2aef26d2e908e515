"""The splits of a comparison: rows that are copies of others together, every training part with two classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.views.inner_splits import inner_splits
from fewer.core.views.row_copies import RowCopies, row_copies
from fewer.core.views.row_splits import Splits, make_splits
from fewer.evaluate.data import Data
from fewer.evaluate.scoring import default_cv


def splits_of(data: Data, cv: Any, scoring: Any, seed: int) -> tuple[Splits, RowCopies | None]:
    """Return the splits and those inside of them, and the rows that are copies of others if that changes them.

    Rows of one group stay together; without groups, rows that are exact copies do, unless the splits were given or
    follow the order of time.
    """
    _check_rows(data, cv)
    folds = default_cv(scoring, data) if cv is None and data.groups is None else cv
    made_here = data.groups is None and (cv is None or (isinstance(cv, int | str) and not _in_time(cv)))
    copies = row_copies(data.view.columns(data.columns)) if made_here else None
    if copies is None:
        splits, groups = make_splits(folds, data.y, data.task, data.groups, seed), data.groups
    else:
        splits, groups = _together(folds, data, copies, seed), copies.groups
    _check_classes(data, splits)
    return replace(splits, inner=inner_splits(splits, data.y, data.task, groups, seed)), copies


def _in_time(cv: Any) -> bool:
    return isinstance(cv, str) and cv.strip().lower().startswith("time")


def _together(cv: Any, data: Data, copies: RowCopies, seed: int) -> Splits:
    """Split the different rows, by the target of the first of each, and let their copies go with them."""
    first = np.unique(copies.groups, return_index=True)[1]
    made = make_splits(cv, data.y[first], data.task, None, seed)

    def rows(groups: np.ndarray) -> np.ndarray:
        return np.flatnonzero(np.isin(copies.groups, groups))

    train, test = (tuple(rows(part) for part in parts) for parts in (made.train, made.test))
    return replace(made, train=train, test=test, words=f"{made.words}, copies of a row together")


def _check_rows(data: Data, cv: Any) -> None:
    """Raise if splits name rows by their numbers, of which some were left out."""
    if data.view.counted is not None and cv is not None and not isinstance(cv, int | str):
        raise ParameterError(
            f"compare got splits of its own beside {int((~data.view.counted).sum())} rows of weight 0, which are left "
            "out, so that row numbers would shift; drop these rows first, or give a number of folds."
        )


def _check_classes(data: Data, splits: Splits) -> None:
    """Raise if some training rows are all of one class: every method would fail on them, one after another."""
    for number, rows in enumerate(splits.train if data.task == "classification" else (), start=1):
        if (data.y[rows] == data.y[rows[0]]).all():
            raise InputError(
                f"compare trains on parts of the {data.n_rows} rows, and part {number} of {len(splits)} holds only the "
                f"class {data.y[rows[0]]}, but needs two; give more rows of each class, or another cv."
            )
