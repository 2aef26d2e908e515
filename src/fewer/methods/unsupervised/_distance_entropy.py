"""The entropy of the distances between rows as a criterion of subsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fewer.core.criteria.shapes import Columns, StepwiseCriterion, SubsetScore, inside, outside, sorted_members
from fewer.core.records.reasons import IRRELEVANT, Reasons
from fewer.core.records.rounding import steady
from fewer.core.search.elimination import Blocks, lowest
from fewer.core.views.view import View
from fewer.methods.unsupervised._distance_sums import NO_PLACE, DistanceRows, DistanceSums

N_BINS = 100
ROUNDING = 1e-12
CONSTANT = "it has one value in all rows"


class DistanceOrder(StepwiseCriterion, SubsetScore):
    r"""Minus the entropy of the distances between rows, per pair: 0 is perfect order, minus infinity no distance.

    Parameters
    ----------
    form : {"similarity", "peak"}, default="similarity"
        The entropy of 1997, of similarities, or that of 2002, whose peak is at ``mu``.
    metric : {"euclidean", "pearson"}, default="euclidean"
        The distance.
    beta : float, default=10.0
        How steep the peak is.
    mu : float or "valley", default=0.5
        Where it is, as a fraction of the largest distance.
    """

    requires = ("dense",)
    by_one = True

    def __init__(
        self, form: str = "similarity", metric: str = "euclidean", beta: float = 10.0, mu: float | str = 0.5
    ) -> None:
        self.form, self.metric, self.beta, self.mu = form, metric, beta, mu

    def value(self, view: View, subset: Columns) -> float:
        """Return what a subset is worth."""
        members = sorted_members(subset)
        if not len(members):
            return -np.inf
        return float(self._worth(view, self.prepare(view).removed(members, NO_PLACE))[0])

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return what a subset is worth with each of the candidates."""
        members, candidates = outside(subset, candidates)
        if self.metric == "pearson":
            return np.array([self.value(view, np.append(members, j)) for j in candidates], dtype=float)
        return self._worth(view, self.prepare(view).added(members, candidates))

    def values_removed(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return what a subset is worth without each of the candidates."""
        members, candidates = inside(subset, candidates)
        # One number has no correlation with another.
        if len(members) < (3 if self.metric == "pearson" else 2):
            return np.full(len(candidates), -np.inf)
        places, back = np.unique(np.searchsorted(members, candidates), return_inverse=True)
        return self._worth(view, self.prepare(view).removed(members, places))[back]

    def start(self, view: View) -> np.ndarray:
        """Score every feature alone."""
        self.hopeless = self.prepare(view).constant
        return self.values_added(view, [], np.arange(view.n_features))

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature with those chosen."""
        scores = np.full(view.n_features, -np.inf)
        rest = np.flatnonzero(~self.prepare(view).constant)
        rest = rest[~np.isin(rest, chosen)]
        scores[rest] = self.values_added(view, chosen, rest)
        return scores

    def explain(self, reasons: Reasons, kept: np.ndarray) -> Reasons:
        """Say that constant columns tell nothing."""
        constant = np.flatnonzero(False if self.hopeless is None else self.hopeless)
        kind = reasons.kind.copy()
        kind[constant] = IRRELEVANT
        return replace(reasons, kind=kind, note={**reasons.note, **{int(j): CONSTANT for j in constant}})

    def _prepare(self, view: View) -> DistanceRows:
        return DistanceRows.of(view, self.metric)

    def _worth(self, view: View, how: tuple) -> np.ndarray:
        """Return minus the entropy per pair, to about twelve digits."""
        sums, n_pairs = DistanceSums(view, how), self.prepare(view).n_pairs
        if not n_pairs or not sums.n_subsets:
            return np.full(sums.n_subsets, -np.inf)
        total, largest = sums.extents()
        apart = largest > 0
        if self.form == "similarity":
            # Similarity is a half at the mean distance.
            found = sums.similarity(np.log(2.0) * n_pairs / np.where(apart, total, 1.0))
        else:
            found = sums.peak(largest, self._peaks(sums, largest), self.beta)
        each = steady(found / n_pairs)
        # Distances that are 0 on paper, and similarities that are 1, have entropies of rounding.
        return np.where(apart, -np.where(each > ROUNDING, each, 0.0), -np.inf)

    def _peaks(self, sums: DistanceSums, largest: np.ndarray) -> np.ndarray:
        """Return where the entropy of each subset is largest."""
        if not isinstance(self.mu, str):
            return np.full(len(largest), float(self.mu))
        return np.array([valley(counts) for counts in sums.histograms(largest, N_BINS)])


def valley(counts: np.ndarray) -> float:
    """Return the middle of the deepest valley of a histogram of fractions, smoothed over five bins; 0.5 if none is.

    The depth of a bin is how far it lies below the lower of the highest bins on either side of it. Of equally deep bins
    in a row the middle one counts.

    Examples
    --------
    >>> valley(np.array([5, 5, 5, 0, 0, 0, 0, 0, 9, 9]))
    0.55
    >>> valley(np.array([5, 4, 3, 2, 1]))
    0.5
    """
    padded = np.pad(np.asarray(counts, dtype=np.int64), 2)
    smooth = np.sum([padded[k : k + len(counts)] for k in range(5)], axis=0)
    left, right = np.maximum.accumulate(smooth), np.maximum.accumulate(smooth[::-1])[::-1]
    depth = np.minimum(left, right) - smooth
    if depth.max() <= 0:
        return 0.5
    first = int(np.argmax(depth))
    last = first
    while last + 1 < len(depth) and depth[last + 1] == depth[first]:
        last += 1
    return (first + last + 1) / 2 / len(counts)


class LeastOrder(Blocks):
    """Removes the feature without which the entropy of what is left is lowest (eq. 6.14)."""

    least = 1

    def __init__(self, view: View, criterion: DistanceOrder) -> None:
        self.view, self.criterion = view, criterion
        self.left = np.arange(view.n_features)

    def begin(self) -> bool:
        """Measure all features."""
        self.value, self.evaluations = self.criterion.value(self.view, self.left), 1
        return True

    def worst(self, left: np.ndarray, count: int) -> np.ndarray:
        """Return the feature whose removal leaves most order."""
        values = np.full(self.view.n_features, np.nan)
        values[left] = -self.criterion.values_removed(self.view, left, left)
        worst = lowest(values, left, 1)
        self.value, self.evaluations = float(-values[worst[0]]), len(left)
        return worst

    def leave(self, features: np.ndarray) -> None:
        """Take it away."""
        self.left = np.setdiff1d(self.left, features)
