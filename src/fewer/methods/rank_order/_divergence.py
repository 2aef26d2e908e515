"""What the orders of a shrinking set of features still tell about the classes."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels import row_orders as kernels
from fewer.core.measures.count_logs import CountLogs
from fewer.core.measures.orders import doubt, order_patterns
from fewer.core.views.view import View


def known_values(codes: np.ndarray) -> np.ndarray:
    """Return places as numbers, NaN where unknown."""
    return np.where(codes == 0, np.nan, codes.astype(float))


def divergence_path(codes: np.ndarray, y: np.ndarray, removed: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Return the subset divergence, in nats, before the first removal and after each.

    Goes backwards: a feature that joins splits groups of rows in equal order by the place where it comes in, until the
    groups are those of all features. No hash is involved.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Places of a `RankBlock`.
    y : ndarray of int64
        Class numbers.
    removed, left : ndarray of int64
        Features in the order of their removal, and those that stayed.
    """
    logs = CountLogs.up_to(len(codes))
    values = known_values(codes)
    finest = order_patterns(values)
    groups, n_finest, floor = order_patterns(values[:, left]), int(finest.max()) + 1, doubt(finest, y, logs)
    lost = np.zeros(len(removed) + 1, np.int64)
    known, rows = np.concatenate([left, removed[::-1]]), np.arange(len(codes))
    scratch = np.empty((3, len(codes)), np.int64)
    for step in range(len(removed), -1, -1):
        lost[step] = doubt(groups, y, logs) - floor
        if step == 0 or int(groups.max()) + 1 == n_finest:
            break
        n_known = len(left) + len(removed) - step
        kernels.insertion_place(codes, rows, known, n_known, int(removed[step - 1]), *scratch)
        groups = np.unique(np.vstack([groups, scratch]), axis=1, return_inverse=True)[1].reshape(-1)
    return logs.nats(lost, len(codes))


class LeastDivergence:
    """Greedy KL: remove the feature without which the orders tell most about the classes.

    Every comparison of two features in a row has a fixed 128-bit word and a row is the sum of its words, so that
    leaving a feature out is a subtraction. Two rows in different order agree with a chance of about 2 ** -128.
    """

    value = 0.0

    def start(self, view: View) -> None:
        """Hash all rows."""
        block = view.whole()
        self.codes, self.y = np.ascontiguousarray(block.codes.T), block.y
        n, m = self.codes.shape
        self.salts = np.array([0x243F6A8885A308D3, 0x13198A2E03707344], np.uint64)
        self.parts, self.total = np.zeros((n, m, 2), np.uint64), np.zeros((m, 2), np.uint64)
        kernels.hash_comparisons(self.codes, np.arange(n), self.salts, self.parts, self.total)
        self.logs = CountLogs.up_to(m)
        self.floor = doubt(order_patterns(known_values(block.codes)), self.y, self.logs)
        size = 1 << (2 * m - 1).bit_length()
        self.table, self.cells = np.empty((size, 2), np.uint64), np.zeros((size, view.n_classes + 1), np.int64)
        self.left = np.arange(n)

    def worst(self, left: np.ndarray) -> int:
        """Return the feature whose removal leaves the least divergence."""
        self.left, doubts = left, np.empty(len(left), np.int64)
        kernels.candidate_doubts(left, self.parts, self.total, self.y, self.logs.terms, self.table, self.cells, doubts)
        at = len(left) - 1 - int(np.argmin(doubts[::-1]))
        self.value = float(self.logs.nats(doubts[at] - self.floor, len(self.y)))
        return int(left[at])

    def remove(self, feature: int) -> None:
        """Take a feature out of all hashes."""
        kernels.unhash(self.codes, self.left, feature, self.salts, self.parts, self.total)
