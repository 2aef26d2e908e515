"""Features that near rows agree on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.graph_scores import GraphOptions, GraphScore, table_of
from fewer.core.neighbours.laplacian import smoothness
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View


@dataclass(frozen=True)
class LaplacianCriterion(RankingCriterion):
    """Two less the Laplacian score; constant features have 0."""

    options: GraphOptions = field(default_factory=GraphOptions)
    requires = ("dense", "sparse")

    def scores(self, view: View) -> Ranking:
        """Make the graph, then score all features on it."""
        rows = self.options.rows(view)
        graph = self.options.graph(view, rows.X)
        found = smoothness(view.run, rows.X, graph)
        scores = 2.0 - np.where(found.constant, 2.0, found.laplacian)
        return Ranking(scores, constant=found.constant, tables={"graph": table_of(graph)})


class LaplacianScore(GraphScore):
    r"""Keep the features that change least between near rows, compared with how much they vary.

    The graph joins every row with its nearest rows, with weights S, degrees D and :math:`L = D - S`. Of a feature less
    its mean weighted by degrees, :math:`\tilde f`, the Laplacian score [1]_ is :math:`L_r = \tilde f^T L \tilde f /
    \tilde f^T D \tilde f`, 0 to 2; 0 if rows that are joined have equal values. The score here is :math:`2 - L_r`, so
    that larger is better.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_neighbors : int, default=5
        Number of nearest rows with which each row is joined, all others if there are fewer.
    graph_weights : {"heat", "binary", "cosine"}, default="heat"
        Weights of the edges: exp(-squared distance / width), 1, or the cosine of the angle between the rows.
    graph_join : {"either", "both"}, default="either"
        Whether rows are joined if either is among the nearest of the other, or only if both are.
    heat_width : float or None, default=None
        Squared distance at which a "heat" weight has fallen to 1/e; None is the mean over all rows and their nearest.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first; for "cosine" to variance 1 alone.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    SPEC : Other functions of the same graph; its second one is this score.
    MCFS : Few features that together follow the shape of the graph.

    Notes
    -----
    In the paper a smaller score is better; here it is subtracted from 2, its largest value. A feature that is constant,
    at least on all rows with an edge, has no score there (0 / 0) and 0 here. The paper leaves the width open and
    has no scaling; the graph depends on both, so that features in large units would rule it. The form with classes
    in place of near rows orders features as `FisherScore` does and is left to that. A feature takes part in the
    graph on which it is scored: with few features, one of few values looks smooth by that alone; `fewer.select`
    without a target scores each one on the graph of the others.

    References
    ----------
    .. [1] X. He, D. Cai and P. Niyogi, "Laplacian score for feature selection", NIPS 18, 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> LaplacianScore(2).fit(X).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense", "sparse"),
        handles_sparse=True,
        invariance=("scale_untied", "row_order_untied"),
        cost="n^2*d",
    )

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int = 5,
        graph_weights: str = "heat",
        graph_join: str = "either",
        heat_width: float | None = None,
        standardize: bool = True,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.graph_weights = graph_weights
        self.graph_join = graph_join
        self.heat_width = heat_width
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> LaplacianCriterion:
        return LaplacianCriterion(self._options())
