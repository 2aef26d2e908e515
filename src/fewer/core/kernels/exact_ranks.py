"""The null distribution of a sum of ranks, ties and all."""

from __future__ import annotations

import math

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.exact_tables import add_scaled


@kernel
def log_choose(n, k):
    """Return the logarithm of a binomial coefficient."""
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)


@kernel
def rank_sums(sizes, cells, last_size, n_chosen, most, n_cells):
    """Return the joint distribution of how many of ``n_chosen`` rows lie outside the last group, and of their ranks.

    ``cells`` says by how many cells of the grid a row of each other group moves the sum, from 0 on; at most ``most`` of
    the chosen rows lie outside the last group.
    """
    old, used = np.zeros((most + 1, n_cells)), np.zeros(most + 1, np.int64)
    old[0, 0], used[0] = 1.0, 1
    for g in range(len(sizes)):
        # From above, so that no row of the group is taken twice.
        for have in range(most, 0, -1):
            for k in range(1, min(sizes[g], have) + 1):
                if used[have - k]:
                    factor = math.exp(log_choose(sizes[g], k))
                    end = add_scaled(old[have - k], used[have - k], factor, k * cells[g], old[have])
                    used[have] = max(used[have], end)
        largest = old.max()
        if largest > 1e200:
            old /= largest
    best = -np.inf
    for have in range(most + 1):
        if n_chosen - have <= last_size:
            best = max(best, log_choose(last_size, n_chosen - have))
    for have in range(most + 1):
        possible = n_chosen - have <= last_size
        old[have] *= math.exp(log_choose(last_size, n_chosen - have) - best) if possible else 0.0
    return old / old.sum()
