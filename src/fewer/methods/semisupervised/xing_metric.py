"""Weights of features, or a full metric, that draw rows apart that do not belong together."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

from fewer.core.estimators.clusterer import by_weight, rows_of
from fewer.core.estimators.projector import feature_weights, projected
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.result import Selection
from fewer.core.views.pairs import Pairs
from fewer.core.views.view import View
from fewer.methods.semisupervised._metric_ascent import (
    Ascent,
    ascend,
    diagonal_value,
    full_value,
    multiplied,
    on_simplex,
    on_spectrahedron,
)
from fewer.methods.semisupervised._pair_axes import differences
from fewer.methods.semisupervised._pair_projector import ON_PAIRS, PairProjector

# A full metric holds a matrix of all features, and takes their cube in every step.
MOST_FEATURES = 2000
# Most steps that find which weights are near 0, and how near the solution they come, before those that find it exactly.
FIRST_STEPS, ROUGH = 100, 1e-3


class XingMetric(PairProjector):
    r"""Weigh features so that rows are far apart that do not belong together, while those that do stay near.

    The metric A, without negative eigenvalues, maximises :math:`\sum_{cl} \|x_i - x_j\|_A` under
    :math:`\sum_{ml} \|x_i - x_j\|_A^2 \le 1`, :math:`\|u\|_A = \sqrt{u^T A u}` [1]_, a baseline of [2]_. A diagonal
    A weighs the features; rows are multiplied by :math:`A^{1/2}`.

    Parameters
    ----------
    metric_type : {"diagonal", "full"}, default="diagonal"
        Whether features are weighed, or all their combinations.
    l2 : float, default=0.01
        Added to the squared differences of must-links of every feature, as a fraction of their mean: bounds the
        weight of features in which rows that belong together do not differ.
    tol : float, default=1e-06
        The search ends when at most this fraction of the sum can still be gained.
    max_iter : int, default=1000
        Most iterations of the search.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        The diagonal of A.
    metric_ : ndarray of shape (n_features, n_features)
        A, if it is full.
    gap_ : float
        Fraction of the sum that could still be gained at the most.
    n_iter_ : int
        Number of steps.
    components_ : ndarray of shape (n_features, n_features)
        The square root of A.
    selection_ : Selection
        Features by weight, in units of their own spread among must-links.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    RCA : Has a closed form, and uses must-links alone.
    ConstraintProjection : Fewer axes, without weights.

    Notes
    -----
    The paper solves the diagonal form by Newton's method on
    :math:`\sum_{ml} \|\cdot\|_A^2 - \log \sum_{cl} \|\cdot\|_A`, which has the same solution up to a factor; here A
    has the size that this form gives it (the sum over must-links, ``l2`` included, is 1/2). The full form is solved
    there by alternating projections; here A is measured in units of the must-links, where all constraints are one
    set with an exact projection, and the ascent ends with a bound on what is left to gain. Without must-links
    nothing bounds A, and without cannot-links nothing is drawn apart: both are refused.

    References
    ----------
    .. [1] E. P. Xing, A. Y. Ng, M. I. Jordan and S. Russell, "Distance metric learning, with application to
    clustering
       with side-information", NIPS 2002.
    .. [2] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 15.2.

    Examples
    --------
    >>> from fewer import Pairs
    >>> X = [[0.0, 0.0], [0.1, 5.0], [1.0, 0.1], [1.1, 4.9]]
    >>> pairs = Pairs(4, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)])
    >>> found = XingMetric().fit(X, pairs=pairs)
    >>> found.selection_.indices.tolist()
    [0]
    """

    method_tags = ON_PAIRS
    _learns_from = "both pairs that belong together and pairs that do not"
    _parameter_constraints: dict = {
        "metric_type": [StrOptions({"diagonal", "full"})],
        "l2": [Interval(Real, 0, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self, metric_type: str = "diagonal", *, l2: float = 0.01, tol: float = 1e-6, max_iter: int = 1000
    ) -> None:
        self.metric_type = metric_type
        self.l2 = l2
        self.tol = tol
        self.max_iter = max_iter

    def _enough(self, pairs: Pairs) -> bool:
        return bool(pairs.n_must and pairs.n_cannot)

    def _axes(self, data: View) -> None:
        pairs, X = self._pairs(data), rows_of(data)
        apart, near = differences(X, pairs.cannot), differences(X, pairs.must)
        largest = float(abs(apart).max())
        if largest == 0:
            raise RequirementError(
                f"{type(self).__name__} got {len(pairs.cannot)} cannot-links between rows that are equal, but learns "
                "from rows that differ; add other cannot-links."
            )
        # Each in its own unit: that of cannot-links plays no part in the solution.
        scale = float(abs(near).max()) or largest
        apart, near = apart / largest, near / scale
        found = self._diagonal(apart, near, scale) if self.metric_type == "diagonal" else self._full(apart, near, scale)
        self.gap_, self.n_iter_ = found.gap, found.n_iter
        if found.gap > self.tol:
            warnings.warn(
                f"{type(self).__name__} ended after {found.n_iter} iterations with a gap of {found.gap:.2g}, above "
                f"tol={self.tol:g}; raise max_iter.",
                stacklevel=2,
            )

    def _diagonal(self, apart: Any, near: Any, scale: float) -> Ascent:
        squares, sums = _squares(apart), np.asarray(_squares(near).sum(axis=0)).ravel()
        bound = sums + self.l2 * (sums.mean() or 1.0)
        seen = np.asarray(squares.sum(axis=0)).ravel() > 0
        if (bound[seen] == 0).any():
            raise RequirementError(
                f"{type(self).__name__} got l2=0 and {int((bound[seen] == 0).sum())} features in which no rows differ "
                "that belong together, whose weight nothing bounds; pass l2 above 0."
            )
        inverse = np.divide(1.0, bound, out=np.zeros(len(bound)), where=bound > 0)
        units = _scaled(squares, inverse)

        def value(b: np.ndarray) -> tuple[float, np.ndarray]:
            return diagonal_value(units, b)

        start = np.full(len(bound), 1.0 / len(bound))
        start, done = multiplied(value, start, ROUGH, min(FIRST_STEPS, self.max_iter - 1))
        found = ascend(value, start, on_simplex, self.tol, self.max_iter - done)
        found = found._replace(n_iter=found.n_iter + done)
        self._parts = found.point
        self._roots = np.sqrt(found.point * inverse / 2) / scale
        with np.errstate(over="ignore", under="ignore"):
            self.weights_ = self._roots**2
        return found

    def _full(self, apart: Any, near: Any, scale: float) -> Ascent:
        if apart.shape[1] > MOST_FEATURES:
            raise RequirementError(
                f'{type(self).__name__} got {apart.shape[1]:,} features with metric_type="full", but takes at most '
                f'{MOST_FEATURES:,} there; pass metric_type="diagonal", or reduce the features first.'
            )
        apart, near = (d.toarray() if scipy.sparse.issparse(d) else d for d in (apart, near))
        M = near.T @ near
        M[np.diag_indices(len(M))] += self.l2 * (np.trace(M) / len(M) or 1.0)
        values, vectors = scipy.linalg.eigh(M)
        if values[0] <= 1e-12 * values[-1]:
            raise RequirementError(
                f"{type(self).__name__} got {len(near)} must-links that do not differ in all directions of {len(M)} "
                f"features with l2={self.l2:g}, so that nothing bounds the metric; raise l2, or add must-links."
            )
        whitener = (vectors / np.sqrt(values)) @ vectors.T
        U = apart @ whitener
        found = ascend(lambda B: full_value(U, B), np.eye(len(M)) / len(M), on_spectrahedron, self.tol, self.max_iter)
        values, vectors = scipy.linalg.eigh(whitener @ found.point @ whitener / 2)
        roots = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        self._parts = feature_weights(roots, np.einsum("kj,kj->k", roots, roots))
        self._roots = roots / scale
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            self.metric_ = self._roots @ self._roots
        self.weights_ = np.diag(self.metric_).copy()
        return found

    @property
    def components_(self) -> np.ndarray:  # type: ignore[override]
        """The square root of A."""
        return np.diag(self._roots) if self._roots.ndim == 1 else self._roots

    @property
    def _n_features_out(self) -> int:
        """As many axes as features; their matrix need not be made for that."""
        return len(self._roots)

    def _selection(self, data: View) -> Selection:
        return by_weight(self._parts)

    def on_axes(self, rows: Any) -> Any:
        """Return rows that were checked already in the new metric; sparse if they are and features are weighed."""
        return _scaled(rows, self._roots) if self._roots.ndim == 1 else projected(rows, self._roots, None)


def _squares(differences: Any) -> Any:
    return differences.power(2) if scipy.sparse.issparse(differences) else differences**2


def _scaled(rows: Any, factors: np.ndarray) -> Any:
    """Return rows whose columns are multiplied, sparse if they are."""
    return rows @ scipy.sparse.diags_array(factors) if scipy.sparse.issparse(rows) else rows * factors
