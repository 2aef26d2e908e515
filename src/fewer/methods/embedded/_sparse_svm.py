"""What the sparse support vector machines share: standardized columns, a path in l1, the point that is kept."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from fewer.core.criteria.splitters import check_scores, splitter
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.predicting import ClassifyingSelector
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.rounding import steady
from fewer.core.records.tags import MethodTags
from fewer.core.summaries.moments import ClassMoments
from fewer.core.views.spread import check_moments
from fewer.core.views.view import View
from fewer.methods.embedded._svm_point import SvmPoint

SVM_CONSTRAINTS: dict[str, Any] = {
    **COMMON_CONSTRAINTS,
    "l1": [None, Interval(Real, 0, None, closed="left")],
    # check_scores reads it.
    "cv": "no_validation",
}
SVM_TAGS = MethodTags(
    targets=("classes",), views=("dense",), binary_only=True, nested=False, invariance=("row_order", "scale")
)
# The path of a table: more knots or features than these cannot be seen.
MOST_KNOTS, MOST_LINES = 60, 50
# Where the path ends unless an l1 is given, in parts of the l1 at which it begins.
END = 1e-3


@dataclass(frozen=True, eq=False)
class SvmPath:
    """Solutions at falling l1; ``linear`` says that what lies between two is on the line between them."""

    points: list[SvmPoint]
    linear: bool

    @property
    def l1(self) -> np.ndarray:
        """The l1 of every point."""
        return np.array([point.l1 for point in self.points])

    @property
    def beta(self) -> np.ndarray:
        """The coefficients of every point, (n_points, n_columns)."""
        return np.array([point.beta for point in self.points])

    @property
    def gap(self) -> float:
        """The largest dual gap."""
        return max(point.gap for point in self.points)

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


def standardized(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return columns with mean 0 and variance 1, or 0 where all values are equal; their means and deviations."""
    # From the first row, so that a large common part loses no digits.
    moved = X - X[0]
    centre = moved.mean(axis=0)
    moved -= centre
    size = np.sqrt((moved**2).mean(axis=0))
    varies = size > 1e-14 * np.abs(moved).max(axis=0, initial=0.0)
    varies &= (X[0] != X).any(axis=0)
    size = np.where(varies, size, 1.0)
    return np.where(varies, moved / size, 0.0), X[0] + centre, size


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

    def _parts(self) -> Parts:
        check_scores(type(self).__name__, None, self.cv)
        return super()._parts()

    def _select(self, data: View, parts: Parts) -> Selection:
        check_moments(data, data.fold(ClassMoments()))
        X, mean, size = standardized(np.asarray(data.whole().X, dtype=np.float64))
        y = 2.0 * data.whole().y - 1.0
        wanted = parts.size.wanted(data.n_features)
        if wanted.gain is not None or wanted.patience is not None:
            raise RequirementError(
                f"{type(self).__name__} follows a path and takes no rule on gains, but n_features_to_select is "
                f"{parts.size}; pass a number, a fraction, a range or 'best'."
            )
        path = self._path(X, y, self.l1, wanted.high if wanted.high < data.n_features else None)
        sizes = (path.beta != 0).sum(axis=1)
        within = np.flatnonzero(sizes <= wanted.high)
        ranged = wanted.free or wanted.low < wanted.high
        errors = self._errors(data, path) if ranged else None
        if errors is None:
            chosen = int(within[-1])
        else:
            within = within[sizes[within] >= min(wanted.low, sizes[within].max())]
            chosen = int(within[_choose(errors[within], wanted.choose)])
        if sizes[chosen] == 0 and chosen + 1 < len(sizes):
            # Equal columns enter together; the first of them are kept.
            chosen += 1
        point = path.points[chosen]
        self.coef_ = point.beta / size
        self.intercept_ = float(point.intercept - mean @ self.coef_)
        self.l1_, self.gap_ = point.l1, path.gap
        mean_errors = None if errors is None else errors.mean(axis=1)
        return _selection(X, y, path, chosen, mean_errors, wanted.high)

    def _errors(self, data: View, path: SvmPath) -> np.ndarray:
        """Return the fraction of held-out rows in the wrong class, at every l1 of the path and in every fold."""
        X, labels = np.asarray(data.whole().X, dtype=np.float64), data.whole().y
        folds = check_cv(splitter(self.cv, data), labels, classifier=True)
        out = []
        for train, test in folds.split(X, labels, data.groups):
            Z, mean, size = standardized(X[train])
            y = 2.0 * labels[train] - 1.0
            if abs(y.sum()) == len(y):
                continue
            part, rows = self._path(Z, y, path.points[-1].l1, None), (X[test] - mean) / size
            wrong = []
            for l1 in path.l1:
                beta, intercept = part.at(float(l1))
                wrong.append(float(((rows @ beta + intercept > 0) != (labels[test] == 1)).mean()))
            out.append(wrong)
        return np.array(out).T


def _choose(errors: np.ndarray, how: str) -> int:
    """Return the first place with the least error, or the first within one standard error of it."""
    mean = steady(errors.mean(axis=1))
    best = int(np.argmin(mean))
    if how == "best" or errors.shape[1] < 2:
        return best
    slack = errors[best].std(ddof=1) / np.sqrt(errors.shape[1])
    return int(np.flatnonzero(mean <= mean[best] + slack)[0])


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
    reasons = Reasons.of_kept(
        len(scores),
        kept,
        NOT_REACHED,
        rule=f"a coefficient other than 0 at l1 = {point.l1:.4g}",
        note=_notes(X, beta, chosen, kept),
    )
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


def _notes(X: np.ndarray, beta: np.ndarray, chosen: int, kept: np.ndarray) -> dict[int, str]:
    """Say where features entered and left the path."""
    active = beta[: chosen + 1] != 0
    notes = {}
    for j in np.flatnonzero(active.any(axis=0)).tolist():
        words = f"it entered at step {int(active[:, j].argmax())}"
        if not active[-1, j]:
            last = int(np.flatnonzero(active[:, j])[-1])
            words += f" and left at step {last + 1}"
        notes[j] = words
    return notes
