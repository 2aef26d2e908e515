"""What machete and scythe share: the region of a query, peeled until few rows are left."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from fewer.core.kernels import peels
from fewer.core.records.params import Interval
from fewer.core.records.result_table import ResultTable
from fewer.core.views.view import View
from fewer.methods.local._local_metric import Found, LocalMetricClassifier

# Rows among which a feature is looked at, at least.
LEAST_WINDOW = 10


class PeeledClassifier(LocalMetricClassifier):
    """Base of classifiers that leave, peel by peel, the rows that are nearest along what tells the classes."""

    _peeling: dict[str, Any] = {
        "peel": [Interval(Real, 0, 1, closed="neither")],
        "window": [Interval(Real, 0, 1, closed="right")],
    }
    peel: float
    window: float

    def _sharpness(self) -> float:
        """Return how much the strongest feature is preferred, infinite if it alone counts."""
        return float("inf")

    def _prepare(self, data: View) -> None:
        self._columns = np.ascontiguousarray(self._points.T)
        self._orders = np.argsort(self._columns, axis=1, kind="stable").astype(np.int32)

    def _peeled(self, queries: np.ndarray, k: int) -> tuple[np.ndarray, ...]:
        n = len(self._points)
        steps, left = 0, n
        while left > k:
            left, steps = max(k, int(self.peel * left)), steps + 1
        shape = (len(queries), k)
        index, distance, weights = np.empty(shape, np.int64), np.empty(shape), np.empty(queries.shape)
        features, sizes = np.empty((len(queries), steps), np.int64), np.empty((len(queries), steps), np.int64)
        peels.peel(
            queries, self._columns, self._codes, self._orders, len(self.classes_), k, float(self.peel),
            float(self.window), LEAST_WINDOW, self._sharpness(), index, distance, weights, features, sizes,
        )  # fmt: skip
        return distance, index, weights, features, sizes

    def _nearest_at(self, queries: np.ndarray, k: int) -> Found:
        distance, index, *_ = self._peeled(queries, k)
        return distance, index

    def _relevance_at(self, queries: np.ndarray) -> np.ndarray:
        return self._peeled(queries, self.n_neighbors)[2]

    def peels(self, X: Any) -> list[ResultTable]:
        """Return the peels of every row: the strongest feature, -1 where all count alike, and how many rows were left.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The queries.

        Returns
        -------
        list of ResultTable
            One table per query, one line per peel, the first first.
        """
        parts = self._by_block(self._rows(X), lambda queries: self._peeled(queries, self.n_neighbors)[3:])
        numbers = np.append(np.flatnonzero(self._scaling.varies), -1)
        tables = []
        for features, sizes in parts:
            for strongest, left in zip(features, sizes):
                columns = {"feature": numbers[strongest[left > 0]], "rows left": left[left > 0]}
                tables.append(ResultTable("Peels", columns, "rows", ("feature",)))
        return tables
