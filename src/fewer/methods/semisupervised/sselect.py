"""Features that follow the graph of all rows and agree with the labels of some."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.graph_scores import GRAPH_CONSTRAINTS, GraphOptions, GraphScore, table_of
from fewer.core.neighbours.laplacian import smoothness
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import row_labels
from fewer.core.stop import Stop
from fewer.core.views.view import View

# Values this near to the mean, as a fraction of the largest distance from it, are on neither side.
ON_THE_MEAN = 1e-12
PATH = np.linspace(0.0, 1.0, 11)
# Features whose scores are shown for all weights.
MOST_LINES = 12


@dataclass(frozen=True)
class FewLabelsCriterion(RankingCriterion):
    """Smoothness on the graph and agreement with the labels, weighted."""

    options: GraphOptions = field(default_factory=GraphOptions)
    locality: float = 0.1
    entropy_norm: str = "max"
    requires = ("dense", "sparse")

    def scores(self, view: View) -> Ranking:
        """Score all features."""
        known = np.ones(view.n_rows, bool) if view.labelled is None else np.asarray(view.labelled, bool)
        labels = np.asarray(view.whole().y)[known]
        rows = self.options.rows(view)
        if self.locality == 0:
            agreement = self._agreement(_taken(rows.X, known), None, labels)
            return Ranking(agreement, columns={"agreement": agreement}, constant=_constant(rows.X))
        graph = self.options.graph(view, rows.X)
        found = smoothness(view.run, rows.X, graph)
        smooth = 2.0 - np.where(found.constant, 2.0, found.laplacian)
        agreement = np.where(found.constant, 0.0, self._agreement(_taken(rows.X, known), found.mean, labels))
        scores = self.locality * smooth + (1.0 - self.locality) * agreement
        return Ranking(
            scores,
            columns={"smoothness": smooth, "agreement": agreement},
            constant=found.constant,
            tables={"graph": table_of(graph), "weights": _path(smooth, agreement, scores)},
        )

    def _agreement(self, X: Any, mean: np.ndarray | None, labels: np.ndarray) -> np.ndarray:
        """Return the mutual information of the side of the mean and the label, as a fraction of an entropy."""
        mean = np.asarray(X.mean(axis=0)).ravel() if mean is None else mean
        codes = np.unique(labels, return_inverse=True)[1]
        counts = (_sparse_sides if scipy.sparse.issparse(X) else _dense_sides)(X, mean, codes)
        p = counts.transpose(2, 0, 1) / len(labels)
        sides, classes = _entropy(p.sum(axis=2)), _entropy(p.sum(axis=1))
        shared = sides + classes - _entropy(p.reshape(len(p), -1))
        norm = np.maximum(sides, classes) if self.entropy_norm == "max" else np.sqrt(sides * classes)
        fraction = np.divide(shared, norm, out=np.zeros(len(p)), where=norm > 0)
        return np.clip(np.where(sides > 0, fraction, 0.0), 0.0, 1.0)


class SSelect(GraphScore):
    r"""Keep features that change little between near rows and agree with the few labels that are known.

    With the Laplacian score L of a feature on the graph of all rows and the sign of its distance g from the mean of the
    graph, which divides the rows in two, the score is :math:`\lambda (2 - L) + (1 - \lambda) NMI(sign(g), y)` over the
    rows with a label: spectral selection with few labels [1]_, [2]_.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    locality : float, default=0.1
        The weight lambda of the graph, from 0 (labels alone) to 1 (the graph alone).
    entropy_norm : {"max", "sqrt"}, default="max"
        Whether mutual information is divided by the larger of both entropies or by the root of their product.
    n_neighbors : int, default=10
        Number of nearest rows with which each row is joined, all others if there are fewer.
    graph_weights : {"heat", "binary", "cosine"}, default="heat"
        Weights of the edges: exp(-squared distance / width), 1, or the cosine of the angle between the rows.
    graph_join : {"either", "both"}, default="either"
        Whether rows are joined if either is among the nearest of the other, or only if both are.
    heat_width : float or None, default=None
        Squared distance at which a "heat" weight has fallen to 1/e; None is the mean over all rows and their nearest.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    LaplacianScore : The graph alone.
    ConstraintProjection : Axes from few labels, or from pairs of rows.

    Notes
    -----
    Rows without a label have -1, also as text, or a missing value in y, in arrays and in files. In the paper a smaller
    score is better: it adds L and 1 - NMI.
    Several classes are compared with two sides of the mean all the same. At ``locality=0`` no graph is made, and the
    mean is that of the rows with a label, so that nothing depends on the others; at any larger weight it is the mean of
    all rows, each counted by its degree, as in the definition of g. A constant feature has no score there and 0 here.
    The table ``weights`` tells the scores of the best features for all weights of the graph.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 1.2.
    .. [2] Z. Zhao and H. Liu, "Semi-supervised feature selection via spectral analysis", SDM 2007.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.integers(0, 2, (2, 60))
    >>> X = np.column_stack([6 * a, 6 * b, np.zeros(60)]) + rng.normal(size=(60, 3))
    >>> y = np.full(60, -1)
    >>> y[:8] = b[:8]
    >>> SSelect(1).fit(X, y).selection_.indices.tolist()
    [1]
    """

    method_tags = MethodTags(
        targets=("classes", "partly labelled"),
        views=("dense", "sparse"),
        handles_sparse=True,
        invariance=("scale_untied", "row_order_untied"),
        cost="n^2*d",
    )
    _parameter_constraints: dict = {
        **GRAPH_CONSTRAINTS,
        "locality": [Interval(Real, 0, 1, closed="both")],
        "entropy_norm": [StrOptions({"max", "sqrt"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        locality: float = 0.1,
        entropy_norm: str = "max",
        n_neighbors: int = 10,
        graph_weights: str = "heat",
        graph_join: str = "either",
        heat_width: float | None = None,
        standardize: bool = True,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.locality = locality
        self.entropy_norm = entropy_norm
        self.n_neighbors = n_neighbors
        self.graph_weights = graph_weights
        self.graph_join = graph_join
        self.heat_width = heat_width
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _labels(self, y: Any) -> Any:
        # An array would write -1 and NaN beside text as text.
        flat = isinstance(y, list | tuple) and not any(np.ndim(label) for label in y)
        return row_labels(type(self).__name__, y) if flat else y

    def _criterion(self) -> FewLabelsCriterion:
        return FewLabelsCriterion(self._options(), float(self.locality), self.entropy_norm)


def _taken(X: Any, known: np.ndarray) -> Any:
    """Return the rows with a label; a sparse matrix stays so."""
    return X.tocsr()[known].tocsc() if scipy.sparse.issparse(X) else np.asarray(X[known], dtype=np.float64)


def _side(about: np.ndarray, far: np.ndarray) -> np.ndarray:
    """Return 0 for what is below 0, 2 for what is above and 1 for what is neither."""
    return np.where(np.abs(about) <= ON_THE_MEAN * far, 0, np.sign(about)).astype(np.int64) + 1


def _dense_sides(X: np.ndarray, mean: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return how many rows of every class, the second axis, are on every side of the mean, the first, by feature."""
    about = X - mean
    side = _side(about, np.abs(about).max(axis=0, initial=0.0))
    return np.array([[(side[codes == c] == s).sum(axis=0) for c in range(codes.max() + 1)] for s in range(3)])


def _sparse_sides(X: Any, mean: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the same; all zeros of a column are on one side."""
    (n, d), n_classes, stored = X.shape, codes.max() + 1, np.diff(X.indptr)
    column = np.repeat(np.arange(d), stored)
    about = X.data - mean[column]
    far = np.where(stored < n, np.abs(mean), 0.0)
    np.maximum.at(far, column, np.abs(about))
    place = (_side(about, far[column]) * n_classes + codes[X.indices]) * d + column
    counts = np.bincount(place, minlength=3 * n_classes * d).reshape(3, n_classes, d)
    zeros = np.bincount(codes, minlength=n_classes)[:, None] - counts.sum(axis=0)
    counts[_side(-mean, far), :, np.arange(d)] += zeros.T
    return counts


def _constant(X: Any) -> np.ndarray:
    """Return which columns have one value in all rows."""
    low, high = X.min(axis=0), X.max(axis=0)
    return np.asarray((low.toarray() == high.toarray()).ravel() if scipy.sparse.issparse(X) else low == high)


def _entropy(p: np.ndarray) -> np.ndarray:
    """Return the entropy of every line of probabilities."""
    return -(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=1)


def _path(smooth: np.ndarray, agreement: np.ndarray, scores: np.ndarray) -> ResultTable:
    """Return the scores of the best features for all weights of the graph."""
    best = np.argsort(-scores, kind="stable")[:MOST_LINES]
    lines = PATH[:, None] * smooth[best] + (1 - PATH)[:, None] * agreement[best]
    return ResultTable.path("Scores by the weight of the graph", "weight of the graph", PATH, lines, best)
