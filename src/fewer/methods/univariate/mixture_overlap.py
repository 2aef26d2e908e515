"""How clearly a feature has two states, without a target."""

from __future__ import annotations

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.discretize.named import fit_mixtures
from fewer.core.estimators.rankers import NumberScore
from fewer.core.measures import mixture_overlap
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View


class MixtureOverlapCriterion(RankingCriterion):
    """Score 1/2 minus the overlap of two Gaussian states (eq. 6.1 to 6.3 of the source)."""

    requires = ("dense",)
    has_pvalues = False

    def scores(self, view: View) -> Ranking:
        """Fit two Gaussians to every feature and score how little they overlap."""
        fitted = fit_mixtures(view.whole().X, view.run)
        overlap = mixture_overlap(fitted.weight, fitted.mean, fitted.variance)
        overlap[~fitted.two_states] = 0.5
        return Ranking(0.5 - overlap, None, {"overlap": overlap})


class MixtureOverlap(NumberScore):
    """Keep features with two clearly separate states, whatever the target.

    A mixture of two Gaussians is fitted to every feature; its overlap is the error of guessing the state (section
    2.1 of [1]_). The score is 1/2 minus the overlap, so larger is better; the overlap is in
    ``selection_.columns["overlap"]``. A feature that one Gaussian describes better (BIC) has overlap 1/2 and score
    0.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", in D. Berrar, W. Dubitzky and M. Granzow (eds.), "A
       Practical Approach to Microarray Data Analysis", 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> MixtureOverlap(2).fit(X).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MethodTags(targets=("none",), views=("dense",), invariance=("row_order", "scale"))
    criterion = MixtureOverlapCriterion()
