"""Axes across the border of a support vector machine, from the rows nearest to it."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.svm import SVC

from fewer.core.borders.contract import along_varying
from fewer.core.borders.kernel_machines import KernelDecision
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.projection._border_axes import COMPONENTS, BorderProjector
from fewer.methods.projection.boundary_matrix import near_matrix


class SVMDecisionBoundary(BorderProjector):
    r"""Project on axes across the border of a support vector machine, seen from the rows nearest to it.

    With :math:`h(x) = \sum_i \alpha_i y_i K(x, x_i) + b`, the fraction r of rows with the smallest :math:`|h|` is kept;
    each is joined to the nearest kept row with the other sign of h, and the unit normal
    :math:`N = \nabla h / \|\nabla h\|` taken where the segment crosses h = 0. Axes are eigenvectors of the mean of
    :math:`N N^T` (SVMDBA, section 6.2.2 of [1]_; [2]_). Several classes: one machine for each class against the rest,
    matrices added by :math:`P_i`.

    Parameters
    ----------
    n_components : int, float or None, default=0.95
        Number of axes, or the fraction of the trace that they hold together; None for all that hold any.
    border_fraction : float, default=0.2
        The part r of the rows that is nearest to the border. The result depends on it.
    kernel : {"linear", "poly", "rbf", "sigmoid"}, default="rbf"
        The kernel of the support vector machine, as scikit-learn's `SVC` writes them.
    C : float, default=1.0
        Cost of errors: the larger, the fewer rows may lie on the wrong side of their margin.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the kernel; "scale" is one over the features and their variance.
    degree : int, default=3
        Highest power of a feature: that of the polynomial kernel.
    coef0 : float, default=1.0
        Constant in the kernels "poly" and "sigmoid".
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first; normals depend on units.

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
    machines_ : list of SVC
        The machines, which take standardized rows: one for two classes, else one per class against the rest.
    selection_ : Selection
        Features by weight: the sum over axes of eigenvalue times squared part.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    DecisionBoundary : Uses all rightly classified rows, and any smooth classifier.
    BVQFE : Draws the border by code vectors; its work grows with n, not with its square.

    Notes
    -----
    Sides are told by the sign of h, not by the true class. How machines of several classes are joined is not in the
    source. If all kept rows lie on one side, r is doubled until both sides are there. Contrary to what [2]_ says, r
    matters (table 6.3 of [1]_).

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 6.2.2.
    .. [2] J. Zhang and Y. Liu, "SVM decision boundary based discriminative subspace induction", Pattern Recognition 38,
       2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = SVMDecisionBoundary(2, border_fraction=0.5).fit(X, y)
    >>> found.transform(X).shape, round(found.explained_fraction_, 2), found.selection_.indices.tolist()
    ((150, 2), 0.99, [3, 2])
    """

    method_tags = MethodTags(
        targets=("classes",), views=("dense",), invariance=(), cost="fit of the machines + (r*n)^2*d"
    )
    _parameter_constraints: dict = {
        "n_components": COMPONENTS,
        "border_fraction": [Interval(Real, 0, 1, closed="right")],
        "kernel": [StrOptions({"linear", "poly", "rbf", "sigmoid"})],
        "C": [Interval(Real, 0, None, closed="neither")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "standardize": ["boolean"],
    }

    def __init__(
        self,
        n_components: int | float | None = 0.95,
        *,
        border_fraction: float = 0.2,
        kernel: str = "rbf",
        C: float = 1.0,
        gamma: Any = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        standardize: bool = True,
    ) -> None:
        self.n_components = n_components
        self.border_fraction = border_fraction
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.standardize = standardize

    def _matrix(self, data: View, rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
        n = data.n_classes
        total = np.zeros((data.n_features, data.n_features))
        self.machines_ = []
        for c in range(1 if n == 2 else n):
            machine = SVC(kernel=self.kernel, C=self.C, gamma=self.gamma, degree=self.degree, coef0=self.coef0)
            self.machines_.append(machine.fit(rows, codes == c))
            # The second class of the machine is the one that is meant.
            border = along_varying(KernelDecision(machine).pair(1, 0), rows)
            found = near_matrix(border, rows, self.border_fraction)
            if found is not None:
                total += np.mean(codes == c) * found
        if not np.trace(total) > 0:
            raise RequirementError(
                f"SVMDecisionBoundary found no border: with kernel={self.kernel!r} and C={self.C:g} all "
                f"{data.n_rows} rows (n_samples={data.n_rows}) lie on one side; raise C, or use another kernel."
            )
        return total / np.trace(total)
