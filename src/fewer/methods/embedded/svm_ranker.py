"""SVM-RFE: remove the feature without which the cost of a support vector machine changes least."""

from __future__ import annotations

import numpy as np

from fewer.core.stop import Stop
from fewer.methods.embedded._svm_grams import Gram
from fewer.methods.embedded._svm_machines import Machine
from fewer.methods.embedded._svm_selector import SVMSelector


def cost_change(gram: Gram, machine: Machine, weights: np.ndarray) -> np.ndarray:
    """Return DJ(i) = ½ a'Ha - ½ a'H(-i)a of every feature that is left, H_hk = y_h y_k K(x_h, x_k)."""
    if type(gram) is Gram:
        return 0.5 * (gram.features @ weights) ** 2
    return 0.5 * (float(weights @ gram.matrix @ weights) - gram.without(weights, weights))


class SVMRanker(SVMSelector):
    r"""Remove the features without which the cost of a support vector machine changes least: SVM-RFE.

    The cost is :math:`J = \frac12 \alpha^T H \alpha - \sum_k \alpha_k` with
    :math:`H_{hk} = y_h y_k K(x_h, x_k)`; without feature i, and with the same :math:`\alpha`, it changes by
    :math:`DJ(i) = \frac12 \alpha^T H \alpha - \frac12 \alpha^T H(-i) \alpha` [1]_. For a linear kernel this is
    :math:`w_i^2 / 2`. The feature with the smallest change leaves, the machine is trained again, and so on.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        Here a number, a fraction, or a rule that can end a search.
    kernel : {"linear", "poly", "rbf"}, default="linear"
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
    RFE : The same with any model.
    RMRanker : By the derivative of the norm of the weights.

    Notes
    -----
    More than two classes are told apart by one machine per pair of classes, as in scikit-learn's `SVC`, and the
    scores are added up over the pairs.
    With ``standardize=False`` and a linear kernel the features leave in the order of
    scikit-learn's ``RFE(SVC(kernel="linear"), step=1)``, up to its single-precision kernel and its ``tol``. For a
    numeric target, which is brought to mean 0 and variance 1 if features are, :math:`y_k \alpha_k` is
    :math:`\alpha_k - \alpha_k^*` of support vector regression.

    The kernel matrix is not computed again: a feature that leaves takes :math:`x_{hi} x_{ki}` from the products
    or :math:`(x_{hi} - x_{ki})^2` from the squared distances, and each fit starts from the last solution;
    ``selection_.meta["gap"]`` is the largest miss of optimality of all of them. A feature enters a machine as a number
    times its scale, which is why features are standardized.

    References
    ----------
    .. [1] I. Guyon, J. Weston, S. Barnhill and V. Vapnik, "Gene selection for cancer classification using support
       vector machines", Machine Learning 46, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> SVMRanker(4).fit(X, y).selection_.indices.tolist()
    [6, 10, 12, 0]
    """

    _score = staticmethod(cost_change)

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        kernel: str = "linear",
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
