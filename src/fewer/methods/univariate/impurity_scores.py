"""Scores of class impurity: Gini index, code length, pairs of rows."""

from __future__ import annotations

from fewer.core.estimators.rankers import CodesScore
from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import cost_gini_gain, gini_gain, gini_test, mdl_score, myopic_relief
from fewer.methods.univariate._costs import CostCodesScore
from fewer.methods.univariate._criteria import CountScore
from fewer.methods.univariate._tags import CODES


class GiniGain(CostCodesScore):
    r"""Keep features whose levels are purest in the class.

    The score is :math:`\sum_j p(j) \sum_c p(c | j)^2 - \sum_c p(c)^2` (eq. 9.2 of [1]_). The p-value is that of the
    analysis of variance of categorical data (Light and Margolin 1971) with the null distribution of unequal classes,
    see `fewer.measures.gini_test`, and exact where expected counts are small, see `Chi2`.

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
    MyopicRelief : Weighs levels by their squared frequency.

    Notes
    -----
    With ``cost_matrix`` the fractions of the classes are those of eq. 9.12, see `InformationGain`; the score is
    :math:`\sum_j p(j) \sum_c p'(c | j)^2 - \sum_c p'(c)^2`. It may be negative and has no p-values.

    References
    ----------
    .. [1] M. Robnik-Sikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF",
       ch. 9 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> GiniGain(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = CODES
    criterion = CountScore(gini_gain, gini_test, "gini")
    cost_measure = staticmethod(cost_gini_gain)


class MDLScore(WeightedFit, CodesScore):
    """Keep features that shorten the description of the classes.

    The score is the code length of the classes without the feature minus that with it, in nats per row (section
    9.2.1 of [1]_; formula of Kononenko 1995, with log-gamma in place of factorials). A feature that does not
    compress has a score of 0 or less, so ``n_features_to_select="threshold:0"`` is a natural cut; it drops constant
    features, whose score is 0, as well. No null distribution is known.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "threshold:0"
        keeps those that shorten the description. None keeps all.
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
    InformationGain : Does not charge for levels.

    References
    ----------
    .. [1] M. Robnik-Sikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF",
       ch. 9 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> MDLScore(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = CODES
    criterion = CountScore(mdl_score)


class MyopicRelief(WeightedFit, CodesScore):
    r"""Keep features by the Relief estimate without nearness: equal values should mean equal classes.

    Over pairs of rows, the probability of equal values within a class minus that between classes, which is the Gini
    gain with squared level frequencies (eq. 9.7 to 9.9 of [1]_; the printed constant is :math:`1 / (S (1 - S))`
    with :math:`S = \sum_c p(c)^2`). Not biased towards features with many levels. No null distribution is known.

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
    GiniGain : Weighs levels by their frequency.

    References
    ----------
    .. [1] M. Robnik-Sikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF",
       ch. 9 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> MyopicRelief(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = CODES
    criterion = CountScore(myopic_relief)
