"""Few features that together follow the shape of a graph of near rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.graph_scores import GRAPH_CONSTRAINTS, GraphOptions, GraphScore, table_of
from fewer.core.estimators.parts import Parts
from fewer.core.neighbours.laplacian import smooth_functions
from fewer.core.neighbours.row_graph import RowGraph
from fewer.core.records.params import Interval
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop, as_stop
from fewer.core.views.view import View
from fewer.methods.unsupervised._angles import CentredUnitColumns, least_angles

# Where a rule says how many are kept, regressions end here.
MOST_BY_RULE = 50
MOST_LINES = 50


@dataclass(frozen=True)
class MultiClusterCriterion(RankingCriterion):
    """The largest coefficient of a feature in sparse regressions of the smoothest functions of a graph."""

    options: GraphOptions = field(default_factory=GraphOptions)
    n_clusters: int = 5
    n_nonzero: int | None = None
    size: Stop = field(default_factory=lambda: as_stop(10))
    requires = ("dense", "sparse")

    def scores(self, view: View) -> Ranking:
        """Make the graph and its smoothest functions, then regress each."""
        rows = self.options.rows(view)
        graph = self.options.graph(view, rows.X)
        targets, columns = embedding(graph, self.n_clusters), CentredUnitColumns(rows.X)
        n_nonzero = min(self._nonzero(view.n_features), view.n_features)
        found = [least_angles(columns, y, n_nonzero) for y in targets.T]
        coefficients = np.array(found).reshape(len(found), view.n_features)
        scores = np.abs(coefficients).max(axis=0, initial=0.0)
        tables = {"graph": table_of(graph), **_coefficients(scores, coefficients)}
        return Ranking(scores, constant=~columns.varies, tables=tables)

    def _nonzero(self, n_features: int) -> int:
        if self.n_nonzero is not None:
            return self.n_nonzero
        counts = "subsets" in self.size.abilities
        asked = self.size.wanted(n_features).high if counts else n_features
        return asked if counts and asked < n_features else min(asked, MOST_BY_RULE)


def embedding(graph: RowGraph, n_functions: int) -> np.ndarray:
    """Return the smoothest functions that are not constant, as columns of mean 0 and length 1.

    They solve L y = λ D y. A graph of two parts has one function that is constant on each, one of more parts one for
    every part, which are taken for the sake of symmetry although one of them follows from the others.
    """
    joined = len(np.unique(graph.parts[graph.degree > 0]))
    _, vectors = smooth_functions(graph, n_functions + 1)
    if joined <= 2 and vectors.shape[1]:
        vectors = np.delete(vectors, joined - 1, axis=1)
    inverse = np.divide(1.0, np.sqrt(graph.degree), out=np.zeros(graph.n_rows), where=graph.degree > 0)
    y = vectors[:, :n_functions] * inverse[:, None]
    y = y - y.mean(axis=0)
    length = np.sqrt((y**2).sum(axis=0))
    return y[:, length > 1e-12] / length[length > 1e-12]


def _coefficients(scores: np.ndarray, coefficients: np.ndarray) -> dict[str, ResultTable]:
    shown = np.argsort(-scores, kind="stable")[: min(MOST_LINES, max(1, int((scores > 0).sum())))]
    columns = {f"function {k + 1}": row[shown] for k, row in enumerate(coefficients)}
    if not columns:
        return {}
    return {"coefficients": ResultTable("Coefficients", {"feature": shown, **columns}, "rows", ("feature",))}


class MCFS(GraphScore):
    r"""Keep the features that together describe the clusters of a graph of near rows, some for each.

    Multi-cluster feature selection [1]_: the functions y with the smallest eigenvalues of :math:`L y = \lambda D y`,
    except the constant one, unfold the graph. Each is regressed on all features by least angle regression that ends
    after ``n_nonzero`` features. The score of a feature is the largest size of its coefficients, :math:`\max_k
    |a_{k,j}|`.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_clusters : int, default=5
        Number of clusters that are expected: how many functions are regressed.
    n_nonzero : int or None, default=None
        Features in every regression; None is the number of features to select, or 50 where a rule says how many.
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
    LaplacianScore : Scores every feature for itself, so that copies of one all score alike.

    Notes
    -----
    Larger scores are better, as in the paper. Regressions see features and functions of mean 0 and length 1, so that
    coefficients can be compared, whatever the graph sees; the paper does not say. They end where the next feature
    would join. Features that no regression takes have score 0, in no order, so that the best k need not be among
    the best k + 1. A graph of several parts has one function for every part (one for two parts), largest parts
    first. Equal eigenvalues, as those of a graph with symmetries, leave the functions to the solver.

    References
    ----------
    .. [1] D. Cai, C. Zhang and X. He, "Unsupervised feature selection for multi-cluster data", KDD 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> MCFS(2, n_clusters=2).fit(X).selection_.indices.tolist()
    [2, 0]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense", "sparse"),
        handles_sparse=True,
        nested=False,
        invariance=("scale_untied", "row_order_untied"),
        cost="n^2*d",
    )
    _parameter_constraints: dict = {
        **GRAPH_CONSTRAINTS,
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "n_nonzero": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_clusters: int = 5,
        n_nonzero: int | None = None,
        n_neighbors: int = 5,
        graph_weights: str = "heat",
        graph_join: str = "either",
        heat_width: float | None = None,
        standardize: bool = True,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_clusters = n_clusters
        self.n_nonzero = n_nonzero
        self.n_neighbors = n_neighbors
        self.graph_weights = graph_weights
        self.graph_join = graph_join
        self.heat_width = heat_width
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> Any:
        return self._sized(as_stop(self.n_features_to_select))

    def _sized(self, size: Stop) -> MultiClusterCriterion:
        return MultiClusterCriterion(self._options(), int(self.n_clusters), self.n_nonzero, size)

    def _parts(self) -> Parts:
        # The regressions are as long as the size asks, which is read once.
        size = as_stop(self.n_features_to_select)
        criterion = self._sized(size)
        size.check(type(self).__name__, self._offers(criterion))
        return Parts(criterion=criterion, size=size)
