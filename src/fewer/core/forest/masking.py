"""Which columns could stand in for which in the splits of trees."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fewer.core.forest.binned import Binned
from fewer.core.forest.trees import Tree
from fewer.core.kernels import forest_reads


def masking_matrix(data: Binned, trees: Iterable[Tree]) -> np.ndarray:
    """Return M, in which M[i, j] tells how much of what splits on i explain could be had by splits on j.

    M[i, j] is the mean over the trees of the sum over the splits on column i of the weighted drop of impurity times the
    association lambda of the best surrogate split on column j, where that is above 0 (Tuv, Borisov, Runger and
    Torkkola, 2009); M[i, i] is the importance of column i.

    Parameters
    ----------
    data : Binned
        The columns from which the trees were grown.
    trees : iterable of Tree
        The trees.

    Returns
    -------
    ndarray of shape (n_columns, n_columns)
    """
    p, count = data.codes.shape[1], 0
    masking = np.zeros((p, p))
    for tree in trees:
        forest_reads.add_masking(
            data.columns, data.nominal, data.missing, tree.nodes, tree.drops, tree.rows, tree.bag, masking
        )
        count += 1
    return masking / max(count, 1)
