"""Importance: what any model says about its features, as a criterion."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

import numpy as np
from scipy.stats import t as student

from fewer.core.criteria.folds import make_folds
from fewer.core.criteria.model_input import refuse_counted
from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.criteria.splitters import own_score, splitter
from fewer.core.importance.dropped import dropped_importance
from fewer.core.importance.fold_work import Called, Fold, Native, Permuted, Shapley, Split, work_of
from fewer.core.importance.models import check_model, default_model, refuse_weights, seen
from fewer.core.importance.shap_values import load_shap
from fewer.core.records.errors import NothingFoundWarning, ParameterError, closest
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.runners.fits import FitJournal, run_fits
from fewer.core.views.column_groups import column_groups
from fewer.core.views.view import View

KINDS = ("native", "permutation", "conditional", "drop", "shap")
# Falls of a score, of which 0 is expected from a feature that does not matter.
FALLS = ("permutation", "conditional", "drop")
# Differences between folds below this fraction are rounding.
TOLERANCE = 1e-12


class Importance(RankingCriterion):
    r"""What a model says about its features: its own importances, or what it loses without them.

    Parameters
    ----------
    estimator : estimator or None, default=None
        Any estimator of scikit-learn's kind, pipelines included; itself not changed. None: a random forest.
    importance : {"native", "permutation", "conditional", "drop", "shap"} or callable, default="native"
        ``feature_importances_`` or ``coef_``; the fall of the score on rows that were held out when the values of a
        feature are permuted, freely or among rows that are alike in the features it is correlated with; its fall when
        the model is fitted without the feature; the mean absolute Shapley value; or what
        ``importance(model, X, y)`` returns of a fitted model and rows that were held out, one number per feature.
    scoring : str, callable or None, default=None
        The score that falls; by default that of the estimator, or balanced accuracy where classes are uneven.
    cv : int, str, splitter, iterable of splits or None, default=None
        Rows that are held out. None: one fit on all rows for "native", otherwise five folds.
    n_repeats : int, default=5
        Permutations per feature and fold.
    feature_groups : sequence of sequences, or one label per column, default=None
        Columns that are permuted, or left out, together; each gets the importance of its group.
    min_correlation : float, default=0.2
        For "conditional": from which rank correlation on a feature is held.
    transform : {"norm", "square"}, default="norm"
        What is made of coefficients: the sum of absolute values over classes, or of squares.
    random_state : int, Generator or None, default=0
        Seed of permutations, and of models whose own ``random_state`` is None.

    Notes
    -----
    The p-values of "permutation", "conditional" and "drop" are approximate: one-sided, by the corrected resampled
    t-test over the folds [1]_, :math:`t = \bar v / \sqrt{(1/J + n_2/n_1) s^2}` with J - 1 degrees of freedom, which
    allows for training rows that folds share. If all folds agree to the last digit and it falls, the p-value is that of
    their signs, :math:`2^{-J}`.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
    """

    requires: tuple[str, ...] = ("dense", "sparse")

    def __init__(
        self,
        estimator: Any = None,
        importance: str | Callable[..., Any] = "native",
        *,
        scoring: Any = None,
        cv: Any = None,
        n_repeats: int = 5,
        feature_groups: Any = None,
        min_correlation: float = 0.2,
        transform: str = "norm",
        random_state: Any = 0,
    ) -> None:
        check_model("Importance", estimator)
        check_kind("Importance", importance)
        if importance == "drop":
            refuse_counted("importance='drop'", estimator)
        self.estimator, self.importance, self.scoring = estimator, importance, scoring
        # An iterator would be spent after the first view.
        self.cv = list(cv) if isinstance(cv, Iterable) and not isinstance(cv, str) and not hasattr(cv, "split") else cv
        self.n_repeats, self.feature_groups, self.min_correlation = n_repeats, feature_groups, min_correlation
        self.transform, self.random_state = transform, random_state
        self._journal: FitJournal | None = None

    @property
    def has_pvalues(self) -> bool:  # type: ignore[override]
        """Whether 0 is expected of a feature that does not matter, so that folds can be tested against it."""
        return self.importance in FALLS

    def without_pvalues(self) -> Importance:
        """Return the same for other data, of which nothing has been done yet."""
        return self.resuming(None)

    def resuming(self, journal: FitJournal | None) -> Importance:
        """Return the same with what an earlier run has done on the same view."""
        other = copy(self)
        other._journal = journal
        return other

    def scores(self, view: View) -> Ranking:
        """Fit the model on every fold and measure."""
        journal = self._journal
        estimator = default_model(view) if self.estimator is None else self.estimator
        refuse_weights(estimator, seen(view)[2])
        units = [np.array(group) for group in column_groups(self.feature_groups, view.n_features, view.names)]
        splits = self._splits(view)
        seeds = np.random.default_rng(self.random_state).integers(2**31 - 1, size=len(splits))
        work = work_of(view, estimator, splits, seeds, self._measure(view, estimator, units))
        if self.importance == "drop":
            how = {"scoring": own_score(estimator, self.scoring, view), "units": units, "journal": journal}
            found = dropped_importance(work, view, estimator, how)
        else:
            what = "fitting models" if self.importance == "native" else "measuring importance on folds"
            found = np.stack(run_fits(view.run, work, range(len(splits)), what=what, journal=journal))
        values, alone = found[:, :-1], found[:, -1]
        if self.importance in FALLS and (alone == 1).all() and not values.any():
            warn_of_one_class(estimator)
        return self._ranking(view, values, units, splits)

    def _splits(self, view: View) -> list[Split]:
        """Return rows to fit on and rows to measure on."""
        if self.importance == "native" and self.cv is None:
            rows = np.arange(view.n_rows)
            return [(rows, rows)]
        groups = {} if view.groups is None else {"groups": view.groups}
        return make_folds(view, splitter(self.cv, view), view.classes is not None, groups).splits

    def _measure(self, view: View, estimator: Any, units: list[np.ndarray]) -> Callable[[Fold], np.ndarray]:
        """Return what is measured on a fold."""
        if callable(self.importance):
            return Called(self.importance)
        if self.importance == "shap":
            load_shap()
            return Shapley()
        if self.importance in ("permutation", "conditional"):
            least = self.min_correlation if self.importance == "conditional" else None
            return Permuted(own_score(estimator, self.scoring, view), units, self.n_repeats, view.nominal, least)
        return Native(self.transform)

    def _ranking(self, view: View, values: np.ndarray, units: list[np.ndarray], splits: list[Split]) -> Ranking:
        """Return the means over folds, of groups for each of their columns, with what else is known."""
        if values.shape[1] == len(units):
            spread = np.empty((len(values), view.n_features))
            for u, unit in enumerate(units):
                spread[:, unit] = values[:, [u]]
        else:
            spread = values.copy()
            for unit in units:
                spread[:, unit] = values[:, unit].sum(axis=1, keepdims=True)
        means, columns = spread.mean(axis=0), {}
        if len(values) > 1:
            columns["standard deviation"] = spread.std(axis=0, ddof=1)
        pvalues = corrected_pvalues(spread, splits) if self.has_pvalues and len(values) > 1 else None
        tables = {}
        if self.feature_groups is not None:
            first = [int(unit[0]) for unit in units]
            shown = {"first feature": first, "features": [len(unit) for unit in units], "importance": means[first]}
            tables["groups"] = ResultTable("Importance of groups", shown, "rows", ("first feature",))
        return Ranking(means, pvalues, columns, tables=tables)


def corrected_pvalues(values: np.ndarray, splits: list[Split]) -> np.ndarray:
    """Return approximate one-sided p-values of means over folds, by the corrected resampled t-test.

    Parameters
    ----------
    values : ndarray of shape (n_folds, n_features)
        Of which the mean is 0 if a feature does not matter.
    splits : list of (ndarray, ndarray)
        Rows that were fitted on and rows that were held out.
    """
    n_folds = len(values)
    ratio = float(np.mean([len(test) / len(train) for train, test in splits]))
    means, largest = values.mean(axis=0), np.abs(values).max(axis=0)
    equal = np.ptp(values, axis=0) <= TOLERANCE * largest
    errors = np.sqrt((1.0 / n_folds + ratio) * values.var(axis=0, ddof=1))
    t = np.divide(means, errors, out=np.zeros_like(means), where=~equal)
    return np.where(equal, np.where(means > 0, 0.5**n_folds, 1.0), student.sf(t, n_folds - 1))


def check_kind(name: str, importance: Any) -> None:
    """Raise unless something says how importance is measured."""
    if callable(importance) or (isinstance(importance, str) and importance in KINDS):
        return
    hint = closest(importance, KINDS) if isinstance(importance, str) else ""
    raise ParameterError(
        f"{name} got importance={importance!r}, but takes one of {', '.join(map(repr, KINDS))}, or a function of "
        f"(model, X, y) that returns one number per feature; pass one of them.{hint}"
    )


def warn_of_one_class(estimator: Any) -> None:
    """Warn that nothing can be measured of a model that always gives the same answer."""
    warnings.warn(
        f"{type(estimator).__name__} gives all rows that were held out the same class, whatever the features, so that "
        "every importance is 0; give it other parameters, such as class_weight='balanced', or more rows.",
        NothingFoundWarning,
        stacklevel=2,
    )
