"""The pipelines of book 19.4: normalise, preselect by the rank-sum test, bin, select again, classify."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.decomposition import PCA

from fewer import registry
from fewer.core.criteria.recognise import recognise
from fewer.core.measures import mann_whitney
from fewer.core.runners.threads import ThreadRunner
from fewer.core.search import Problem
from fewer.core.search.best_first import BestFirst
from fewer.core.search.genetic import Genetic
from fewer.core.search.sequential import Sequential
from fewer.core.stop.sizes import Between
from fewer.core.views.column_ranks import class_rank_sums
from fewer.core.views.view import View
from fewer.methods.ensembles._spectra import NORMALIZATIONS, gap_bins, representatives

# Numbers of Weka, whose searches the chapter names.
GENETIC = Genetic(20, 20, crossover_rate=0.6, mutation_rate=0.033, selection="proportional")
SEARCHES: dict[str, Any] = {"greedy": Sequential(), "best_first": BestFirst(patience=5), "genetic": GENETIC}
SECONDARY = ("none", *(f"{kind}_{search}" for kind in ("cfs", "wrapper") for search in SEARCHES), "pca")
REPRESENTATIVES = ("min_p", "max_mean")
# Variance that the components of the ranker cover, and folds of the wrapper.
COVERED, WRAPPER_FOLDS = 0.95, 5


@dataclass(frozen=True)
class Option:
    """One way through the steps; the classifier by its number."""

    normalization: str
    representative: str
    secondary: str
    classifier: int

    @property
    def chooses_by(self) -> Option:
        """The same, with classifier 0 where the choice of features does not depend on it."""
        return self if self.secondary.startswith("wrapper") else replace(self, classifier=0)


def grid(
    normalizations: Sequence[str], kinds: Sequence[str], secondary: Sequence[str], n_classifiers: int
) -> list[Option]:
    """Return all ways through the steps."""
    return [
        Option(normalization, kind, second, number)
        for normalization in normalizations
        for kind in kinds
        for second in secondary
        for number in range(n_classifiers)
    ]


@dataclass(frozen=True, eq=False)
class Pipelines:
    """Chooses features by an option and says how accurate a classifier is with them; may go to another process."""

    view: View
    coordinates: np.ndarray | None
    preselect: int
    gap: float
    axis: int
    classifiers: tuple[Any, ...]
    splits: list[tuple[np.ndarray, np.ndarray]]
    seed: int
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, view: View, *more: Any) -> Pipelines:
        """Prepare the work: one thread per pipeline."""
        return cls(replace(view, run=ThreadRunner(1), _memo={}), *more)

    def normalized(self, how: str) -> View:
        """Return the rows with normalised numbers."""
        if how not in self._known:
            self._known[how] = self._normalized(self.view, how)
        return self._known[how]

    def _normalized(self, view: View, how: str) -> View:
        return view.with_numbers(NORMALIZATIONS[how](view.whole().X, self.axis))

    def choose(self, option: Option, rows: np.ndarray | None = None) -> np.ndarray:
        """Return the columns that an option keeps, of all rows or of some."""
        if rows is None:
            view = self.normalized(option.normalization)
        else:
            view = self._normalized(self.view.rows(rows), option.normalization)
        left = self._binned(view, option.representative)
        return left[self._secondary(view.columns(left), option)] if len(left) else left

    def _binned(self, view: View, kind: str) -> np.ndarray:
        """Return the columns that are left after the rank-sum test and binning, ascending."""
        if view.n_classes < 2:
            # A fold of foreign splits may train on one class.
            return np.empty(0, dtype=np.int64)
        sums, ties, rows = class_rank_sums(view)
        z = np.abs(mann_whitney(sums[:, 1], ties, rows[1], rows[0])[1])
        X = view.whole().X
        varies = X.max(axis=0) > X.min(axis=0)
        # Ties of the test with columns of one value are none.
        best = np.sort(np.argsort(np.where(varies, -z, np.inf), kind="stable")[: min(self.preselect, varies.sum())])
        if self.coordinates is None:
            return best
        worth = z[best] if kind == "min_p" else X[:, best].mean(axis=0)
        return best[representatives(gap_bins(self.coordinates[best], self.gap), worth)]

    def _secondary(self, view: View, option: Option) -> np.ndarray:
        """Return the columns that the second round keeps."""
        if option.secondary == "none":
            return np.arange(view.n_features)
        if option.secondary == "pca":
            return principal_columns(view.whole().X)
        kind, _, name = option.secondary.partition("_")
        if kind == "cfs":
            # Greedy as CFS itself does: until the merit does not rise.
            search = "greedy" if name == "greedy" else SEARCHES[name]
            made = registry.load_selector("CFS")(search=search, discretizer="mdl")
            return np.sort(made.fit_view(view).selection_.indices)
        criterion = recognise(clone(self.classifiers[option.classifier]), "accuracy", WRAPPER_FOLDS)
        found = SEARCHES[name].run(Problem(view, criterion, Between(), seed=self.seed, who="FeatureVoting"))
        return np.sort(found.indices)

    def accuracy(self, normalization: str, columns: np.ndarray, classifier: int) -> float:
        """Return the cross-validated accuracy of a classifier with given columns."""
        view = self.normalized(normalization).columns(columns)
        criterion = recognise(clone(self.classifiers[classifier]), "accuracy", self.splits)
        return criterion.value(view, np.arange(len(columns)))

    def nested_accuracy(self, option: Option) -> float:
        """Return the same where every fold chooses its own columns on the rows that it trains on."""
        X, y = self.normalized(option.normalization).whole().X, self.view.whole().y
        right = []
        for train, test in self.splits:
            columns = self.choose(option, train)
            if not len(columns):
                right.append(np.mean(y[test] == np.argmax(np.bincount(y[train]))))
                continue
            model = clone(self.classifiers[option.classifier]).fit(X[np.ix_(train, columns)], y[train])
            right.append(np.mean(model.predict(X[np.ix_(test, columns)]) == y[test]))
        return float(np.mean(right))


def principal_columns(X: np.ndarray) -> np.ndarray:
    """Return as many columns as principal components cover 95 % of the variance: those that weigh most in them.

    Columns are standardised; the weight of a column is the sum over these components of variance times squared loading.
    """
    varies = np.flatnonzero(X.max(axis=0) > X.min(axis=0))
    if not len(varies):
        return varies
    Z = X[:, varies]
    found = PCA().fit((Z - Z.mean(axis=0)) / Z.std(axis=0))
    covered = np.cumsum(found.explained_variance_ratio_)
    k = int(np.searchsorted(covered, COVERED * (1 - 1e-12))) + 1
    weight = (found.explained_variance_[:k, None] * found.components_[:k] ** 2).sum(axis=0)
    # Equal weights on paper may differ by rounding.
    return np.sort(varies[np.argsort(-np.round(weight, 10), kind="stable")[:k]])
