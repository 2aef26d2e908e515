"""R²W²: scale the features so that a bound of the error of a support vector machine becomes small."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.search.elimination import Blocks, block_size, eliminate, lowest, said_interrupted
from fewer.core.search.turf import of_blocks
from fewer.core.stop import All, Count, Stop
from fewer.core.views.view import View
from fewer.methods.embedded._r2w2_descent import Bound, descend
from fewer.methods.embedded._svm_grams import GRAMS, gamma_of
from fewer.methods.embedded._svm_selector import KERNEL_CONSTRAINTS, STEP, SVM_TAGS, check_kernel, numbers_of


class ScaleBlocks(Blocks):
    """The features with the smallest scales; after every block the bound is descended again, if asked for.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        The last scale of every feature.
    path : list of float
        The bound after every step of the descents.
    unfinished : float
        By how much the logarithm of the bound still fell in the last step of a descent that ran out of steps.
    """

    least = 1

    def __init__(self, bound: Bound, varies: np.ndarray, again: bool, tol: float, max_iter: int) -> None:
        self.bound, self.again, self.tol, self.max_iter = bound, again, tol, max_iter
        # Those with one value change no bound; with a scale of their own they would gain what the others lose.
        self.left = np.flatnonzero(varies)
        self.scores = varies.astype(np.float64)
        self.path: list[float] = []
        self.unfinished = 0.0

    def begin(self) -> bool:
        """Descend with all features."""
        self._descend()
        return True

    def worst(self, left: np.ndarray, count: int) -> np.ndarray:
        """Return those with the smallest scales."""
        return lowest(self.scores, left, count)

    def leave(self, features: np.ndarray) -> None:
        """Descend again from the scales of the rest."""
        stays = ~np.isin(self.left, features)
        self.left = self.left[stays]
        if self.again and not stays.all():
            self.bound.without(stays)
            self._descend()

    def _descend(self) -> None:
        if not len(self.left):
            return
        self.scores[self.left], values = descend(self.bound, self.scores[self.left], self.tol, self.max_iter)
        self.path += np.exp(values).tolist()
        if len(values) > self.max_iter:
            self.unfinished = max(self.unfinished, values[-2] - values[-1])
        self.value, self.evaluations = self.path[-1], len(self.left)


class R2W2(BaseSelector):
    r"""Scale the features so that the bound R²W² of the error of a support vector machine becomes small.

    Feature i is multiplied by a scale :math:`\sigma_i \geq 0`; the expected error is bounded by
    :math:`\frac{1}{n} E[R^2 / M^2] = \frac{1}{n} E[R^2 W^2]` (eq. 6 of [2]_), with the margin
    :math:`M = 1 / W` and the radius R of the smallest sphere around the rows. Gradient descent finds the scales with
    a small :math:`R^2 W^2(\sigma)` [1]_; they are the scores.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        Here a number, a fraction, or a rule that can end a search.
    kernel : {"linear", "poly", "rbf"}, default="poly"
        The kernel of the support vector machine, as scikit-learn's `SVC` writes them.
    degree : int, default=2
        Highest power of a feature: that of the polynomial kernel.
    gamma : float or "scale", default="scale"
        Factor of products or squared distances in the kernels "poly" and "rbf"; "scale" is 1 / (d Var(X)) of all d
        features, and stays as it is when features leave.
    coef0 : float, default=1.0
        Constant of the polynomial kernel, at least 0.
    C : float, default=0.05
        Cost of errors: the larger, the fewer rows may lie on the wrong side of their margin.
    step : int or float or None, default=None
        How many features are removed at once, or which fraction of all of them, rounded down. The bound is descended
        again after every removal; None descends once, and ranks by the scales found.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first.
    tol : float, default=1e-04
        The fall of log R²W² in a step below which the descent ends.
    max_iter : int, default=100
        Most iterations: steps of a descent.
    n_jobs : int or None, default=None
        Number of threads. The steps of a descent follow each other, and use one.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    n_iter_ : int
        Evaluated steps of all descents.

    See Also
    --------
    RMRanker : Ranks by the derivative of W² alone, at scales of 1.

    Notes
    -----
    Two classes only. The bound is for classes that can be separated; as usual for it, rows may err by a square:
    margin and radius are those of the kernel K + I / C, with which any classes can be. [1]_ descends on the scales with
    :math:`\sum \sigma_i` held; here the steps are on their logarithms, with the same sum held, so that scales
    approach 0 without meeting it and have an order. With ``step`` the smallest scales are removed and the rest
    descended again, as [1]_ suggests for a given number of features. The bound is not convex, and the scales found
    depend on the start, which is 1 for all. The smaller C, the more the bound is of all rows and not of the nearest:
    at 1, the value of the rankers, sums of two or three columns were found in half as many samples as at 0.05. Columns
    with one value have score 0. ``selection_.tables["bound"]`` holds it after every step.

    References
    ----------
    .. [1] J. Weston, S. Mukherjee, O. Chapelle, M. Pontil, T. Poggio and V. Vapnik, "Feature selection for SVMs",
       NIPS 13, 2000.
    .. [2] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking according to
       their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> R2W2(4, kernel="linear").fit(X[:100], y[:100]).selection_.indices.tolist()
    [1, 27, 24, 22]
    """

    method_tags = replace(SVM_TAGS, targets=("classes",), binary_only=True, cost="n^2*(n + d)*steps")
    _serves = ("done",)
    _parameter_constraints: dict = {**COMMON_CONSTRAINTS, **KERNEL_CONSTRAINTS, "step": [None, *STEP]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        kernel: str = "poly",
        degree: int = 2,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        C: float = 0.05,
        step: int | float | None = None,
        standardize: bool = True,
        tol: float = 1e-4,
        max_iter: int = 100,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.step = step
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        tags = super()._tags_in_use()
        return tags if self.standardize else tags.unchanged_only_by(("row_order",))

    def _select(self, data: View, parts: Parts) -> Selection:
        X, y = numbers_of(data, self.standardize), np.where(data.whole().y == 1, 1.0, -1.0)
        varies = X.max(axis=0) > X.min(axis=0)
        gamma = gamma_of(self.gamma, X)
        bound = Bound(X[:, varies], y, self.kernel, gamma, self.coef0, self.degree, self.C)
        check_kernel(type(self).__name__, GRAMS[self.kernel](bound.X, gamma, self.coef0, self.degree))
        blocks = ScaleBlocks(bound, varies, self.step is not None, self.tol, self.max_iter)
        until = Count(1) if isinstance(parts.size, All) else parts.size
        found = eliminate(data.n_features, blocks, until, self._wanted)
        said_interrupted(found)
        if blocks.unfinished >= self.tol:
            warnings.warn(
                f"R2W2: after max_iter={self.max_iter} steps the logarithm of the bound still fell by "
                f"{blocks.unfinished:.2g}, more than tol={self.tol:g}; raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=5,
            )
        self.n_iter_ = len(blocks.path)
        table = ResultTable.numbered("The bound along the descent", "step", {"R2W2": blocks.path}, "curve")
        selection = of_blocks(found, blocks.scores, parts.size).with_meta(gap=bound.gap)
        return selection.with_tables(bound=table)

    def _wanted(self, n_left: int) -> int:
        return n_left if self.step is None else block_size(self.step, self.n_features_in_)
