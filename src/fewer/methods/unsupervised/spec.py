"""Features in tune with the spectrum of a graph of near rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.graph_scores import GRAPH_CONSTRAINTS, GraphOptions, GraphScore, ScaledRows, table_of
from fewer.core.neighbours.laplacian import Smoothness, smooth_functions, smoothness
from fewer.core.neighbours.row_graph import RowGraph
from fewer.core.records.params import Interval, Options
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View

# Eigenvalues that differ by less are equal: which functions a solver finds for them is chance, what they span is not.
EQUAL = 1e-9
# With more functions than this of one eigenvalue, as where all rows are joined alike, no more are looked for.
MOST_FUNCTIONS = 200


@dataclass(frozen=True)
class SpectralCriterion(RankingCriterion):
    """One of the three ranking functions, turned so that larger is better."""

    options: GraphOptions = field(default_factory=GraphOptions)
    ranking_function: int = 3
    n_clusters: int = 5
    requires = ("dense", "sparse")

    def scores(self, view: View) -> Ranking:
        """Make the graph, then score all features on it."""
        rows = self.options.rows(view)
        graph = self.options.graph(view, rows.X)
        found = smoothness(view.run, rows.X, graph)
        # Length of the feature itself, not of its deviations: sum of D f^2.
        shift = (found.mean - rows.origin) * found.factor
        length = found.spread + shift**2 * graph.degree.sum()
        some = ~found.constant & (length > 0)
        if self.ranking_function == 3:
            scores = np.where(some, self._separation(rows, graph, found, shift, length), 0.0)
        else:
            below = length if self.ranking_function == 1 else found.spread
            ratio = np.divide(found.along, below, out=np.full(len(below), 2.0), where=some)
            scores = 2.0 - np.clip(ratio, 0.0, 2.0)
        return Ranking(scores, constant=found.constant, tables={"graph": table_of(graph)})

    def _separation(
        self, rows: ScaledRows, graph: RowGraph, found: Smoothness, shift: np.ndarray, length: np.ndarray
    ) -> np.ndarray:
        """Return the third function: squared cosines with the smoothest functions, less their eigenvalues."""
        joined = len(np.unique(graph.parts[graph.degree > 0]))
        values, vectors = _whole_spaces(graph, max(self.n_clusters, joined))
        weighted = vectors * np.sqrt(graph.degree)[:, None]
        along = rows.X.T @ weighted if scipy.sparse.issparse(rows.X) else (weighted.T @ rows.X).T
        along = (along - rows.origin[:, None] * weighted.sum(axis=0)) * found.factor[:, None]
        total = (along**2) @ (2.0 - values) - 2.0 * shift**2 * graph.degree.sum()
        return np.divide(np.maximum(total, 0.0), length, out=np.zeros(len(length)), where=length > 0)


def _whole_spaces(graph: RowGraph, n_functions: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the smoothest functions, and the next ones as long as their eigenvalues are equal to the last."""
    asked = n_functions + 1
    while True:
        values, vectors = smooth_functions(graph, asked)
        last = values[min(n_functions, len(values)) - 1] + EQUAL if len(values) else 0.0
        if len(values) < asked or values[-1] > last or asked > MOST_FUNCTIONS:
            return values[values <= last], vectors[:, values <= last]
        asked *= 2


class SPEC(GraphScore):
    r"""Keep the features that follow the smooth functions on a graph of near rows.

    With the normalized Laplacian :math:`\mathcal{L} = I - D^{-1/2} S D^{-1/2}`, its eigenvalues :math:`\lambda_j` and
    eigenvectors :math:`\xi_j`, and :math:`\hat f = D^{1/2} f / \|D^{1/2} f\|`, the functions of [1]_ are
    :math:`\phi_1 = \hat f^T \mathcal{L} \hat f`, :math:`\phi_2 = \phi_1 / (1 - (\hat f^T \xi_1)^2)` and
    :math:`\phi_3 = \sum_{j=2}^{k} (2 - \lambda_j) (\hat f^T \xi_j)^2`. The score is :math:`2 - \phi_1`, :math:`2 -
    \phi_2` or :math:`\phi_3`, so that larger is better.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    ranking_function : {1, 2, 3}, default=3
        Which of the three functions: smoothness, smoothness without the constant part, or the smooth part alone.
    n_clusters : int, default=5
        Number of clusters that are expected: with 3, how many of the smoothest functions are looked at.
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
    LaplacianScore : The second function.

    Notes
    -----
    In the paper smaller values of the first two functions are better; they are subtracted from 2. The paper joins all
    rows with each other, n² weights; here every row is joined with its nearest, as its authors do later, so that the
    spectrum is found without a matrix of all pairs. Powers of the Laplacian in place of itself are left out. Where
    the graph falls into more than ``n_clusters`` parts, or the last eigenvalue stands there several times, the
    functions of all of these are looked at, because no choice among them would be better than another. Constant
    features have score 0.

    References
    ----------
    .. [1] Z. Zhao and H. Liu, "Spectral feature selection for supervised and unsupervised learning", ICML 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> SPEC(2).fit(X).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense", "sparse"),
        handles_sparse=True,
        invariance=("scale_untied", "row_order_untied"),
        cost="n^2*d",
    )
    _parameter_constraints: dict = {
        **GRAPH_CONSTRAINTS,
        "ranking_function": [Options(Integral, {1, 2, 3})],
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        ranking_function: int = 3,
        n_clusters: int = 5,
        n_neighbors: int = 5,
        graph_weights: str = "heat",
        graph_join: str = "either",
        heat_width: float | None = None,
        standardize: bool = True,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.ranking_function = ranking_function
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.graph_weights = graph_weights
        self.graph_join = graph_join
        self.heat_width = heat_width
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> Any:
        return SpectralCriterion(self._options(), int(self.ranking_function), int(self.n_clusters))
