"""Information gain and its normalised forms."""

from __future__ import annotations

from fewer.core.estimators.rankers import CodesScore
from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import (
    chi2_test,
    cost_gain_ratio,
    cost_information_gain,
    distance_gain,
    gain_ratio,
    information_gain,
    symmetrical_uncertainty,
)
from fewer.methods.univariate._costs import CostCodesScore
from fewer.methods.univariate._criteria import CountScore
from fewer.methods.univariate._tags import CODES


class InformationGain(CostCodesScore):
    r"""Keep features that tell most about the class.

    The score is :math:`H(Y) - H(Y | F) = I(F; Y)` in nats (eq. 9.1 of [1]_). Features with many levels are favoured;
    see `SymmetricalUncertainty` and `MDLScore`. The p-value is that of Pearson's chi-squared test, which unlike the
    G-test holds up with few rows per level, and exact where expected counts are small, see `Chi2`. A cut of the ranking
    by significance, which Ben-Dor et al. ask for [2]_, is a size: ``n_features_to_select="fdr:0.05"`` or ``"p:0.01"``
    by these p-values, ``"probes:0.01"`` by random permutations of the classes.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        What it costs to take a row of one class (its row) for one of another (its column), classes in sorted order.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    SymmetricalUncertainty : Divides by the mean of both entropies.
    MDLScore : Charges for the number of levels.

    Notes
    -----
    With ``cost_matrix`` the fractions of the classes are those of eq. 9.12, :math:`p'(c) \propto p(c) \varepsilon_c`
    with the expected cost of an error :math:`\varepsilon_c = \sum_{u \ne c} p(u) C_{c,u} / (1 - p(c))`, and the score
    is :math:`H(p') - \sum_j p(j) H(p'(\cdot | j))`. The text says only that eq. 9.12 is used in eq. 9.1 and 9.2. Here
    it is applied to all rows and again to the rows of each level, as in the software of its authors; the levels keep
    their plain fractions p(j). A level in which no error costs anything is pure. Such a score may be negative, and as
    no null distribution is known it has no p-values. The prediction that costs least is that of
    `fewer.measures.cheapest_class`.

    References
    ----------
    .. [1] M. Robnik-Sikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF",
       ch. 9 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.
    .. [2] E. P. Xing, "Feature selection in microarray analysis", 2003, section 2.1, on A. Ben-Dor, N. Friedman and
       Z. Yakhini, "Scoring genes for relevance", 2000.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> InformationGain(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = CODES
    criterion = CountScore(information_gain, chi2_test, "information")
    cost_measure = staticmethod(cost_information_gain)


class GainRatio(CostCodesScore):
    r"""Keep features that tell much about the class for their own entropy.

    The score is :math:`I(F; Y) / H(F)` (section 9.2.1 of [1]_), 0 for a constant feature. Features of small entropy
    are over-rated.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        What it costs to take a row of one class (its row) for one of another (its column), classes in sorted order.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    DistanceGain : Divides by the joint entropy.

    Notes
    -----
    With ``cost_matrix`` the fractions of the classes are those of eq. 9.12, see `InformationGain`; the score is
    :math:`[H(p') - \sum_j p(j) H(p'(\cdot | j))] / H(F)`. It may be negative and has no p-values.

    References
    ----------
    .. [1] M. Robnik-Sikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF",
       ch. 9 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> GainRatio(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = CODES
    criterion = CountScore(gain_ratio, chi2_test, "information")
    cost_measure = staticmethod(cost_gain_ratio)


class DistanceGain(WeightedFit, CodesScore):
    """Keep features that are nearest to the class in the entropy distance of Mantaras.

    The score is :math:`1 - D(F) = I(F; Y) / H(F, Y)` (section 9.2.1 of [1]_): 1 if feature and class determine each
    other, 0 if they are independent.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    GainRatio : Divides by the entropy of the feature.

    References
    ----------
    .. [1] M. Robnik-Sikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF",
       ch. 9 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> DistanceGain(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = CODES
    criterion = CountScore(distance_gain, chi2_test, "information")


class SymmetricalUncertainty(WeightedFit, CodesScore):
    """Keep features that share most information with the class, relative to both entropies.

    The score is :math:`SU = 2 I(F; Y) / (H(F) + H(Y))`, between 0 and 1 (section 17.2.3 of [1]_).

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    InformationGain : Does not normalise.

    References
    ----------
    .. [1] L. Yu, "Feature selection for genomic data analysis", ch. 17 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> SymmetricalUncertainty(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = CODES
    criterion = CountScore(symmetrical_uncertainty, chi2_test, "information")
