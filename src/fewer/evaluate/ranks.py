"""Several methods on several samples: Friedman's test, Nemenyi's critical difference and its groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.html_text import table_html
from fewer.core.records.numerals import numeral
from fewer.core.records.rounding import joined
from fewer.evaluate.exact import agreement_pvalue, friedman_pvalue, shuffled_pvalue


@dataclass(frozen=True)
class RankTest:
    """Mean ranks of methods, whether they differ, and which cannot be told apart.

    Attributes
    ----------
    methods : tuple of str
        The methods, in the order given.
    mean_ranks : ndarray of shape (n_methods,)
        1 is best.
    n_blocks : int
        Number of samples or data sets.
    chi2, pvalue : float
        Friedman's statistic and its p-value.
    f, f_pvalue : float
        The less conservative statistic of Iman and Davenport and its p-value, exact for few methods and samples.
    critical_difference : float
        Mean ranks that differ by less cannot be told apart (Nemenyi).
    alpha : float
        Level of the critical difference.
    pvalues : ndarray of shape (n_methods, n_methods)
        Nemenyi's p-values of all pairs.
    """

    methods: tuple[str, ...]
    mean_ranks: np.ndarray
    n_blocks: int
    chi2: float
    pvalue: float
    f: float
    f_pvalue: float
    critical_difference: float
    alpha: float
    pvalues: np.ndarray

    @property
    def order(self) -> np.ndarray:
        """Numbers of the methods, best mean rank first."""
        return np.argsort(self.mean_ranks, kind="stable")

    def _repr_html_(self) -> str:
        differ = "differ" if self.f_pvalue < self.alpha else "cannot be told apart"
        words = f"Over {self.n_blocks} samples the methods {differ} (p = {numeral(self.f_pvalue, '.2g')}). "
        words += f"Mean ranks that differ by less than {numeral(self.critical_difference, '.3g')} cannot be told apart."
        best = int(self.order[0])
        rows = [
            (
                self.methods[m],
                numeral(self.mean_ranks[m], ".3g"),
                "" if m == best else numeral(self.pvalues[best, m], ".2g"),
            )
            for m in self.order
        ]
        return table_html(words, ("method", "mean rank", f"p-value against {self.methods[best]}"), rows)

    def groups(self) -> list[tuple[str, ...]]:
        """Return the largest sets of methods that cannot be told apart, best first: the bars of the diagram.

        A method that differs from all others is in no group.
        """
        order = self.order
        ranks = self.mean_ranks[order]
        found: list[tuple[int, int]] = []
        for start in range(len(ranks)):
            end = int(np.searchsorted(ranks, ranks[start] + self.critical_difference, side="right"))
            if end - start > 1 and (not found or end > found[-1][1]):
                found.append((start, end))
        return [tuple(self.methods[order[i]] for i in range(start, end)) for start, end in found]


def friedman_nemenyi(
    scores: Any,
    methods: Sequence[str] | None = None,
    *,
    alpha: float = 0.05,
    correct_ties: bool = True,
    test_fraction: float | None = None,
) -> RankTest:
    """Compare several methods by their ranks over samples.

    Parameters
    ----------
    scores : array-like of shape (n_blocks, n_methods)
        One row per sample or data set; larger is better.
    methods : sequence of str, optional
        Names; 0, 1, ... by default.
    alpha : float, default=0.05
        Level of the critical difference.
    correct_ties : bool, default=True
        Whether the variance of Friedman's statistic is corrected for shared ranks, as scipy does; [1]_ does not.
    test_fraction : float, optional
        Fraction of the rows that each sample tests, if the samples are splits of one data set, which share rows.

    Returns
    -------
    RankTest
        Friedman's chi-squared and the F of Iman and Davenport (section 3.2.2 of [1]_), Nemenyi's critical difference
        :math:`q_\\alpha \\sqrt{k (k + 1) / (6 N)}` and the p-values of all pairs.

    Notes
    -----
    The theory asks for independent rows, such as data sets. Folds of one data set share rows: of methods that are
    equally good, because there is nothing to learn, ten folds call 10 to 18 % different at 5 %. With ``test_fraction``
    the variance of the mean ranks is enlarged as Nadeau and Bengio enlarge that of mean scores, by :math:`1 + N n_2 /
    n_1`, for all p-values and the critical difference; then it is 2 % at most (`studies/calibration.py`).

    ``f_pvalue`` is exact where all orders of the methods can be tried quickly: up to five methods, for instance on 100
    samples of three, 15 of four or five of five. Beyond, up to 100 scores, it is that of up to 99,999 random orders,
    and then, as where none of these reaches the statistic, that of the F distribution, but never below
    :math:`(1/k!)^{n-1}`, the probability that random orders agree on all samples. ``pvalue`` is that of the chi-squared
    distribution, as scipy has it. Scores that are equal up to rounding share a rank.

    References
    ----------
    .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7, 2006.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.6, 0.5], [0.7, 0.8, 0.6]]
    >>> found = friedman_nemenyi(scores, ["a", "b", "c"])
    >>> found.mean_ranks.tolist(), found.chi2
    ([1.25, 1.75, 3.0], 6.5)
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 2 or values.shape[0] < 2 or values.shape[1] < 2 or not np.isfinite(values).all():
        raise InputError(
            f"friedman_nemenyi needs finite scores of two methods or more on two samples or more, but got shape "
            f"{values.shape}{'' if np.isfinite(values).all() else ' with NaN'}; leave out methods that failed."
        )
    if not 0.0 < alpha < 1.0:
        raise ParameterError(f"friedman_nemenyi got alpha={alpha!r}, but a level lies between 0 and 1; pass 0.05.")
    n, k = values.shape
    names = tuple(map(str, range(k) if methods is None else methods))
    if len(names) != k:
        raise InputError(f"friedman_nemenyi got {len(names)} names for {k} columns of scores; give one for each.")
    ranks = stats.rankdata([-joined(row) for row in values], axis=1)
    mean = ranks.mean(axis=0)
    chi2 = 12.0 * n / (k * (k + 1)) * (float((mean**2).sum()) - k * (k + 1) ** 2 / 4.0)
    if correct_ties:
        chi2 = _corrected_for_ties(chi2, ranks)
    wider = 1.0 if test_fraction is None else 1.0 + n * test_fraction / (1.0 - test_fraction)
    chi2 /= wider
    f, f_pvalue = _iman_davenport(chi2, ranks, independent=test_fraction is None)
    step = np.sqrt(wider * k * (k + 1) / (6.0 * n))
    apart = np.abs(mean[:, None] - mean) / step
    pvalues = np.ones((k, k))
    for a, b in zip(*np.triu_indices(k, 1)):
        pvalues[a, b] = pvalues[b, a] = stats.studentized_range.sf(apart[a, b] * np.sqrt(2.0), k, np.inf)
    difference = critical_value(k, alpha) * step
    return RankTest(
        names, mean, n, chi2, float(stats.chi2.sf(chi2, k - 1)), f, f_pvalue, float(difference), alpha, pvalues
    )


def critical_value(n_methods: int, alpha: float = 0.05) -> float:
    """Return Nemenyi's q: the critical value of the studentised range divided by the root of two."""
    return float(stats.studentized_range.ppf(1.0 - alpha, n_methods, np.inf) / np.sqrt(2.0))


def _corrected_for_ties(chi2: float, ranks: np.ndarray) -> float:
    """Divide by the fraction of the variance that shared ranks leave; nothing is left if all scores are equal."""
    n, k = ranks.shape
    lost = sum(int(size) ** 3 - int(size) for row in ranks for size in np.unique(row, return_counts=True)[1])
    left = 1.0 - lost / (n * k * (k * k - 1.0))
    return chi2 / left if left > 0.0 else 0.0


def _iman_davenport(chi2: float, ranks: np.ndarray, independent: bool) -> tuple[float, float]:
    """Return the statistic, infinite if all samples agree, and its p-value, exact where that is quick."""
    n, k = ranks.shape
    below = n * (k - 1) - chi2
    agreed = below <= 1e-12 * n * k
    f = float("inf") if agreed else float((n - 1) * chi2 / below)
    exact = friedman_pvalue(ranks) if independent else None
    if exact is not None:
        return f, exact
    least = agreement_pvalue(ranks)
    if agreed:
        return f, least
    known = max(float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))), least)
    # Random orders of the samples know nothing of rows that these share.
    return f, shuffled_pvalue(ranks, known) if independent else known
