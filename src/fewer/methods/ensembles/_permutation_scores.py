"""Two tests by permutation: of the values of a feature out of bag, and of the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from scipy.stats import norm
from sklearn.base import clone, is_classifier
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fewer.core.criteria.folds import of_rows
from fewer.core.criteria.model_input import take_rows
from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.importance.models import fitted, model_for, seen
from fewer.core.importance.permuted import permuted_copy
from fewer.core.records.errors import InputError
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.runners.fits import FitJournal, run_fits
from fewer.core.views.view import View
from fewer.methods.ensembles._importance_fits import (
    ForestFit,
    ForestSize,
    ModelFit,
    equal_columns,
    first_seed,
    seed_of,
    shared,
    varying,
)

FORESTS = (RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor)
# Rows that are predicted at once hold at most so many numbers.
MOST_NUMBERS = 2**22
MOST_DRAWS = 1000


@dataclass(frozen=True, eq=False)
class TargetScore(RankingCriterion):
    """Importances against those of fits on permuted targets."""

    estimator: Any = None
    n_permutations: int = 100
    forest: ForestSize = field(default_factory=ForestSize)
    random_state: Any = None
    journal: FitJournal | None = None
    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Fit once on the target and then on permuted ones; the score is the distance in standard deviations."""
        constant = _constant("PermutationTest", view)
        seed, equal = first_seed(self.random_state), equal_columns(view)
        own = self.estimator is None
        fit = ForestFit.of(view, self.forest) if own else ModelFit.of(view, self.estimator)
        work, numbers = partial(permuted_fit, fit, seed), range(self.n_permutations + 1)
        found = run_fits(view.run, work, numbers, what="permuted targets", journal=self.journal)
        actual, *rest = (shared(values, equal) for values in found)
        null = np.array(rest)
        return Ranking(
            _distance(actual, null),
            null_pvalues(actual, null),
            {"importance": actual, "null_mean": null.mean(axis=0)},
            constant,
        )


def permuted_fit(fit: ForestFit | ModelFit, seed: int, number: int) -> np.ndarray:
    """Return the importances of a fit on the target, number 0, or on a permutation of it."""
    order = np.random.default_rng([seed, number, 1]).permutation(len(fit.target))
    one = fit.with_target(fit.target[order]) if number else fit
    return np.sum([one.part(seed_of(seed, number), part) for part in range(one.n_parts)], axis=0)


def null_pvalues(actual: np.ndarray, null: np.ndarray) -> np.ndarray:
    """Return (k + 1) / (n + 1), where k of n null importances are at least the actual one; ties count against it."""
    return ((null >= actual).sum(axis=0) + 1) / (len(null) + 1)


def _distance(actual: np.ndarray, null: np.ndarray) -> np.ndarray:
    spread, above = null.std(axis=0), actual - null.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((spread > 0) | (above != 0), above / spread, 0.0)


@dataclass(frozen=True, eq=False)
class OutOfBagScore(RankingCriterion):
    """What models lose out of bag when the values of a feature are permuted, z_scores over the models."""

    estimator: Any = None
    n_estimators: int = 100
    random_state: Any = None
    journal: FitJournal | None = None
    requires = ("dense",)
    has_pvalues = True

    def scores(self, view: View) -> Ranking:
        """Fit models on bootstrap samples; the score is z, the mean loss divided by its standard error."""
        constant = _constant("PermutationTest", view)
        model, n_models, size = bagged(self.estimator, self.n_estimators, view.n_classes > 0, view.n_rows)
        model = model_for(view, model)
        X, y, fit_params = seen(view, model)
        work = partial(losses, model, X, y, fit_params, size, first_seed(self.random_state))
        found = np.array(run_fits(view.run, work, range(n_models), what="trees out of bag", journal=self.journal))
        equal = equal_columns(view)
        found = np.array([shared(row, equal) for row in found])
        z, pvalues = z_scores(found)
        numbers = np.unique(np.linspace(1, n_models, 20).astype(int))
        curve = {"models": numbers, "largest z": [z_scores(found[:k])[0].max() for k in numbers]}
        table = ResultTable("Largest z by number of models, which grows with it", curve, "curve")
        return Ranking(z, pvalues, {"loss": found.mean(axis=0)}, constant, {"models": table})


def z_scores(found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return z and the one-sided p-value of mean losses, (n_models, n_features); where nothing varies 0 and 1."""
    n_models = len(found)
    spread = found.std(axis=0, ddof=1) if n_models > 1 else np.zeros(found.shape[1])
    # Equal losses may differ by rounding.
    sure = spread > 1e-12 * np.abs(found).max(axis=0, initial=0.0)
    z = np.zeros(found.shape[1])
    z[sure] = found.mean(axis=0)[sure] / (spread[sure] / np.sqrt(n_models))
    return z, np.where(sure, norm.sf(z), 1.0)


def bagged(estimator: Any, n_models: int, classes: bool, n_rows: int) -> tuple[Any, int, int]:
    """Return the model of every bag, their number and the rows drawn for each; of a forest, its trees and theirs."""
    if estimator is None:
        made = DecisionTreeClassifier if classes else DecisionTreeRegressor
        return made(max_features="sqrt"), n_models, n_rows
    if not isinstance(estimator, FORESTS):
        return clone(estimator), n_models, n_rows
    given = {name: getattr(estimator, name) for name in estimator.estimator_params}
    tree = clone(estimator.estimator).set_params(**given | {"random_state": None})
    weight = getattr(estimator, "class_weight", None)
    if weight is not None:
        tree.set_params(class_weight=weight.removesuffix("_subsample") if isinstance(weight, str) else weight)
    some = estimator.max_samples
    size = n_rows if some is None else int(some) if isinstance(some, Integral) else max(1, round(n_rows * some))
    return tree, estimator.n_estimators, size


def losses(
    model: Any, X: Any, y: np.ndarray, fit_params: dict[str, Any], size: int, seed: int, number: int
) -> np.ndarray:
    """Return what one model loses of its accuracy, or gains in squared error, by each feature permuted out of bag."""
    rng = np.random.default_rng([seed, number])
    bag, out = _draw(rng, y, size, is_classifier(model))
    one = fitted(model, take_rows(X, bag), y[bag], of_rows(fit_params, len(y), bag), seed_of(seed, number))
    rows, known = take_rows(X, out), y[out]
    orders = np.array([rng.permutation(len(out)) for _ in range(X.shape[1])])
    used = np.unique(one.tree_.feature[one.tree_.feature >= 0]) if hasattr(one, "tree_") else np.arange(X.shape[1])
    error = _error(one.predict(rows), known, is_classifier(model))
    if hasattr(rows, "iloc"):
        found = np.array([one.predict(permuted_copy(rows, np.array([j]), orders[j])) for j in used])
        return _error(found, known, is_classifier(model)) - error
    lost, step = np.zeros(X.shape[1]), max(1, MOST_NUMBERS // max(1, rows.size))
    for first in range(0, len(used), step):
        some = used[first : first + step]
        changed = np.repeat(rows[None], len(some), axis=0)
        changed[np.arange(len(some)), :, some] = rows[orders[some], some[:, None]]
        found = one.predict(changed.reshape(-1, X.shape[1])).reshape(len(some), len(out))
        lost[some] = _error(found, known, is_classifier(model)) - error
    return lost


def _error(found: np.ndarray, known: np.ndarray, classes: bool) -> np.ndarray:
    return (found != known).mean(axis=-1) if classes else ((found - known) ** 2).mean(axis=-1)


def _draw(rng: np.random.Generator, y: np.ndarray, size: int, classes: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return rows in and out of bag: some of both, and at least two classes to learn from."""
    for _ in range(MOST_DRAWS):
        bag = rng.integers(len(y), size=size)
        out = np.setdiff1d(np.arange(len(y)), bag)
        if len(out) and not (classes and (y[bag] == y[bag[0]]).all()):
            return bag, out
    raise InputError(
        f"PermutationTest drew {MOST_DRAWS} bootstrap samples of {len(y)} rows without one that leaves rows out and "
        "has two classes; give more rows of the rarer classes, or use kind='target'."
    )


def _constant(name: str, view: View) -> np.ndarray:
    constant = np.ones(view.n_features, dtype=bool)
    constant[varying(name, view)] = False
    return constant
