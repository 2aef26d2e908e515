"""Iterative Relief: margins to expected neighbours in the space of the weights that they give."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral, Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.measures.margins_closed import closed_form_weights
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.relief._soft_margins import SoftMargins
from fewer.methods.relief._weights import LearnedWeights, ranges, unit_columns

# A step that turns back and is hardly shorter than the one before is part of a cycle, not of a convergence.
SHORTER = 0.9
SMALLEST_DAMPING = 1 / 64


@dataclass
class FixedPoint:
    """Iterates w -> (nu(w))+ / |(nu(w))+|, mixing each nu with those before.

    Parameters
    ----------
    expected : callable
        Returns nu and the trust in every row, given weights.
    damping : float or "auto"
        Fraction of the new nu in the mixture; "auto" starts at 1 and halves it whenever the steps turn back without
        becoming shorter.
    tol : float
        Largest step of the undamped map at which the iteration ends.
    max_iter : int
        Most iterations.
    """

    expected: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    damping: float | str = "auto"
    tol: float = 1e-5
    max_iter: int = 100
    converged: bool = field(default=False, init=False)

    def solve(self, weights: np.ndarray) -> np.ndarray:
        """Iterate from given weights; leaves nu, trust, the steps and the damping of each as attributes."""
        share = 1.0 if self.damping == "auto" else float(self.damping)
        mixture, before = None, np.zeros_like(weights)
        self.steps: list[float] = []
        self.shares: list[float] = []
        for iteration in range(1, self.max_iter + 1):
            self.nu, self.trust = self.expected(weights)
            target = closed_form_weights(self.nu)
            # Under damping the weights move by less than this, which would end the iteration too early.
            step = float(np.linalg.norm(target - weights))
            self.shares.append(share)
            progress.report("I-Relief", iteration, self.max_iter)
            self.converged = step <= self.tol
            if self.damping == "auto" and self.steps and share > SMALLEST_DAMPING:
                turned_back = float(before @ (target - weights)) < 0
                if turned_back and step > SHORTER * self.steps[-1]:
                    share /= 2
            self.steps.append(step)
            if self.converged:
                return target
            before = target - weights
            mixture = self.nu if mixture is None else (1.0 - share) * mixture + share * self.nu
            weights = target if share == 1.0 else closed_form_weights(mixture)
        return target


class IRelief(LearnedWeights):
    r"""Keep features with the largest weights of iterative Relief, which finds neighbours under its own weights.

    Every other row i is the nearest miss or hit of row n with a probability that falls with the weighted distance,
    :math:`\alpha_{i,n}` or :math:`\beta_{i,n} \propto e^{-\|x_n - x_i\|_w / \sigma}`, and row n is trusted by
    :math:`\gamma_n`, the fraction of hits in the kernel sum of all other rows (eq. 12.3 of [1]_). With
    :math:`\nu = \sum_n \gamma_n (\sum_i \alpha_{i,n} |x_n - x_i| - \sum_i \beta_{i,n} |x_n - x_i|)` (eq. 12.4) the next
    weights are :math:`(\nu)^+ / \|(\nu)^+\|_2`, until they no longer change. Features are scaled to [0, 1] first;
    distances are :math:`\|x\|_w = \sum_j w_j |x_j|`.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    multiclass : {"min", "average"}, default="min"
        With more than two classes: one nearest miss among all other classes (I-Relief-2, eq. 12.8), or one in each,
        averaged by the fractions of the classes (I-Relief-1, eq. 12.7).
    sigma : float, default=1.0
        Width of the kernel; the smaller, the more only the nearest rows count.
    damping : float or "auto", default="auto"
        Fraction of the new :math:`\nu` in the mixture with those before, in (0, 1]; 1 is the text's iteration, "auto"
        begins with 1 and halves the fraction when the weights alternate.
    tol : float, default=1e-5
        Largest step of the weights at which they have converged.
    max_iter : int, default=100
        Most iterations.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    trust_ : ndarray of shape (n_samples,)
        :math:`\gamma_n`, the probability that a row is no outlier; NaN for the only row of a class.
    steps_ : ndarray of shape (n_iter_,)
        Length of the step of the weights in every iteration.
    n_iter_ : int
        Number of iterations.

    See Also
    --------
    OnlineIRelief : The same weights from one pass over the rows.
    Simba : Climbs a margin of Euclidean distances.

    Notes
    -----
    Column ``"margin"`` of the selection holds :math:`\nu / n`, which also tells features of weight zero apart.

    The text finds convergence guaranteed for :math:`\sigma > 0.5`; its theorem 12.2 only says that some
    :math:`\sigma` is wide enough. Where two features are relevant only together, the weights can alternate between
    the two at any width. A mixture of each :math:`\nu` with those before has the same fixed points and reaches them.
    The step that is compared with ``tol`` is that of the undamped map.

    The text starts from weights 1/d, which do not have length one; so does this class. Where no feature has a positive
    :math:`\nu` the weight goes to the largest one (see `closed_form_weights`). The only row of a class has no hit and
    adds nothing to :math:`\nu`, but it is a miss of the others.

    References
    ----------
    .. [1] Y. Sun, "Feature weighting through local learning", in: H. Liu and H. Motoda (eds.), Computational Methods
       of Feature Selection, 2008, chapter 12.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> IRelief(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        invariance=("row_order", "scale"),
        cost="n^2*d*iterations",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "multiclass": [StrOptions({"min", "average"})],
        "sigma": [Interval(Real, 0, None, closed="neither")],
        "damping": [Interval(Real, 0, 1, closed="right"), StrOptions({"auto"})],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        multiclass: str = "min",
        sigma: float = 1.0,
        damping: float | str = "auto",
        tol: float = 1e-5,
        max_iter: int = 100,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.multiclass = multiclass
        self.sigma = sigma
        self.damping = damping
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _learn(self, data: View) -> Ranking:
        block = data.whole()
        X = unit_columns(block.X, *ranges(data))
        soft = SoftMargins(X, block.y, data.n_classes, self.multiclass == "average", self.sigma, data.run)
        point = FixedPoint(soft.all_rows, self.damping, self.tol, self.max_iter)
        weights = point.solve(np.full(data.n_features, 1.0 / data.n_features))
        if not point.converged:
            warnings.warn(
                f"IRelief did not converge: after {self.max_iter} iterations the weights still move by "
                f"{point.steps[-1]:.2g}, more than tol={self.tol:g}; raise sigma or max_iter, lower damping, or use "
                "OnlineIRelief.",
                ConvergenceWarning,
                stacklevel=6,
            )
        self.trust_, self.n_iter_ = point.trust, len(point.steps)
        path, title = {"step": point.steps, "damping": point.shares}, "Step of the weights in every iteration"
        tables = {"steps": ResultTable.numbered(title, "iteration", path, "curve")}
        return Ranking(weights, columns={"margin": point.nu / data.n_rows}, tables=tables)

    @property
    def steps_(self) -> np.ndarray:
        """Length of the step of the weights in every iteration."""
        return np.array(self.selection_.tables["steps"].columns["step"])
