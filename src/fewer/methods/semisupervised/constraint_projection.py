"""Axes on which rows that belong apart are far from each other and rows that belong together near."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.estimators.clusterer import rows_of
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.views.pairs import Pairs
from fewer.core.views.view import View
from fewer.methods.semisupervised._pair_axes import PairAxes, differences, pair_axes, pair_signs, scaled_axes
from fewer.methods.semisupervised._pair_projector import ON_PAIRS, PairProjector


class ConstraintProjection(PairProjector):
    r"""Project on axes that draw rows apart that do not belong together, and rows near that do.

    Orthonormal axes P maximise :math:`\sum_{cl} \|P^T (x_i - x_j)\|^2 - \sum_{ml} \|P^T (x_i - x_j)\|^2` over
    cannot-links and must-links (eq. 15.1 of [1]_): eigenvectors of the largest eigenvalues of
    :math:`Q = (1 - \beta) \sum_{cl} \delta \delta^T - \beta \sum_{ml} \delta \delta^T` (eq. 15.10).

    Parameters
    ----------
    n_components : int, default=30
        Most axes.
    beta : float, default=0.5
        What must-links count against cannot-links, from 0 (not at all) to 1 (alone).
    must_link : {"pairs", "merge"}, default="pairs"
        Whether must-links are pairs to be drawn together, or join rows to groups, so that only the centres of groups
        that do not belong together are drawn apart, as SCREEN [2]_ does; ``beta`` then plays no part.
    axes : {"positive", "all"}, default="positive"
        Whether only axes are kept that draw apart more than they draw together, or as many as asked for.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes, the largest part of each positive.
    eigenvalues_ : ndarray of shape (n_components,)
        What each axis is worth.
    selection_ : Selection
        The features that the axes are made of, with the axes as a table.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    RCA : Makes rows that belong together alike in all directions.
    PCSKMeans : Groups rows, on these axes if asked to.

    Notes
    -----
    The text speaks of groups of must-links, its formula of pairs; pairs are used, so that a group all of whose pairs
    are given counts by its size. It gives 30 axes whatever their eigenvalues. There are at most as many positive
    ones as independent cannot-links; all others are directions of which the pairs say nothing (eigenvalue 0), or
    that draw together. With ``axes="all"`` they are taken, with a warning: of the directions with eigenvalue 0 those
    of single features first. At ``beta=1`` no eigenvalue is positive, which is why must-links alone are of little
    use.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 15.2.1.
    .. [2] W. Tang, H. Xiong, S. Zhong and J. Wu, "Enhancing semi-supervised clustering: a feature projection
       perspective", KDD 2007.

    Examples
    --------
    >>> from fewer import Pairs
    >>> X = [[0, 0, 0], [1, 0, 1], [4, 1, 0], [5, 1, 2], [2, 6, 1], [3, 7, 1]]
    >>> pairs = Pairs(6, must_link=[(0, 1), (2, 3), (4, 5)], cannot_link=[(0, 2), (1, 4), (3, 5)])
    >>> found = ConstraintProjection(2).fit(X, pairs=pairs)
    >>> (2 * found.eigenvalues_).round(4).tolist(), found.selection_.indices.tolist()
    ([72.6261, 17.9123], [1])
    """

    method_tags = ON_PAIRS
    _parameter_constraints: dict = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "beta": [Interval(Real, 0, 1, closed="both")],
        "must_link": [StrOptions({"pairs", "merge"})],
        "axes": [StrOptions({"positive", "all"})],
    }

    def __init__(
        self, n_components: int = 30, *, beta: float = 0.5, must_link: str = "pairs", axes: str = "positive"
    ) -> None:
        self.n_components = n_components
        self.beta = beta
        self.must_link = must_link
        self.axes = axes

    def _axes(self, data: View) -> None:
        pairs = self._pairs(data)
        found, scale = self._found(rows_of(data), pairs, min(self.n_components, data.n_features))
        if not len(found.components):
            raise RequirementError(
                f"{type(self).__name__} got {pairs.n_cannot} cannot-links, {pairs.n_must} must-links and "
                f"beta={self.beta:g}, with which no direction draws apart more than it draws together; add "
                'cannot-links, lower beta, or pass axes="all".'
            )
        if found.arbitrary.any():
            warnings.warn(
                f"{type(self).__name__}: of {len(found.components)} axes {int(found.arbitrary.sum())} are directions "
                'of which the pairs say nothing; axes="positive" leaves them out.',
                stacklevel=2,
            )
        with np.errstate(over="ignore", under="ignore"):
            self.components_, self.eigenvalues_ = found.components, found.values * scale * scale
        # In units of the largest difference, whose square may leave the range of numbers.
        self.strengths_ = np.maximum(found.values, 0.0)

    def _found(self, X: Any, pairs: Pairs, most: int) -> tuple[PairAxes, float]:
        """Return the axes of differences in units of the largest, and that unit."""
        fill = self.axes == "all"
        if self.must_link == "pairs":
            return pair_axes(X, pairs, self.beta, most, fill)
        C = differences(_group_means(X, pairs.groups), pairs.apart)
        return scaled_axes(pair_signs(C, np.ones(len(pairs.apart))), most, fill)


def _group_means(X: Any, groups: np.ndarray) -> Any:
    """Return the mean row of every group, sparse if the rows are."""
    n_groups = int(groups.max()) + 1
    weights = 1.0 / np.bincount(groups)[groups]
    mean = scipy.sparse.csr_array((weights, (groups, np.arange(len(groups)))), (n_groups, len(groups)))
    return scipy.sparse.csr_array(mean @ X) if scipy.sparse.issparse(X) else np.asarray(mean @ X)
