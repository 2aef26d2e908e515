"""What tests that assume normal values share: permutations of the target instead, and words where they are doubtful."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, NumberScore
from fewer.core.measures._tables import ratio
from fewer.core.measures.permutations import permutation_pvalues
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import StrOptions
from fewer.core.records.reasons import DOUBT
from fewer.core.runners import ledger
from fewer.core.stop import Stop
from fewer.core.summaries.both import Both
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.summaries.results import Moments
from fewer.core.summaries.summary import Summary
from fewer.core.views.view import View

Result = TypeVar("Result")

# A class of fewer rows leaves no mean that is about normal, whatever the values are.
FEW = 10
# From so many on two values, or three, do no harm but by their skewness.
MANY = 100
# The variance over its bound (high - mean)(mean - low): 1 with two values, 2/3 with three, 1/3 of uniform ones.
FEW_VALUES = 0.5
# How many standard deviations from the mean the farthest value may lie; that of normal values, and some more.
FAR, BEYOND_NORMAL = 4.5, 0.8
# Skewness over the root of the smallest class that makes a rate of .001 twice that, by Edgeworth's series. It is at
# most the distance of the farthest value, and of two values it is nearly that.
SKEWED, FAR_SKEWED = 0.2, 0.25


class NormalScore(NumberScore):
    """A score whose p-values are those of normal data, or those of permutations."""

    _parameter_constraints: dict = {**COMMON_CONSTRAINTS, "pvalues": [StrOptions({"normal", "permutation"})]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        pvalues: str = "normal",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(n_features_to_select, n_jobs=n_jobs, verbose=verbose)
        self.pvalues = pvalues

    def _criterion(self) -> Any:
        return replace(self.criterion, permuted=self.pvalues == "permutation", who=type(self).__name__)

    def _streams(self, parts: Parts) -> bool:
        return super()._streams(parts) and self.pvalues == "normal"


def fold_with_range(view: View, summary: Summary[Result]) -> Result:
    """Return a summary, and have the range of the features, which `doubts` asks for, read in the same pass."""
    extent, memo = ColumnExtent(), view._memo
    if summary not in memo and extent not in memo:
        with ledger.making(memo, summary):
            memo[summary], memo[extent] = view.fold(Both(summary, extent))
    return view.fold(summary)


def normal_reach(n_rows: float) -> float:
    """Return how many standard deviations from their mean so many normal values reach, hardly ever more."""
    return max(FAR, float(np.sqrt(2.0 * np.log(max(n_rows, 1.0)))) + BEYOND_NORMAL)


def doubts(
    view: View, smallest: float, mean: np.ndarray, variance: np.ndarray, *, n_rows: float, of_all: bool = False
) -> dict[int, str]:
    """Return words for features whose p-values may be far from true, given mean and variance of all rows.

    Parameters
    ----------
    view : View
        The data, whose range is read.
    smallest : float
        Rows of the smallest class; for a numeric target how many rows its own tails leave.
    mean, variance : ndarray of shape (n_features,)
        Of every feature.
    n_rows : float
        All rows.
    of_all : bool
        Whether the target is numeric, so that ``smallest`` is no class.
    """
    if (n_rows if of_all else smallest) < FEW:
        what = f"there are {n_rows:g}" if of_all else f"the smallest class has {smallest:g}"
        words = f"{DOUBT} it takes values for normal, and {what} rows, fewer than {FEW}"
        return dict.fromkeys(range(view.n_features), words)
    extent = view.fold(ColumnExtent())
    coarse, far = tails(mean, variance, extent.low, extent.high, smallest, n_rows)
    kinds = (
        (coarse, f"{DOUBT} it takes values for normal, and these are few or lie at the ends of their range"),
        (far, f"{DOUBT} it takes values for normal, and some lie far out, as with heavy tails"),
    )
    return {int(j): words for mask, words in kinds for j in np.flatnonzero(mask)}


def tails(
    mean: ArrayLike, variance: ArrayLike, low: ArrayLike, high: ArrayLike, smallest: ArrayLike, n_rows: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return where values are too few, and where too far out, for means of the smallest class to be about normal."""
    variance, root = np.asarray(variance, dtype=np.float64), np.sqrt(smallest)
    above, below, spread = np.subtract(high, mean), np.subtract(mean, low), np.sqrt(variance)
    farthest = np.maximum(above, below)
    coarse = ratio(variance, above * below) > FEW_VALUES
    skewed = farthest - ratio(variance, farthest) > SKEWED * root * spread
    far = farthest > np.maximum(normal_reach(n_rows), FAR_SKEWED * root) * spread
    return coarse & (skewed | (np.asarray(smallest) < MANY)), far & (variance > 0)


def of_all_rows(moments: Moments) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of every feature over all classes."""
    share = moments.weight / moments.weight.sum()
    mean = moments.mean @ share
    variance = (moments.m2 / moments.weight.sum()).sum(axis=1) + ((moments.mean - mean[:, None]) ** 2) @ share
    return mean + (0.0 if moments.origin is None else moments.origin), variance


def permuted_pvalues(view: View, who: str, statistic: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Return p-values by permutations of the target.

    Parameters
    ----------
    view : View
        All rows, in memory.
    who : str
        Who asks, for messages.
    statistic : callable
        Given columns of values, (n_features, n_rows), of mean 0 and the target in several orders, (n_orders, n_rows),
        returns what is larger where a column and the target depend more, (n_features, n_orders).
    """
    block = view.whole()
    if block.weight is not None:
        raise RequirementError(
            f"{who} got pvalues='permutation' and sample_weight, but permutations are of rows that count alike; leave "
            "the weights out, or pass 'probes:0.05' as n_features_to_select, which holds for any weights."
        )
    X = np.asarray(block.X.todense() if block.kind == "sparse" else block.X, dtype=np.float64).T
    X = X - X.mean(axis=1, keepdims=True)
    largest = np.abs(X).max(axis=1, keepdims=True)
    # Equal sizes: statistics neither overflow nor differ by rounding where they are equal on paper.
    X = np.divide(X, largest, out=np.zeros_like(X), where=largest > 0)
    y = np.asarray(block.y)
    here = np.concatenate([statistic(X[a : a + 256], y[None, :])[:, 0] for a in range(0, len(X), 256)])
    return permutation_pvalues(y, here, lambda places, orders: statistic(X[places], y[orders]))


def between_classes(X: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the sum of squares between the classes, which F and Student's t grow with."""
    out = np.zeros((len(X), len(targets)))
    for c in np.unique(targets[0]):
        member = (targets == c).T
        out += (X @ member) ** 2 / member[:, 0].sum()
    return out


def welch_squares(X: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the square of Welch's t."""
    means, errors = [], []
    for c in np.unique(targets[0]):
        member = (targets == c).T
        n = member[:, 0].sum()
        mean = X @ member / n
        means.append(mean)
        errors.append(np.maximum(X**2 @ member / n - mean**2, 0.0) / max(n - 1, 1))
    difference, error = (means[0] - means[-1]) ** 2, errors[0] + errors[-1]
    # What no value varies within the classes of is the most extreme order there is.
    return np.where(error > 1e-24, difference / np.maximum(error, 1e-24), np.where(difference > 1e-24, 1e24, 0.0))


def squared_product(X: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the square of the product with the target, which the correlation grows with."""
    centred = targets - targets[0].mean()
    return (X @ centred.T) ** 2
