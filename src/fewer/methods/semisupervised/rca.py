"""Relevant component analysis: rows that belong together differ equally in all directions."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
import scipy.linalg

from fewer.core.clustering.by_label import rows_added
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval
from fewer.core.records.tags import MethodTags
from fewer.core.views.pairs import Pairs
from fewer.core.views.view import View
from fewer.methods.semisupervised._pair_axes import steady_signs
from fewer.methods.semisupervised._pair_projector import PairProjector

# Directions below this fraction of the largest spread within groups are taken for constant there.
SINGULAR = 1e-12


class RCA(PairProjector):
    r"""Project so that rows that belong together differ equally in all directions.

    Must-links join rows to groups with means m; with
    :math:`C = \frac{1}{p} \sum_j \sum_i (x_{ji} - m_j)(x_{ji} - m_j)^T` over the p rows in groups, rows are
    multiplied by :math:`C^{-1/2}` [1]_, a baseline of [2]_: directions in which rows differ that belong together
    count less.

    Parameters
    ----------
    n_components : int, default=None
        Number of axes; None for as many as features. Fewer are those with most spread of all rows against C
        (Fisher's criterion), which also have unit spread within groups.
    l2 : float, default=0.0
        Added to the diagonal of C, as a fraction of its mean; needed where rows in groups are few.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes.
    mean_ : ndarray of shape (n_features,)
        Mean of all rows, subtracted first.
    selection_ : Selection
        Features by weight: spread of all rows along the new axes, by the part of each feature.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    ConstraintProjection : Uses pairs that do not belong together, too.
    XingMetric : Keeps the sum of lengths of pairs that belong together and draws others apart.

    Notes
    -----
    Cannot-links play no part, and pairs without any must-link are refused. The paper reduces the dimension first and
    makes the spread within groups equal then; generalised eigenvectors do both at once.

    References
    ----------
    .. [1] A. Bar-Hillel, T. Hertz, N. Shental and D. Weinshall, "Learning a Mahalanobis metric from equivalence
       constraints", Journal of Machine Learning Research 6, 2005.
    .. [2] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 15.4.

    Examples
    --------
    >>> from fewer import Pairs
    >>> X = [[0, 0], [2, 0], [0, 3], [0, 5]]
    >>> found = RCA().fit(X, pairs=Pairs(4, must_link=[(0, 1), (2, 3)]))
    >>> found.components_.round(6).tolist()
    [[1.414214, 0.0], [0.0, 1.414214]]
    """

    method_tags = MethodTags(targets=("none",), views=("dense",), invariance=("row_order",), cost="n*d^2 + d^3")
    _learns_from = "pairs that belong together (must-links)"
    _parameter_constraints: dict = {
        "n_components": [None, Interval(Integral, 1, None, closed="left")],
        "l2": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, n_components: int | None = None, *, l2: float = 0.0) -> None:
        self.n_components = n_components
        self.l2 = l2

    def _enough(self, pairs: Pairs) -> bool:
        return bool(pairs.n_must)

    def _axes(self, data: View) -> None:
        groups = self._pairs(data).groups
        X = np.asarray(data.whole().X, dtype=np.float64)
        self.mean_ = X.mean(axis=0)
        rows = X - self.mean_
        scale = float(np.abs(rows).max()) or 1.0
        rows = rows / scale
        spreads, vectors = self._within(rows, groups)
        if self.n_components is None:
            axes = (vectors / spreads) @ vectors.T
        else:
            # On axes on which rows that belong together have spread 1, those with most spread of all rows.
            white = vectors / spreads
            inner = scipy.linalg.svd(rows @ white, full_matrices=False)[2][: self.n_components]
            axes = steady_signs(inner @ white.T)
        # How far all rows are spread along an axis on which rows that belong together have spread 1.
        self.strengths_ = np.mean((rows @ axes.T) ** 2, axis=0)
        self.components_ = axes / scale

    def _within(self, rows: np.ndarray, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how far rows are spread about the means of their groups, and the directions; none may vanish."""
        inside = np.bincount(groups)[groups] > 1
        here, codes = rows[inside], np.unique(groups[inside], return_inverse=True)[1]
        sizes = np.bincount(codes)[:, None]
        about = here - (rows_added(here, codes, len(sizes)) / sizes)[codes]
        n_features = rows.shape[1]
        # Singular values keep twice the digits of eigenvalues: columns may be of very different sizes.
        largest = float(np.abs(about).max())
        about = np.vstack([about, np.zeros((max(0, n_features - len(about)), n_features))]) / (largest or 1.0)
        _, spreads, directions = scipy.linalg.svd(about, full_matrices=False)
        variances = spreads**2 / len(here)
        spreads = np.sqrt(variances + self.l2 * variances.mean())
        if spreads[-1] <= SINGULAR * spreads[0]:
            raise RequirementError(
                f"{type(self).__name__} got {len(here)} rows in {len(sizes)} groups of must-links, which do not differ "
                f"in all directions of {n_features} features; add must-links, reduce the features first (PCA), or "
                "pass l2 above 0."
            )
        return spreads * (largest or 1.0), directions.T
