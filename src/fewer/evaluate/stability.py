"""How much the features chosen on different samples agree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import stdtr, stdtrit
from scipy.stats import kendalltau, rankdata

from fewer.core.records.errors import InputError, ParameterError
from fewer.evaluate.subsets import Subsets, chosen_features, ranked_features

# With fewer samples, fewer that differ, or fewer features in common over all pairs, nobody knows how much it varies.
LEAST_SAMPLES, LEAST_DIFFERENT, LEAST_COMMON = 5, 2, 5


@dataclass(frozen=True)
class Stability:
    """The measure of Nogueira with its uncertainty.

    Attributes
    ----------
    value : float
        1 if all subsets are equal, 0 on average if they are drawn at random; NaN if all features or none were chosen.
    variance : float
        Estimated variance of `value`; NaN where it is not known.
    low, high : float
        Confidence interval, within -1 and 1; NaN where the variance is not known.
    level : float
        Its confidence.
    df : float
        Degrees of freedom of Student's t, by which the interval and the p-values are taken.
    """

    value: float
    variance: float
    low: float
    high: float
    level: float = 0.95
    df: float = float("nan")

    def pvalue(self, other: Stability | float = 0.0) -> float:
        """Return the two-sided p-value of equal stability, with that of another method or with a given value.

        The statistics are those of theorems 9 and 10 of [1]_ in `nogueira`, with Student's t in place of the normal
        distribution; NaN where a variance is not known.
        """
        if not isinstance(other, Stability):
            other = Stability(float(other), 0.0, float(other), float(other), df=1.0)
        total = self.variance + other.variance
        # Welch and Satterthwaite: the degrees of freedom of a sum of variances.
        df = total**2 / (self.variance**2 / self.df + other.variance**2 / other.df)
        return float(2.0 * stdtr(df, -abs(self.value - other.value) / np.sqrt(total)))


def jaccard(subsets: Subsets) -> float:
    """Return the mean fraction of common features over all pairs of subsets.

    Parameters
    ----------
    subsets : sequence of int sequences, of masks or of Selection, or bool array of shape (n_subsets, n_features)
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
    chosen = chosen_features(subsets, None, "jaccard")
    common, sizes = _common(chosen)
    united = sizes[:, None] + sizes - common
    shares = np.where(united > 0, common / np.maximum(united, 1), 1.0)
    return _mean_of_pairs(shares)


def kuncheva(subsets: Subsets, n_features: int | None = None) -> float:
    """Return Kuncheva's consistency index over all pairs of subsets of one size.

    Parameters
    ----------
    subsets : sequence of int sequences, of masks or of Selection, or bool array of shape (n_subsets, n_features)
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
    chosen = chosen_features(subsets, n_features, "kuncheva", sized=True)
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
    subsets : sequence of int sequences, of masks or of Selection, or bool array of shape (n_subsets, n_features)
        What was chosen on each sample; at least two, of any sizes.
    n_features : int, optional
        Number of features to choose from; known from selections and arrays.
    level : float, default=0.95
        Confidence of the interval.

    Returns
    -------
    Stability
        Value (definition 4 of [1]_), variance and interval. With subsets of one size the value is that of `kuncheva`.

    Notes
    -----
    The variance and the normal quantile of theorem 7 and corollary 8 of [1]_ hold for very many samples: of five random
    choices they call every sixth stable, of two all of them. The value is the mean of the agreements of all pairs of
    samples, so its variance is estimated here as that of such a mean, without bias and for any number of samples, and
    the interval is that of Student's t. What samples add to the variance counts M/2 degrees of freedom, what pairs add
    beside it, as in random choices, 1.5 (M - 2), which simulation says; both are joined by Satterthwaite's rule.
    ``studies/stability.py`` prints the coverage: 90 to 98 % from five samples on, in all but the settings named there.

    There is no interval, and no p-value, with fewer than five samples; if fewer than two of them share more or less
    with the others than most do, such as when all are equal; and if all pairs together share fewer than five features
    (or leave out fewer than five, where most are chosen). The interval cannot know of what it has not seen: if features
    are missed in less than one of M samples it is too narrow, and if the selection jumps between two states it covers
    the true value in anything from 60 % to all of the cases.

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
    chosen = chosen_features(subsets, n_features, "nogueira", sized=True)
    unknown = float("nan")
    common, sizes = _common(chosen)
    m, d = chosen.shape
    share = float(sizes.mean()) / d
    spread = share * (1.0 - share)
    if spread <= 0.0:
        return Stability(unknown, unknown, unknown, unknown, level)
    apart = (sizes[:, None] + sizes - 2.0 * common) / (2 * d)
    mean_apart = _mean_of_pairs(apart)
    value = 1.0 - mean_apart / spread
    # How much each pair adds to the value; the second term is what the sizes of the pair change in the spread.
    sides = (sizes[:, None] + sizes) / (2 * d) - share
    agreed = 1.0 - apart / spread + mean_apart / spread**2 * (1.0 - 2.0 * share) * sides
    # Where most features are chosen, those that are not tell the samples apart.
    rarer = common if share <= 0.5 else d - sizes[:, None] - sizes + common
    variance, df = _variance_of_pairs(agreed) if _tells(rarer) else (unknown, unknown)
    reach = float(stdtrit(df, 0.5 + level / 2.0)) * np.sqrt(variance)
    low, high = float(np.maximum(-1.0, value - reach)), float(np.minimum(1.0, value + reach))
    return Stability(float(value), variance, low, high, level, df)


def _tells(common: np.ndarray) -> bool:
    """Return whether enough samples have something in common, and not all alike, for a variance to be known."""
    per_sample = common.sum(axis=1) - np.diag(common)
    different = len(common) - int(np.unique(per_sample, return_counts=True)[1].max())
    enough = per_sample.sum() / 2.0 >= LEAST_COMMON
    return bool(len(common) >= LEAST_SAMPLES and different >= LEAST_DIFFERENT and enough)


def _variance_of_pairs(values: np.ndarray) -> tuple[float, float]:
    r"""Return the variance of the mean over pairs of independent samples, and its degrees of freedom.

    It is :math:`(4 (m - 2) \zeta_1 + 2 \zeta_2) / (m (m - 1))` with the covariance :math:`\zeta_1` of two pairs that
    share a sample and the variance :math:`\zeta_2` of a pair. Both are estimated from products over different samples.
    """
    m = len(values)
    off = values - _mean_of_pairs(values)
    np.fill_diagonal(off, 0.0)
    pairs = m * (m - 1)
    same = float((off**2).sum())
    sharing = float((off.sum(axis=1) ** 2).sum()) - same
    # All products add up to nothing, so those of pairs without a common sample are what the others leave.
    neither = -(4.0 * sharing + 2.0 * same) / (pairs * (m - 2) * (m - 3))
    of_pair = max(0.0, same / pairs - neither)
    # Neither is a covariance of this kind negative, nor more than half of the variance.
    of_sample = min(max(0.0, sharing / (pairs * (m - 2)) - neither), of_pair / 2.0)
    first, second = 4.0 * (m - 2) * of_sample / pairs, 2.0 * of_pair / pairs
    freedom = (first + second) ** 2 / (2.0 * first**2 / m + second**2 / (1.5 * (m - 2)))
    return first + second, freedom


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


def _common(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many features each pair shares, and the sizes."""
    common = chosen.astype(float) @ chosen.T.astype(float)
    return common, np.diag(common)


def _mean_of_pairs(values: np.ndarray) -> float:
    return float(values[np.triu_indices(len(values), 1)].mean())


def _places(rankings: Subsets, n_features: int | None) -> np.ndarray:
    """Return the place of every feature in every ranking, mean places where they are shared."""
    orders, width = ranked_features(rankings, n_features)
    places = np.full((len(orders), width), width, dtype=float)
    for row, order in zip(places, orders):
        row[order] = np.arange(len(order))
    return rankdata(places, axis=1)
