"""Ways of rows through fitted trees, and new ways when some columns are taken from other rows.

Trees lie one behind another: ``roots[t]`` is where those of tree ``t`` begin, children are counted from there.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def _child(value, at, root, left, right, threshold, missing_left):
    """Return the node after a node that is no leaf."""
    goes_left = missing_left[at] != 0 if np.isnan(value) else value <= threshold[at]
    return root + (left[at] if goes_left else right[at])


@kernel
def leaves_of_rows(X, roots, left, right, feature, threshold, missing_left, leaves):
    """Write for every row and tree the leaf that the row falls into, as a number among all nodes.

    Parameters
    ----------
    X : ndarray of float32 of shape (n_rows, n_features)
    roots : ndarray of int64 of shape (n_trees,)
    left, right, feature : ndarray of int64 of shape (n_nodes,)
        Children, both -1 at leaves, and the column that is asked.
    threshold : ndarray of float64 of shape (n_nodes,)
    missing_left : ndarray of uint8 of shape (n_nodes,)
    leaves : ndarray of int32 of shape (n_rows, n_trees)
        Written.
    """
    for i in range(X.shape[0]):
        for t in range(len(roots)):
            at = roots[t]
            while left[at] >= 0:
                at = _child(X[i, feature[at]], at, roots[t], left, right, threshold, missing_left)
            leaves[i, t] = at


@kernel
def find_meetings(X, roots, left, right, feature, threshold, missing_left, unit, ends, seen, rows, trees, nodes):
    """Find the pairs of row and tree where a column of a unit is asked, by unit, then row, then tree.

    Parameters
    ----------
    X, roots, left, right, feature, threshold, missing_left
        As for `leaves_of_rows`.
    unit : ndarray of int64 of shape (n_features,)
        The unit of each column, -1 for columns that are not of interest.
    ends : ndarray of int64 of shape (n_units,)
        Where the pairs of each unit begin; at last where they end.
    seen : ndarray of int64 of shape (n_units,)
        Work space, -1 at first.
    rows, trees, nodes : ndarray of int32 of shape (n_pairs,)
        Written, with the first node that asks; of length 0 if the pairs are only counted.
    """
    writes, stamp = len(rows) > 0, 0
    for i in range(X.shape[0]):
        for t in range(len(roots)):
            at = roots[t]
            while left[at] >= 0:
                u = unit[feature[at]]
                if u >= 0 and seen[u] != stamp:
                    seen[u] = stamp
                    if writes:
                        rows[ends[u]], trees[ends[u]], nodes[ends[u]] = i, t, at
                    ends[u] += 1
                at = _child(X[i, feature[at]], at, roots[t], left, right, threshold, missing_left)
            stamp += 1


@kernel
def sums_of_leaves(leaves, values, sums):
    """Add up the values of the leaves of every row, tree after tree.

    Parameters
    ----------
    leaves : ndarray of int32 of shape (n_rows, n_trees)
    values : ndarray of float64 of shape (n_nodes, n_outputs)
    sums : ndarray of float64 of shape (n_rows, n_outputs)
        Written.
    """
    for i in range(leaves.shape[0]):
        sums[i] = 0.0
        for t in range(leaves.shape[1]):
            for k in range(values.shape[1]):
                sums[i, k] += values[leaves[i, t], k]


@kernel
def changed_sums(
    X, roots, left, right, feature, threshold, missing_left, unit, u, order, rows, trees, nodes, leaves, values, sums
):
    """Write the sums of rows that fall into other leaves when a unit of columns is taken from other rows.

    They are added up tree after tree, as those of all rows are, so that they are the same to the last bit.

    Parameters
    ----------
    X, roots, left, right, feature, threshold, missing_left
        As for `leaves_of_rows`.
    unit, u
        The unit of each column, and that which changes.
    order : ndarray of int64 of shape (n_rows,)
        The row from which each row takes the columns.
    rows, trees, nodes
        The pairs of this unit, as `find_meetings` writes them.
    leaves : ndarray of int32 of shape (n_rows, n_trees)
        Where rows fall before.
    values, sums
        As for `sums_of_leaves`; the sums of rows that stay in their leaves are not touched.

    Returns
    -------
    int
        How many rows fall into another leaf.
    """
    n_changed, own, pair = 0, np.empty(len(roots), dtype=np.int32), 0
    while pair < len(rows):
        i = rows[pair]
        other, moves = order[i], False
        own[:] = leaves[i]
        while pair < len(rows) and rows[pair] == i:
            t, at = trees[pair], np.int64(nodes[pair])
            while left[at] >= 0:
                j = feature[at]
                value = X[other, j] if unit[j] == u else X[i, j]
                at = _child(value, at, roots[t], left, right, threshold, missing_left)
            moves |= at != own[t]
            own[t] = at
            pair += 1
        if moves:
            n_changed += 1
            sums[i] = 0.0
            for t in range(len(roots)):
                for k in range(values.shape[1]):
                    sums[i, k] += values[own[t], k]
    return n_changed
