"""Which class has the largest number, as numpy's argmax finds it."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def choose(answers, bounds, slack, chosen, close):
    """Fill chosen[s, i] = argmax of answers[s, i], of equal ones the first, with NaN above all.

    close[s, f] tells whether in some row of fold f, rows bounds[f]:bounds[f + 1], the two largest numbers differ by no
    more than slack times (1 + the largest); a negative slack never.
    """
    n_classes = answers.shape[2]
    for s in range(answers.shape[0]):
        for f in range(bounds.shape[0] - 1):
            for i in range(bounds[f], bounds[f + 1]):
                row = answers[s, i]
                best, second, place = row[0], -np.inf, 0
                for c in range(1, n_classes):
                    if best != best:
                        break
                    if row[c] > best or row[c] != row[c]:
                        second, best, place = best, row[c], c
                    elif row[c] > second:
                        second = row[c]
                chosen[s, i] = place
                if best - second <= slack * (1.0 + abs(best)):
                    close[s, f] = True
