"""What the sparse support vector machines share: standardized columns, a path in l1, the point that is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.criteria.splitters import check_scores
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.predicting import ClassifyingSelector
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.records.errors import ParameterError
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.rounding import steady
from fewer.core.records.tags import MethodTags
from fewer.core.stop import All
from fewer.core.stop.wanted import Wanted
from fewer.core.summaries.moments import ClassMoments
from fewer.core.views.spread import check_moments
from fewer.core.views.view import View
from fewer.methods.embedded._columns import UnitColumns
from fewer.methods.embedded._path_choice import errors_along, sizes_wanted
from fewer.methods.embedded._path_result import _partners
from fewer.methods.embedded._svm_point import SvmPoint

SVM_CONSTRAINTS: dict[str, Any] = {
    **COMMON_CONSTRAINTS,
    # `_parts` reads them.
    **dict.fromkeys(("l1", "l2", "cv"), "no_validation"),
}
SVM_TAGS = MethodTags(
    targets=("classes",), views=("dense",), binary_only=True, nested=False, invariance=("row_order", "scale")
)
# The path of a table: more knots or features than these cannot be seen.
MOST_KNOTS, MOST_LINES = 60, 50


@dataclass(frozen=True, eq=False)
class SvmPath:
    """Solutions at falling l1, and the largest dual gap of them, or along the path where it is known everywhere.

    ``linear`` says that what lies between two solutions is on the line between them.
    """

    points: list[SvmPoint]
    linear: bool
    gap: float

    @property
    def l1(self) -> np.ndarray:
        """The l1 of every point."""
        return np.array([point.l1 for point in self.points])

    @property
    def beta(self) -> np.ndarray:
        """The coefficients of every point, (n_points, n_columns)."""
        return np.array([point.beta for point in self.points])

    @classmethod
    def at_points(cls, points: list[SvmPoint]) -> SvmPath:
        """Return solutions of a grid."""
        return cls(points, False, max(point.gap for point in points))

    def entered(self) -> np.ndarray:
        """Return for every column the largest l1 at which it has a coefficient, 0 if it has none."""
        active = self.beta != 0
        first = active.argmax(axis=0)
        return np.where(active.any(axis=0), self.l1[np.maximum(first - self.linear, 0)], 0.0)

    def at(self, l1: float) -> tuple[np.ndarray, float]:
        """Return coefficients and intercept at an l1 of the path, on a line between its points."""
        places = self.l1
        k = int(np.clip(np.searchsorted(-places, -l1), 1, max(1, len(places) - 1)))
        if len(places) == 1 or l1 >= places[0]:
            return self.points[0].beta, self.points[0].intercept
        high, low = self.points[k - 1], self.points[k]
        part = min(1.0, (high.l1 - l1) / (high.l1 - low.l1))
        return high.beta + part * (low.beta - high.beta), high.intercept + part * (low.intercept - high.intercept)


def unit_variance(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, UnitColumns]:
    """Return columns with mean 0 and variance 1, constant ones as 0, and the way back."""
    unit = UnitColumns.of(X, y)
    return np.ascontiguousarray(unit.rows.T) * np.sqrt(len(X)), unit


def check_penalty(where: str, name: str, value: Any, least: float, words: str) -> None:
    """Raise unless a penalty is a finite number of at least so much."""
    if not isinstance(value, Real) or isinstance(value, bool) or not least <= float(value) < np.inf:
        raise ParameterError(
            f"{where} got {name}={value!r}, but it must be a number {words}; pass for example {name}=1.0."
        )


@dataclass(frozen=True, eq=False)
class SvmFolds:
    """Follows the path without some rows and tests it on them, once per fold; what runs on workers.

    Attributes
    ----------
    solutions : callable
        Returns coefficients and intercepts of columns and classes -1 and 1 at falling l1.
    X, labels : ndarray
        All rows and their classes, 0 and 1.
    splits : list of (ndarray, ndarray)
        Rows to learn from and rows to test on.
    l1 : ndarray
        The penalties at which errors are wanted.
    """

    solutions: Callable[[np.ndarray, np.ndarray, np.ndarray], list[tuple[np.ndarray, float]]]
    X: np.ndarray
    labels: np.ndarray
    splits: list[tuple[np.ndarray, np.ndarray]]
    l1: np.ndarray

    def __call__(self, number: int) -> np.ndarray:
        """Return the fraction of wrong classes at every penalty."""
        train, test = self.splits[number]
        y = 2.0 * self.labels[train] - 1.0
        wrong = np.full(len(self.l1), float((self.labels[test] != self.labels[train][0]).mean()))
        if abs(y.sum()) == len(y):
            return wrong
        Z, unit = unit_variance(self.X[train], y)
        rows = unit.predicted(self.X[test], np.eye(Z.shape[1])) - unit.mean
        for place, (beta, intercept) in enumerate(self.solutions(Z, y, self.l1)):
            votes = rows @ (np.sqrt(len(train)) * beta) + intercept
            wrong[place] = float(((votes > 0) != (self.labels[test] == 1)).mean())
        return wrong


class SparseSvm(ClassifyingSelector):
    """Follows the path in l1 of a support vector machine and keeps the features of one of its points."""

    method_tags = SVM_TAGS
    _serves = ("subsets",)
    n_features_to_select: Any
    l1: float | None
    cv: Any

    def _path(self, X: np.ndarray, y: np.ndarray, least: float | None, most: int | None) -> SvmPath:
        """Return the path down to an l1, None for a small part of where it begins, or to ``most`` features."""
        raise NotImplementedError

    def _solutions(self, X: np.ndarray, y: np.ndarray, l1: np.ndarray) -> list[tuple[np.ndarray, float]]:
        """Return coefficients and intercepts at falling l1, from the path unless a method solves every one."""
        path = self._path(X, y, float(l1[-1]), None)
        return [path.at(value) for value in l1.tolist()]

    def _parts(self) -> Parts:
        name = type(self).__name__
        check_scores(name, None, self.cv)
        if self.l1 is not None:
            check_penalty(name, "l1", self.l1, 0.0, "0 or above, or None")
        if "l2" in vars(self):
            check_penalty(name, "l2", vars(self)["l2"], np.nextafter(0, 1), "above 0")
        return super()._parts()

    def _select(self, data: View, parts: Parts) -> Selection:
        check_moments(data, data.fold(ClassMoments()))
        X, labels = np.asarray(data.whole().X, dtype=np.float64), data.whole().y
        y = 2.0 * labels - 1.0
        Z, unit = unit_variance(X, y)
        wanted = sizes_wanted(type(self).__name__, parts.size, data.n_features)
        path = self._path(Z, y, self.l1, wanted.high if wanted.high < data.n_features else None)
        chosen, errors = self._chosen(data, X, path, parts, wanted)
        point = path.points[chosen]
        found = _selection(Z, y, path, chosen, errors, wanted.high)
        beta, intercept = point.beta, point.intercept
        if len(found) < (beta != 0).sum():
            beta, intercept = self._of_kept(Z, y, point.l1, np.sort(found.indices))
        self.coef_, beyond = unit.given(np.sqrt(len(y)) * beta)
        self.intercept_ = float(intercept + beyond - unit.mean)
        self.l1_, self.gap_ = point.l1, path.gap
        note = _notes(data, unit, path, chosen, found.indices, beta)
        columns = {**found.columns, "coefficient": beta}
        return replace(found, columns=columns, reasons=replace(found.reasons, note=note))

    def _chosen(
        self, data: View, X: np.ndarray, path: SvmPath, parts: Parts, wanted: Wanted
    ) -> tuple[int, np.ndarray | None]:
        """Return which point is kept, and the errors on held-out rows if these choose."""
        sizes = (path.beta != 0).sum(axis=1)
        allowed = sizes <= wanted.high
        if (wanted.free or wanted.low < wanted.high) and len(sizes) > 1:

            def folds(splits: Any) -> SvmFolds:
                return SvmFolds(self._solutions, X, data.whole().y, splits, path.l1)

            errors = errors_along(data, self.cv, folds, 1, type(self).__name__)[0]
            allowed &= sizes >= min(wanted.low, int(sizes[allowed].max()))
            return errors.least(allowed, wanted.choose == "parsimonious"), errors.mean
        met = np.flatnonzero(sizes == wanted.high)
        if len(met) and not isinstance(parts.size, All):
            return int(met[-1]), None
        # Where the number is passed over, because columns are equal, the first ones of more are kept.
        return len(sizes) - 1, None

    def _of_kept(self, X: np.ndarray, y: np.ndarray, l1: float, kept: np.ndarray) -> tuple[np.ndarray, float]:
        """Return coefficients of all columns and the intercept of the machine that has the kept columns only."""
        beta = np.zeros(X.shape[1])
        ((beta[kept], intercept),) = self._solutions(X[:, kept], y, np.array([l1]))
        return beta, intercept


def _selection(
    X: np.ndarray, y: np.ndarray, path: SvmPath, chosen: int, errors: np.ndarray | None, most: int
) -> Selection:
    """Return the features of a point of a path, those that entered first before others, with the path as a table."""
    point, beta = path.points[chosen], path.beta
    entered = path.entered()
    # What never entered is ordered by how near it was at the point that is kept.
    near = np.minimum(np.abs((point.alpha * y) @ X), point.l1)
    kept_mask = point.beta != 0
    scores = np.where(kept_mask, np.maximum(entered, point.l1), np.minimum(near, point.l1))
    order = np.lexsort((-steady(np.abs(point.beta)), -steady(scores)))
    kept = order[kept_mask[order]][:most]
    rule = f"the path was left at step {chosen}, l1 = {numeral(point.l1)}"
    if len(path.points) == 1 and not kept_mask.any():
        rule = f"no feature has a coefficient at an l1 of {numeral(point.l1)} or more"
    if kept_mask.sum() > most:
        rule += f"; {kept_mask.sum()} features are in its model, which was fitted again to {most} of them"
    reasons = Reasons.of_kept(len(scores), kept, NOT_REACHED, rule=rule)
    shown = np.unique(np.linspace(0, len(beta) - 1, min(MOST_KNOTS, len(beta))).round().astype(int))
    beside: dict[str, Any] = {"gap": [max(0.0, path.points[k].gap) for k in shown]}
    if errors is not None:
        beside["error"] = errors[shown]
    lines = np.sort(order[:MOST_LINES])
    table = ResultTable.path(
        "Coefficients along the path", "l1", path.l1[shown], beta[np.ix_(shown, lines)], lines, beside
    )
    return Selection.build(
        kept, order, reasons, scores, columns={"coefficient": point.beta}, then=scores, tables={"path": table}
    )


def _notes(
    data: View, unit: UnitColumns, path: SvmPath, chosen: int, kept: np.ndarray, beta: np.ndarray
) -> dict[int, str]:
    """Say where features entered and left the path, with whom they share their weight, and whose weight is 0."""
    active = path.beta[: chosen + 1] != 0
    notes = {}
    for j in np.flatnonzero(active.any(axis=0)).tolist():
        notes[j] = f"entered at step {int(active[:, j].argmax())}"
        if not active[-1, j]:
            notes[j] += f", left at step {int(np.flatnonzero(active[:, j])[-1]) + 1}"
    names = data.names or tuple(f"x{j}" for j in range(data.n_features))
    for j, (partner, r) in _partners(unit, kept).items():
        notes[j] += f"; shares its weight with {names[partner]}, r = {numeral(r, '.3g')}"
    for j in kept[beta[kept] == 0].tolist():
        notes[j] += "; without those that entered with it its coefficient is 0"
    notes |= {int(j): "the column is constant, its coefficient is 0" for j in np.flatnonzero(unit.constant)}
    return notes
