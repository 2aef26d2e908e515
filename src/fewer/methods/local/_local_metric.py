"""Nearest neighbours under a metric of the query's own: the base of the local classifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from fewer.core.estimators.classifier import VotingClassifier
from fewer.core.estimators.clusterer import by_weight
from fewer.core.estimators.late_selection import LateSelection
from fewer.core.estimators.point_reasons import PointReasons, point_reasons
from fewer.core.neighbours.query_spaces import QUERIES_AT_ONCE, WeightedRows
from fewer.core.neighbours.topk import nearest
from fewer.core.records.errors import InputError
from fewer.core.records.params import whole_from
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.view import View
from fewer.methods.local._scaling import Scaling

# Training rows at which the features are weighed for the selection.
SAMPLED_ROWS = 500
Found = tuple[np.ndarray, np.ndarray]


class LocalMetricClassifier(LateSelection, VotingClassifier):  # type: ignore[override]
    r"""Base of classifiers by the K nearest rows under :math:`D(x_0, x) = \|W(x_0) (x_0 - x)\|`, eq. 11.1 to 11.3.

    A method implements `_weights_at`, which returns the weights of all features at queries, or `_nearest_at` and
    `_relevance_at` where its metric is more than weights. What can be computed before queries come is done in
    `_prepare`.
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes",), views=("dense",), invariance=("scale_untied", "row_order_untied"), cost="n*d"
    )
    # Constraints of what all of them take.
    _shared: ClassVar[dict[str, Any]] = {
        "n_neighbors": [whole_from(1)],
        "standardize": ["boolean"],
        "random_state": "no_validation",
        "n_jobs": [None, int],
    }
    n_neighbors: int
    standardize: bool
    random_state: Any
    n_jobs: int | None

    def _learn(self, data: View) -> None:
        block = data.whole()
        if self.n_neighbors > data.n_rows:
            raise InputError(
                f"{type(self).__name__} got n_neighbors={self.n_neighbors}, but X has n_samples = {data.n_rows}, and "
                "neighbours are rows of X; choose a smaller n_neighbors or add rows."
            )
        X = np.asarray(block.X, np.float64)
        self._scaling = Scaling.of(X, self.standardize)
        self._points, self._codes = self._scaling.applied(X), np.ascontiguousarray(block.y, np.int64)
        self._sampled = np.arange(data.n_rows)
        if data.n_rows > SAMPLED_ROWS:
            rng = np.random.default_rng(self.random_state)
            self._sampled = np.sort(rng.choice(data.n_rows, SAMPLED_ROWS, replace=False))
        self._forget(data)
        self._prepare(data)

    def _prepare(self, data: View) -> None:
        """Compute what the metric of all queries needs."""

    def _weights_at(self, queries: np.ndarray) -> np.ndarray:
        """Return the weights of the features at queries; every row sums to 1."""
        raise NotImplementedError

    def _nearest_at(self, queries: np.ndarray, k: int) -> Found:
        """Return squared distances and numbers of the k nearest training rows of queries, nearest first."""
        there = WeightedRows(queries, self._weights_at(queries))
        found = nearest(there, WeightedRows(self._points), k, 0, len(queries))
        return found.distance[:, 0], found.index[:, 0]

    def _relevance_at(self, queries: np.ndarray) -> np.ndarray:
        """Return how much each feature counts at queries; every row sums to 1."""
        return self._weights_at(queries)

    def kneighbors(self, X: Any, n_neighbors: int | None = None) -> Found:
        """Return distances and row numbers of the nearest training rows, each row by its own metric.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The queries.
        n_neighbors : int, optional
            How many; as many as vote by default.

        Returns
        -------
        distances, indices : ndarray of shape (n_samples, n_neighbors)
            Nearest first; of equally far rows the lower number.
        """
        return self._neighbors(self._rows(X), self.n_neighbors if n_neighbors is None else n_neighbors)

    def _neighbors(self, rows: np.ndarray, k: int) -> Found:
        if not 1 <= k <= len(self._points):
            raise InputError(
                f"{type(self).__name__} looks for {k} neighbours, but was fitted on n_samples = {len(self._points)}; "
                "ask for at least 1 and at most as many."
            )
        parts = self._by_block(rows, lambda queries: self._nearest_at(queries, k))
        distance, index = (np.concatenate([part[at] for part in parts]) for at in (0, 1))
        return np.sqrt(distance) * self._scaling.unit, index

    def _by_block(self, rows: np.ndarray, work: Callable[[np.ndarray], Any]) -> list[Any]:
        """Return what some work says of blocks of queries, on threads."""
        queries = self._scaling.applied(rows)
        with ThreadRunner(self.n_jobs) as run:
            return run.scan(lambda start, stop: work(queries[start:stop]), len(queries), self._block())

    def _block(self) -> int:
        """Return how many queries are worked on at once."""
        return QUERIES_AT_ONCE

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        return self._counted(self._neighbors(rows, self.n_neighbors)[1])[0]

    def _counted(self, index: np.ndarray) -> Found:
        """Return the votes for each class, and the place of its nearest voter."""
        of_class = self._codes[index][:, :, None] == np.arange(len(self.classes_))
        nearest_of = np.where(of_class.any(axis=1), of_class.argmax(axis=1), index.shape[1])
        return of_class.sum(axis=1), nearest_of

    def predict(self, X: Any) -> np.ndarray:
        """Return the class with most votes of every row; of equal ones that of the nearest voter."""
        best = self._decided(self.kneighbors(X)[1])[1]
        return self.classes_[best]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the fraction of votes for every class, (n_samples, n_classes).

        Of equal ones that of the predicted class is larger by its last digit, so that the largest tells the class.
        """
        votes, best = self._decided(self.kneighbors(X)[1])
        shares = votes / votes.sum(axis=1, keepdims=True)
        rows = np.arange(len(best))
        tied = (votes == votes[rows, best][:, None]).sum(axis=1) > 1
        shares[rows[tied], best[tied]] = np.nextafter(shares[rows[tied], best[tied]], 1.0)
        return shares

    def _decided(self, index: np.ndarray) -> Found:
        """Return the votes for each class, and the number of the class that wins."""
        votes, nearest_of = self._counted(index)
        return votes, (votes * (index.shape[1] + 1) - nearest_of).argmax(axis=1)

    def local_relevance(self, X: Any) -> np.ndarray:
        """Return how much every feature counts at every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The queries.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Weights of the features; every row sums to 1. Features that are constant in the training rows have none.
        """
        return self._scaling.spread(np.concatenate(self._by_block(self._rows(X), self._relevance_at)))

    def explain(self, X: Any) -> PointReasons:
        """Return, for every row, its class, who voted, and which features count there more than on average.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The queries.

        Returns
        -------
        PointReasons
            Prints itself; ``report(path)`` writes a page, ``plot()`` draws the weights.
        """
        return point_reasons(self, X)

    def _late_selection(self) -> Selection:
        queries = self._points[self._sampled]
        with ThreadRunner(self.n_jobs) as run:
            parts = run.scan(lambda a, b: self._relevance_at(queries[a:b]), len(queries), self._block())
        weights = self._scaling.spread(np.concatenate(parts))
        codes = self._codes[self._sampled]
        mean, order = weights.mean(axis=0), np.argsort(-weights.mean(axis=0), kind="stable")
        there = [c for c in range(len(self.classes_)) if (codes == c).any()]
        columns = {str(self.classes_[c]): weights[codes == c].mean(axis=0)[order] for c in there}
        table = ResultTable("Mean weight at rows of each class", {"feature": order, **columns}, "matrix", ("feature",))
        n, drawn = len(codes), len(codes) < len(self._codes)
        how = f"{n:,} of {len(self._codes):,} training rows, drawn by random_state" if drawn else "all training rows"
        note = f"Scores are mean local weights at {how}; a single point may be told by other features."
        return by_weight(mean, classes=table).with_meta(notes=[note])
