"""What the scores on a graph of near rows share: parameters, scaled rows, the graph and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.neighbours.row_graph import JOINS, WEIGHTS, RowGraph, neighbour_graph
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.summaries.moments import ClassMoments
from fewer.core.views.spread import check_moments
from fewer.core.views.view import View

GRAPH_CONSTRAINTS: dict[str, Any] = {
    **COMMON_CONSTRAINTS,
    "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    "graph_weights": [StrOptions(set(WEIGHTS))],
    "graph_join": [StrOptions(set(JOINS))],
    "heat_width": [Interval(Real, 0, None, closed="neither"), None],
    "standardize": ["boolean"],
}


@dataclass(frozen=True, eq=False)
class ScaledRows:
    """Rows as the graph sees them.

    Attributes
    ----------
    X : ndarray or sparse matrix
        The scaled numbers. Sparse columns are centred only if they hold no zeros, which changes no distance; none are
        where angles count.
    origin : ndarray of shape (n_features,)
        Where columns begin, in the same units: their mean if they were standardized, otherwise 0.
    """

    X: Any
    origin: np.ndarray


@dataclass(frozen=True)
class GraphOptions:
    """How the graph is made; part of every criterion that uses one."""

    n_neighbors: int = 5
    graph_weights: str = "heat"
    graph_join: str = "either"
    heat_width: float | None = None
    standardize: bool = True

    def rows(self, view: View) -> ScaledRows:
        """Return the rows, scaled as was asked for."""
        moments = view.fold(ClassMoments())
        check_moments(view, moments)
        X, d = view.whole().X, view.n_features
        # Means are measured from an origin among the values, which is subtracted first.
        low = np.zeros(d) if moments.origin is None else moments.origin
        mean = moments.mean.reshape(d, -1)[:, 0]
        spread = np.sqrt(moments.m2.reshape(d, -1).sum(axis=1) / max(view.n_rows, 1))
        if not self.standardize:
            return ScaledRows(X if scipy.sparse.issparse(X) else np.asarray(X, np.float64), np.zeros(d))
        scale = np.where(spread > 0, 1.0 / np.where(spread > 0, spread, 1.0), 0.0)
        # Angles are seen from 0.
        centred = self.graph_weights != "cosine"
        if not scipy.sparse.issparse(X):
            if not centred:
                return ScaledRows(X * scale, (low + mean) * scale)
            scaled = np.subtract(X, low, dtype=np.float64)
            scaled -= mean
            scaled *= scale
            return ScaledRows(scaled, np.zeros(d))
        X = scipy.sparse.csc_array(X, dtype=np.float64, copy=True)
        column = np.repeat(np.arange(d), np.diff(X.indptr))
        full = (np.diff(X.indptr) == view.n_rows) & centred
        X.data = (X.data - np.where(full, low, 0.0)[column] - np.where(full, mean, 0.0)[column]) * scale[column]
        return ScaledRows(X, np.where(full, 0.0, low + mean) * scale)

    def graph(self, view: View, X: Any) -> RowGraph:
        """Return the graph of the scaled rows."""
        return neighbour_graph(
            view.run, X, self.n_neighbors, join=self.graph_join, weights=self.graph_weights, width=self.heat_width
        )


def table_of(graph: RowGraph) -> ResultTable:
    """Return what is said of a graph."""
    facts = {
        "edges": len(graph.first),
        "connected parts": graph.n_parts,
        "rows without an edge": int((graph.degree == 0).sum()),
        "squared distance at which a weight is 1/e": graph.width,
    }
    return ResultTable(
        "The graph of near rows", {"what": [*facts], "value": [float(v) for v in facts.values()]}, "rows"
    )


class GraphScore(ScoreBase):
    """A ranking whose criterion begins with `GraphOptions`."""

    _parameter_constraints: dict = GRAPH_CONSTRAINTS

    def _tags_in_use(self) -> MethodTags:
        # Units rule the graph unless they are made equal.
        tags = super()._tags_in_use()
        return tags if vars(self)["standardize"] else tags.unchanged_only_by(("row_order_untied",))

    def _options(self) -> GraphOptions:
        made: Any = self
        return GraphOptions(
            made.n_neighbors, made.graph_weights, made.graph_join, made.heat_width, bool(made.standardize)
        )
