"""Relevance and redundancy of numbers, as if they were jointly normal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from scipy.special import fdtri

from fewer.core.criteria.shapes import StepwiseCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector, WeightedFit
from fewer.core.measures import correlation_ratio, pearson
from fewer.core.records.needs import Need
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import steady
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search import greedy_forward
from fewer.core.stop import Stop
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.products import ProductsWithTarget
from fewer.core.summaries.results import TargetProducts
from fewer.core.views.spread import check_moments, check_products
from fewer.core.views.view import View
from fewer.core.views.weights import warn_of_light_weights
from fewer.methods.information._information import RELEVANT, SHARED, SIGNIFICANT
from fewer.methods.information.mrmr import SMALLEST

# A feature that determines the other would tell infinitely much about it.
LARGEST = 1.0 - 1e-12


@dataclass(frozen=True)
class ProductsWithFeature(ProductsWithTarget):
    """Centred sums of products of every feature with one of them."""

    feature: int = 0
    remembered: ClassVar[bool] = False

    def tile(self, block: Any, start: int, stop: int) -> TargetProducts:
        """Summarise features ``start`` to ``stop``."""
        column = block.X[:, [self.feature]]
        column = column.toarray() if block.kind == "sparse" else column
        return super().tile(replace(block, y=column.ravel()), start, stop)


def normal_information(r2: np.ndarray) -> np.ndarray:
    """Return the information -1/2 ln(1 - r^2) of normal variables with this fraction of explained variance."""
    return -0.5 * np.log1p(-np.minimum(r2, LARGEST))


class NormalSums:
    """Relevance and redundancy in nats, of numbers as if they were jointly normal."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.explained, self.rows, self.groups = explained_by_target(view)
        # As in `f_test`, where the weights are too small for degrees of freedom.
        within = self.rows - self.groups if self.rows > self.groups else self.rows
        self.degrees = within / max(self.groups - 1, 1)
        self.relevance = normal_information(self.explained)
        self._correlations: dict[int, np.ndarray] = {}

    @property
    def f_statistic(self) -> np.ndarray:
        """F of every feature and the target."""
        return self.degrees * self.explained / (1.0 - self.explained)

    def correlation_with(self, j: int) -> np.ndarray:
        """Return the correlation of every feature with feature ``j``."""
        if int(j) not in self._correlations:
            found = pearson(self.view.fold(ProductsWithFeature(feature=int(j))))
            if self.view.run.in_memory:
                return found
            # A pass over rows that are not at hand is dear; why features were dropped will be asked again.
            self._correlations[int(j)] = found
        return self._correlations[int(j)]

    def redundancy_with(self, j: int) -> np.ndarray:
        """Return the information that every feature shares with feature ``j``."""
        return normal_information(self.correlation_with(j) ** 2)

    def needed(self, p: float) -> float:
        """Return the relevance that chance exceeds with probability ``p``; NaN where nothing can be tested."""
        return normal_critical(self.groups - 1, self.rows - self.groups, p)

    def needed_between(self, p: float) -> float:
        """Return the redundancy that chance exceeds with probability ``p``."""
        return normal_critical(1, self.rows - 2.0, p)


def normal_critical(between: float, within: float, p: float) -> float:
    """Return the information at which F with these degrees of freedom is exceeded with probability ``p``."""
    if between < 1 or within <= 0:
        return float("nan")
    f = between * float(fdtri(between, within, 1.0 - p))
    return float(normal_information(np.array(f / (f + within))))


class GaussianMRMRCriterion(StepwiseCriterion):
    """Score relevance minus, or over, the mean redundancy with the chosen features."""

    requires = ("dense", "sparse")

    def __init__(self, relevance: str, scheme: str) -> None:
        self.by_f, self.quotient = relevance == "f", scheme == "quotient"

    def start(self, view: View) -> np.ndarray:
        """Score by relevance while nothing is chosen."""
        self.sums: Any = NormalSums(view)
        self.relevance = self.sums.relevance
        if self.by_f:
            warn_of_light_weights(view, self.sums.rows, self.sums.groups)
        self.worth = steady(self.sums.f_statistic if self.by_f else self.relevance)
        self.total = np.zeros(view.n_features)
        return self.worth

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        r = self.sums.correlation_with(chosen[-1])
        self.total = self.total + (np.abs(r) if self.by_f else normal_information(r**2))
        mean = self.total / len(chosen)
        return steady(self.worth / np.maximum(mean, SMALLEST) if self.quotient else self.worth - mean)

    def explain(self, reasons: Reasons, kept: np.ndarray) -> Reasons:
        """Say of every dropped feature whether it is irrelevant, or redundant and to which kept one.

        Irrelevant: F of feature and target is not significant (5 %). Redundant: the correlation with a kept one is
        significant (1 % over all kept ones), and the information they share is, less what chance alone gives, at least
        what the feature tells about the target less the same.
        """
        sums, dropped = self.sums, reasons.kind != KEPT
        told = Need("information about the target", self.relevance, sums.needed(RELEVANT), "nats", why=SIGNIFICANT)
        left = np.flatnonzero(dropped & (self.relevance >= told.line))
        shared, partner = np.zeros(len(left)), np.full(len(left), -1, np.int64)
        for j in kept if len(left) else ():
            information = sums.redundancy_with(int(j))[left]
            more = information > np.maximum(shared, sums.needed_between(SHARED / len(kept)))
            shared[more], partner[more] = information[more], j
        by_chance = (sums.groups - 2.0) / (2.0 * sums.rows)
        covered = (partner >= 0) & (shared >= self.relevance[left] - by_chance)
        kind = reasons.kind.copy()
        kind[dropped & told.failed], kind[left[covered]] = IRRELEVANT, REDUNDANT
        related = {int(j): (int(s),) for j, s in zip(left[covered], partner[covered])}
        amount = {int(j): float(v) for j, v in zip(left[covered], shared[covered])}
        return replace(reasons, kind=kind, needs=(told,), related=related, amount=amount)


def explained_by_target(view: View) -> tuple[np.ndarray, float, int]:
    """Return the fraction of the variance of every feature that the target explains, below 1, the rows and the groups.

    A number counts as two groups: both leave all rows but two to compare with.
    """
    if view.classes is None:
        products = view.fold(ProductsWithTarget())
        check_products(view, products)
        return np.minimum(pearson(products) ** 2, LARGEST), float(products.weight), 2
    moments = view.fold(ClassMoments(view.n_classes))
    check_moments(view, moments)
    rows, classes = float(moments.weight.sum()), int(np.count_nonzero(moments.weight))
    return np.minimum(correlation_ratio(moments), LARGEST), rows, classes


class GaussianMRMR(WeightedFit, BaseSelector):
    r"""Choose numeric features of maximum relevance and minimum redundancy, without cutting them into levels.

    For jointly normal variables :math:`I(f; s) = -\frac12 \ln(1 - r^2)`. The score is
    :math:`I(f; y) - \frac{1}{|S|} \sum_{s \in S} I(f; s)`, or the quotient of the two terms. With classes,
    :math:`r^2` between f and y is the correlation ratio :math:`\eta^2`, the fraction of the sum of squares of f that
    lies between the classes. With ``relevance="f"`` relevance is the F statistic of f and y and redundancy the mean of
    :math:`|r|`: the schemes FCD and FCQ of [1]_.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    relevance : {"information", "f"}, default="information"
        What a feature tells about the target: information in nats, or the F statistic.
    scheme : {"difference", "quotient"}, default="difference"
        How relevance and redundancy are combined.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    MRMR : For levels.

    Notes
    -----
    Text, booleans and whole numbers with at most 20 values are classes, other targets numbers. :math:`r^2` is cut at
    1 - 1e-12, so that a copy shares 13.8 nats instead of infinitely many, and a quotient divides by at least 1e-12.
    Each step reads the rows once, also from a file or on a cluster. A dropped feature is irrelevant if its F is not
    significant at 5 %, and redundant to the kept one with which it shares most if that is significant at 1 %, divided
    by the number of kept ones, and, less what chance gives, no less than it tells about the target. Where the weights
    add up to no more than the number of classes, F has the weight itself for degrees of freedom, and nothing is tested.

    References
    ----------
    .. [1] C. Ding and H. Peng, "Minimum redundancy feature selection from microarray gene expression data", Journal
       of Bioinformatics and Computational Biology 3(2), 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> GaussianMRMR(2).fit(X, y).selection_.indices.tolist()
    [2, 1]
    """

    method_tags = MethodTags(
        targets=("classes", "numbers"),
        views=("dense", "sparse"),
        handles_sparse=True,
        handles_weights=True,
        weights_count_rows=True,
        streams=True,
        invariance=("row_order", "scale"),
        cost="n*d*k",
    )
    _serves = ("done",)
    _moves_units = True
    _parameter_constraints: dict = {
        # as_stop reads it and says in one sentence what is allowed.
        "n_features_to_select": "no_validation",
        "relevance": [StrOptions({"information", "f"})],
        "scheme": [StrOptions({"difference", "quotient"})],
        "n_jobs": [None, Interval(Integral, 1, None, closed="left"), Interval(Integral, None, -1, closed="right")],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        relevance: str = "information",
        scheme: str = "difference",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.relevance = relevance
        self.scheme = scheme
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> GaussianMRMRCriterion:
        return GaussianMRMRCriterion(self.relevance, self.scheme)

    def _select(self, data: View, parts: Parts) -> Selection:
        return greedy_forward(data, parts.criterion, parts.size, parts.units)
