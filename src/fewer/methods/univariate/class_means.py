"""Tests of equal class means."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import f_test, pooled_t, welch_t
from fewer.core.measures._pairs import two_classes
from fewer.core.records.reasons import NO_PVALUE
from fewer.core.summaries.results import Moments
from fewer.methods.univariate._criteria import MomentScore
from fewer.methods.univariate._normal import NormalScore, between_classes, welch_squares
from fewer.methods.univariate._tags import MOMENTS

BINARY = replace(MOMENTS, binary_only=True)
# Rows of each class that Welch's test takes.
FEWEST = 5


def _pooled(moments: Moments) -> tuple[np.ndarray, np.ndarray]:
    statistic, _, pvalue = pooled_t(moments)
    return statistic, pvalue


def _welch(moments: Moments) -> tuple[np.ndarray, np.ndarray]:
    statistic, _, pvalue = welch_t(moments)
    return statistic, pvalue


def _no_welch(moments: Moments) -> dict[int, str]:
    """Return why features have no p-value: an error that is known from one class alone follows no t distribution."""
    smallest = float(moments.weight.min())
    pair = two_classes(moments, "welch_t")
    if smallest < 2:
        # There is not even a variance, and p-values are 1.
        return {}
    if smallest < FEWEST:
        words = f"{NO_PVALUE} for a class has {smallest:g} rows, fewer than {FEWEST}"
        return dict.fromkeys(np.flatnonzero(pair.difference).tolist(), words)
    flat = (pair.m2 == 0).any(axis=1) & (pair.difference != 0)
    return dict.fromkeys(np.flatnonzero(flat).tolist(), f"{NO_PVALUE} for it does not vary within a class")


class FTest(WeightedFit, NormalScore):
    """Keep features whose class means differ most for their spread within classes.

    The score is the F statistic of the one-way analysis of variance.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    pvalues : {"normal", "permutation"}, default="normal"
        Whether p-values are those of normal data, or of up to 99,999 permutations of the target: true for any data, in
        memory, but never below 1e-5.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    WelchTest : Does not assume equal variances; two classes.
    KruskalWallis : Looks only at the order of the values.

    Notes
    -----
    If the weights add up to no more than the number of classes, variances are divided by the weight itself and
    p-values are 1.

    References
    ----------
    .. [1] R. A. Fisher, "Statistical Methods for Research Workers", 1925.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> FTest(2).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MOMENTS
    criterion = MomentScore(f_test, spread="pooled", permutable=between_classes)


class TTest(WeightedFit, NormalScore):
    """Keep features whose two class means differ most, by Student's t with pooled variance.

    The score is :math:`|t|`; the signed t (second class minus first) is in ``selection_.columns["statistic"]``.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    pvalues : {"normal", "permutation"}, default="normal"
        Whether p-values are those of normal data, or of up to 99,999 permutations of the target: true for any data, in
        memory, but never below 1e-5.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    WelchTest : Does not assume equal variances.

    Notes
    -----
    If the weights add up to at most 2, variances are divided by the weight itself and p-values are 1.

    References
    ----------
    .. [1] Student, "The probable error of a mean", Biometrika 6(1), 1908.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> TTest(2).fit(X, y).selection_.indices.tolist()
    [27, 22]
    """

    method_tags = BINARY
    criterion = MomentScore(_pooled, signed=True, spread="pooled", permutable=between_classes)


class WelchTest(WeightedFit, NormalScore):
    """Keep features whose two class means differ most, by Welch's t with separate variances.

    The score is :math:`|t|`; the signed t (second class minus first) is in ``selection_.columns["statistic"]``.
    Degrees of freedom differ between features, so the order by score and the order by p-value may differ.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    pvalues : {"normal", "permutation"}, default="normal"
        Whether p-values are those of normal data, or of up to 99,999 permutations of the target: true for any data, in
        memory, but never below 1e-5.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    TTest : Pools the variances.

    Notes
    -----
    A class that weighs less than two rows has no sample variance: that of its population is taken, and p-values are 1.
    Features have no p-value (NaN, which every rule takes for 1) if a class has fewer than five rows, or if they do not
    vary within a class: the degrees of freedom are then those of one class alone, and of 1,000 irrelevant features
    hundreds would be called significant.

    References
    ----------
    .. [1] B. L. Welch, "The generalization of Student's problem", Biometrika 34, 1947.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> WelchTest(2).fit(X, y).selection_.indices.tolist()
    [27, 22]
    """

    method_tags = BINARY
    criterion = MomentScore(_welch, signed=True, spread="own", permutable=welch_squares, untested=_no_welch)
