"""Degroeve's ranking: remove the feature whose replacement by its mean costs least on the training rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.stop import Stop
from fewer.methods.embedded._svm_grams import Gram
from fewer.methods.embedded._svm_machines import Machine
from fewer.methods.embedded._svm_selector import SVM_CONSTRAINTS, SVM_TAGS, SVMSelector


def right_side(gram: Gram, machine: Machine, weights: np.ndarray) -> np.ndarray:
    """Return by how much less all rows lie on their right side with the mean in place of every feature."""
    target = np.zeros(len(weights))
    target[machine.rows] = machine.target
    all_features = float(target @ gram.matrix @ weights)
    return all_features - gram.without(target, weights, means=True)


class DMRanker(SVMSelector):
    r"""Remove the features whose replacement by their mean costs a support vector machine least.

    :math:`R(i) = \sum_k y_k \sum_j \alpha_j y_j K(x_j^{(i)}, x_k^{(i)})`, with the mean of feature i in place of
    all its values, says how well the training rows lie on their side without it (eq. 4 of [2]_, after [1]_). The
    feature with the largest R(i) leaves, the machine is trained again, and so on. Scores are R of all features less
    R(i), so that larger is better.

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
    RMRanker : By the derivative of the norm of the weights.

    Notes
    -----
    More than two classes are told apart by one machine per pair of classes, as in scikit-learn's `SVC`, and the
    scores are added up over the pairs.
    The text in [2]_ speaks of the accuracy on the training rows; its formula, which is followed here, adds up
    the values of the machine, without its constant.

    References
    ----------
    .. [1] S. Degroeve, B. De Baets, Y. Van de Peer and P. Rouzé, "Feature subset selection for splice site prediction",
       Bioinformatics 18, 2002.
    .. [2] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking according to
       their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> DMRanker(4).fit(X, y).selection_.indices.tolist()
    [12, 9, 6, 11]
    """

    method_tags = replace(SVM_TAGS, targets=("classes",))
    _parameter_constraints: dict = SVM_CONSTRAINTS
    _score = staticmethod(right_side)

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        kernel: str = "poly",
        degree: int = 2,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        C: float = 1.0,
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
        self.step = step
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose
