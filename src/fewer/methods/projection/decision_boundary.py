"""Axes across the borders that a smooth classifier draws."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning

from fewer.core.borders.contract import Decision, along_varying
from fewer.core.borders.looked_at import check_smooth
from fewer.core.borders.smooth_classifiers import SMOOTH, decision_of
from fewer.core.records.errors import InputTypeError, RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.projection._border_axes import COMPONENTS, BorderProjector
from fewer.methods.projection.boundary_matrix import pair_matrix

HIDDEN = 10


class DecisionBoundary(BorderProjector):
    r"""Project on axes across the borders between classes, as a classifier draws them.

    Axes are eigenvectors of :math:`\Sigma = \int_S N N^T p\,dx / \int_S p\,dx` with unit normals N of the border S (eq.
    6.3 of [1]_; [2]_): those of eigenvalue 0 do not help to tell the classes apart. Of two classes, every row on the
    right side of their border is joined to the nearest such row of the other class, and N taken where the segment
    crosses the border; both sides count equally, pairs of classes i, j by :math:`P_i P_j`, and the trace is brought to
    1.

    Parameters
    ----------
    n_components : int, float or None, default=0.95
        Number of axes, or the fraction of the trace that they hold together; None for all that hold any.
    estimator : classifier or None, default=None
        What draws the borders: any classifier with a smooth decision_function or predict_proba. None is a perceptron
        with one hidden layer of 10 logistic units, as in the source, fitted by L-BFGS, which converges on few rows.
    normals : {"auto", "analytic", "differences"}, default="auto"
        Whether normals come from a formula where the classifier has one and else from differences, must come from a
        formula (ADBFE for a perceptron), or come from differences always (MLPFE).
    trim : float or None, default=None
        Probability of the chi-square radius about a class, within which rows of the other class are joined to its
        rows; None for no trimming.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first; normals depend on units.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result. Used by the default classifier only.

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
    estimator_ : classifier
        The fitted classifier, which takes standardized rows.
    selection_ : Selection
        Features by weight: the sum over axes of eigenvalue times squared part.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    SVMDecisionBoundary : Uses the rows nearest to the border of a support vector machine only.
    BVQFE : Draws the border by code vectors; its work grows with n, not with its square.
    fewer.measures.edbfm_exact : The matrix of known densities.
    fewer.measures.dbfe_feature_weights : Other weights of features.

    Notes
    -----
    The source writes :math:`N^T N` of rows and :math:`U x`; :math:`N N^T` and :math:`U^T x` are meant. It steps along a
    segment until h is near 0; here a bracket is closed to the last digit. Its numeric normal has a factor :math:`1 /
    \|p\|` too many, and displacements of different sign lose theirs; central differences are taken. Outputs of a
    perceptron are compared before their last activation, which is the same border. Rows without a gradient at their
    crossing are left out, and constant features have no part in normals. Piecewise constant classifiers (trees, nearest
    neighbours) are refused.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 6.2.
    .. [2] C. Lee and D. Landgrebe, "Feature extraction based on decision boundaries", IEEE Transactions on Pattern
       Analysis and Machine Intelligence 15, 1993.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    >>> X, y = load_iris(return_X_y=True)
    >>> found = DecisionBoundary(2, estimator=QuadraticDiscriminantAnalysis()).fit(X, y)
    >>> found.transform(X).shape, round(found.explained_fraction_, 3), found.selection_.indices.tolist()
    ((150, 2), 0.997, [2, 3])
    """

    method_tags = MethodTags(
        targets=("classes",), views=("dense",), deterministic=False, invariance=(), cost="n^2*d + fit of the classifier"
    )
    _parameter_constraints: dict = {
        "n_components": COMPONENTS,
        "estimator": "no_validation",
        "normals": [StrOptions({"auto", "analytic", "differences"})],
        "trim": [None, Interval(Real, 0, 1, closed="neither")],
        "standardize": ["boolean"],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_components: int | float | None = 0.95,
        *,
        estimator: Any = None,
        normals: str = "auto",
        trim: float | None = None,
        standardize: bool = True,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.estimator = estimator
        self.normals = normals
        self.trim = trim
        self.standardize = standardize
        self.random_state = random_state

    def check(self) -> None:
        """Raise, before any work and without data, if parameters are not allowed."""
        super().check()
        given = self.estimator
        if given is not None and not (hasattr(given, "__sklearn_tags__") and is_classifier(given)):
            raise InputTypeError(
                f"DecisionBoundary got estimator={given!r}, which is no classifier; pass one with a smooth "
                f"decision_function or predict_proba, such as {SMOOTH}."
            )

    def _matrix(self, data: View, rows: np.ndarray, codes: np.ndarray) -> np.ndarray:
        decision = self._decision(rows, np.asarray(data.classes)[codes])
        parts = [rows[codes == c] for c in range(data.n_classes)]
        total = np.zeros((data.n_features, data.n_features))
        for i in range(data.n_classes):
            for j in range(i + 1, data.n_classes):
                found = pair_matrix(along_varying(decision.pair(i, j), rows), parts[i], parts[j], self.trim)
                if found is not None:
                    total += len(parts[i]) * len(parts[j]) / len(rows) ** 2 * found
        if not np.trace(total) > 0:
            raise RequirementError(
                f"DecisionBoundary found no border: {type(self.estimator_).__name__} classifies rows of no two classes "
                f"rightly (n_samples={data.n_rows}); pass more rows, or an estimator that fits them better."
            )
        return total / np.trace(total)

    def _decision(self, rows: np.ndarray, labels: np.ndarray) -> Decision:
        """Return the decision functions of the classifier, fitted to standardized rows."""
        with warnings.catch_warnings():
            if self.estimator is None:
                # A network that has not quite settled draws nearly the same border.
                warnings.simplefilter("ignore", ConvergenceWarning)
            model = self._perceptron() if self.estimator is None else clone(self.estimator)
            self.estimator_ = model.fit(rows, labels)
        decision = decision_of(self.estimator_, rows, "DecisionBoundary", self.normals)
        check_smooth(decision, rows, self.estimator_, "DecisionBoundary")
        return decision

    def _perceptron(self) -> Any:
        from sklearn.neural_network import MLPClassifier

        seed = int(np.random.default_rng(self.random_state).integers(2**31))
        return MLPClassifier(
            (HIDDEN,), activation="logistic", solver="lbfgs", alpha=0.01, max_iter=500, random_state=seed
        )
