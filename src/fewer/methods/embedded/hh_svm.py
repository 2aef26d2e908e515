"""HHSVM: the hybrid huberized support vector machine with an elastic-net penalty."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fewer.core.records.params import Interval
from fewer.core.stop import Stop
from fewer.methods.embedded._sparse_svm import SVM_CONSTRAINTS, SparseSvm, SvmPath
from fewer.methods.embedded._svm_grid import descend, huberized_point, huberized_top
from fewer.methods.embedded._svm_path import END
from fewer.methods.embedded._svm_point import SvmPoint


class HHSVM(SparseSvm):
    r"""Keep the features with a coefficient in the huberized support vector machine with an elastic-net penalty.

    It minimises :math:`\sum_i \phi(y_i f(x_i)) + \lambda_1 \|\beta\|_1 + \frac{\lambda_2}{2} \|\beta\|_2^2`, where
    :math:`\phi` is the hinge with its corner rounded: 0 beyond 1, :math:`(1 - t)^2 / (2 \delta)` down to
    :math:`1 - \delta`, and :math:`1 - t - \delta / 2` below. It is solved by coordinate descent for falling
    :math:`\lambda_1`. Columns are scaled to mean 0 and variance 1 first.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary): the path is left
        there, or where the error on held-out rows is least ("best", "parsimonious", "3-10"). None goes to its end.
    l1 : float or None, default=None
        The 1-norm penalty at which the path ends; None is a thousandth of the one at which it begins.
    l2 : float, default=1.0
        The quadratic penalty, above 0.
    delta : float, default=2.0
        Width of the rounded corner; towards 0 the loss becomes the hinge.
    n_points : int, default=50
        Number of penalties along the path, in equal ratios.
    tol : float, default=1e-7
        Largest dual gap.
    max_iter : int, default=100000
        Most iterations: sweeps over the features for one penalty.
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
        Largest dual gap of the solutions along the path.
    n_iter_ : int
        Most sweeps that one penalty took.

    See Also
    --------
    DrSVM : With the hinge itself, and its exact path.

    Notes
    -----
    The quadratic penalty carries a half, as in the paper, which that of `DrSVM` does not. The paper follows the
    piecewise linear path from knot to knot; here the penalties are a grid, each solved to a dual gap of at most
    ``tol``: coordinate descent finds the sets, and the equations of the sets give the solution.

    References
    ----------
    .. [1] L. Wang, J. Zhu and H. Zou, "Hybrid huberized support vector machines for microarray classification and gene
       selection", Bioinformatics 24, 2008.

    Examples
    --------
    >>> from fewer.synth import make_twonorm
    >>> data = make_twonorm(100, 4, n_irrelevant=6, random_state=0)
    >>> sorted(HHSVM(4).fit(data.X, data.y).selection_.indices.tolist())
    [0, 1, 2, 3]
    """

    _parameter_constraints: dict = {
        **SVM_CONSTRAINTS,
        "delta": [Interval(Real, 0, None, closed="neither")],
        "n_points": [Interval(Integral, 2, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        l1: float | None = None,
        l2: float = 1.0,
        delta: float = 2.0,
        n_points: int = 50,
        tol: float = 1e-7,
        max_iter: int = 100_000,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.l1 = l1
        self.l2 = l2
        self.delta = delta
        self.n_points = n_points
        self.tol = tol
        self.max_iter = max_iter
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _path(self, X: np.ndarray, y: np.ndarray, least: float | None, most: int | None) -> SvmPath:
        top = huberized_top(X, y, self.delta)
        how = (self.l2, self.delta, self.tol, self.max_iter)
        least = END * top if least is None else least

        sweeps = []

        def solve(l1: float, start: Any) -> Any:
            found, n = huberized_point(X, y, l1, *how, start)
            sweeps.append(n)
            return found

        points = descend(solve, top, least, self.n_points, most) if least < top else [solve(least, None)]
        path = SvmPath.at_points(points)
        self.n_iter_ = max(sweeps)
        if path.gap > self.tol:
            warnings.warn(
                f"HHSVM did not converge: after {self.max_iter} sweeps the dual gap is {path.gap:.2g}, more than "
                f"tol={self.tol:g}; raise max_iter, or l2.",
                ConvergenceWarning,
                stacklevel=6,
            )
        return path

    def _solutions(self, X: np.ndarray, y: np.ndarray, l1: np.ndarray) -> list[tuple[np.ndarray, float]]:
        points: list[SvmPoint] = []
        for value in l1.tolist():
            start = points[-1] if points else None
            points.append(huberized_point(X, y, value, self.l2, self.delta, self.tol, self.max_iter, start)[0])
        return [(point.beta, point.intercept) for point in points]
