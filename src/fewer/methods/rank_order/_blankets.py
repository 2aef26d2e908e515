"""Koller and Sahami's elimination on orders: drop what a few other features say as well."""

from __future__ import annotations

import numpy as np

from fewer.core.measures.count_logs import CountLogs
from fewer.core.measures.orders import doubt, order_patterns
from fewer.core.summaries.pair_orders import OrderCounts
from fewer.core.views.view import View
from fewer.methods.rank_order._divergence import known_values


class LeastBeyondBlanket:
    """Remove the feature that adds least to the order of the few features that tell most together with it.

    The blanket of k are the features i for which the order of the pair (i, k) tells most about the classes. A
    projection ranks again, so what a pair or a blanket tells does not change while its features are left: only
    blankets that lost a member are looked at again.
    """

    value = 0.0

    def __init__(self, size: int) -> None:
        self.size = size

    def start(self, view: View) -> None:
        """Find all blankets."""
        block = view.whole()
        self.values, self.y, self.n_classes = known_values(block.codes), block.y, view.n_classes
        self.logs = CountLogs.up_to(view.n_rows)
        self.before = view.fold(OrderCounts(view.n_classes)).before
        self.known = (block.codes > 0).astype(float)
        n = view.n_features
        self.here, self.lost = np.ones(n, bool), np.zeros(n, np.int64)
        self.blankets: list[np.ndarray] = [np.empty(0, np.int64)] * n
        for k in range(n):
            self._look(k)

    def pair_doubts(self, k: int) -> np.ndarray:
        """Return n H(C | order of the pair) for k with every feature; that with itself compares nothing."""
        low = self.before[:, k].astype(np.int64)
        high = self.before[:, :, k].astype(np.int64)
        member = np.arange(self.n_classes)[:, None] == self.y
        both = np.rint((member * self.known[:, k]) @ self.known).astype(np.int64)
        rows = member.sum(axis=1)[:, None]
        both[:, k] = 0
        cells = np.stack([low, high, both - low - high, rows - both])
        cells[2, :, k] = 0
        return (self.logs.terms[cells.sum(axis=1)] - self.logs.terms[cells].sum(axis=1)).sum(axis=0)

    def _look(self, k: int) -> None:
        others = np.flatnonzero(self.here & (np.arange(len(self.here)) != k))
        best = np.argsort(self.pair_doubts(k)[others], kind="stable")[: self.size]
        blanket = self.blankets[k] = others[best]
        told = doubt(order_patterns(self.values[:, blanket]), self.y, self.logs)
        self.lost[k] = told - doubt(order_patterns(self.values[:, np.append(blanket, k)]), self.y, self.logs)

    def worst(self, left: np.ndarray) -> int:
        """Return the feature that adds least to its blanket."""
        at = len(left) - 1 - int(np.argmin(self.lost[left][::-1]))
        self.value = float(self.logs.nats(self.lost[left[at]], len(self.y)))
        return int(left[at])

    def remove(self, feature: int) -> None:
        """Take a feature away and fill the blankets that it was in."""
        self.here[feature] = False
        for k in np.flatnonzero(self.here):
            if feature in self.blankets[k]:
                self._look(int(k))
