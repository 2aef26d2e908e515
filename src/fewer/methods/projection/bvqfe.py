"""Axes across the borders of a labelled code: BVQ-based feature extraction."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.projection._border_axes import COMPONENTS, BorderProjector
from fewer.methods.projection.border_pieces import face_volumes, sample_counts
from fewer.methods.projection.bvq import BVQ

MOST_VOLUME_FEATURES = 6


class BVQFE(BorderProjector):
    r"""Project on axes across the borders between code vectors of different classes.

    `BVQ` trains a code; for code vectors :math:`m_k, m_z` of classes i and j with a piece of border between them,
    :math:`N_{kz} = (m_k - m_z) / \|m_k - m_z\|`, and axes are eigenvectors of
    :math:`\Sigma = \sum_{i \ne j} P_i P_j \sum_{kz} w_{kz} N_{kz} N_{kz}^T` brought to trace 1 (eq. 6.5 and
    box of section 6.4 of [1]_; [2]_).

    Parameters
    ----------
    n_components : int, float or None, default=0.95
        Number of axes, or the fraction of the trace that they hold together; None for all that hold any.
    weighting : {"samples", "volume", "uniform"}, default="samples"
        Weight w of a piece of border: rows at most half a window off it (eq. 6.6), its area within the range of the
        data (up to 6 features), or 1.
    n_prototypes : int, default=20
        Number of code vectors, at least one per class.
    window : float, default=0.5
        Width of the strip about a border whose rows count for it, in units of the (standardized) features.
    learning_rate : float, default=0.5
        Size of the first step, :math:`\gamma_0`.
    decay : float, default=0.25
        Power a by which steps become smaller.
    max_iter : int, default=100_000
        Most iterations: rows that are drawn.
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        What it costs to take a row of one class (its row) for one of another (its column), classes in sorted order.
    init : {"random", "first"}, default="random"
        Which rows the code begins with: random ones, of every class in proportion, the best of 20 draws, or the first.
    pair_priors : bool, default=True
        Whether pieces count by :math:`P_i P_j` (the box of the source) or not (its eq. 6.5); counts of rows know how
        frequent classes are without it.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first; normals depend on units.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes for features in their own units; a row is projected after ``mean_`` was subtracted.
    axes_ : ndarray of shape (n_components, n_features)
        The axes for standardized features, each of length 1.
    eigenvalues_ : ndarray of shape (n_features,)
        All eigenvalues, largest first, summing to 1.
    explained_fraction_ : float
        What the kept axes hold of the trace.
    matrix_ : ndarray of shape (n_features, n_features)
        The matrix, of trace 1.
    mean_, scale_ : ndarray of shape (n_features,)
        What is subtracted from features, and what they are divided by.
    quantizer_ : BVQ
        The trained code, for standardized rows.
    n_iter_ : int
        Number of rows that were drawn.
    selection_ : Selection
        Features by weight: the sum over axes of eigenvalue times squared part.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    BVQ : The classifier.
    DecisionBoundary : Borders of any smooth classifier.

    Notes
    -----
    With "samples" and "uniform" a piece of border is there if it has the two nearest code vectors of some row at most
    half a window off it. The window is doubled until some row lies in it; if the two nearest code vectors of every row
    are of one class, each row weighs the piece between its nearest one and the nearest of another class. The source
    divides by the sum of weights, with which the trace is not 1; the eigenvalues it reports sum to 1. It estimates
    areas by a grid of points; here they are those of polytopes.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 6.4.
    .. [2] C. Diamantini and D. Potena, "Feature extraction for classification: an LVQ-based approach", International
       Workshop on Feature Selection for Data Mining, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = BVQFE(2, n_prototypes=6, random_state=0).fit(X, y)
    >>> found.transform(X).shape, found.selection_.indices.tolist()
    ((150, 2), [2, 3])
    """

    method_tags = MethodTags(
        targets=("classes",), views=("dense",), deterministic=False, invariance=(), cost="(n + max_iter)*n_prototypes*d"
    )
    _parameter_constraints: dict = {
        "n_components": COMPONENTS,
        "weighting": [StrOptions({"samples", "volume", "uniform"})],
        "n_prototypes": [Interval(Integral, 1, None, closed="left")],
        "window": [Interval(Real, 0, None, closed="neither")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "decay": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "cost_matrix": "no_validation",
        "init": [StrOptions({"random", "first"})],
        "pair_priors": ["boolean"],
        "standardize": ["boolean"],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_components: int | float | None = 0.95,
        *,
        weighting: str = "samples",
        n_prototypes: int = 20,
        window: float = 0.5,
        learning_rate: float = 0.5,
        decay: float = 0.25,
        max_iter: int = 100_000,
        cost_matrix: Any = None,
        init: str = "random",
        pair_priors: bool = True,
        standardize: bool = True,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.weighting = weighting
        self.n_prototypes = n_prototypes
        self.window = window
        self.learning_rate = learning_rate
        self.decay = decay
        self.max_iter = max_iter
        self.cost_matrix = cost_matrix
        self.init = init
        self.pair_priors = pair_priors
        self.standardize = standardize
        self.random_state = random_state

    def _matrix(self, data: View, rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
        box = np.stack([rows.min(axis=0), rows.max(axis=0)], axis=1)
        # Constant features have no width, and would make all areas 0.
        wide = box[:, 0] < box[:, 1]
        if self.weighting == "volume" and wide.sum() > MOST_VOLUME_FEATURES:
            raise RequirementError(
                f'BVQFE got weighting="volume" for {wide.sum()} features, but computes areas of borders for at '
                f'most {MOST_VOLUME_FEATURES}; pass weighting="samples".'
            )
        shared = ("n_prototypes", "window", "learning_rate", "decay", "max_iter", "cost_matrix", "init", "random_state")
        self.quantizer_ = BVQ(**{name: getattr(self, name) for name in shared}, standardize=False).fit(rows, codes)
        self.n_iter_ = self.quantizer_.n_iter_
        code, labels = self.quantizer_.code_vectors_, self.quantizer_.code_labels_
        if self.weighting == "volume":
            weights = face_volumes(code[:, wide], labels, box[wide])
        else:
            weights = sample_counts(rows, code, labels, self.window)
            if self.weighting == "uniform":
                weights = (weights > 0).astype(np.float64)
        priors = np.bincount(codes, minlength=data.n_classes) / len(codes)
        if self.pair_priors:
            weights = weights * np.outer(priors[labels], priors[labels])
        total = code_matrix(code, weights)
        if not np.trace(total) > 0:
            raise RequirementError(
                f"BVQFE found no border between {len(np.unique(labels))} classes among {len(code)} code vectors "
                f"(n_samples={data.n_rows}); pass rows that differ between classes, raise n_prototypes, or use "
                'init="random", which has all classes.'
            )
        return total / np.trace(total)


def code_matrix(code: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the sum of w N N^T over pairs of code vectors; weights are those of k < z.

    Examples
    --------
    >>> code = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 8.0]])
    >>> code_matrix(code, np.array([[0, 8.0, 2.0], [0, 0, 0], [0, 0, 0]])).tolist()
    [[8.0, 0.0], [0.0, 2.0]]
    """
    k, z = np.nonzero(np.triu(weights, 1))
    ways = code[k] - code[z]
    lengths = np.sqrt((ways**2).sum(axis=1, keepdims=True))
    normals = np.divide(ways, lengths, out=np.zeros(ways.shape), where=lengths > 0)
    return (normals * weights[k, z, None]).T @ normals
