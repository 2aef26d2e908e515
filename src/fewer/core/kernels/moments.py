"""Means, squared deviations and products in one pass over memory."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# No fast kernels: lanes are features, so sums need no new order to use them, and strict ones are the same in every lane
# and in what is left over beside the lanes. Else a score would depend on the processor and on how threads cut features.
# Sums over a piece of this many rows are merged into the running moments; a stretch of a row fills the lanes.
ROWS = 128
LANES = 2048


@kernel
def _add_four(a, b, c, d, wa, wb, wc, wd, centre, sum_d, sum_dd):
    """Add the weighted deviations of four rows and their squares; four at once to spare loads and stores."""
    for j in range(centre.shape[0]):
        m = centre[j]
        da, db, dc, dd = a[j] - m, b[j] - m, c[j] - m, d[j] - m
        sum_d[j] += wa * da + wb * db + wc * dc + wd * dd
        sum_dd[j] += wa * da * da + wb * db * db + wc * dc * dc + wd * dd * dd


@kernel
def _add_one(a, wa, centre, sum_d, sum_dd):
    """Add the weighted deviations of one row and their squares."""
    for j in range(centre.shape[0]):
        da = a[j] - centre[j]
        sum_d[j] += wa * da
        sum_dd[j] += wa * da * da


@kernel
def _merge_piece(seen, piece_w, centre, origin, sum_d, sum_dd, mean, m2):
    """Merge the sums of deviations from centre (the running mean as a float, if anything was seen) into mean and m2.

    Means are kept less the origin. Never reordered: the difference of two near numbers is exact, that of their sums
    with a third is not.
    """
    share = piece_w / (seen + piece_w)
    for j in range(mean.shape[0]):
        d = sum_d[j] / piece_w
        from_origin = centre[j] - origin[j]
        before = mean[j] if seen > 0.0 else from_origin
        # Beside a large origin, the centre is the running mean only to the last digit.
        step = d - (before - from_origin)
        m2[j] += max(sum_dd[j] - d * sum_d[j], 0.0) + step * step * seen * share
        mean[j] = before + step * share


@kernel
def class_moments(X, order, bounds, weight, start, stop, origin, mean, m2):
    """Fill mean[c, j], m2[c, j] for features start..stop of C-contiguous X, reading each value once.

    Means are those of X - origin, so that the classes of a column that varies little about a large number differ.
    Rows of class c are order[bounds[c]:bounds[c + 1]]. Deviations of a piece are taken from the running mean of the
    class (at the start from its first row of weight above 0: another may be far from all that count) and then merged
    (Chan, Golub and LeVeque 1983), so that a large common offset does not cancel the variance.
    """
    first, sum_d, sum_dd = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    for left in range(start, stop, LANES):
        right = min(left + LANES, stop)
        lanes = right - left
        centre, s1, s2 = first[:lanes], sum_d[:lanes], sum_dd[:lanes]
        for c in range(bounds.shape[0] - 1):
            seen = 0.0
            into_mean, into_m2 = mean[c, left - start : right - start], m2[c, left - start : right - start]
            base = origin[left - start : right - start]
            for top in range(bounds[c], bounds[c + 1], ROWS):
                bottom = min(top + ROWS, bounds[c + 1])
                piece_w, at = 0.0, -1
                for k in range(top, bottom):
                    piece_w += weight[order[k]]
                    at = order[k] if at < 0 and weight[order[k]] > 0.0 else at
                if at < 0:
                    continue
                for j in range(lanes):
                    centre[j] = X[at, left + j] if seen == 0.0 else base[j] + into_mean[j]
                s1[:] = 0.0
                s2[:] = 0.0
                fours = top + (bottom - top) // 4 * 4
                for k in range(top, fours, 4):
                    p, q, r, s = order[k], order[k + 1], order[k + 2], order[k + 3]
                    _add_four(
                        X[p, left:right], X[q, left:right], X[r, left:right], X[s, left:right],
                        weight[p], weight[q], weight[r], weight[s], centre, s1, s2,
                    )  # fmt: skip
                for k in range(fours, bottom):
                    _add_one(X[order[k], left:right], weight[order[k]], centre, s1, s2)
                _merge_piece(seen, piece_w, centre, base, s1, s2, into_mean, into_m2)
                seen += piece_w


@kernel
def class_moments_sparse(indptr, indices, data, y, weight, total, start, stop, origin, mean, m2):
    """Fill mean[c, j], m2[c, j] for CSC columns start..stop; total[c] is the weight of class c in all rows.

    The origin of a column is 0 unless it stores all its values. Not reordered, as `_merge_piece`.
    """
    n_classes = total.shape[0]
    stored, left_over = np.zeros(n_classes), np.zeros(n_classes)
    for j in range(start, stop):
        stored[:] = 0.0
        left_over[:] = 0.0
        for k in range(indptr[j], indptr[j + 1]):
            c = y[indices[k]]
            stored[c] += weight[indices[k]]
            mean[c, j - start] += weight[indices[k]] * (data[k] - origin[j - start])
        for c in range(n_classes):
            if total[c] > 0.0:
                mean[c, j - start] /= total[c]
        # A second round takes off what the first sum rounded, so that a constant column has no spread.
        for k in range(indptr[j], indptr[j + 1]):
            c = y[indices[k]]
            left_over[c] += weight[indices[k]] * ((data[k] - origin[j - start]) - mean[c, j - start])
        for c in range(n_classes):
            if total[c] > 0.0:
                # The rows that store nothing hold zero.
                zeros = max(total[c] - stored[c], 0.0)
                mean[c, j - start] += (left_over[c] - zeros * mean[c, j - start]) / total[c]
                m2[c, j - start] = zeros * mean[c, j - start] ** 2
        for k in range(indptr[j], indptr[j + 1]):
            c = y[indices[k]]
            d = (data[k] - origin[j - start]) - mean[c, j - start]
            m2[c, j - start] += weight[indices[k]] * d * d


@kernel
def _add_products(a, b, c, d, weight, dy, p, q, r, s, centre, sum_d, sum_dd, sum_dy):
    """Add the weighted deviations of rows p, q, r, s, their squares and their products with those of y."""
    wa, wb, wc, wd = weight[p], weight[q], weight[r], weight[s]
    ya, yb, yc, yd = dy[p], dy[q], dy[r], dy[s]
    for j in range(centre.shape[0]):
        m = centre[j]
        da, db, dc, dd = a[j] - m, b[j] - m, c[j] - m, d[j] - m
        sum_d[j] += wa * da + wb * db + wc * dc + wd * dd
        sum_dd[j] += wa * da * da + wb * db * db + wc * dc * dc + wd * dd * dd
        sum_dy[j] += ya * da + yb * db + yc * dc + yd * dd


@kernel
def _add_product(a, wa, ya, centre, sum_d, sum_dd, sum_dy):
    """Add the weighted deviations of one row, their squares and their products with that of y."""
    for j in range(centre.shape[0]):
        da = a[j] - centre[j]
        sum_d[j] += wa * da
        sum_dd[j] += wa * da * da
        sum_dy[j] += ya * da


@kernel
def target_products(X, dy, weight, start, stop, origin, mean_x, m2_x, c_xy):
    """Fill mean_x[j], m2_x[j], c_xy[j] for features start..stop; dy[i] = weight[i] (y[i] - mean of y).

    Reads each value once, like class_moments. The dy add up to zero over all rows, so the deviations of x may be taken
    from any one origin; the pieces have moving centres, which are put back to it.
    """
    n = X.shape[0]
    work = np.zeros((4, LANES))
    for left in range(start, stop, LANES):
        right = min(left + LANES, stop)
        lanes = right - left
        centre, s1, s2, s3 = work[0, :lanes], work[1, :lanes], work[2, :lanes], work[3, :lanes]
        base = origin[left - start : right - start]
        mean, m2, c = mean_x[left - start :], m2_x[left - start :], c_xy[left - start :]
        seen = 0.0
        for top in range(0, n, ROWS):
            bottom = min(top + ROWS, n)
            piece_w, piece_y, at = 0.0, 0.0, -1
            for i in range(top, bottom):
                piece_w += weight[i]
                piece_y += dy[i]
                at = i if at < 0 and weight[i] > 0.0 else at
            if at < 0:
                continue
            for j in range(lanes):
                centre[j] = X[at, left + j] if seen == 0.0 else base[j] + mean[j]
            s1[:] = 0.0
            s2[:] = 0.0
            s3[:] = 0.0
            fours = top + (bottom - top) // 4 * 4
            for i in range(top, fours, 4):
                _add_products(
                    X[i, left:right], X[i + 1, left:right], X[i + 2, left:right], X[i + 3, left:right],
                    weight, dy, i, i + 1, i + 2, i + 3, centre, s1, s2, s3,
                )  # fmt: skip
            for i in range(fours, bottom):
                _add_product(X[i, left:right], weight[i], dy[i], centre, s1, s2, s3)
            for j in range(lanes):
                c[j] += s3[j] + (centre[j] - base[j]) * piece_y
            _merge_piece(seen, piece_w, centre, base, s1, s2, mean[:lanes], m2[:lanes])
            seen += piece_w


@kernel
def target_products_sparse(indptr, indices, data, y, weight, total, mean_y, start, stop, origin, mean_x, m2_x, c_xy):
    """Like target_products for CSC columns; total and mean_y are the weight and the mean of y over all rows."""
    for j in range(start, stop):
        stored = 0.0
        sum_x = 0.0
        sum_wdy = 0.0
        for k in range(indptr[j], indptr[j + 1]):
            i = indices[k]
            stored += weight[i]
            sum_x += weight[i] * (data[k] - origin[j - start])
            sum_wdy += weight[i] * (y[i] - mean_y)
        mean = sum_x / total
        zeros = max(total - stored, 0.0)
        left_over = -zeros * mean
        for k in range(indptr[j], indptr[j + 1]):
            left_over += weight[indices[k]] * ((data[k] - origin[j - start]) - mean)
        mean += left_over / total
        # Rows that store nothing add -mean (y - mean_y); the sum of (y - mean_y) over all rows is zero.
        c = mean * sum_wdy
        m2 = zeros * mean * mean
        for k in range(indptr[j], indptr[j + 1]):
            i = indices[k]
            d = (data[k] - origin[j - start]) - mean
            m2 += weight[i] * d * d
            c += weight[i] * d * (y[i] - mean_y)
        mean_x[j - start] = mean
        m2_x[j - start] = m2
        c_xy[j - start] = c
