"""How much the features chosen on different samples agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import kendalltau, rankdata

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.result import Selection

Subsets = Sequence[Any] | np.ndarray


@dataclass(frozen=True)
class Stability:
    """The measure of Nogueira with its uncertainty.

    Attributes
    ----------
    value : float
        1 if all subsets are equal, 0 on average if they are drawn at random; NaN if all features or none were chosen.
    variance : float
        Estimated variance of `value`.
    low, high : float
        Confidence interval.
    level : float
        Its confidence.
    """

    value: float
    variance: float
    low: float
    high: float
    level: float = 0.95

    def pvalue(self, other: Stability | float = 0.0) -> float:
        """Return the two-sided p-value of equal stability, with that of another method or with a given value.

        The statistics are asymptotically normal (theorems 9 and 10 of [1]_ in `nogueira`).
        """
        theirs, spread = (other.value, other.variance) if isinstance(other, Stability) else (float(other), 0.0)
        difference, total = self.value - theirs, self.variance + spread
        if np.isnan(difference) or total == 0.0:
            return float("nan") if np.isnan(difference) else float(difference == 0.0)
        return float(2.0 * ndtr(-abs(difference) / np.sqrt(total)))


def jaccard(subsets: Subsets) -> float:
    """Return the mean fraction of common features over all pairs of subsets.

    Parameters
    ----------
    subsets : sequence of int sequences, sequence of Selection, or bool array of shape (n_subsets, n_features)
        What was chosen on each sample; at least two.

    Returns
    -------
    float
        Mean of ``|A and B| / |A or B|``; two empty subsets are equal and count 1. It is not corrected for chance: large
        subsets share features even if they are drawn at random.

    Examples
    --------
    >>> jaccard([[0, 1], [1, 2]])
    0.3333333333333333
    """
    chosen = _matrix(subsets, None, "jaccard")
    common, sizes = _common(chosen)
    united = sizes[:, None] + sizes - common
    shares = np.where(united > 0, common / np.maximum(united, 1), 1.0)
    return _mean_of_pairs(shares)


def kuncheva(subsets: Subsets, n_features: int | None = None) -> float:
    """Return Kuncheva's consistency index over all pairs of subsets of one size.

    Parameters
    ----------
    subsets : sequence of int sequences, sequence of Selection, or bool array of shape (n_subsets, n_features)
        What was chosen on each sample; at least two, all of one size k.
    n_features : int, optional
        Number of features d to choose from; known from selections and arrays.

    Returns
    -------
    float
        Mean of :math:`(r d - k^2) / (k (d - k))` with r common features (eq. 3 of [1]_): 1 if equal, 0 on average by
        chance; NaN if all features or none were chosen.

    References
    ----------
    .. [1] L. I. Kuncheva, "A stability index for feature selection", Artificial Intelligence and Applications, 2007.

    Examples
    --------
    >>> kuncheva([[0, 1], [0, 2]], n_features=8)
    0.3333333333333333
    """
    chosen = _matrix(subsets, n_features, "kuncheva", sized=True)
    common, sizes = _common(chosen)
    k, d = int(sizes[0]), chosen.shape[1]
    if (sizes != k).any():
        raise InputError(
            f"kuncheva compares subsets of one size, but got sizes from {sizes.min():.0f} to {sizes.max():.0f}; use "
            "nogueira, which takes any sizes and is the same where they are equal."
        )
    if k in (0, d):
        return float("nan")
    return _mean_of_pairs((common * d - k * k) / (k * (d - k)))


def nogueira(subsets: Subsets, n_features: int | None = None, level: float = 0.95) -> Stability:
    """Return the stability of Nogueira, Sechidis and Brown with a confidence interval.

    Parameters
    ----------
    subsets : sequence of int sequences, sequence of Selection, or bool array of shape (n_subsets, n_features)
        What was chosen on each sample; at least two, of any sizes.
    n_features : int, optional
        Number of features to choose from; known from selections and arrays.
    level : float, default=0.95
        Confidence of the interval.

    Returns
    -------
    Stability
        Value, variance and interval (definition 4, theorem 7 and corollary 8 of [1]_). With subsets of one size the
        value is that of `kuncheva`.

    Notes
    -----
    The interval holds for independent samples. Those of cross-validation overlap, so that it is too narrow there.

    References
    ----------
    .. [1] S. Nogueira, K. Sechidis and G. Brown, "On the stability of feature selection algorithms", Journal of
       Machine Learning Research 18, 2018.

    Examples
    --------
    >>> round(nogueira([[0, 1], [0, 1], [0, 2]], n_features=8).value, 4)
    0.5556
    """
    if not 0.0 < level < 1.0:
        raise ParameterError(f"nogueira got level={level!r}, but a confidence lies between 0 and 1; pass 0.95.")
    chosen = _matrix(subsets, n_features, "nogueira", sized=True).astype(float)
    m, d = chosen.shape
    shares, sizes = chosen.mean(axis=0), chosen.sum(axis=1)
    mean_size = shares.sum()
    spread = mean_size / d * (1.0 - mean_size / d)
    if spread <= 0.0:
        unknown = float("nan")
        return Stability(unknown, unknown, unknown, unknown, level)
    value = 1.0 - m / (m - 1.0) * float(np.mean(shares * (1.0 - shares))) / spread
    own = chosen @ shares / d - sizes * mean_size / d**2
    own += value / 2.0 * (2.0 * sizes * mean_size / d**2 - sizes / d - mean_size / d + 1.0)
    own /= spread
    variance = 4.0 / m**2 * float(((own - own.mean()) ** 2).sum())
    reach = float(ndtri(0.5 + level / 2.0)) * np.sqrt(variance)
    return Stability(float(value), variance, float(value - reach), float(min(1.0, value + reach)), level)


def rank_stability(rankings: Subsets, n_features: int | None = None, kind: str = "spearman") -> float:
    """Return the mean rank correlation over all pairs of rankings.

    Parameters
    ----------
    rankings : sequence of int sequences or of Selection
        Features of each sample, best first; at least two. Features that a ranking does not hold share its last place.
    n_features : int, optional
        Number of features; known from selections.
    kind : {"spearman", "kendall"}, default="spearman"
        Which correlation; Kendall's is tau-b. Both are corrected for shared places.

    Returns
    -------
    float
        1 if all rankings are equal, 0 on average by chance; NaN if there is nothing to order.

    Examples
    --------
    >>> round(rank_stability([[0, 1, 2], [0, 2, 1]], n_features=3), 4)
    0.5
    """
    return _mean_of_pairs(rank_correlations(rankings, n_features, kind))


def rank_correlations(rankings: Subsets, n_features: int | None = None, kind: str = "spearman") -> np.ndarray:
    """Return the matrix of rank correlations between rankings, as `rank_stability` takes them."""
    if kind not in ("spearman", "kendall"):
        raise ParameterError(f"Rank correlations are 'spearman' or 'kendall', but got kind={kind!r}; pass one of them.")
    places = _places(rankings, n_features)
    if kind == "spearman":
        centred = places - places.mean(axis=1, keepdims=True)
        norms = np.sqrt((centred**2).sum(axis=1))
        norms[norms == 0.0] = np.nan
        return np.clip(centred @ centred.T / np.outer(norms, norms), -1.0, 1.0)
    out = np.eye(len(places))
    for a, b in combinations(range(len(places)), 2):
        out[a, b] = out[b, a] = kendalltau(places[a], places[b]).statistic
    return out


def _matrix(subsets: Subsets, n_features: int | None, where: str, sized: bool = False) -> np.ndarray:
    """Return a mask of the chosen features per subset."""
    if isinstance(subsets, np.ndarray) and subsets.dtype == bool and subsets.ndim == 2:
        chosen = subsets
    else:
        numbers = [_chosen(one) for one in subsets]
        width = _width(subsets, n_features)
        if sized and width is None:
            raise InputError(f"{where} must know how many features there were to choose from; pass n_features.")
        if any(len(np.unique(one)) < len(one) for one in numbers):
            raise InputError(
                f"{where} got a subset that holds a feature twice; give numbers of different features, or masks as a "
                "bool array."
            )
        largest = max((int(one.max()) for one in numbers if len(one)), default=-1) + 1
        width = largest if width is None else width
        if largest > width or any((one < 0).any() for one in numbers):
            raise InputError(
                f"{where} got feature numbers outside 0 to {width - 1}; pass n_features={largest} or more."
            )
        chosen = np.zeros((len(numbers), width), dtype=bool)
        for row, one in zip(chosen, numbers):
            row[one] = True
    if len(chosen) < 2 or (sized and chosen.shape[1] == 0):
        raise InputError(
            f"{where} compares subsets of features, but got {len(chosen)}; give those of two samples or more."
        )
    return chosen


def _chosen(subset: Any) -> np.ndarray:
    if isinstance(subset, Selection):
        return subset.indices
    return np.asarray(list(subset), dtype=np.int64).reshape(-1)


def _width(subsets: Any, n_features: int | None) -> int | None:
    """Return the number of features if it was given or a selection knows it."""
    if n_features is not None:
        return int(n_features)
    return next((one.n_features for one in subsets if isinstance(one, Selection)), None)


def _common(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many features each pair shares, and the sizes."""
    common = chosen.astype(float) @ chosen.T.astype(float)
    return common, np.diag(common)


def _mean_of_pairs(values: np.ndarray) -> float:
    return float(values[np.triu_indices(len(values), 1)].mean())


def _places(rankings: Subsets, n_features: int | None) -> np.ndarray:
    """Return the place of every feature in every ranking, mean places where they are shared."""
    orders = [one.order if isinstance(one, Selection) else np.asarray(list(one), dtype=np.int64) for one in rankings]
    width = _width(rankings, n_features)
    width = max((int(o.max()) + 1 for o in orders if len(o)), default=0) if width is None else width
    if len(orders) < 2 or width == 0:
        raise InputError(
            f"Rank correlations compare rankings, but got {len(orders)}; give those of two samples or more."
        )
    if any(len(o) and (o.min() < 0 or o.max() >= width) for o in orders):
        raise InputError(f"A ranking holds feature numbers outside 0 to {width - 1}; pass a larger n_features.")
    places = np.full((len(orders), width), width, dtype=float)
    for row, order in zip(places, orders):
        row[order] = np.arange(len(order))
    return rankdata(places, axis=1)
