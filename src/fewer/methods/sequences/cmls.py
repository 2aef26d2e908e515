"""CMLS: C-modified least squares, a linear classifier whose weights rank features."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.estimators.classifier import BaseClassifier
from fewer.core.records.params import number_above, number_from, whole_from
from fewer.core.records.reasons import IRRELEVANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.rounding import steady
from fewer.core.records.tags import MethodTags
from fewer.core.views.sparse_input import check_structure
from fewer.core.views.view import View
from fewer.methods.sequences._modified_squares import fit_machines


class CMLS(BaseClassifier):
    r"""Divide classes by C-modified least squares, a linear machine whose weights rank features.

    The weights minimise :math:`\frac1M\sum_i\phi(y_i w^Tx_i) + \lambda\|w\|^2` with :math:`\phi(z) = (1 - z)^2` for
    :math:`z \le 1` and 0 beyond, the squared hinge [1]_. The first step leads to least squares; then rows beyond the
    margin lose their say, and each step is the least squares solution of the others, until they stay the same. With
    ``RFE(CMLS(), step=1000)`` it is the elimination of section 18.3.3 of [2]_.

    Parameters
    ----------
    l2 : float, default=0.001
        The penalty lambda.
    max_iter : int, default=1000
        Most iterations, steps of Newton's method; some ten are enough as a rule.
    tol : float, default=1e-6
        It is enough when no weight changes by more than this fraction of the largest weight.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights; of two classes the positive side is the second, of several each is divided from the rest.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Weight of a constant.
    selection_ : Selection
        All features with a weight, ordered by the sum of its squares over classes.
    n_iter_ : int
        Steps of Newton's method, the most of all classes.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    Notes
    -----
    The chapter only names the classifier; formula and penalty are those of [1]_, which changes one weight after the
    other and stops after 100 passes. These passes lead to the same weights, but where features outnumber rows not in
    1,000 passes; here Newton's method finds the only minimum, and a warning tells if it did not. The constant is a
    feature like others and has the penalty, too. It is scikit-learn's ``LinearSVC(loss="squared_hinge", dual=False,
    C=1/(2 * l2 * M), fit_intercept=False)`` with a constant column. Weights depend on the scale of features.

    See Also
    --------
    FGA : Makes features of sequences and eliminates by these weights.
    RFE : Eliminates features by the weights of any model.

    References
    ----------
    .. [1] T. Zhang and F. J. Oles, "Text categorization based on regularized linear classification methods",
       Information Retrieval 4, 2001.
    .. [2] R. Islamaj Dogan, L. Getoor and W. J. Wilbur, "A feature generation algorithm with applications to
       biological sequence classification", in Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> round(CMLS().fit(X, y).score(X, y), 2)
    0.98
    """

    method_tags = MethodTags(targets=("classes",), views=("dense",), handles_sparse=True, invariance=("row_order",))
    _parameter_constraints: dict = {
        "l2": [number_above(0)],
        "max_iter": [whole_from(1)],
        "tol": [number_from(0)],
    }

    def __init__(self, l2: float = 0.001, *, max_iter: int = 1000, tol: float = 1e-6) -> None:
        self.l2 = l2
        self.max_iter = max_iter
        self.tol = tol

    def _learn(self, data: View) -> None:
        block = data.whole()
        found = fit_machines(block.X, block.y, data.n_classes, self.l2, self.max_iter, self.tol)
        self.coef_, self.intercept_, self.n_iter_ = found.weights, found.constants, found.n_steps

    def _selection(self, data: View) -> Selection:
        scores = (self.coef_**2).sum(axis=0)
        order = np.argsort(-steady(scores), kind="stable")
        kept = order[scores[order] > 0]
        reasons = Reasons.of_kept(
            len(scores), kept, IRRELEVANT, threshold=0.0, above=True, rule="all features with a weight are used"
        )
        return Selection.build(kept, order, reasons, scores)

    def decision_function(self, X: Any) -> np.ndarray:
        """Return what speaks for the second of two classes, or for each of several.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        values = self._values(self._rows(X))
        return values[:, 0] if len(self.classes_) <= 2 else values

    def _values(self, rows: Any) -> np.ndarray:
        return np.asarray(rows @ self.coef_.T) + self.intercept_

    def _votes(self, rows: Any) -> np.ndarray:
        values = self._values(rows)
        return np.hstack([-values, values]) if len(self.classes_) == 2 else values

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self, "coef_")
        return validate_data(self, check_structure(type(self).__name__, X), reset=False, accept_sparse="csr")
