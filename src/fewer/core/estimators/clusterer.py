"""BaseClusterer: read, group, store; where features are weighted on the way, say which matter."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.estimators.origin import with_facts
from fewer.core.estimators.told_tags import tell_scikit_learn
from fewer.core.estimators.whole_rows import read_rows
from fewer.core.reading.new_rows import read_again
from fewer.core.records.ranking import steady
from fewer.core.records.reasons import IRRELEVANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.sparse_input import check_structure
from fewer.core.views.view import View


class BaseClusterer(ClusterMixin, BaseEstimator):
    """Base of every method that groups rows. A method implements `_group`, and declares `method_tags`.

    `_group` sets ``labels_``. A method that weighs features implements `_selection`, too, and then has `selection_`;
    one that gives new rows to its groups implements `predict` by `_rows`.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row, -1 for none.
    clusters_ : ResultTable
        One line per cluster: its number, its rows, and what else the method knows of it.
    """

    contract: ClassVar[str] = "clusterer"
    method_tags: ClassVar[MethodTags]
    labels_: np.ndarray
    clusters_: ResultTable

    def fit(self, X: Any, y: Any = None) -> Any:
        """Find groups of rows.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Table in memory of shape (n_samples, n_features)
            The data.
        y : None
            Ignored; here for pipelines.

        Returns
        -------
        self : object
            The fitted clusterer.
        """
        return self._fit(X)

    def _fit(self, X: Any, weight: Any = None, pairs: Any = None) -> Any:
        self.check()
        begin = time.perf_counter()
        with ThreadRunner(getattr(self, "n_jobs", None)) as run:
            data = read_rows(self, X, None, weight, run).with_pairs(type(self).__name__, pairs)
            self._labels_of_levels = dict(data.labels)
            self._group(data)
            self.clusters_ = self._clusters(data)
            selection = self._selection(data)
        if selection is not None:
            tables = {"clusters": self.clusters_, **selection.tables}
            found = selection.settled().with_tables(**tables)
            self.selection_ = with_facts(self, self.method_tags, found, data, begin)
        return self

    def check(self) -> None:
        """Raise, before any work and without data, if parameters are not allowed."""
        self._validate_params()

    def _group(self, data: View) -> None:
        """Find groups of rows in memory and set ``labels_`` and what else was learned."""
        raise NotImplementedError

    def _clusters(self, data: View) -> ResultTable:
        """Return one line per cluster."""
        numbers, rows = np.unique(self.labels_, return_counts=True)
        return ResultTable("Rows per cluster", {"cluster": numbers, "rows": rows})

    def _selection(self, data: View) -> Selection | None:
        """Return which features the clusters are told by and why, if the method weighs them."""
        return None

    def _rows(self, X: Any) -> Any:
        """Return new rows as those of `fit` were read; levels that it has not seen are -1."""
        check_is_fitted(self, "labels_")
        tags = self.method_tags
        if self._labels_of_levels:
            return read_again(self, X, self._labels_of_levels)
        return validate_data(
            self,
            check_structure(type(self).__name__, X),
            reset=False,
            accept_sparse="csr" if tags.handles_sparse else False,
            ensure_all_finite="allow-nan" if tags.handles_nan else True,
        )

    def __sklearn_tags__(self) -> Tags:
        return tell_scikit_learn(super().__sklearn_tags__(), self.method_tags)


def rows_of(data: View) -> Any:
    """Return all rows in memory: a dense array of float64, or a sparse array by rows."""
    X = data.whole().X
    return scipy.sparse.csr_array(X) if scipy.sparse.issparse(X) else np.ascontiguousarray(X, dtype=np.float64)


def by_weight(weights: np.ndarray, **tables: ResultTable) -> Selection:
    """Return a selection by weights of features, those of at least an equal share kept.

    Parameters
    ----------
    weights : ndarray of shape (n_features,) or (n_clusters, n_features)
        Weight of every feature, or of every feature in every cluster; then the largest counts.
    **tables : ResultTable
        What the selection shall carry beside.

    Examples
    --------
    >>> by_weight(np.array([0.1, 0.6, 0.3])).indices.tolist()
    [1]
    """
    each = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    scores, share = each.max(axis=0), 1.0 / each.shape[1]
    order = np.argsort(-steady(scores), kind="stable")
    # Rounding must not drop one of many equal weights.
    kept = order[scores[order] >= share * (1 - 1e-9)]
    rule = f"a weight of at least an equal share is needed{' in some cluster' if len(each) > 1 else ''}"
    line = np.where(np.isin(np.arange(len(scores)), kept), np.minimum(scores, share), share)
    if len(each) > 1:
        tables = {"weights": weights_per_cluster(each), **tables}
    reasons = Reasons.of_kept(len(scores), kept, IRRELEVANT, threshold=line, rule=rule)
    return Selection.build(kept, order, reasons, scores, tables=tables)


def weights_per_cluster(weights: np.ndarray, title: str = "Weights per cluster") -> ResultTable:
    """Return the weight of every feature in every cluster as a table with a line per feature, the strongest first."""
    order = np.argsort(-steady(weights.max(axis=0)), kind="stable")
    columns = {f"cluster {c}": weights[c, order] for c in range(len(weights))}
    return ResultTable(title, {"feature": order, **columns}, "matrix", ("feature",))
