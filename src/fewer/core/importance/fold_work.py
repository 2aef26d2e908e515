"""What is done on one fold: fit a model, and measure what its features are worth on rows that it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring

from fewer.core.criteria.folds import of_rows
from fewer.core.criteria.model_input import take_rows
from fewer.core.importance.alike_rows import AlikeRows, within
from fewer.core.importance.models import fitted, model_for, seen
from fewer.core.importance.native import native_importance
from fewer.core.importance.permuted import permuted_scores
from fewer.core.importance.shap_values import shap_importance
from fewer.core.records.errors import InputError, RequirementError
from fewer.core.views.view import View

Split = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Fold:
    """A fitted model with the rows that it was fitted on and those that were held out, of a frame also as numbers."""

    model: Any
    X_train: Any
    X: Any
    y: np.ndarray
    params: Mapping[str, Any]
    seed: int
    numbers_train: np.ndarray | None = None
    numbers: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class FoldWork:
    """Fits and measures on the fold with a number; depends on nothing else, and can be sent to a worker.

    Attributes
    ----------
    model : estimator
        Unfitted, knows the nominal columns.
    X, y, fit_params
        What the model sees.
    splits : list of (ndarray, ndarray)
        Rows to fit on and rows to measure on.
    seeds : ndarray of int
        One for every fold.
    measure : callable
        Returns numbers of a `Fold`.
    numbers : ndarray, optional
        The rows as numbers, in nominal columns those of the levels, where the model sees a data frame.
    """

    model: Any
    X: Any
    y: np.ndarray
    fit_params: Mapping[str, Any]
    splits: list[Split]
    seeds: np.ndarray
    measure: Callable[[Fold], np.ndarray]
    numbers: np.ndarray | None = None

    def __call__(self, number: int) -> np.ndarray:
        """Return what the measure says of one fold, and last whether the model answers with one class only."""
        fold = self.fold(number)
        found = np.asarray(self.measure(fold), dtype=np.float64)
        if not np.isfinite(found).all():
            raise InputError(
                f"{type(self.model).__name__} gave an importance that is no finite number on fold {number}; check its "
                "parameters, the score, and that every fold has rows of every class."
            )
        # No importance shall read -0.
        return np.append(found + 0.0, float(answers_one_class(fold)))

    def fold(self, number: int) -> Fold:
        """Fit on one fold."""
        train, test = self.splits[number]
        seed, n = int(self.seeds[number]), len(self.y)
        X_train, params = take_rows(self.X, train), of_rows(self.fit_params, n, train)
        model = fitted(self.model, X_train, self.y[train], params, seed)
        weights = {k: v for k, v in of_rows(self.fit_params, n, test).items() if k == "sample_weight"}
        numbers = (None, None) if self.numbers is None else (self.numbers[train], self.numbers[test])
        return Fold(model, X_train, take_rows(self.X, test), self.y[test], weights, seed, *numbers)


def answers_one_class(fold: Fold) -> bool:
    """Return whether a classifier gives all rows that were held out the same class."""
    if not is_classifier(fold.model) or fold.y.ndim > 1:
        return False
    said = np.asarray(fold.model.predict(fold.X))
    return said.ndim == 1 and bool((said[:1] == said).all())


@dataclass(frozen=True, eq=False)
class Native:
    """What the model says itself."""

    transform: str

    def __call__(self, fold: Fold) -> np.ndarray:
        """Read its importances or coefficients."""
        return native_importance(fold.model, fold.X.shape[1], self.transform)


@dataclass(frozen=True, eq=False)
class Shapley:
    """The mean absolute Shapley value."""

    def __call__(self, fold: Fold) -> np.ndarray:
        """Explain the rows that were held out."""
        return shap_importance(fold.model, fold.X_train, fold.X, fold.seed)


@dataclass(frozen=True, eq=False)
class Called:
    """What a function of the user says."""

    function: Callable[[Any, Any, np.ndarray], Any]

    def __call__(self, fold: Fold) -> np.ndarray:
        """Call it with the model and the rows that were held out."""
        try:
            found = np.asarray(self.function(fold.model, fold.X, fold.y), dtype=np.float64)
        except Exception as error:
            raise InputError(
                f"importance={self.function!r} failed on {type(fold.model).__name__} and {fold.X.shape[0]} rows "
                f"({type(error).__name__}: {error}); correct the function, which is called with (model, X, y)."
            ) from error
        if found.shape != (fold.X.shape[1],):
            raise RequirementError(
                f"importance={self.function!r} returned numbers of shape {found.shape} for {fold.X.shape[1]} features; "
                "return one number per feature."
            )
        return found


@dataclass(frozen=True, eq=False)
class Permuted:
    """The fall of the score when units of columns are permuted, freely or inside strata."""

    scoring: Any
    units: list[np.ndarray]
    n_repeats: int
    nominal: np.ndarray
    least: float | None = None

    def __call__(self, fold: Fold) -> np.ndarray:
        """Return the mean fall of every unit over the permutations."""
        n = fold.X.shape[0]
        rng = np.random.default_rng(fold.seed)
        orders = np.stack([rng.permutation(n) for _ in range(self.n_repeats)])
        scorer = check_scoring(fold.model, scoring=self.scoring)
        strata = self._strata(fold)

        def of_unit(u: int) -> np.ndarray:
            if strata is None or not strata.trees[u]:
                return orders
            where = strata.of_rows(u, _numbers(fold.X, fold.numbers))
            return np.stack([within(order, where) for order in orders])

        whole, scores = permuted_scores(fold.model, fold.X, fold.y, scorer, self.units, of_unit, fold.params)
        return (whole - scores).mean(axis=1)

    def _strata(self, fold: Fold) -> AlikeRows | None:
        if self.least is None:
            return None
        train = _numbers(fold.X_train, fold.numbers_train)
        return AlikeRows.learned(train, self.nominal, self.units, self.least, fold.X.shape[0])


def _numbers(X: Any, known: np.ndarray | None) -> np.ndarray:
    """Return the rows as numbers; of categorical columns the numbers of the levels."""
    X = X if known is None else known
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)


def work_of(
    view: View, estimator: Any, splits: list[Split], seeds: np.ndarray, measure: Callable[[Fold], np.ndarray]
) -> FoldWork:
    """Return the work on the folds of a view."""
    model = model_for(view, estimator)
    X, y, fit_params = seen(view, model)
    numbers = view.whole().X if hasattr(X, "iloc") else None
    return FoldWork(model, X, y, fit_params, splits, seeds, measure, numbers)
