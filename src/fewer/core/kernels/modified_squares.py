"""One pass of C-modified least squares over the features of a sparse matrix."""

from __future__ import annotations

from fewer.core.kernels._jit import kernel


@kernel
def modified_squares_pass(values, rows, starts, signs, squares, penalty, modified, weights, margins):
    """Change every weight once (Gauss-Seidel) and return the largest change.

    ``signs`` holds the classes -1 and 1, ``margins`` y w'x of every row. Rows beyond the margin 1 count ``modified``
    times: 1 is least squares, 0 the squared hinge.
    """
    largest = 0.0
    for j in range(len(weights)):
        slope = penalty * weights[j]
        for p in range(starts[j], starts[j + 1]):
            i = rows[p]
            lack = 1.0 - margins[i]
            if lack < 0.0:
                lack *= modified
            slope -= lack * values[p] * signs[i]
        if squares[j] == 0.0:
            # A column of zeros: with no penalty, too, its weight stays 0.
            continue
        change = -slope / (penalty + squares[j])
        weights[j] += change
        for p in range(starts[j], starts[j + 1]):
            margins[rows[p]] += change * values[p] * signs[rows[p]]
        largest = max(largest, abs(change))
    return largest
