"""How much a score falls when a model is fitted without a feature, or without a group of features."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring

from fewer.core.criteria.model_input import take_columns, told_columns
from fewer.core.importance.fold_work import FoldWork, answers_one_class
from fewer.core.records.errors import InputError
from fewer.core.runners.fits import run_fits
from fewer.core.views.view import View


@dataclass(frozen=True, eq=False)
class DroppedWork:
    """Fits on one fold without one unit of columns, or with all; number 0 of a fold is with all.

    Attributes
    ----------
    whole : FoldWork
        Fits with all columns; all fits on a fold have the same seed.
    estimator : estimator
        As given.
    nominal : ndarray of bool
        Which columns are.
    scoring
        As given.
    units : list of ndarray of int
        Columns that are left out together.
    """

    whole: FoldWork
    estimator: Any
    nominal: np.ndarray
    scoring: Any
    units: list[np.ndarray]

    def __call__(self, number: int) -> np.ndarray:
        """Return the score, and whether the model answers with one class only."""
        fold_number, unit = divmod(number, len(self.units) + 1)
        work = self.whole
        if unit:
            left = np.setdiff1d(np.arange(len(self.nominal)), self.units[unit - 1])
            X = take_columns(work.X, left)
            model = told_columns(self.estimator, self.nominal[left], getattr(X, "columns", None))
            work = replace(work, model=model, X=X)
        fold = work.fold(fold_number)
        scorer = check_scoring(fold.model, scoring=self.scoring)
        return np.array([scorer(fold.model, fold.X, fold.y, **fold.params), answers_one_class(fold)], dtype=float)


def dropped_importance(work: FoldWork, view: View, estimator: Any, how: dict[str, Any]) -> np.ndarray:
    """Return the fall of the score without each unit, (n_folds, n_units + 1); last whether one class is the answer.

    Parameters
    ----------
    work : FoldWork
        Splits and seeds.
    view, estimator
        The data and the model.
    how : dict
        ``scoring``, ``units`` and ``journal``.
    """
    units: list[np.ndarray] = how["units"]
    if len(units) < 2:
        raise InputError(
            "importance='drop' fits a model without each feature, but there is one only; use importance='permutation', "
            "or give at least two features or groups."
        )
    lean = DroppedWork(work, estimator, view.nominal, how["scoring"], units)
    n_fits = len(work.splits) * (len(units) + 1)
    fits = run_fits(view.run, lean, range(n_fits), what="fitting without features", journal=how["journal"])
    table = np.stack(fits).reshape(len(work.splits), len(units) + 1, 2)
    falls = table[:, :1, 0] - table[:, 1:, 0]
    return np.concatenate([falls + 0.0, table[:, :1, 1]], axis=1)
