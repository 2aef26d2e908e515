"""DrSVM: the doubly regularized support vector machine and its path."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fewer.core.stop import Stop
from fewer.methods.embedded._sparse_svm import SVM_CONSTRAINTS, SVM_TAGS, SparseSvm, SvmPath
from fewer.methods.embedded._svm_path import svm_path, worst_gap

# The dual gap that is promised, for up to 200 rows.
TOLERATED = 1e-6


class DrSVM(SparseSvm):
    r"""Keep the features with a coefficient in the support vector machine with an elastic-net penalty.

    It minimises :math:`\sum_i \max(0, 1 - y_i f(x_i)) + \lambda_2 \|\beta\|_2^2 + \lambda_1 \|\beta\|_1` with
    :math:`f(x) = \beta_0 + x^T \beta` (eq. 20.16 of [1]_). For a fixed :math:`\lambda_2` the coefficients are piecewise
    linear in :math:`\lambda_1`; the path is followed from knot to knot. Correlated features enter together and share
    their weight, and more features than rows can be kept. Columns are scaled to mean 0 and variance 1 first.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary): the path is left
        there, or where the error on held-out rows is least ("best", "parsimonious", "3-10"). None goes to its end.
    l1 : float or None, default=None
        The 1-norm penalty at which the path ends; None is a thousandth of the one at which it begins, 0 the support
        vector machine with the quadratic penalty alone.
    l2 : float, default=1.0
        The quadratic penalty, above 0.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds. Rows held out choose where they are asked.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients of the columns as they were given, of kept features only.
    intercept_ : float
        Intercept.
    classes_ : ndarray of shape (2,)
        The classes; the second has positive values of `decision_function`.
    l1_ : float
        The 1-norm penalty of the model that is kept.
    gap_ : float
        Largest dual gap at the knots of the path and half-way between them.

    See Also
    --------
    L1SVM : Without the quadratic penalty.
    HHSVM : With a hinge whose corner is rounded.

    Notes
    -----
    Wang, Zhu and Zou [2]_ penalize :math:`\lambda_2 / 2`, so their :math:`\lambda_2` is twice the one here.

    The path begins at the penalty at which the first feature enters, which for classes of unequal size a linear program
    gives. There, and where several events coincide so that the next sets are not clear, a point further on is solved by
    an interior-point method and the path is followed from there in both directions; if even that fails, points between
    are added until the dual gap half-way between neighbours is small. Scores are the penalties at which features enter.

    References
    ----------
    .. [1] H. Zou and T. Hastie, "Model building and feature selection with genomic data", in: H. Liu and H. Motoda
       (eds.), Computational Methods of Feature Selection, 2008, chapter 20.
    .. [2] L. Wang, J. Zhu and H. Zou, "The doubly regularized support vector machine", Statistica Sinica 16, 2006.

    Examples
    --------
    >>> from fewer.synth import make_twonorm
    >>> data = make_twonorm(100, 4, n_irrelevant=6, random_state=0)
    >>> sorted(DrSVM(4).fit(data.X, data.y).selection_.indices.tolist())
    [0, 1, 2, 3]
    """

    # Where rows tie, knots coincide and are found up to the dual gap only.
    method_tags = replace(SVM_TAGS, invariance=("row_order_untied", "scale_untied"), cost="n*d*knots")
    _parameter_constraints: dict = SVM_CONSTRAINTS

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        l1: float | None = None,
        l2: float = 1.0,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.l1 = l1
        self.l2 = l2
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _path(self, X: np.ndarray, y: np.ndarray, least: float | None, most: int | None) -> SvmPath:
        knots = svm_path(X, y, self.l2, least, most)
        path = SvmPath(knots, True, worst_gap(X, y, self.l2, knots))
        if path.gap > TOLERATED * max(1.0, len(y) / 200):
            warnings.warn(
                f"DrSVM has a dual gap of {path.gap:.2g} along its path, where less than 1e-6 was meant; raise l2, or "
                "remove columns and rows that occur several times.",
                ConvergenceWarning,
                stacklevel=6,
            )
        return path
