"""Discretizers that look at the values of one feature alone: equal width, equal frequency, mean and deviation."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.discretize.cuts import Cuts
from fewer.core.discretize.discretizer import Discretizer
from fewer.core.kernels.distinct import dense_distinct
from fewer.core.kernels.order_statistics import dense_quantiles
from fewer.core.kernels.quantiles import largest_below
from fewer.core.records.params import Interval
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.present import PresentMoments
from fewer.core.summaries.quantiles import edges_key, frequency_edges
from fewer.core.views.spread import SMALLEST, check_spread, spread_of

BINS = Interval(Integral, 1, 65535, closed="both")
# A deviation smaller than this fraction of the mean may be nothing but rounding.
DOUBTFUL = 1e-6
# Values that are equal on paper differ in two units by less than this fraction of the largest.
ROUNDED = 4.0 * np.finfo(np.float64).eps
# Columns sorted together; they are read from whole cache lines of X.
SORTED_TOGETHER = 32


class EqualWidth(Discretizer):
    """Cut the range of each feature into intervals of equal width.

    Edge k lies at low + k (high - low) / bins, and a few last digits above, so that values on it are left of it in
    every unit. A constant feature has one level.

    Parameters
    ----------
    bins : int, default=10
        Number of levels.

    Attributes
    ----------
    cuts_ : Cuts
        Edges and levels of every feature.

    See Also
    --------
    EqualFrequency : Puts equally many values into each level.

    Examples
    --------
    >>> EqualWidth(bins=2).fit_transform([[0.0], [1.0], [5.0], [10.0]]).ravel().tolist()
    [0, 0, 0, 1]
    """

    _parameter_constraints: dict = {"bins": [BINS]}

    def __init__(self, bins: int = 10) -> None:
        self.bins = bins

    def _learn(self, data: Any) -> Cuts:
        extent = data.fold(ColumnExtent())
        low, high = extent.low[:, None], extent.high[:, None]
        share = np.arange(1, self.bins) / self.bins
        with np.errstate(over="ignore", invalid="ignore"):
            width = high - low
            # Which side of an edge a value takes that lies on it must not depend on the unit, in which it is rounded.
            rounded = np.minimum(ROUNDED * np.maximum(np.abs(low), np.abs(high)), 1e-3 * width / self.bins)
            edges = _sum_down(low, np.arange(1, self.bins) * width / self.bins + rounded)
            # A range beyond the largest float is cut by weighing its ends instead.
            edges = np.where(np.isfinite(edges) & np.isfinite(width), edges, low * (1 - share) + high * share)
        return _distinct_below(edges, extent.high, data.nominal)


class EqualFrequency(Discretizer):
    """Cut each feature so that the levels hold equally many values, as far as ties allow.

    A feature of at most ``bins`` different values keeps each of them as a level. Otherwise edge k is the smallest
    value up to which at least k/bins of the values lie (the inverse of the empirical distribution, without
    interpolation), so levels do not change under increasing maps of a feature. Equal edges count once, and a value in
    which several of the edges 1 to ``bins`` meet is a level of its own, cut off from the values below it too. So
    there are at most ``bins`` levels, and only a constant feature has one, unless ``bins`` is 1. Missing values and
    rows of weight 0 do not count. The edges are the same on every runner, bit for bit.

    Parameters
    ----------
    bins : int, default=10
        Number of levels.

    Attributes
    ----------
    cuts_ : Cuts
        Edges and levels of every feature.

    See Also
    --------
    EqualWidth : Cuts the range, not the values, into equal parts.

    Examples
    --------
    >>> EqualFrequency(bins=2).fit_transform([[0.0], [1.0], [5.0], [10.0]]).ravel().tolist()
    [0, 0, 1, 1]
    """

    _parameter_constraints: dict = {"bins": [BINS]}

    def __init__(self, bins: int = 10) -> None:
        self.bins = bins

    def _learn(self, data: Any) -> Cuts:
        if data.run.in_memory and data.kind == "dense" and data.whole().weight is None:
            values, high = _edges_in_memory(data, self.bins)
        else:
            known = data.known(edges_key(self.bins))
            room = data.run.budget.quantiles
            known = known or frequency_edges(data.fold, self.bins, ~data.nominal, room=room)[self.bins]
            values, high = known.edges, known.high
        return _distinct_below(values, high, data.nominal)


class SigmaLevels(Discretizer):
    """Cut each feature into low, middle and high by its mean and standard deviation.

    Values below mean - width * sigma have level 0, values above mean + width * sigma have level 2, the rest, both
    boundaries included, level 1. A constant feature has one level.

    Parameters
    ----------
    width : float, default=0.5
        Half the width of the middle level in standard deviations.
    ddof : int, default=1
        The variance is the sum of squared deviations divided by the number of values minus ``ddof``.

    Attributes
    ----------
    cuts_ : Cuts
        Edges and levels of every feature.

    Notes
    -----
    The book [1]_ numbers the levels -1, 0 and 1 and does not say which standard deviation it means.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, chapter 17, section 17.3.2, 2008.

    Examples
    --------
    >>> SigmaLevels().fit_transform([[0.0], [4.0], [5.0], [6.0], [10.0]]).ravel().tolist()
    [0, 1, 1, 1, 2]
    """

    _parameter_constraints: dict = {
        "width": [Interval(Real, 0, None, closed="left")],
        "ddof": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(self, width: float = 0.5, ddof: int = 1) -> None:
        self.width = width
        self.ddof = ddof

    def _learn(self, data: Any) -> Cuts:
        mean, m2, weight = _moments(data)
        enough = weight > self.ddof
        sigma = np.sqrt(np.divide(m2, weight - self.ddof, out=np.zeros_like(m2), where=enough))
        spread = enough & ~data.nominal & (sigma > 0)
        # The deviation of a constant that is not a short binary fraction may be rounding: look at its range.
        if np.any(spread & (sigma < DOUBTFUL * np.abs(mean))):
            extent = data.fold(ColumnExtent())
            spread &= extent.low < extent.high
        low, high = mean - self.width * sigma, mean + self.width * sigma
        # An edge belongs to its left, but the lower boundary belongs to the middle: the edge is the float before it.
        edges = np.column_stack([np.nextafter(low, -np.inf), high])
        return Cuts.from_table(edges, np.repeat(spread[:, None] & np.isfinite(edges).all(1)[:, None], 2, axis=1))


def _sum_down(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the largest floats up to the sums (Knuth's sum with its error)."""
    total = first + second
    back = total - first
    error = (first - (total - back)) + (second - back)
    return np.where(error < 0, np.nextafter(total, -np.inf), total)


def _distinct_below(edges: np.ndarray, high: np.ndarray, nominal: np.ndarray) -> Cuts:
    """Keep of the ascending edges of each feature those that differ and have values to their right."""
    keep = (edges < high[:, None]) & np.isfinite(edges) & ~nominal[:, None]
    keep[:, 1:] &= edges[:, 1:] > edges[:, :-1]
    return Cuts.from_table(edges, keep)


def _edges_in_memory(data: Any, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what `frequency_edges` does, by rearranging columns in memory."""
    X, d = data.whole().X, data.n_features
    values, high, number = np.zeros((d, bins)), np.full(d, -np.inf), np.zeros(d, np.int64)

    def work(start: int, stop: int) -> None:
        own = slice(start, stop)
        dense_distinct(X, start, stop, values[own], number[own])
        many = np.zeros(d, bool)
        many[own] = ~data.nominal[own] & (number[own] > bins)
        quantiles = np.zeros((stop - start, bins - 1))
        found = dense_quantiles(X, bins, many, start, stop, quantiles, high[own])
        values[own, :-1][many[own]] = quantiles[many[own]]
        rest = start + np.flatnonzero(many[own] & ~found)
        for some in np.array_split(rest, -(-len(rest) // SORTED_TOGETHER)) if len(rest) else ():
            values[some, :-1], high[some] = _sorted_statistics(X[:, some].T, bins)

    # Few tasks waste no buffers, but every thread should get several.
    data.run.scan(work, d, max(SORTED_TOGETHER, min(512, -(-d // 64))))
    few = np.flatnonzero(~data.nominal & (number > 0) & (number <= bins))
    high[few] = values[few, number[few] - 1]
    places = np.minimum(np.arange(bins), number[few, None] - 1)
    values[few] = np.take_along_axis(values[few], places, axis=1)
    _separate_heavy(data, values[:, :-1], high, ~data.nominal & (number > bins))
    return values[:, :-1], high


def _separate_heavy(data: Any, values: np.ndarray, high: np.ndarray, wanted: np.ndarray) -> None:
    """Replace the first of several quantiles that meet in one value by the largest value below it, if there is one."""
    same = np.column_stack([values[:, 1:], high]) == values if values.shape[1] else np.zeros(values.shape, bool)
    first = same & wanted[:, None]
    first[:, 1:] &= ~same[:, :-1]
    feature, place = np.nonzero(first)
    below = np.empty(len(feature))

    def work(start: int, stop: int) -> None:
        largest_below(data.whole().X, feature, values[feature, place], start, stop, below)

    data.run.scan(work, len(feature), SORTED_TOGETHER)
    met = below > -np.inf
    values[feature[met], place[met]] = below[met]


def _sorted_statistics(columns: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the quantiles and the largest value of each row of ``columns``, which all hold some."""
    columns = np.sort(np.ascontiguousarray(columns), axis=1)
    n = columns.shape[1] - (columns != columns).sum(axis=1)
    ranks = (np.arange(1, bins) * n[:, None] + bins - 1) // bins - 1
    values = np.take_along_axis(columns, ranks, axis=1)
    largest = columns[np.arange(len(columns)), n - 1]
    # -0.0 + 0.0 = 0.0: which of two equal zeros stands at a rank must not matter.
    return values.astype(np.float64) + 0.0, largest.astype(np.float64)


def _moments(data: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return mean, sum of squared deviations and weight of the values of each feature, missing ones aside."""
    all_rows = data.fold(ClassMoments())
    mean, m2 = all_rows.mean[:, 0] + all_rows.origin, all_rows.m2[:, 0].copy()
    weight = np.full(len(mean), all_rows.weight[0])
    spread = spread_of(all_rows.weight, all_rows.mean, all_rows.m2)[:, 0]
    varies = ~data.nominal & (spread != 0)
    holed = np.flatnonzero(np.isnan(mean) & ~data.nominal)
    if len(holed):
        present = data.fold(PresentMoments(tuple(holed.tolist())))
        mean[holed], m2[holed], weight[holed] = present.mean, present.m2, present.weight
        spread[holed] = spread_of(present.weight, 0.0, present.m2)
        if np.any(spread[holed] < SMALLEST):
            extent = data.fold(ColumnExtent())
            varies &= extent.low < extent.high
    check_spread(data, spread, varies)
    return mean, m2, weight
