"""Random orders of which only the first places are wanted."""

from __future__ import annotations

from fewer.core.kernels._jit import kernel


@kernel
def first_of_shuffles(state, random, out):
    """Fill out[i] with the first places of one random order after another, of random numbers from 0 to 1.

    ``state`` holds all that is ordered and stays in some order; whichever it is, the next order is as likely as any.
    """
    n = state.shape[0]
    for i in range(out.shape[0]):
        for k in range(out.shape[1]):
            other = k + int(random[i, k] * (n - k))
            state[k], state[other] = state[other], state[k]
            out[i, k] = state[k]
