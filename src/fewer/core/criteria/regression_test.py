"""A test of independence of columns of several kinds: does one help to predict the other beyond the given ones?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

import numpy as np

from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Y
from fewer.core.measures._pvalues import chi2_as_normal, chi2_tail
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.views.view import View

# Newton's method for the logistic regression: most steps, the deviance it may still gain, and a ridge so small that it
# is only felt where the classes are separated and the coefficients would grow for ever.
MOST_STEPS, ENOUGH, RIDGE = 50, 1e-8, 1e-8


@dataclass(frozen=True)
class RegressionTest(IndependenceTest):
    """Test mixed columns by the likelihood ratio of two regressions, without and with the candidate.

    One of the pair is explained by the given columns, and then by the other one, too; nominal columns enter as one
    indicator per level. Two numbers: a linear regression. If one is nominal, it is explained, by a (multinomial)
    logistic regression; of two nominal ones that with fewer levels, of two with equally many the lower column, y before
    all others. So the test does not depend on which of them is called the target. Twice the gain in log-likelihood is
    about chi-squared, with as many degrees of freedom as the larger model has more coefficients.

    Parameters
    ----------
    h : float, default=5.0
        A test is reliable if there are at least so many rows per coefficient of the larger model; for a nominal
        response so many rows of its rarest level per coefficient of one level. 0 takes every test for reliable.

    Notes
    -----
    Rows must be in memory, without missing values and without weights. Indicators that the others determine are left
    out and do not count. Linear in what is given: a relation of another shape is not seen, or not taken off.

    References
    ----------
    .. [1] M. Tsagris, G. Borboudakis, V. Lagani and I. Tsamardinos, "Constraint-based causal discovery with mixed
       data", International Journal of Data Science and Analytics 6, 2018.
    """

    h: float = 5.0

    requires: ClassVar[tuple[str, ...]] = ("dense",)
    needs_all_rows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.h, Real) or not self.h >= 0:
            raise ParameterError(
                f"RegressionTest got h={self.h!r}, but rows per coefficient are 0 or more; choose such a number."
            )

    def check(self, view: View, columns: Sequence[int]) -> None:
        """Refuse weights, and values that are missing or infinite."""
        block = view.whole()
        if block.weight is not None:
            raise RequirementError(
                "RegressionTest got rows with weights, but takes each row once; leave the weights out, or use FisherZ "
                "or GTest."
            )
        if view.may_miss or not np.isfinite(block.X[:, [j for j in columns if j != Y]]).all():
            raise InputError(
                "RegressionTest got missing or infinite values, but regressions take finite ones; fill them in, or "
                "use GTest, which takes a missing value for a level."
            )

    def strength(self, answers: Answers) -> np.ndarray:
        """Return statistics as about standard normal ones."""
        return chi2_as_normal(answers.statistic, answers.dof)

    def answer(self, view: View, candidates: tuple[int, ...], given: tuple[int, ...], target: int) -> Answers:
        """Fit two regressions for every candidate."""
        rows = [self._one(view, j, given, target) for j in candidates]
        columns = np.array(rows, dtype=np.float64).T
        return Answers(chi2_tail(columns[0], columns[1]), columns[0], columns[1], columns[2] > 0)

    def _one(self, view: View, x: int, given: tuple[int, ...], target: int) -> tuple[float, float, bool]:
        explained, other = sorted((x, target), key=lambda j: self._rank(view, j))
        small = _independent([_design(view, j) for j in given], view.n_rows)
        large = _independent([small[:, 1:], _design(view, other)], view.n_rows)
        more, levels = large.shape[1] - small.shape[1], self._levels(view, explained)
        y = _values(view, explained)
        if levels == 0:
            left = [_residual(design, y) for design in (small, large)]
            spread = float(((y - y.mean()) ** 2).sum())
            # What the given columns determine has nothing left to tell.
            if more == 0 or left[0] <= 1e-10 * spread:
                return 0.0, 0.0, True
            gain = len(y) * np.log(left[0] / max(left[1], 1e-14 * spread))
            return max(float(gain), 0.0), float(more), len(y) >= self.h * (large.shape[1] + 1)
        codes = np.unique(y, return_inverse=True)[1]
        rarest = int(np.bincount(codes).min())
        if more == 0 or codes.max() == 0:
            return 0.0, 0.0, True
        gain = _deviance(small, codes) - _deviance(large, codes)
        return max(float(gain), 0.0), float(more * codes.max()), rarest >= self.h * large.shape[1]

    def _levels(self, view: View, j: int) -> int:
        """Return the number of levels of a nominal column or of classes, 0 for numbers."""
        if j == Y:
            return view.n_classes
        return len(view.labels[j]) if view.nominal[j] else 0

    def _rank(self, view: View, j: int) -> tuple[float, int]:
        levels = self._levels(view, j)
        return (float(levels) if levels else np.inf, j)


def _values(view: View, j: int) -> np.ndarray:
    block = view.whole()
    return np.asarray(block.y if j == Y else block.X[:, j], dtype=np.float64)


def _design(view: View, j: int) -> np.ndarray:
    """Return a column as regressions see it: standardized, or one indicator per level but the first."""
    values = _values(view, j)
    if view.n_classes if j == Y else view.nominal[j]:
        return (values[:, None] == np.unique(values)[1:]).astype(np.float64)
    spread = values.std()
    return ((values - values.mean()) / (spread if spread > 0 else 1.0))[:, None]


def _independent(parts: list[np.ndarray], n_rows: int) -> np.ndarray:
    """Return a constant and those columns that the ones before them do not determine."""
    base = np.full((n_rows, 1), n_rows**-0.5)
    out = [np.ones(n_rows)]
    for column in (column for part in parts for column in part.T):
        # Twice, because once leaves rounding behind where little is left.
        rest = column - base @ (base.T @ column)
        rest = rest - base @ (base.T @ rest)
        size = np.linalg.norm(rest)
        if size > 1e-6 * np.linalg.norm(column):
            base, out = np.column_stack([base, rest / size]), [*out, column]
    return np.column_stack(out)


def _residual(design: np.ndarray, y: np.ndarray) -> float:
    rest = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return float(rest @ rest)


def _deviance(design: np.ndarray, codes: np.ndarray) -> float:
    """Return -2 log-likelihood of a multinomial logistic regression, by Newton's method with halved steps."""
    n, p = design.shape
    k = int(codes.max())
    seen = (codes[:, None] == np.arange(1, k + 1)).astype(np.float64)
    weights = np.zeros((p, k))
    best, chance = _loss(design, weights, seen)
    for _ in range(MOST_STEPS):
        slope = design.T @ (seen - chance) - RIDGE * weights
        curve = np.empty((k, p, k, p))
        for a in range(k):
            for b in range(a, k):
                spread = chance[:, a] * ((a == b) - chance[:, b])
                curve[a, :, b] = curve[b, :, a] = (design * spread[:, None]).T @ design
        full = curve.reshape(k * p, k * p) + RIDGE * np.eye(k * p)
        step = np.linalg.solve(full, slope.T.ravel()).reshape(k, p).T
        size = 1.0
        while size > 1e-4:
            value, new = _loss(design, weights + size * step, seen)
            if value <= best:
                break
            size /= 2.0
        gained, weights = best - value, weights + size * step
        best, chance = value, new
        if gained < ENOUGH:
            break
    return best


def _loss(design: np.ndarray, weights: np.ndarray, seen: np.ndarray) -> tuple[float, np.ndarray]:
    scores = design @ weights
    top = np.maximum(scores.max(axis=1), 0.0)
    powers = np.exp(scores - top[:, None])
    total = powers.sum(axis=1) + np.exp(-top)
    value = 2.0 * float((top + np.log(total)).sum() - (scores * seen).sum())
    return value, powers / total[:, None]
