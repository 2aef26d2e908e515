"""Is one method better than another? Tests of paired scores that mind how the samples overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.rounding import TOLERANCE, differences, joined
from fewer.evaluate.exact import MOST_SIGNS, signed_rank_pvalue, signs_pvalue


@dataclass(frozen=True)
class TestResult:
    """What a test found.

    Attributes
    ----------
    name : str
        Which test.
    statistic : float
        Its value.
    pvalue : float
        Probability of such a value or a larger one if there were no difference; two-sided.
    df : tuple of float
        Degrees of freedom of its distribution.
    difference : float
        Mean difference of the scores.
    """

    # pytest takes classes of this name for tests.
    __test__ = False

    name: str
    statistic: float
    pvalue: float
    df: tuple[float, ...] = ()
    difference: float = float("nan")


@dataclass(frozen=True)
class Posterior:
    """What is believed of the mean difference of two methods after seeing their scores.

    Attributes
    ----------
    worse, same, better : float
        Probability that the first method is worse than the second by more than the rope, that they are practically
        equal, and that it is better.
    mean, scale, df : float
        The posterior: Student's t with this location, scale and degrees of freedom.
    """

    worse: float
    same: float
    better: float
    mean: float
    scale: float
    df: float


def five_by_two_t(first: Any, second: Any = None) -> TestResult:
    """Compare two methods by five repetitions of two-fold cross-validation: Dietterich's t.

    Parameters
    ----------
    first, second : array-like of shape (5, 2) or (10,)
        Scores on the two halves of each repetition, in the same splits. Without ``second`` they are differences.

    Returns
    -------
    TestResult
        :math:`t = p_1^{(1)} / \\sqrt{\\frac15 \\sum_i s_i^2}` with 5 degrees of freedom ([1]_, section 3.5), where
        :math:`s_i^2` is the variance of repetition i. If none of them varies, t is infinite and the p-value that of
        all signs of the differences, 1/32: the halves of each repetition agree.

    Notes
    -----
    The test is liberal where rows are few for what there is to learn: the five repetitions split the same rows, and
    what these happen to favour shows in all of them. Of equally good methods it calls 13 to 21 % different at 5 % where
    nothing can be learned, on 20 rows as on 1,000, and 9 % on 20 rows with a weak signal, as the study ``five_by_two``
    prints; `corrected_t` keeps its level there.

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate statistical tests for comparing supervised classification learning
       algorithms", Neural Computation 10, 1998.

    Examples
    --------
    >>> differences = [[0.1, 0.02], [0.04, 0.03], [0.06, 0.0], [0.02, 0.05], [0.05, 0.01]]
    >>> round(five_by_two_t(differences).statistic, 3)
    2.817
    """
    p, variances = _halves("five_by_two_t", first, second)
    statistic = _ratio(p[0, 0], np.sqrt(variances.mean()))
    return TestResult("5x2cv t", statistic, _two_sided(statistic, 5, p), (5.0,), float(p.mean()))


def five_by_two_f(first: Any, second: Any = None) -> TestResult:
    """Compare two methods by five repetitions of two-fold cross-validation: Alpaydin's combined F.

    Parameters
    ----------
    first, second : array-like of shape (5, 2) or (10,)
        Scores on the two halves of each repetition, in the same splits. Without ``second`` they are differences.

    Returns
    -------
    TestResult
        :math:`F = \\sum_{ij} (p_i^{(j)})^2 / (2 \\sum_i s_i^2)` with 10 and 5 degrees of freedom ([1]_). Unlike
        `five_by_two_t` it does not depend on the order of the repetitions. If none varies, see there.

    Notes
    -----
    The test is liberal where rows are few for what there is to learn; see `five_by_two_t`.

    References
    ----------
    .. [1] E. Alpaydin, "Combined 5x2 cv F test for comparing supervised classification learning algorithms", Neural
       Computation 11, 1999.

    Examples
    --------
    >>> differences = [[0.1, 0.02], [0.04, 0.03], [0.06, 0.0], [0.02, 0.05], [0.05, 0.01]]
    >>> round(five_by_two_f(differences).statistic, 3)
    1.746
    """
    p, variances = _halves("five_by_two_f", first, second)
    statistic = _ratio((p**2).sum(), 2.0 * variances.sum())
    pvalue = signs_pvalue(p) if np.isinf(statistic) else float(stats.f.sf(statistic, 10, 5))
    return TestResult("5x2cv F", statistic, pvalue, (10.0, 5.0), float(p.mean()))


def corrected_t(first: Any, second: Any = None, *, test_fraction: float) -> TestResult:
    """Compare two methods by the corrected resampled t-test of Nadeau and Bengio.

    Parameters
    ----------
    first, second : array-like of shape (n_splits,)
        Scores on the same splits. Without ``second`` they are differences.
    test_fraction : float
        Fraction of the rows that are tested in a split, between 0 and 1: 0.1 for ten folds.

    Returns
    -------
    TestResult
        :math:`t = \\bar d / \\sqrt{(1/J + n_2/n_1) s^2}` with J - 1 degrees of freedom ([1]_, section 5): the plain
        variance is enlarged, because the training rows of the splits overlap. If all differences are equal, t is
        infinite and the p-value that of all their signs, :math:`2 / 2^J`.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.

    Examples
    --------
    >>> round(corrected_t([0.1, 0.2, 0.0, 0.1], test_fraction=0.25).pvalue, 3)
    0.207
    """
    d, _ = _differences("corrected_t", first, second)
    scale = corrected_error(d, test_fraction)
    statistic = _ratio(d.mean(), scale)
    df, mean = len(d) - 1, float(d.mean())
    return TestResult("corrected resampled t", statistic, _two_sided(statistic, df, d[None, :]), (float(df),), mean)


def corrected_error(scores: np.ndarray, test_fraction: float) -> float:
    """Return the standard error of a mean of scores over overlapping splits, by Nadeau and Bengio."""
    if not 0.0 < test_fraction < 1.0:
        raise ParameterError(
            f"The corrected test got test_fraction={test_fraction!r}, but a fraction of rows lies between 0 and 1; "
            "pass 0.1 for ten folds."
        )
    if np.ptp(scores) <= TOLERANCE * np.abs(scores).max():
        # The variance of equal numbers would be rounding.
        return 0.0
    return float(np.sqrt((1.0 / len(scores) + test_fraction / (1.0 - test_fraction)) * np.var(scores, ddof=1)))


def wilcoxon(first: Any, second: Any = None) -> TestResult:
    """Compare two methods by the signed ranks of their differences over data sets.

    Parameters
    ----------
    first, second : array-like of shape (n_sets,)
        Scores on the same data sets. Without ``second`` they are differences.

    Returns
    -------
    TestResult
        The smaller sum of ranks; ranks of zero differences are split evenly between the signs, as in section 3.1.3
        of [1]_. The scores should be independent of each other: data sets rather than folds. The p-value is exact up
        to 50 data sets, equal differences and zeros included; beyond it is that of the normal distribution.

    References
    ----------
    .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7, 2006.

    Examples
    --------
    >>> wilcoxon([1.0, 2.0, 3.0, 4.0, 5.0]).pvalue
    0.0625
    """
    d, noise = _differences("wilcoxon", first, second)
    ranks, signs = stats.rankdata(joined(np.abs(d), noise)), np.sign(d)
    halved = ranks[signs == 0].sum() / 2.0
    statistic = float(min(ranks[signs > 0].sum(), ranks[signs < 0].sum()) + halved)
    if len(d) <= MOST_SIGNS or not d.any():
        pvalue = signed_rank_pvalue(ranks, signs)
    else:
        # Only the signs and the order of the sizes count: the ranks stand for the differences, so that ties are ties.
        pvalue = float(stats.wilcoxon(signs * ranks, zero_method="zsplit").pvalue)
    return TestResult("Wilcoxon signed ranks", statistic, pvalue, (), float(d.mean()))


def bayes_t(first: Any, second: Any = None, *, test_fraction: float, rope: float = 0.01) -> Posterior:
    """Return what to believe of the difference of two methods: the Bayesian correlated t-test.

    Parameters
    ----------
    first, second : array-like of shape (n_splits,)
        Scores on the same splits. Without ``second`` they are differences.
    test_fraction : float
        Fraction of the rows that are tested in a split; it estimates the correlation of the scores.
    rope : float, default=0.01
        Differences up to this size do not matter in practice.

    Returns
    -------
    Posterior
        Student's t with n - 1 degrees of freedom, the mean difference as location and
        :math:`(1/n + \\rho/(1 - \\rho)) s^2` as squared scale (eq. 8 of [1]_); its scale is that of `corrected_t`.

    References
    ----------
    .. [1] A. Benavoli, G. Corani, J. Demsar and M. Zaffalon, "Time for a change: a tutorial for comparing multiple
       classifiers through Bayesian analysis", Journal of Machine Learning Research 18, 2017.

    Examples
    --------
    >>> belief = bayes_t([0.05, 0.06, 0.04, 0.05, 0.05], test_fraction=0.2)
    >>> belief.better > 0.99
    True
    """
    if rope < 0:
        raise ParameterError(f"bayes_t got rope={rope!r}, but a size is at least 0; pass for example 0.01.")
    d, _ = _differences("bayes_t", first, second)
    mean, scale, df = float(d.mean()), corrected_error(d, test_fraction), len(d) - 1
    if scale == 0.0:
        worse, better = float(mean < -rope), float(mean > rope)
        return Posterior(worse, 1.0 - worse - better, better, mean, 0.0, df)
    belief = stats.t(df, mean, scale)
    worse, better = float(belief.cdf(-rope)), float(belief.sf(rope))
    return Posterior(worse, max(0.0, 1.0 - worse - better), better, mean, scale, df)


def _halves(where: str, first: Any, second: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the differences as five rows of two, and the variance of each row (eq. 6 of Dietterich)."""
    p, _ = _differences(where, first, second, flat=False)
    if p.size != 10 or p.shape not in ((5, 2), (10,)):
        raise InputError(
            f"{where} needs the scores of five repetitions of two halves, but got shape {p.shape}; use cv='5x2'."
        )
    p = p.reshape(5, 2)
    return p, ((p - p.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)


def _differences(where: str, first: Any, second: Any, flat: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Return the paired differences, checked and free of rounding, and the rounding that each may have held."""
    a = np.asarray(first, dtype=float)
    b = np.zeros_like(a) if second is None else np.asarray(second, dtype=float)
    if a.shape != b.shape:
        raise InputError(
            f"{where} compares pairs, but got shapes {a.shape} and {b.shape}; give scores on the same splits."
        )
    if a.size < 2 or (flat and a.ndim != 1):
        raise InputError(
            f"{where} needs one score per split, of two splits or more, but got shape {a.shape}; give two arrays of "
            "such scores."
        )
    if not np.isfinite(a).all() or not np.isfinite(b).all():
        raise InputError(f"{where} got scores that are NaN or infinite; leave out splits in which a method failed.")
    d, noise = differences(a, b)
    return joined(d, noise), noise


def _ratio(above: float, below: float) -> float:
    """Return a quotient; no difference without any spread is 0, a difference without any spread infinite."""
    if below == 0.0:
        return 0.0 if above == 0.0 else float(np.copysign(np.inf, above))
    return float(above / below)


def _two_sided(statistic: float, df: float, differences: np.ndarray) -> float:
    return signs_pvalue(differences) if np.isinf(statistic) else float(2.0 * stats.t.sf(abs(statistic), df))
