"""Pearson's chi-squared statistic of feature and class."""

from __future__ import annotations

from fewer.core.estimators.rankers import CodesScore
from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import chi2, chi2_test
from fewer.methods.univariate._criteria import CountScore
from fewer.methods.univariate._tags import CODES


class Chi2(WeightedFit, CodesScore):
    r"""Keep features whose levels are least independent of the class.

    The score is Pearson's statistic of the table of levels and classes, without continuity correction, :math:`\sum
    (O - E)^2 / E`, and the p-value counts the levels that occur. Where an expected count is small (below 5; below 20
    for two levels and two classes) the p-value is that of all tables with the same margins, ordered by the score.

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
    InformationGain : Likelihood ratio instead of squared deviations.

    Notes
    -----
    `sklearn.feature_selection.chi2` takes each column as a frequency and leaves out the cells of absence; on a
    column of zeros and ones the statistic here is that value times N / N(absent) (ch. 13 of [1]_). With levels of
    very different number compare p-values, not scores.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> Chi2(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = CODES
    criterion = CountScore(chi2, chi2_test, "chi2")
