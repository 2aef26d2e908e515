"""Rank mutual information of single features with an ordered class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.measures.monotone import rank_mutual_information
from fewer.core.records.params import StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.ordinal._classes import in_class_order
from fewer.methods.ordinal._order import OrdinalBase, view_directions


@dataclass(frozen=True)
class RankInformationCriterion(RankingCriterion):
    """Score the rank mutual information with the class.

    ``ordered`` says that the class numbers of views are in the order of the classes, which the labels need not tell.
    """

    side: str = "ascending"
    monotone: Any = None
    ordered: bool = False
    name: str = "RankMutualInformation"
    requires = ("dense",)
    has_pvalues = False

    def scores(self, view: View) -> Ranking:
        """Sort every feature and count."""
        view = in_class_order(self.name, view, self.ordered)
        block, directions = view.whole(), view_directions(self.name, self.monotone, view)
        return Ranking(rank_mutual_information(block.X, block.y, self.side, directions, view.run))


class RankMutualInformation(OrdinalBase):
    r"""Keep features whose order says most about the order of the classes.

    The score is :math:`-\frac{1}{n} \sum_i \ln \frac{|[x_i]_f| \, |[x_i]_y|}{n \, |[x_i]_f \cap [x_i]_y|}` in nats
    [1]_, where :math:`[x_i]_f` holds the rows whose feature is at least that of row i and :math:`[x_i]_y` those whose
    class is (at most, if descending). Like mutual information it weighs every row, but a feature that tells the classes
    apart without rising with them gets little. It is 0 for a constant and may be negative.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    side : {"ascending", "descending", "both"}, default="ascending"
        Whether the sets of the rank mutual information hold the rows above, those below, or the mean is taken.
    monotone : None, "auto", array-like of int or dict, default=None
        1 for features that rise with the class, -1 for those that fall, 0 for those that do neither; a dictionary names
        those that do not rise. None: all rise. "auto": as more pairs of rows say.
    class_order : array-like, default=None
        The classes, the lowest first; needed for text labels without an order of their own.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    Kendall : Balance of concordant and discordant pairs, also for falling features.
    MonotoneTree : A tree cut where this information is largest.

    Notes
    -----
    A feature of direction 0 has the larger of the scores for rising and for falling.

    References
    ----------
    .. [1] Q. Hu, X. Che, L. Zhang, D. Zhang, M. Guo and D. Yu, "Rank entropy-based decision trees for monotonic
       classification", IEEE TKDE 24(11), 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> RankMutualInformation(2).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MethodTags(
        targets=("ordered classes",),
        views=("dense",),
        invariance=("row_order", "scale", "monotone"),
        cost="n*log(n)*d",
    )
    _parameter_constraints: dict = {
        **OrdinalBase._parameter_constraints,
        "side": [StrOptions({"ascending", "descending", "both"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        side: str = "ascending",
        monotone: Any = None,
        class_order: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.side = side
        self.monotone = monotone
        self.class_order = class_order
        self.n_jobs = n_jobs
        self.verbose = verbose

    criterion = RankInformationCriterion()

    def _criterion(self) -> RankInformationCriterion:
        return RankInformationCriterion(self.side, self.monotone, True)
