"""Slow, obvious trees of the histogram forest, in exact fractions."""

from __future__ import annotations

from fractions import Fraction

MASK = 2**64 - 1


class Draws:
    """The generator of one tree, by Python's integers."""

    def __init__(self, state):
        self.x = int(state)

    def below(self, n):
        """Return the next number below n."""
        self.x ^= (self.x << 13) & MASK
        self.x ^= self.x >> 7
        self.x ^= (self.x << 17) & MASK
        return ((self.x >> 32) * n) >> 32


def impurity(target, n_classes, weights):
    """Return weight times variance or Gini impurity of rows, given as a dictionary from row to weight."""
    total = sum(weights.values())
    if not total:
        return Fraction(0)
    if n_classes:
        by_class = [sum(w for i, w in weights.items() if target[i] == c) for c in range(n_classes)]
        return total * (1 - sum((n / total) ** 2 for n in by_class))
    mean = sum(w * target[i] for i, w in weights.items()) / total
    return sum(w * (target[i] - mean) ** 2 for i, w in weights.items())


def mean_of(target, n_classes, weights):
    """Return the mean, or the fractions of all classes, as a list."""
    total = sum(weights.values())
    if n_classes:
        return [sum(w for i, w in weights.items() if target[i] == c) / total for c in range(n_classes)]
    return [sum(w * target[i] for i, w in weights.items()) / total]


def off(target, n_classes, i, means):
    """Return the squared distance of a row from means."""
    if n_classes:
        return sum(((target[i] == c) - means[c]) ** 2 for c in range(n_classes))
    return (target[i] - means[0]) ** 2


def drop_of(target, n_classes, weights, left):
    """Return how much a split lowers the impurity of rows, times their weight."""
    one = {i: w for i, w in weights.items() if left(i)}
    two = {i: w for i, w in weights.items() if not left(i)}
    whole, parts = impurity(target, n_classes, weights), impurity(target, n_classes, one)
    return whole - parts - impurity(target, n_classes, two)


def candidate_sets(column, nominal, gap, target, n_classes, bag):
    """Yield the sets of codes that may go left, in the order in which they are tried."""
    present = sorted({column[i] for i in bag})
    if nominal:
        shares = mean_of(target, n_classes, bag)
        which = shares.index(max(shares)) if n_classes > 2 else (1 if n_classes else 0)
        key = {c: mean_of(target, n_classes, {i: w for i, w in bag.items() if column[i] == c})[which] for c in present}
        present.sort(key=lambda c: (key[c], c))
        # Levels of equal means stay together.
        yield from ({c for c in present if key[c] <= line} for line in sorted(set(key.values())))
        return
    ordered = [c for c in present if c != gap]
    yield from (set(ordered[: k + 1]) for k in range(len(ordered)))
    if gap in present:
        yield from ({gap, *ordered[: k + 1]} for k in range(len(ordered)))


def left_codes(codes, column, nominal, gap, bag):
    """Return which of all codes go left if these of the in-bag codes do."""
    one = sum(w for i, w in bag.items() if column[i] in codes)
    heavier = one >= sum(bag.values()) - one
    present = {column[i] for i in bag}
    cut = max((c for c in codes if c != gap or nominal), default=-1)

    def goes(code):
        if code in present and (nominal or code == gap):
            return code in codes
        return heavier if nominal or code == gap else code <= cut

    return {code for code in range(256) if goes(code)}


def best_of_column(column, nominal, gap, target, n_classes, bag, least):
    """Return the largest drop in bag and the codes that go left; None if there is no split."""
    best, chosen = Fraction(0), None
    for codes in candidate_sets(column, nominal, gap, target, n_classes, bag):
        one = sum(w for i, w in bag.items() if column[i] in codes)
        if one < least or sum(bag.values()) - one < least:
            continue
        drop = drop_of(target, n_classes, bag, lambda i: column[i] in codes)  # noqa: B023
        if drop > best:
            best, chosen = drop, codes
    return None if chosen is None else (best, left_codes(chosen, column, nominal, gap, bag))


def drop_outside(column, target, n_classes, bag, out, left, reference):
    """Return the drop on out-of-bag rows, by their own means or by those in bag."""
    sides = [{i for i in out if (column[i] in left) == side} for side in (True, False)]
    if not sides[0] or not sides[1]:
        return Fraction(0)
    if not reference:
        return drop_of(target, n_classes, out, lambda i: column[i] in left)
    node, drop = mean_of(target, n_classes, bag), Fraction(0)
    for side, rows in zip((True, False), sides):
        child = mean_of(target, n_classes, {i: w for i, w in bag.items() if (column[i] in left) == side})
        drop += sum(out[i] * (off(target, n_classes, i, node) - off(target, n_classes, i, child)) for i in rows)
    return drop


def tree(columns, nominal, gaps, target, n_classes, weight, rules, state):
    """Return the nodes of a tree: (feature, drop as a fraction of all rows, in-bag rows, out-of-bag rows, mean)."""
    draws, n = Draws(state), len(target)
    columns, target = [[int(c) for c in column] for column in columns], [Fraction(v) for v in target]
    times = [0] * n if rules.bootstrap else [1] * n
    for _ in range(n if rules.bootstrap else 0):
        times[draws.below(n)] += 1
    bag = {i: times[i] * Fraction(weight[i]) for i in range(n) if times[i]}
    out = {i: Fraction(weight[i]) for i in range(n) if not times[i]}
    slight = impurity(target, n_classes, bag) * Fraction(1, 10**12)
    scale = sum((bag if rules.select == "in-bag" else out).values())
    order, queue, nodes = list(range(len(columns))), [(bag, out, 0)], []
    while queue:
        bag, out, depth = queue.pop(0)
        feature, drop, left = choose(
            columns, nominal, gaps, target, n_classes, bag, out, depth, rules, draws, order, slight
        )
        mean = mean_of(target, n_classes, bag)
        nodes.append((feature, drop / scale if feature >= 0 else 0, set(bag), set(out), mean))
        if feature >= 0:
            for side in (True, False):
                parts = (
                    {i: w for i, w in rows.items() if (columns[feature][i] in left) == side} for rows in (bag, out)
                )
                queue.append((*parts, depth + 1))
    return nodes


def choose(columns, nominal, gaps, target, n_classes, bag, out, depth, rules, draws, order, slight):
    """Return feature, drop and left codes of the split of a node; the feature is -1 for a leaf."""
    inside, usable = rules.select == "in-bag", False
    feature, highest, chosen = -1, slight if inside else Fraction(0), set()
    leaf = impurity(target, n_classes, bag) <= slight or (not inside and len(out) < 2)
    if leaf or sum(bag.values()) < 2 * rules.min_leaf or (rules.max_depth is not None and depth >= rules.max_depth):
        return feature, highest, chosen
    for drawn in range(len(order)):
        if drawn >= rules.max_features and usable:
            break
        other = drawn + draws.below(len(order) - drawn)
        order[drawn], order[other] = order[other], order[drawn]
        j = order[drawn]
        found = best_of_column(columns[j], nominal[j], gaps[j], target, n_classes, bag, rules.min_leaf)
        if found is None or found[0] <= slight:
            continue
        usable, (drop, left) = True, found
        if not inside:
            drop = drop_outside(columns[j], target, n_classes, bag, out, left, rules.select == "reference")
        if drop > highest:
            feature, highest, chosen = j, drop, left
    return feature, highest, chosen
