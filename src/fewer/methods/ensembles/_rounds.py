"""Rounds of finding features and taking away what they explain, for numbers and for classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import expit, softmax

from fewer.core.forest.binned import Binned
from fewer.core.forest.predictions import predictions
from fewer.core.forest.trees import TreeRules
from fewer.core.runners.fits import FitJournal, run_fits
from fewer.core.runners.runner import Runner
from fewer.methods.ensembles._contrasts import ContrastSeries, above_zero, corrected, margins


@dataclass(frozen=True)
class RoundRules:
    """What a round does; see `IPE` for the parameters."""

    series: TreeRules
    n_trees: int
    n_series: int
    percentile: float
    alpha: float
    correction: str
    max_rounds: int
    residual_trees: int
    outside: bool


@dataclass(frozen=True, eq=False)
class Masked:
    """One feature that another could stand in for: how much of the latter's worth, and how surely."""

    masking: float
    fraction: float
    pvalue: float
    by: int


@dataclass(frozen=True, eq=False)
class RoundResult:
    """What one target showed in one round: p-values, mean margins and importances, what is kept, what is masked."""

    pvalue: np.ndarray
    margin: np.ndarray
    importance: np.ndarray
    kept: np.ndarray
    masked: Mapping[int, Masked] = field(default_factory=dict)
    pairs: np.ndarray = field(default_factory=lambda: np.empty((0, 4)))

    def divided_by(self, size: float) -> RoundResult:
        """Return the same with margins, importances and masking as fractions of a variance."""
        masked = {j: replace(one, masking=one.masking / size) for j, one in self.masked.items()}
        pairs = self.pairs / np.array([1.0, 1.0, size, 1.0])
        return replace(self, margin=self.margin / size, importance=self.importance / size, masked=masked, pairs=pairs)


# Takes what was found, the target, its number and what was kept before, and returns what is left of it.
Thinning = Callable[[RoundResult, np.ndarray, int, np.ndarray], RoundResult]


@dataclass(frozen=True, eq=False)
class Rounds:
    """The rounds on one data set.

    Attributes
    ----------
    data : Binned
        The features.
    weight : ndarray, optional
        Of rows.
    run : Runner
        Where series are worked on.
    rules : RoundRules
        What a round does.
    seed : int
        Of everything random.
    journal : FitJournal, optional
        Series that are done already.
    """

    data: Binned
    weight: np.ndarray | None
    run: Runner
    rules: RoundRules
    seed: int
    journal: FitJournal | None = None

    def go(
        self, y: np.ndarray, n_classes: int, thin: Thinning | None = None
    ) -> tuple[list[list[RoundResult]], list[float]]:
        """Return what every round found, by targets, and which fraction of the target is explained after it.

        Numbers are one target; C classes are C, of which two need but one (algorithms 7.3.1 and 7.3.2).
        """
        score = np.zeros((len(y), n_classes if n_classes > 2 else 1))
        left = pseudo_residuals(y, n_classes, score)
        whole, rounds, explained = float(variances(left, self.weight).sum()), [], []
        chosen = np.zeros(self.data.codes.shape[1], bool)
        for at in range(self.rules.max_rounds):
            found = []
            for k, one in enumerate(self._found(left, at)):
                number = at * score.shape[1] + k
                if thin is not None and len(one.kept):
                    one = thin(one, left[:, k], number, np.flatnonzero(chosen))
                chosen[one.kept] = True
                found.append(one)
            rounds.append(found)
            for k, one in enumerate(found):
                if len(one.kept):
                    score[:, k] += self._predicted(one.kept, left[:, k], at * score.shape[1] + k)
            left = pseudo_residuals(y, n_classes, score)
            explained.append(1.0 - float(variances(left, self.weight).sum()) / whole if whole > 0 else 0.0)
            if not any(len(one.kept) for one in found):
                break
        return rounds, explained

    def _found(self, targets: np.ndarray, at: int) -> list[RoundResult]:
        """Compare all features with contrasts (steps 1 to 3), for every target of a round."""
        rules, n_targets = self.rules, targets.shape[1]
        every = [self._importances(targets[:, k], at * n_targets + k) for k in range(n_targets)]
        # A feature has as many chances in a round as there are targets: it must also pass in the sum of all, which is
        # one chance, and in one target after Bonferroni.
        joint = above_zero(margins(np.sum(every, axis=0), rules.percentile)) if n_targets > 1 else 0.0
        out = []
        for values in every:
            over = margins(values, rules.percentile)
            pvalue = np.maximum(np.minimum(1.0, n_targets * above_zero(over)), joint)
            pvalue = corrected(pvalue, rules.correction)
            importance = values[:, : over.shape[1]].mean(axis=0)
            out.append(RoundResult(pvalue, over.mean(axis=0), importance, np.flatnonzero(pvalue <= rules.alpha)))
        return out

    def _importances(self, target: np.ndarray, number: int) -> np.ndarray:
        """Return the importances of features and contrasts in all series; the number counts rounds and targets."""
        rules = self.rules
        work = ContrastSeries(self.data, target, self.weight, rules.series, rules.n_trees, self.seed)
        numbers = range(number * rules.n_series, (number + 1) * rules.n_series)
        return np.array(run_fits(self.run, work, numbers, what="series of trees", journal=self.journal))

    def _predicted(self, kept: np.ndarray, target: np.ndarray, number: int) -> np.ndarray:
        """Return what an ensemble on the found features alone says of the target (g_Y)."""
        series, n = self.rules.series, self.rules.residual_trees
        depth = None if series.max_depth is None else series.max_depth + 1
        rules = TreeRules(len(kept), depth, series.min_leaf)
        said = predictions(
            self.data.some(kept),
            target,
            rules,
            numbers=range(number * n, (number + 1) * n),
            # Another forest than that of the series.
            seed=self.seed + 1,
            weight=self.weight,
        )
        return said.outside if self.rules.outside else said.everywhere


def of_one_size(y: np.ndarray) -> np.ndarray:
    """Return numbers less their mean, times a power of two that leaves the largest between 1/2 and 1.

    Squares then neither overflow nor vanish, and sums lose no digits to a common offset.
    """
    y = scaled(np.asarray(y, np.float64))
    return scaled(y - y.mean())


def scaled(values: np.ndarray) -> np.ndarray:
    """Return numbers times a power of two that leaves the largest between 1/2 and 1."""
    return np.ldexp(values, -np.frexp(np.abs(values).max())[1])


def variances(left: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
    """Return the variance of every column about its mean, by weights of rows."""
    middle = np.average(left, axis=0, weights=weight)
    return np.average((left - middle) ** 2, axis=0, weights=weight)


def pseudo_residuals(y: np.ndarray, n_classes: int, score: np.ndarray) -> np.ndarray:
    """Return what is left of the target, one column per target: y - F, or 1[y = k] - p_k of joint log-odds.

    Of two classes the column of the second is enough: the other one is its negative, and so are its log-odds.
    """
    if not n_classes:
        return np.asarray(y, np.float64)[:, None] - score
    if n_classes <= 2:
        return (y == 1)[:, None] - expit(2.0 * score)
    return (y[:, None] == np.arange(n_classes)) - softmax(score, axis=1)
