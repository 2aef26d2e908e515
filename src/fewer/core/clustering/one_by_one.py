"""MacQueen's k-means: two means follow every single move of a row."""

from __future__ import annotations

import numpy as np

from fewer.core.clustering.centres import updated
from fewer.core.clustering.descent import Descent
from fewer.core.kernels.single_moves import move_one_by_one, move_one_by_one_sparse


def run_one_by_one(descent: Descent, max_iter: int) -> Descent:
    """Pass over the rows until none moves; the objective is the sum of squares after each pass.

    The first pass gives rows to the centres at the start; an empty cluster starts again at the farthest row.
    """
    points, k = descent.points, len(descent.centres)
    labels, _, n_new = descent.refilled(descent.nearest(points))
    for _ in range(max_iter):
        counts = np.bincount(labels, minlength=k)
        # The passes move means little by little; here they are summed up again, without what rounding left.
        descent.centres, descent.dispersions = updated(points, labels, descent.centres)
        value = descent.weighting.objective(descent.dispersions, counts, descent.weights)
        if descent.path and value >= descent.path[-1]:
            descent.converged = True
            break
        descent.path.append(value)
        descent.reseeded.append(n_new)
        n_new, means = 0, descent.centres.means.copy()
        if points.sparse:
            X = points.numbers
            moved = move_one_by_one_sparse(X.indptr, X.indices, X.data, labels, means, counts)
        else:
            moved = move_one_by_one(points.numbers, labels, means, counts)
        if not moved:
            descent.converged = True
            break
    descent.labels = descent.nearest(points)
    return descent
