"""Short lists of the most similar features, and blankets taken from them."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def best_candidates(similarity, owners, alive, out):
    """Fill out[r] with the living features most similar to owners[r], best first, of equal ones the lower first.

    similarity (r, d) holds whole numbers; the owner itself is left out; -1 stands where there are no more.
    """
    size = out.shape[1]
    for r in range(owners.shape[0]):
        row, best = similarity[r], out[r]
        found = 0
        for j in range(row.shape[0]):
            if not alive[j] or j == owners[r] or (found == size and row[j] <= row[best[size - 1]]):
                continue
            place = min(found, size - 1)
            while place > 0 and row[best[place - 1]] < row[j]:
                best[place] = best[place - 1]
                place -= 1
            best[place] = j
            found = min(found + 1, size)
        best[found:] = -1


@kernel
def fill_blankets(owners, lists, alive, blankets):
    """Fill blankets[i] with the first living features of lists[i] for every owner i, -1 where there are none.

    Returns for every owner whether its list ended before its blanket was full although more features may live.
    """
    short = np.zeros(owners.shape[0], np.bool_)
    k = blankets.shape[1]
    for q in range(owners.shape[0]):
        i = owners[q]
        found, ended = 0, False
        for j in lists[i]:
            if j < 0:
                ended = True
                break
            if alive[j]:
                blankets[i, found] = j
                found += 1
                if found == k:
                    break
        short[q] = found < k and not ended
        blankets[i, found:] = -1
    return short
