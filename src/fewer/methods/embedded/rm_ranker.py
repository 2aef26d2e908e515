"""Rakotomamonjy's ranking: remove the feature whose scale the norm of the weights depends on least."""

from __future__ import annotations

import numpy as np

from fewer.core.stop import Stop
from fewer.methods.embedded._svm_grams import Gram
from fewer.methods.embedded._svm_machines import Machine
from fewer.methods.embedded._svm_selector import SVMSelector


def norm_slope(gram: Gram, machine: Machine, weights: np.ndarray) -> np.ndarray:
    """Return how strongly |w|² changes with the scale of every feature that is left, at scale 1."""
    return np.abs(gram.slopes(weights))


class RMRanker(SVMSelector):
    r"""Remove the features on whose scale the norm of the weights of a support vector machine depends least.

    Feature i is thought to be multiplied by a scale :math:`s_i`, and counts by
    :math:`|\partial \|w\|^2 / \partial s_i| = |\sum_{k,j} \alpha_k \alpha_j y_k y_j
    \partial K(s \cdot x_k, s \cdot x_j) / \partial s_i|` at :math:`s = 1` (eq. 3 of [2]_, zero order of [1]_). The
    feature with the smallest number leaves, the machine is trained again, and so on. For a linear kernel it is
    :math:`2 w_i^2`, and the order that of `SVMRanker`.

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
    C : float, default=1.0
        Cost of errors: the larger, the fewer rows may lie on the wrong side of their margin.
    epsilon : float, default=0.1
        Errors of a numeric target up to this cost nothing.
    step : int or float, default=1
        How many features are removed at once, or which fraction of all of them, rounded down.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first.
    tol : float, default=1e-09
        By how much gradients may miss optimality, in units of the margin.
    max_iter : int, default=100000
        Most iterations: steps of the solver in a fit.
    n_jobs : int or None, default=None
        Number of threads. The steps of an elimination follow each other, and use one.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    n_iter_ : int
        Most steps of the solver in a fit.

    See Also
    --------
    SVMRanker : By the change of the cost without the feature.
    DMRanker : By what is lost on the training rows.

    Notes
    -----
    More than two classes are told apart by one machine per pair of classes, as in scikit-learn's `SVC`, and the
    scores are added up over the pairs.
    For a numeric target :math:`y_k \alpha_k` is :math:`\alpha_k - \alpha_k^*` of support vector
    regression. That the :math:`\alpha` can be held when scales change follows from their optimality.

    References
    ----------
    .. [1] A. Rakotomamonjy, "Variable selection using SVM-based criteria", JMLR 3, 2003.
    .. [2] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking according to
       their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> RMRanker(4).fit(X, y).selection_.indices.tolist()
    [6, 12, 10, 1]
    """

    _score = staticmethod(norm_slope)

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        kernel: str = "poly",
        degree: int = 2,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        C: float = 1.0,
        epsilon: float = 0.1,
        step: int | float = 1,
        standardize: bool = True,
        tol: float = 1e-9,
        max_iter: int = 100_000,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.epsilon = epsilon
        self.step = step
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose
