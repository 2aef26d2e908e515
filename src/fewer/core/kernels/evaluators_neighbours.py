"""Nearest neighbours from squared distances that are kept per test row and training row, fold by fold.

Distances are sums over features in twice the precision (high + low), so that they do not depend on the order in which
features joined and left. Test rows are numbered fold after fold; those of fold f are test[test_bounds[f]:...], its
training rows train[train_bounds[f]:...], and starts[f] is where its distances begin, test row by test row.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Distances go by lanes; the distances of so many test rows stay in the cache while the candidates pass by.
LANES, ROWS_AT_ONCE, BUCKETS = 16, 32, 64


@kernel
def add_feature(column, sign, test, test_bounds, train, train_bounds, starts, first, last, high, low):
    """Add sign times the squared differences of one feature to the distances of test rows first..last."""
    longest = 0
    for f in range(train_bounds.shape[0] - 1):
        longest = max(longest, train_bounds[f + 1] - train_bounds[f])
    there = np.empty(longest)
    for f in range(test_bounds.shape[0] - 1):
        top, bottom = max(first, test_bounds[f]), min(last, test_bounds[f + 1])
        if top >= bottom:
            continue
        n = train_bounds[f + 1] - train_bounds[f]
        for t in range(n):
            there[t] = column[train[train_bounds[f] + t]]
        for i in range(top, bottom):
            here = column[test[i]]
            start = starts[f] + (i - test_bounds[f]) * n
            hi, lo = high[start : start + n], low[start : start + n]
            for t in range(n):
                d = here - there[t]
                v = sign * (d * d)
                s = hi[t] + v
                b = s - hi[t]
                e = lo[t] + ((hi[t] - (s - b)) + (v - b))
                r = s + e
                hi[t], lo[t] = r, e - (r - s)


@kernel
def _distances(hi, lo, here, there, sign, out, lowest):
    """Fill out with the distances that follow when one feature joins (sign 1) or leaves (-1).

    lowest[l] becomes the smallest of every LANES-th distance from l on.
    """
    n = hi.shape[0]
    lowest[:] = np.inf
    whole = n - n % LANES
    for t in range(0, whole, LANES):
        for l in range(LANES):
            u = t + l
            d = here - there[u]
            v = sign * (d * d)
            s = hi[u] + v
            b = s - hi[u]
            r = s + (lo[u] + ((hi[u] - (s - b)) + (v - b)))
            out[u] = r
            lowest[l] = r if r < lowest[l] else lowest[l]
    for u in range(whole, n):
        d = here - there[u]
        v = sign * (d * d)
        s = hi[u] + v
        b = s - hi[u]
        out[u] = s + (lo[u] + ((hi[u] - (s - b)) + (v - b)))
        lowest[u - whole] = min(out[u], lowest[u - whole])


@kernel
def _sort_lanes(values):
    """Sort LANES values by a bitonic network (Batcher 1968), which has no branches."""
    size = 2
    while size <= LANES:
        step = size >> 1
        while step > 0:
            for a in range(LANES):
                b = a ^ step
                if b > a:
                    x, y = values[a], values[b]
                    less, more = (x, y) if x < y else (y, x)
                    rising = (a & size) == 0
                    values[a], values[b] = (less, more) if rising else (more, less)
            step >>= 1
        size <<= 1


@kernel
def _limit(lowest, k):
    """Return a number that at least k values do not exceed, close to the k-th smallest if k is no more than LANES."""
    if k > LANES:
        return np.inf
    _sort_lanes(lowest)
    return lowest[k - 1]


@kernel
def _nearer(values, limit, found, place):
    """Fill the places of the values that do not exceed the limit and return their number, found beside them."""
    n_found = 0
    for u in range(values.shape[0]):
        place[n_found] = u
        n_found += 1 if values[u] <= limit else 0
    for q in range(n_found):
        found[q] = values[place[q]]
    return n_found


@kernel
def _keep_smallest(n_found, k, found, place):
    """Bring the k smallest of n_found values to the front, in rising order, of equal ones the lower places first."""
    for q in range(1, n_found):
        v, u = found[q], place[q]
        r = q
        if r >= k:
            # Beyond the first k nothing need be in order.
            if v > found[k - 1] or (v == found[k - 1] and u > place[k - 1]):
                continue
            r = k - 1
        while r > 0 and (found[r - 1] > v or (found[r - 1] == v and place[r - 1] > u)):
            found[r], place[r] = found[r - 1], place[r - 1]
            r -= 1
        found[r], place[r] = v, u


@kernel
def _choose(n_found, k, wanted, found, place, lanes):
    """Bring the k smallest of n_found values to the front; found[k - 1] becomes their largest, found[k] the next."""
    if n_found <= LANES and k < wanted <= LANES:
        lanes[:] = np.inf
        lanes[:n_found] = found[:n_found]
        _sort_lanes(lanes)
        if lanes[k - 1] < lanes[k]:
            w = 0
            for q in range(n_found):
                place[w] = place[q]
                w += 1 if found[q] <= lanes[k - 1] else 0
            found[k - 1], found[k] = lanes[k - 1], lanes[k]
            return
    _keep_smallest(n_found, wanted, found, place)


@kernel
def _front(hi, lo, rows, work, bucket, front, front_rows, front_hi, front_lo, from_here):
    """Fill the rows that are nearest so far, roughly in order, as many as front has room for.

    from_here[q] is the smallest distance of the q-th and all later ones, and of those for which there is no room.
    """
    n, m = hi.shape[0], front.shape[0]
    # The largest of the smallest of some lanes is where about a tenth of the rows begin, whatever the tail.
    scale = 0.0
    for l in range(LANES):
        smallest = np.inf
        for u in range(l, n, LANES):
            smallest = min(smallest, hi[u])
        scale = max(scale, smallest)
    if not 0.0 < scale < np.inf:
        return False
    factor = BUCKETS / (8.0 * scale)
    work[:] = 0
    for u in range(n):
        bucket[u] = int(min(hi[u] * factor, BUCKETS - 1.0))
        work[bucket[u]] += 1
    total = 0
    for b in range(BUCKETS):
        work[b], total = total, total + work[b]
    beyond = np.inf
    for u in range(n):
        q = work[bucket[u]]
        work[bucket[u]] = q + 1
        if q < m:
            front[q], front_rows[q], front_hi[q], front_lo[q] = u, rows[u], hi[u], lo[u]
        else:
            beyond = min(beyond, hi[u])
    from_here[m] = beyond
    for q in range(m - 1, -1, -1):
        from_here[q] = min(from_here[q + 1], front_hi[q])
    return True


@kernel
def _among_front(front, front_rows, hi, lo, from_here, column, here, k, wanted, room, near, lowest, best, place):
    """Find the smallest distances among the rows in front when a feature joins.

    That makes no distance smaller, so the search ends where all that follow are too far already. Returns whether it
    came to that; if not, rows that are not in front may be nearer.
    """
    m, n_found = front.shape[0], 0
    limit = np.inf
    for start in range(0, m, LANES):
        if from_here[start] > limit + room:
            break
        stop = min(start + LANES, m)
        for q in range(start, stop):
            d = here - column[front_rows[q]]
            v = d * d
            s = hi[q] + v
            b = s - hi[q]
            near[q] = s + (lo[q] + ((hi[q] - (s - b)) + (v - b)))
        if start == 0:
            lowest[:] = np.inf
            lowest[:stop] = near[:stop]
            limit = _limit(lowest, wanted)
        for q in range(start, stop):
            best[n_found], place[n_found] = near[q], front[q]
            n_found += 1 if near[q] <= limit else 0
        if start > 0 and wanted < n_found <= LANES:
            lowest[:] = np.inf
            lowest[:n_found] = best[:n_found]
            limit = _limit(lowest, wanted)
    if n_found < wanted:
        return False
    _choose(n_found, k, wanted, best, place, lowest)
    return from_here[m] > best[wanted - 1] + room


@kernel
def _answer(goal, place, k, n_classes, out):
    """Fill the votes per class, or the mean target, of the rows in the first k places."""
    out[:] = 0.0
    for q in range(k):
        if n_classes:
            out[int(goal[place[q]])] += 1.0
        else:
            out[0] += goal[place[q]] / k


@kernel
def _open(values, limit, room, goal, k, n_classes, votes, loose):
    """Return whether the answer hangs on which of the rows at the same distance are taken.

    Rows nearer than limit - room are taken for sure; those within room of the limit compete for what is left of k
    places. votes and loose are working space.
    """
    sure, n_loose = 0, 0
    votes[:], loose[:] = 0.0, 0.0
    value, equal = 0.0, True
    for t in range(values.shape[0]):
        if values[t] < limit - room:
            sure += 1
            if n_classes:
                votes[int(goal[t])] += 1.0
        elif values[t] <= limit + room:
            equal = equal and (n_loose == 0 or goal[t] == value)
            value = goal[t]
            n_loose += 1
            if n_classes:
                loose[int(goal[t])] += 1.0
    if equal or n_classes == 0:
        return not equal
    free = float(k - sure)
    for c in range(n_classes):
        # The fewest votes that c can get, against the most that any other can; of equal ones the lower class wins.
        least, wins = votes[c] + max(0.0, free - (n_loose - loose[c])), True
        for r in range(n_classes):
            most = votes[r] + min(loose[r], free)
            if r != c and (most > least or (most == least and r < c)):
                wins = False
        if wins:
            return False
    return True


@kernel
def nearest(
    columns, candidates, sign, room, k, n_front, test, test_bounds, train, train_bounds, starts, high, low, targets,
    n_classes, out, doubt,
):  # fmt: skip
    """Fill out[c, i] with the votes per class, or the mean target, of the k nearest rows for every candidate.

    Where a feature joins, n_front rows that are nearest so far are looked at first; all if it is 0.

    room[c] is how much distances may differ and still count as equal, less than 0 if the lower row number settles ties;
    doubt[c, f] tells that the answer of fold f hangs on such a tie. n_classes is 0 for a numeric target.
    """
    longest = 0
    for f in range(train_bounds.shape[0] - 1):
        longest = max(longest, train_bounds[f + 1] - train_bounds[f])
    there, near, goal = np.zeros(longest), np.zeros(longest), np.zeros(longest)
    best, place, lowest = np.empty(longest + 1), np.empty(longest + 1, np.int64), np.empty(LANES)
    votes, loose = np.zeros(n_classes + 1), np.zeros(n_classes + 1)
    fronts, front_rows = np.empty((ROWS_AT_ONCE, n_front), np.uint64), np.empty((ROWS_AT_ONCE, n_front), np.uint64)
    front_hi, front_lo = np.empty((ROWS_AT_ONCE, n_front)), np.empty((ROWS_AT_ONCE, n_front))
    from_here, has_front = np.empty((ROWS_AT_ONCE, n_front + 1)), np.zeros(ROWS_AT_ONCE, np.bool_)
    work, bucket = np.zeros(BUCKETS, np.int64), np.empty(longest, np.int64)
    for f in range(test_bounds.shape[0] - 1):
        n = train_bounds[f + 1] - train_bounds[f]
        if n < k:
            doubt[:, f] = True
            continue
        wanted = min(k + 1, n)
        rows = train[train_bounds[f] : train_bounds[f + 1]]
        for t in range(n):
            goal[t] = targets[rows[t]]
        for top in range(test_bounds[f], test_bounds[f + 1], ROWS_AT_ONCE):
            bottom = min(top + ROWS_AT_ONCE, test_bounds[f + 1])
            m = n_front if wanted <= n_front < n else 0
            has_front[:] = False
            for i in range(top, bottom if m else top):
                start, r = starts[f] + (i - test_bounds[f]) * n, i - top
                hi, lo = high[start : start + n], low[start : start + n]
                has_front[r] = _front(
                    hi, lo, rows, work, bucket, fronts[r], front_rows[r], front_hi[r], front_lo[r], from_here[r]
                )
            for c in range(candidates.shape[0]):
                column = columns[max(candidates[c], 0)]
                filled = False
                for i in range(top, bottom):
                    here, r = column[test[i]], i - top
                    done = has_front[r] and _among_front(
                        fronts[r], front_rows[r], front_hi[r], front_lo[r], from_here[r], column, here, k, wanted,
                        max(room[c], 0.0), near, lowest, best, place,
                    )  # fmt: skip
                    if done:
                        _answer(goal, place, k, n_classes, out[c, i])
                        if room[c] < 0.0 or wanted <= k or best[k] - best[k - 1] > room[c] or doubt[c, f]:
                            continue
                    if not filled:
                        for t in range(n):
                            there[t] = column[rows[t]]
                        filled = True
                    start = starts[f] + (i - test_bounds[f]) * n
                    hi, lo = high[start : start + n], low[start : start + n]
                    _distances(hi, lo, here, there[:n], sign, near[:n], lowest)
                    n_found = _nearer(near[:n], _limit(lowest, wanted), best, place)
                    _choose(n_found, k, wanted, best, place, lowest)
                    _answer(goal, place, k, n_classes, out[c, i])
                    if room[c] < 0.0 or wanted <= k or best[k] - best[k - 1] > room[c] or doubt[c, f]:
                        continue
                    doubt[c, f] = _open(near[:n], best[k - 1], room[c], goal, k, n_classes, votes, loose)
