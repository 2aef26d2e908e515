"""Backward elimination by a support vector machine: what its rankers share."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputError
from fewer.core.records.params import Interval, StrOptions, number_above, number_from, whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search.elimination import Blocks, block_size, eliminate, lowest, said_interrupted
from fewer.core.search.turf import of_blocks
from fewer.core.stop import All, Count
from fewer.core.views.spread import check_spread
from fewer.core.views.view import View
from fewer.methods.embedded._svm_grams import GRAMS, Gram, gamma_of
from fewer.methods.embedded._svm_machines import Machine, machines_of

# Gives every feature that is left a number, of a kernel matrix, a machine and its weights; the smallest leaves.
Score = Callable[[Gram, Machine, np.ndarray], np.ndarray]
KERNEL_CONSTRAINTS: dict[str, Any] = {
    "kernel": [StrOptions({"linear", "poly", "rbf"})],
    "degree": [whole_from(1)],
    "gamma": [StrOptions({"scale"}), number_above(0)],
    "coef0": [number_from(0)],
    "C": [number_above(0)],
    "standardize": ["boolean"],
    "tol": [number_above(0)],
    "max_iter": [whole_from(1)],
}
# Larger values of a kernel would overflow in sums over rows.
LARGEST_VALUE = 1e250
STEP = [whole_from(1), Interval(Real, 0, 1, closed="neither")]
SVM_CONSTRAINTS: dict[str, Any] = {**COMMON_CONSTRAINTS, **KERNEL_CONSTRAINTS, "step": STEP}
SVM_TAGS = MethodTags(
    targets=("classes", "numbers"),
    views=("dense",),
    invariance=("row_order", "scale"),
    cost="d*(n^2 + n*d)",
)


@dataclass(frozen=True)
class SVMScores(RankingCriterion):
    """What a support vector machine says about every feature.

    Parameters
    ----------
    score : callable
        Gives every feature a number.
    name : str
        Of the method, for what it says.
    kernel, degree, gamma, coef0, C, epsilon, standardize, tol, max_iter
        As of the method.
    """

    score: Score
    name: str = "SVMRanker"
    kernel: str = "linear"
    degree: int = 2
    gamma: Any = "scale"
    coef0: float = 1.0
    C: float = 1.0
    epsilon: float = 0.1
    standardize: bool = True
    tol: float = 1e-9
    max_iter: int = 100_000

    def blocks(self, view: View) -> SVMBlocks:
        """Return the elimination of features of some data, before its first step."""
        X = numbers_of(view, self.standardize)
        gram = GRAMS[self.kernel](X, gamma_of(self.gamma, X), self.coef0, self.degree)
        check_kernel(self.name, gram)
        machines = machines_of(self.name, view, self.C, self.epsilon, self.standardize)
        return SVMBlocks(gram, machines, self.score, self.tol, self.max_iter)

    def scores(self, view: View) -> Ranking:
        """Fit once with all features."""
        blocks = self.blocks(view)
        blocks.begin()
        return Ranking(blocks.scores)


class SVMBlocks(Blocks):
    """The features of which a machine says least; kernel matrix and machines go on from the last step.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        The last score of every feature.
    gap : float
        The largest miss of optimality of all fits.
    """

    least = 1

    def __init__(self, gram: Gram, machines: list[Machine], score: Score, tol: float, max_iter: int) -> None:
        self.gram, self.machines, self.score = gram, machines, score
        self.tol, self.max_iter, self.gap = tol, max_iter, 0.0
        self.scores = np.full(gram.n_left, np.nan)

    def begin(self) -> bool:
        """Fit with all features."""
        self._fit()
        return True

    def worst(self, left: np.ndarray, count: int) -> np.ndarray:
        """Return those with the lowest scores; columns with one value before others, which may count below 0."""
        scores = self.scores
        if len(self.gram.still):
            scores = scores.copy()
            scores[self.gram.still] = -np.inf
        return lowest(scores, left, count)

    def leave(self, features: np.ndarray) -> None:
        """Fit again with the rest."""
        lost = self.gram.row(int(features[0])) if len(features) == 1 and self.gram.follows else None
        for feature in features.tolist():
            self.gram.remove(feature)
        self._fit(lost)

    def _fit(self, lost: np.ndarray | None = None) -> None:
        K, total = self.gram.matrix, np.zeros(self.gram.n_left)
        for machine in self.machines:
            weights = machine.fit(K, self.tol, self.max_iter, lost)
            self.gap = max(self.gap, machine.gap)
            total += self.score(self.gram, machine, weights)
        self.scores[self.gram.numbers] = total
        # What never varies counts for nothing; sums of kernel values would leave rounding.
        if len(self.gram.still):
            self.scores[self.gram.still] = 0.0
        self.value, self.evaluations = float(total.sum()) / len(total), len(total)


class SVMSelector(BaseSelector):
    """Removes the features of which a support vector machine says least, and fits it again."""

    method_tags = SVM_TAGS
    _serves = ("done",)
    _parameter_constraints: dict = {**SVM_CONSTRAINTS, "epsilon": [number_from(0)]}
    # A `Score`; a plain function would be taken for a method.
    _score: ClassVar[Any]
    step: int | float

    def _parts(self) -> Parts:
        # No criterion apart: scores of all features at once are no elimination.
        given = {name: value for name, value in vars(self).items() if name in SVMScores.__dataclass_fields__}
        return replace(super()._parts(), criterion=SVMScores(type(self)._score, type(self).__name__, **given))

    def _tags_in_use(self) -> MethodTags:
        tags = super()._tags_in_use()
        return tags if getattr(self, "standardize", True) else tags.unchanged_only_by(("row_order",))

    def _select(self, data: View, parts: Parts) -> Selection:
        blocks = parts.criterion.blocks(data)
        until = Count(1) if isinstance(parts.size, All) else parts.size
        size = block_size(self.step, data.n_features)
        found = eliminate(data.n_features, blocks, until, lambda n_left: size)
        said_interrupted(found)
        warn_of_gap(type(self).__name__, blocks.gap, parts.criterion)
        self.n_iter_ = max(1, *(machine.most_steps for machine in blocks.machines))
        return of_blocks(found, blocks.scores, parts.size).with_meta(gap=blocks.gap)


def numbers_of(view: View, standardize: bool) -> np.ndarray:
    """Return the columns as they are, or with mean 0 and variance 1; constant ones are 0."""
    X = np.asarray(view.whole().X, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        # From the first row, so that small differences beside a large number keep their digits.
        apart = X - X[0]
        apart -= apart.mean(axis=0)
        spread, size = apart.std(axis=0), np.square(X).sum(axis=0)
    view.check_finite(spread, size)
    varies = X.max(axis=0) > X.min(axis=0)
    check_spread(view, spread, varies)
    # What never varies is no feature, but would be a constant of the kernel.
    return apart * varies / np.where(varies, spread, 1.0) if standardize else X * varies


def check_kernel(name: str, gram: Gram) -> None:
    """Raise unless the values of the kernel are in range."""
    with np.errstate(over="ignore", invalid="ignore"):
        largest = float(np.abs(gram.matrix).max())
    if not largest < LARGEST_VALUE:
        raise InputError(
            f"{name} got a kernel whose largest value is {largest:g} (degree={gram.degree}, gamma={gram.gamma:g}), but "
            f"takes values below {LARGEST_VALUE:g}; lower degree or gamma, or standardize the features."
        )


def warn_of_gap(name: str, gap: float, given: Any) -> None:
    """Warn if a machine was not solved as well as was asked."""
    # Sums of large numbers have no more digits.
    if gap > max(given.tol, 1e-6):
        warnings.warn(
            f"{name}: after max_iter={given.max_iter} steps a machine missed optimality by {gap:.2g}, more than "
            f"tol={given.tol:g}; raise max_iter, lower C, or standardize the features.",
            ConvergenceWarning,
            stacklevel=6,
        )
