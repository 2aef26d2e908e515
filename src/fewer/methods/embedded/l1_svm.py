"""L1SVM: the support vector machine with a 1-norm penalty, as a linear program."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.params import Interval
from fewer.core.stop import Stop
from fewer.methods.embedded._sparse_svm import SVM_CONSTRAINTS, SparseSvm, SvmPath
from fewer.methods.embedded._svm_grid import Solver, descend, one_norm_point, separable
from fewer.methods.embedded._svm_path import END, TINY, largest_l1
from fewer.methods.embedded._svm_point import SvmPoint

# In parts of the first penalty: one so small that it stands for the limit of none.
LIMIT = 1e-6


class L1SVM(SparseSvm):
    r"""Keep the features with a coefficient in the 1-norm support vector machine.

    It minimises :math:`\sum_i \max(0, 1 - y_i f(x_i)) + \lambda_1 \|\beta\|_1` with :math:`f(x) = \beta_0 + x^T \beta`
    (eq. 20.15 of [1]_), a linear program. Columns are scaled to mean 0 and variance 1 first. The program is solved for
    falling :math:`\lambda_1`, from the one at which no feature has a coefficient.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary): the path is left
        there, or where the error on held-out rows is least ("best", "parsimonious", "3-10"). None goes to its end.
    l1 : float or None, default=None
        The penalty at which the path ends; None is a thousandth of the one at which it begins.
    n_points : int, default=50
        Number of penalties along the path, in equal ratios.
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
        The penalty of the model that is kept.
    gap_ : float
        Largest dual gap of the solutions along the path.

    See Also
    --------
    DrSVM : Keeps correlated features together.

    Notes
    -----
    Scores are the penalties at which features enter the path; those without a coefficient have at most the penalty that
    is kept. At most as many features as rows have coefficients. Of equal or mirrored columns the first has the whole
    coefficient.
    Where every intercept of an interval is best, its middle is taken.

    References
    ----------
    .. [1] H. Zou and T. Hastie, "Model building and feature selection with genomic data", in: H. Liu and H. Motoda
       (eds.), Computational Methods of Feature Selection, 2008, chapter 20.
    .. [2] J. Zhu, S. Rosset, T. Hastie and R. Tibshirani, "1-norm support vector machines", NIPS 16, 2003.

    Examples
    --------
    >>> from fewer.synth import make_twonorm
    >>> data = make_twonorm(100, 4, n_irrelevant=6, random_state=0)
    >>> sorted(L1SVM(4).fit(data.X, data.y).selection_.indices.tolist())
    [0, 1, 2, 3]
    """

    _parameter_constraints: dict = {**SVM_CONSTRAINTS, "n_points": [Interval(Integral, 2, None, closed="left")]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        l1: float | None = None,
        n_points: int = 50,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.l1 = l1
        self.n_points = n_points
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _path(self, X: np.ndarray, y: np.ndarray, least: float | None, most: int | None) -> SvmPath:
        if least == 0 and separable(X, y):
            raise InputError(
                "L1SVM got two classes that a plane separates and l1=0, which bounds no coefficient; pass l1 above 0, "
                "or None for a small one."
            )
        top, solve = self._solver(X, y)
        least = END * top if least is None else least
        if least >= top or top <= TINY:
            return SvmPath.at_points([solve(max(least, top), None)])
        return SvmPath.at_points(descend(solve, top, least, self.n_points, most))

    def _solutions(self, X: np.ndarray, y: np.ndarray, l1: np.ndarray) -> list[tuple[np.ndarray, float]]:
        top, solve = self._solver(X, y)
        # Without a penalty a separable fold has no solution but the limit of small ones.
        points = [solve(max(value, LIMIT * top), None) for value in l1.tolist()]
        return [(point.beta, point.intercept) for point in points]

    def _solver(self, X: np.ndarray, y: np.ndarray) -> tuple[float, Solver]:
        """Return the penalty at which the first feature enters, and what solves for one penalty."""
        # Of copies, mirrored ones among them, the first stands for all.
        leads = (X != 0).argmax(axis=0)
        signs = np.sign(X[leads, np.arange(X.shape[1])])
        _, first = np.unique(X * signs, axis=1, return_index=True)
        own, top = np.sort(first), largest_l1(X, y)

        def solve(l1: float, start: SvmPoint | None) -> SvmPoint:
            found = one_norm_point(X[:, own], y, l1, empty=l1 >= top or top <= TINY)
            beta = np.zeros(X.shape[1])
            beta[own] = found.beta
            return SvmPoint(l1, beta, found.intercept, found.alpha, found.gap)

        return top, solve
