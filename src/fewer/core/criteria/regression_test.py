"""A test of independence of columns of several kinds: does one help to predict the other beyond the given ones?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

import numpy as np

from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Y
from fewer.core.measures._pvalues import chi2_as_normal, chi2_tail, f_tail
from fewer.core.measures._scatter import above_noise
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.views.view import View

# Newton's method for the logistic regression: most steps, the deviance it may still gain, and a ridge so small that it
# is only felt where the classes are separated and the coefficients would grow for ever.
MOST_STEPS, ENOUGH, RIDGE = 50, 1e-8, 1e-8
# What the given columns leave of a column that they determine, at most: of the variance of numbers, and the deviance of
# classes, of which no column can gain more than there is.
DETERMINED, CERTAIN = 1e-10, 1e-2


@dataclass(frozen=True)
class RegressionTest(IndependenceTest):
    """Test mixed columns by the likelihood ratio of two regressions, without and with the candidate.

    One of the pair is explained by the given columns, and then by the other one, too; nominal columns enter as one
    indicator per level. Two numbers: a linear regression. If one is nominal, it is explained, by a (multinomial)
    logistic regression; of two nominal ones that with fewer levels, of two with equally many the lower column, y before
    all others. So the test does not depend on which of them is called the target. The statistic is twice the gain in
    log-likelihood, its degrees of freedom the coefficients that the larger model has more. Of classes it is about
    chi-squared; p-values of two numbers are those of F, which for normal residuals hold with any number of rows.

    Parameters
    ----------
    h : float, default=5.0
        A test is reliable if there are at least so many rows per coefficient of the larger model; for a nominal
        response so many rows of its rarest level per coefficient of one level. 0 takes every test for reliable that
        leaves rows over.

    Notes
    -----
    Rows must be in memory, without missing values and without weights. Indicators that the others determine are left
    out and do not count. Linear in what is given: a relation of another shape is not seen, or not taken off.
    One of the pair that is constant, or that the given columns determine, has nothing left to vary: the statistic is 0,
    without degrees of freedom, the p-value is 1, and that is reliable unless there are as many columns as rows.

    False alarms among 2,000 independent samples with just enough rows, of levels that are equally frequent and numbers
    that are normal (one standard error is 0.5 % and 0.2 %):

    =============================  ==========  ==========  ==========  ==========
    pair, given numbers            h=5, 0.05   h=5, 0.01   h=10, 0.05  h=10, 0.01
    =============================  ==========  ==========  ==========  ==========
    two numbers, none              5.0 %       1.1 %       4.3 %       0.8 %
    two numbers, one               5.2 %       1.1 %       4.4 %       0.4 %
    two numbers, three             4.8 %       0.8 %       5.0 %       1.0 %
    number and 2 levels, none      7.1 %       1.9 %       5.2 %       1.2 %
    number and 2 levels, one       6.3 %       1.8 %       5.3 %       1.2 %
    number and 2 levels, three     7.2 %       1.7 %       6.0 %       1.7 %
    number and 3 levels, none      7.6 %       1.9 %       6.2 %       1.7 %
    number and 3 levels, one       6.9 %       1.7 %       6.5 %       1.4 %
    number and 3 levels, three     6.6 %       1.5 %       5.8 %       1.0 %
    2 levels and 2 levels, none    2.8 %       2.8 %       2.6 %       0.5 %
    2 levels and 2 levels, one     5.4 %       1.9 %       6.7 %       1.8 %
    2 levels and 2 levels, three   6.4 %       1.7 %       6.2 %       1.3 %
    3 levels and 3 levels, none    6.6 %       1.3 %       7.0 %       1.7 %
    3 levels and 3 levels, one     6.3 %       1.5 %       5.6 %       1.5 %
    3 levels and 3 levels, three   6.3 %       1.5 %       5.0 %       0.9 %
    =============================  ==========  ==========  ==========  ==========

    References
    ----------
    .. [1] M. Tsagris, G. Borboudakis, V. Lagani and I. Tsamardinos, "Constraint-based causal discovery with mixed
       data", International Journal of Data Science and Analytics 6, 2018.
    """

    h: float = 5.0

    requires: ClassVar[tuple[str, ...]] = ("dense",)
    needs_all_rows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.h, Real) or not 0 <= self.h < np.inf:
            raise ParameterError(
                f"RegressionTest got h={self.h!r}, but rows per coefficient are a finite number of 0 or more; choose "
                "such a number."
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
        return Answers(columns[0], columns[1], columns[2], columns[3] > 0)

    def _one(self, view: View, x: int, given: tuple[int, ...], target: int) -> tuple[float, float, float, bool]:
        """Return p-value, statistic, degrees of freedom and whether rows are enough."""
        explained, other = sorted((x, target), key=lambda j: self._rank(view, j))
        small = _independent([_design(view, j) for j in given], view.n_rows)
        large = _independent([small[:, 1:], _design(view, other)], view.n_rows)
        if large.shape[1] == small.shape[1]:
            return _nothing_left(small)
        if self._levels(view, explained):
            return self._of_classes(_values(view, explained), small, large)
        return self._of_numbers(_standardized(_values(view, explained)), small, large)

    def _of_numbers(self, y: np.ndarray, small: np.ndarray, large: np.ndarray) -> tuple[float, float, float, bool]:
        n, more, left = len(y), large.shape[1] - small.shape[1], len(y) - large.shape[1]
        before, after = (_residual(design, y) for design in (small, large))
        if before <= DETERMINED * n:
            return _nothing_left(small)
        after = min(max(after, 1e-14 * n), before)
        tail = f_tail((before / after - 1.0) * max(left, 1) / more, more, left)
        return float(tail), n * np.log(before / after), more, left > 0 and n >= self.h * (large.shape[1] + 1)

    def _of_classes(self, y: np.ndarray, small: np.ndarray, large: np.ndarray) -> tuple[float, float, float, bool]:
        codes = np.unique(y, return_inverse=True)[1]
        rarest = int(np.bincount(codes).min())
        if codes.max() == 0 or _spans(small, codes):
            return _nothing_left(small)
        before = _deviance(small, codes)
        if before <= CERTAIN:
            # A few rows of a class can be told from others by chance.
            return (*_nothing_left(small)[:3], rarest >= self.h * small.shape[1])
        gain = max(before - _deviance(large, codes), 0.0)
        dof = float((large.shape[1] - small.shape[1]) * codes.max())
        return float(chi2_tail(gain, dof)), gain, dof, rarest >= self.h * large.shape[1]

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
    return _standardized(values)[:, None]


def _standardized(values: np.ndarray) -> np.ndarray:
    """Return values of mean 0 and variance 1, or zeros where they differ by rounding alone.

    First they are divided by a power of two, which is exact, so that no square leaves the range of floating point.
    """
    largest = float(np.abs(values).max(initial=0.0))
    scaled = np.ldexp(values, -int(np.frexp(largest)[1]))
    centred = scaled - scaled.mean()
    squares = float(above_noise(centred @ centred, abs(scaled.mean()), len(values)))
    return centred / np.sqrt(squares / len(values)) if squares > 0 else np.zeros(len(values))


def _nothing_left(small: np.ndarray) -> tuple[float, float, float, bool]:
    """Return the answer about a pair of which one is constant, or determined by what is given.

    It is independent for sure, unless there are about as many given columns as rows, which determine anything.
    """
    return 1.0, 0.0, 0.0, small.shape[0] > small.shape[1] + 2


def _spans(design: np.ndarray, codes: np.ndarray) -> bool:
    """Return whether sums of columns tell every class, as those of the levels of a column do that determines it."""
    seen = (codes[:, None] == np.arange(1, codes.max() + 1)).astype(np.float64)
    rest = seen - design @ np.linalg.lstsq(design, seen, rcond=None)[0]
    return bool((rest**2).sum() <= DETERMINED * len(codes))


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
