"""Dependence by kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.kernels.gaussian_pairs import permuted_products
from fewer.core.measures.permutations import permutation_pvalues
from fewer.core.records.errors import RequirementError
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.views.unit_columns import unit_columns
from fewer.core.views.view import View
from fewer.methods.univariate._gaussian_blocks import BLOCK_ROWS, GaussianBlocks, TargetKernel
from fewer.methods.univariate._permuted import ApproximateScore

# Each permutation looks at all pairs of rows.
MOST = 999


@dataclass(frozen=True)
class HSICCriterion(RankingCriterion):
    """Score the Hilbert-Schmidt norm of the cross-covariance of feature and target."""

    permuted: bool = False
    tested: bool = True
    requires = ("dense",)
    has_pvalues = True

    def without_pvalues(self) -> HSICCriterion:
        """Return the score alone."""
        return HSICCriterion(tested=False)

    def scores(self, view: View) -> Ranking:
        """Score all features by kernels of all pairs of rows."""
        if self.permuted and view.n_rows > BLOCK_ROWS:
            raise RequirementError(
                f"HSIC got pvalues='permutation' and {view.n_rows:,} rows, but permutations are of at most "
                f"{BLOCK_ROWS:,} rows; pass pvalues='approximate', or fewer rows."
            )
        blocks = GaussianBlocks(view)
        score, mean, variance = blocks.sums(self.tested and not self.permuted).T
        if not self.tested:
            return Ranking(score)
        if self.permuted:
            return Ranking(score, self._by_permutations(blocks, score))
        known = (mean > 0.0) & (variance > 0.0)
        rate = np.divide(mean, variance, out=np.zeros(len(mean)), where=known)
        return Ranking(score, np.where(known, gammaincc(np.where(known, mean * rate, 1.0), score * rate), 1.0))

    def _by_permutations(self, blocks: GaussianBlocks, score: np.ndarray) -> np.ndarray:
        target = TargetKernel(blocks.y, blocks.width)
        diagonal, n = np.diag(target.centred).sum(), target.n

        def statistics(features: np.ndarray, orders: np.ndarray) -> np.ndarray:
            out = np.empty((len(features), len(orders)))
            for at, j in enumerate(features):
                upper, _ = blocks.upper(unit_columns(blocks.X[:, [j]])[0][0], blocks.widths[j])
                found = [permuted_products(upper, target.centred, order) for order in orders]
                out[at] = np.maximum(0.0, (2.0 * np.array(found) + diagonal) / n**2)
            return out

        return permutation_pvalues(blocks.y, score, statistics, most=MOST)


class HSIC(ApproximateScore):
    r"""Keep features that depend most on the target, by Gaussian kernels of the distances between rows.

    The score is :math:`\mathrm{tr}(K H L H) / n^2` (definition 2 of [1]_), :math:`H = I - 1/n`, with kernels
    :math:`\exp(-(x - x')^2 / (2 \sigma^2))` of feature and target, :math:`\sigma` the median distance; the kernel of
    classes is 1 where they are equal. It is 0 only for independence as rows grow many.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    pvalues : {"approximate", "permutation"}, default="approximate"
        Whether p-values are those of a limit distribution, or of permutations of the target: up to 999.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    DistanceCorrelation : Without a width to choose, and faster.

    Notes
    -----
    The approximate p-value is that of a gamma distribution, as in [2]_, with the mean and variance over all
    permutations [4]_ in place of those of [2]_, which hold for many rows of columns without outliers and rare values.
    It needs six rows, with fewer it is 1. Beyond 2,000 rows these are dealt in turn to blocks of at most as many, and
    the score is the mean over blocks, as in [3]_; means and variances of blocks add up, and their sum is taken for a
    gamma variable, too, where [3]_ takes it for normal, which it is for many small blocks. The order of rows then
    matters a little. Where more than half of all pairs are equal, :math:`\sigma` is the standard deviation.

    References
    ----------
    .. [1] A. Gretton, O. Bousquet, A. Smola and B. Schoelkopf, "Measuring statistical dependence with Hilbert-Schmidt
       norms", ALT 2005.
    .. [2] A. Gretton, K. Fukumizu, C. H. Teo, L. Song, B. Schoelkopf and A. Smola, "A kernel statistical test of
       independence", NIPS 2007.
    .. [3] Q. Zhang, S. Filippi, A. Gretton and D. Sejdinovic, "Large-scale kernel methods for independence testing",
       Statistics and Computing 28, 2018.
    .. [4] F. Kazi-Aoual, S. Hitier, R. Sabatier and J.-D. Lebreton, "Refined approximations to permutation tests for
       multivariate inference", Computational Statistics & Data Analysis 20, 1995.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> HSIC(2).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        invariance=("row_order", "scale"),
        cost="n^2*d",
    )
    criterion = HSICCriterion()
