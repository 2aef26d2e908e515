"""Canonical analysis: axes on which class means are far apart beside the spread within classes."""

from __future__ import annotations

from numbers import Real

import numpy as np
import scipy.linalg

from fewer.core.measures.principal import largest_signs
from fewer.core.records.params import Interval
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.projection._border_axes import COMPONENTS, BorderProjector


class CanonicalAnalysis(BorderProjector):
    r"""Project on axes on which the means of classes are far apart, beside the spread within classes.

    Axes are the leading eigenvectors of :math:`S_w^{-1} S_b` with :math:`S_w = \sum_i P_i \Sigma_i` and
    :math:`S_b = \sum_i P_i (\mu_i - \mu)(\mu_i - \mu)^T` (section 6.1 of [1]_, linear discriminant analysis [2]_), at
    most one fewer than classes.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Number of axes, or the fraction of the trace of :math:`S_w^{-1} S_b` that they hold together; None for all that
        hold any.
    l2 : float, default=1e-4
        Added to the diagonal of :math:`S_w` as a fraction of its mean, for standardized features; 0 needs more rows
        than features, none of them a sum of others.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes for features in their own units; rows within classes have variance 1 along them (with ``l2=0``).
    axes_ : ndarray of shape (n_components, n_features)
        The same axes for standardized features.
    eigenvalues_ : ndarray of shape (n_features,)
        All eigenvalues, largest first, summing to 1.
    ratios_ : ndarray of shape (n_features,)
        The eigenvalues as they are: spread of class means over spread within classes.
    explained_fraction_ : float
        What the kept axes hold of the trace.
    mean_, scale_ : ndarray of shape (n_features,)
        What is subtracted from features, and what they are divided by.
    selection_ : Selection
        Features by weight: the sum over axes, brought to length 1, of eigenvalue times squared part.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    DecisionBoundary : Also finds axes along which classes of equal means differ.

    Notes
    -----
    Where all class means are the same, all axes are noise. Features are always standardized, so that ``l2`` does not
    depend on their units.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 6.1.
    .. [2] K. Fukunaga, "Introduction to Statistical Pattern Recognition", 2nd edition, 1990.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = CanonicalAnalysis().fit(X, y)
    >>> found.transform(X).shape, found.eigenvalues_.round(3).tolist()
    ((150, 2), [0.991, 0.009, 0.0, 0.0])
    """

    method_tags = MethodTags(
        targets=("classes",), views=("dense",), invariance=("row_order", "scale"), cost="n*d^2 + d^3"
    )
    _parameter_constraints: dict = {
        "n_components": COMPONENTS,
        "l2": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, n_components: int | float | None = None, *, l2: float = 1e-4) -> None:
        self.n_components = n_components
        self.l2 = l2

    def _found(self, data: View, rows: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        counts = np.bincount(codes, minlength=data.n_classes).astype(np.float64)
        sums = np.zeros((data.n_classes, data.n_features))
        np.add.at(sums, codes, rows)
        means = sums / counts[:, None]
        within = rows - means[codes]
        spread = within.T @ within / len(rows)
        ridge = self.l2 * np.trace(spread) / data.n_features
        # Rows that are all equal to their class mean have no spread at all; any ridge then serves.
        floor = np.finfo(np.float64).eps * max(1.0, float(np.trace(spread)))
        spread = spread + max(ridge, floor) * np.eye(data.n_features)
        about = means - rows.mean(axis=0)
        between = (about * (counts / len(rows))[:, None]).T @ about
        values, vectors = scipy.linalg.eigh(between, spread)
        values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
        # There are at most as many directions between means as classes less one; others are rounding.
        values[data.n_classes - 1 :] = 0.0
        self.ratios_ = values
        if not values.sum() > 0:
            values = np.r_[1.0, np.zeros(len(values) - 1)]
        return values, vectors * largest_signs(vectors)
