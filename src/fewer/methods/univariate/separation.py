"""How far classes lie apart, without a test."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.estimators.rankers import NumberScore
from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import fisher_score, signal_to_noise
from fewer.core.summaries.results import Moments
from fewer.methods.univariate._criteria import MomentScore
from fewer.methods.univariate._tags import MOMENTS


def _golub(moments: Moments) -> tuple[np.ndarray, None]:
    return signal_to_noise(moments), None


def _fisher(moments: Moments) -> tuple[np.ndarray, None]:
    return fisher_score(moments), None


class SignalToNoise(WeightedFit, NumberScore):
    r"""Keep features with the largest difference of two class means for the sum of their deviations.

    The score is :math:`|\mu_1 - \mu_0| / (\sigma_1 + \sigma_0)` with sample deviations; the signed value is in
    ``selection_.columns["statistic"]``. No null distribution is known.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    WelchTest : Has p-values.

    Notes
    -----
    A class that weighs less than two rows has no sample deviation: that of its population is taken, which is 0 for one
    row.

    References
    ----------
    .. [1] T. R. Golub et al., "Molecular classification of cancer", Science 286, 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> SignalToNoise(2).fit(X, y).selection_.indices.tolist()
    [27, 22]
    """

    method_tags = replace(MOMENTS, binary_only=True)
    criterion = MomentScore(_golub, has_pvalues=False, signed=True, spread="own")


class FisherScore(WeightedFit, NumberScore):
    r"""Keep features with the largest scatter between classes for the scatter within.

    The score is :math:`\sum_c n_c (\mu_c - \mu)^2 / \sum_c n_c \sigma_c^2` with population variances; it ranks like
    F. No null distribution is used; `FTest` has one.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    FTest : The same order, with p-values.

    References
    ----------
    .. [1] R. O. Duda, P. E. Hart and D. G. Stork, "Pattern Classification", 2nd ed., 2001, section 3.8.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> FisherScore(2).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MOMENTS
    criterion = MomentScore(_fisher, has_pvalues=False)
