"""What tests that assume normal values share: permutations of the target instead, and words where they are doubtful."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, NumberScore
from fewer.core.measures._tables import ratio
from fewer.core.measures.permutations import permutation_pvalues
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import StrOptions
from fewer.core.records.reasons import DOUBT
from fewer.core.stop import Stop
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.summaries.results import Moments
from fewer.core.views.view import View

# A class of fewer rows leaves no mean that is about normal, whatever the values are; from MANY on any values do.
FEW, MANY = 10, 100
# Of a numeric target nobody knows how few rows stand apart, so it takes more of all.
MANY_OF_ALL = 1_000
# The variance over its bound (high - mean)(mean - low): 1 with two values, 2/3 with three, 1/3 of uniform ones.
FEW_VALUES = 0.5
# How many standard deviations from the mean the farthest value may lie.
FAR = 4.5


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


def doubts(
    view: View, smallest: float, mean: np.ndarray, variance: np.ndarray, *, of_all: bool = False
) -> dict[int, str]:
    """Return words for features whose p-values may be far from true, given mean and variance of all rows.

    Parameters
    ----------
    view : View
        The data; their range is read only where rows are few enough to matter.
    smallest : float
        Rows of the smallest class, or of all for a numeric target.
    mean, variance : ndarray of shape (n_features,)
        Of every feature.
    of_all : bool
        Whether ``smallest`` are all rows.
    """
    if smallest < FEW:
        what = "there are" if of_all else "the smallest class has"
        words = f"{DOUBT} it takes values for normal, and {what} {smallest:g} rows, fewer than {FEW}"
        return dict.fromkeys(range(view.n_features), words)
    if smallest >= (MANY_OF_ALL if of_all else MANY):
        return {}
    extent = view.fold(ColumnExtent())
    above, below = extent.high - mean, mean - extent.low
    coarse = ratio(variance, above * below) > FEW_VALUES
    far = np.maximum(above, below) > FAR * np.sqrt(variance)
    kinds = (
        (coarse, f"{DOUBT} it takes values for normal, and these are few or lie at the ends of their range"),
        (far & (variance > 0), f"{DOUBT} it takes values for normal, and some lie far out, as with heavy tails"),
    )
    return {int(j): words for mask, words in kinds for j in np.flatnonzero(mask)}


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
