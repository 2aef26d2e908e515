"""Gram-Schmidt Relief: each chosen feature is taken out of the others before they are compared again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from fewer.core.criteria.shapes import StepwiseCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.neighbours.spaces import number_space
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.records.trace import Trace
from fewer.core.search import ended, greedy_forward
from fewer.core.stop import Stop
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.views.view import View
from fewer.methods.relief._relief import NEIGHBOUR_CONSTRAINTS, as_neighbours
from fewer.methods.relief._weights import refuse_lone_rows
from fewer.methods.relief.relief_ratio import difference_ratios

# A fraction of a squared length that is left below this is round-off.
NOTHING = 1e-12
# Keeps the products of a projection small beside the data.
ROWS_AT_ONCE = 256


class ProjectedRatio(StepwiseCriterion):
    """Score the ratio of `ReliefRatio` on what lies outside the span of the chosen features."""

    requires = ("dense",)

    def __init__(self, n_neighbors: int | str) -> None:
        self.n_neighbors = n_neighbors

    def start(self, view: View) -> np.ndarray:
        """Score the features themselves, moved to mean 0 and scaled to range 1."""
        self.view = view
        self._begin()
        return self._ratios(view)

    def _begin(self) -> None:
        """Forget all projections."""
        view = self.view
        extent = view.fold(ColumnExtent())
        width = extent.high - extent.low
        view.check_finite(width)
        self.left = np.subtract(view.whole().X, extent.low, dtype=np.float64)
        self.left /= np.where(width > 0, width, 1.0)
        self.left -= self.left.mean(axis=0)
        self.left[:, width == 0] = 0.0
        self.squares = np.einsum("ij,ij->j", self.left, self.left)
        self.hopeless = width == 0
        self.along: list[np.ndarray] = []
        self.chosen: list[int] = []

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Take the feature that joined last out of all features."""
        self.include(chosen[-1])
        return self._ratios(view)

    def include(self, j: int) -> None:
        """Project all features on what is orthogonal to what is left of feature ``j``."""
        direction = self.left[:, j].copy()
        length = float(np.sqrt(direction @ direction))
        squares = np.zeros_like(self.squares)
        if length > 0:
            direction /= length
            # Once more for what round-off left of the direction in the features.
            for _ in range(2):
                coefficients = np.einsum("i,ij->j", direction, self.left)
                for top in range(0, len(direction), ROWS_AT_ONCE):
                    rows = slice(top, top + ROWS_AT_ONCE)
                    self.left[rows] -= direction[rows, None] * coefficients
                squares += coefficients**2
        self.left[:, j] = 0.0
        gone = np.einsum("ij,ij->j", self.left, self.left) <= NOTHING * self.squares
        self.left[:, gone] = 0.0
        self.along.append(squares)
        self.chosen.append(j)

    def _ratios(self, view: View) -> np.ndarray:
        k = as_neighbours(self.n_neighbors, view.n_rows)
        # A feature of which little is left counts little in the distance, therefore no new scaling.
        return difference_ratios(view.run, number_space(self.left), view.whole().y, view.n_classes, k)

    def explain(self, reasons: Reasons, kept: np.ndarray) -> Reasons:
        """Tell constant features and those that the kept ones span."""
        if len(self.chosen) > len(kept):
            # The stop rule went back some steps.
            self._begin()
        for j in kept[len(self.chosen) :]:
            self.include(int(j))
        kind, dropped, varies = reasons.kind.copy(), reasons.kind != KEPT, ~np.asarray(self.hopeless)
        kind[dropped & ~varies] = IRRELEVANT
        spanned = np.flatnonzero(dropped & varies & ~self.left.any(axis=0))
        kind[spanned] = REDUNDANT
        along = np.array(self.along[: len(kept)])
        related = {j: self._relatives(along[:, j]) for j in spanned.tolist()}
        note = {int(j): "the column is constant" for j in np.flatnonzero(~varies)}
        return replace(reasons, kind=kind, related=related, amount=dict.fromkeys(related, 1.0), note=note)

    def _relatives(self, squares: np.ndarray) -> tuple[int, ...]:
        """Return the chosen feature along which most of a feature lies, and any other with half of it."""
        order = np.argsort(-squares, kind="stable")
        halves = squares >= (0.5 - 1e-9) * squares.sum()
        return tuple(self.chosen[i] for place, i in enumerate(order) if place == 0 or halves[i])


@dataclass(frozen=True)
class SomethingLeft(Stop):
    """End when the chosen features span all others."""

    abilities: ClassVar[tuple[str, ...]] = ("done",)
    word: ClassVar[str] = "spanned"

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the last feature had nothing outside the span of those before."""
        return len(trace) > 0 and trace[-1].value <= 0

    def steps_kept(self, trace: Trace) -> int:
        """Leave out a last step without anything new, unless it is the only one."""
        return max(1, len(trace) - self.done(trace, 0))


class GSRelief(BaseSelector):
    r"""Keep features that tell near rows of different classes apart, each in what the ones before do not span.

    The feature with the largest ratio of `ReliefRatio` is chosen, all others are projected on what is orthogonal to
    it, and the ratios, with new neighbours, are computed of what is left, and so on (GSRelief_k of [1]_, after [2]_).
    The score of a feature is the ratio with which it joined, of the others their last one; a feature that the chosen
    ones span has score 0. Copies of a chosen feature, or its linear combinations with others, are never chosen.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "threshold:1.1" is
        a usual bound. None keeps all.
    n_neighbors : int or "log", default=30
        Number of nearest rows of the own class, and of the others; "log" is the natural logarithm of the number of
        rows.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    ReliefRatio : The same criterion, without projections.
    GramSchmidtRanker : The same projections, with linear correlation as criterion.

    Notes
    -----
    Columns are scaled to range 1 once, before the first step. They are not scaled again after a projection, so that
    what is left of a column that is nearly spanned counts little in the distances. The chosen columns are gone from
    the distances, too, as they project to nothing: what a feature tells only together with a chosen one is lost, and
    two features that tell the class only together are not both found. Ties are for the lower row number. The search
    ends early when all other columns are spanned; less than 1e-12 of a squared length counts as nothing. Constant
    columns are never kept.

    References
    ----------
    .. [1] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking according to
       their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.
    .. [2] I. Guyon, H.-M. Bitter, Z. Ahmed, M. Brown and J. Heller, "Multivariate non-linear feature selection with
       kernel multiplicative updates and Gram-Schmidt relief", BISC FLINT-CIBI workshop, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> GSRelief(2).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        invariance=("row_order_untied", "scale"),
        cost="n^2*d*k",
    )
    _serves = ("done",)
    _parameter_constraints: dict = {**COMMON_CONSTRAINTS, "n_neighbors": NEIGHBOUR_CONSTRAINTS["n_neighbors"]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int | str = 30,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> ProjectedRatio:
        return ProjectedRatio(self.n_neighbors)

    def _select(self, data: View, parts: Parts) -> Selection:
        refuse_lone_rows(type(self).__name__, data)
        stop, spanned = parts.size, SomethingLeft()
        found = greedy_forward(data, parts.criterion, stop | spanned)
        rule = "the chosen features span all others"
        if not spanned.done(found.trace, 0):
            rule = ended(found, stop, data.n_features - len(found.trace))
        return replace(found, reasons=replace(found.reasons, rule=rule))
