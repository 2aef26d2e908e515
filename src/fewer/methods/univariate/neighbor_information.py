"""Mutual information with the target by nearest rows, without bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fewer.core.criteria.near_information import NearInformation
from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.records.params import whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View


@dataclass(frozen=True)
class NeighborInformationCriterion(RankingCriterion):
    """Score I(f; y) by the k nearest rows."""

    n_neighbors: int = 3
    requires = ("dense",)

    def scores(self, view: View) -> Ranking:
        """Score all features by distances between rows."""
        return Ranking(NearInformation(view, self.n_neighbors).relevance())


class NeighborMutualInformation(ScoreBase):
    r"""Keep features that tell most about the target, by distances to nearest rows instead of bins.

    For a target of numbers the score is :math:`\psi(n) + \psi(k) - \langle \psi(n_x + 1) + \psi(n_y + 1) \rangle`
    (equation 8 of [1]_), where :math:`n_x` and :math:`n_y` count the rows nearer in one variable than the k-th nearest
    row is in both; for classes that of [2]_. In nats, at least 0.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_neighbors : int, default=3
        Number of nearest rows k; more of them vary less and are more biased.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    InformationGain : The same quantity of bins, with p-values, also streamed.
    MRMR, JMI : Take the estimate by ``information="neighbors"``.

    Notes
    -----
    Features and target are divided by their standard deviations. [1]_ adds noise to break ties, and so does
    scikit-learn; here rows at distance 0 are counted as rows with one level, as in [3]_, and nothing is random. Text,
    booleans and whole numbers with at most 20 values are classes, other targets numbers. Nominal columns are counted
    with classes, and take the place of the classes of [2]_ with numbers.

    References
    ----------
    .. [1] A. Kraskov, H. Stoegbauer and P. Grassberger, "Estimating mutual information", Physical Review E 69, 2004.
    .. [2] B. C. Ross, "Mutual information between discrete and continuous data sets", PLoS ONE 9(2), 2014.
    .. [3] W. Gao, S. Kannan, S. Oh and P. Viswanath, "Estimating mutual information for discrete-continuous mixtures",
       NIPS 2017.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> NeighborMutualInformation(2).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        handles_nominal=True,
        invariance=("row_order", "scale"),
        cost="n*log(n)*d",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "n_neighbors": [whole_from(1)],
        "categorical_features": ["array-like", None],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int = 3,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> NeighborInformationCriterion:
        return NeighborInformationCriterion(self.n_neighbors)
