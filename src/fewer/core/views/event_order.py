"""How columns order rows that are known to have their event one before the other."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels.event_pairs import event_pairs
from fewer.core.runners.runner import Runner
from fewer.core.views.column_ranks import column_ranks


def ordered_pairs(X: np.ndarray, time: np.ndarray, event: np.ndarray, run: Runner) -> np.ndarray:
    """Return pairs in which the earlier event has the larger value, equal values, and all pairs, (n_features, 3).

    A pair is counted if the event of one row was seen before the time of the other, or at a time at which the other is
    known to have had none.
    """
    # The latest first; rows of one time without an event before those with one.
    order = np.lexsort((event, -time))
    times = time[order]
    bounds = np.append(np.flatnonzero(np.concatenate([[True], times[1:] != times[:-1]])), len(times))
    n_censored = np.add.reduceat((~event[order]).astype(np.int64), bounds[:-1])

    def use(ranks: np.ndarray, ties: np.ndarray) -> np.ndarray:
        # Midranks are halves.
        levels = (2 * ranks[:, order]).astype(np.int64)
        tree, out = np.empty(2 * len(time) + 1, np.int64), np.empty((len(ranks), 3))
        for k, column in enumerate(levels):
            event_pairs(column, bounds, n_censored, tree, out[k])
        return out

    return np.concatenate(column_ranks(X, run, use))
