"""Bayes risk weighted vector quantization: code vectors that move where mistakes cost."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.kernels import border_codes
from fewer.core.measures.costs import as_costs
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.projection._border_axes import spreads
from fewer.methods.projection._labelled_quantizer import LabelledQuantizer

# How often the risk on the training rows is looked at.
LOOKS = 100
# Random codes of which the best is where training begins.
DRAWS = 20


class BVQ(LabelledQuantizer):
    r"""Classify by the nearest of a few code vectors, moved so that mistakes cost least.

    A row t of class u is drawn; of its two nearest code vectors :math:`m_i, m_j` with classes :math:`l_i, l_j`, and its
    projection t' on the plane between them, if t is at most half a window off the plane,
    :math:`m_i \leftarrow m_i - \gamma_k \frac{s}{\|m_i - m_j\|} (m_i - t')` and
    :math:`m_j \leftarrow m_j + \gamma_k \frac{s}{\|m_i - m_j\|} (m_j - t')` with costs
    :math:`s = b(u, l_j) - b(u, l_i)` and :math:`\gamma_k = \gamma_0 k^{-a}` (section 6.3 of [1]_; [2]_).

    Parameters
    ----------
    n_prototypes : int, default=20
        Number of code vectors, at least one per class.
    window : float, default=0.5
        Width of the strip about a border whose rows count for it, in units of the (standardized) features.
    learning_rate : float, default=0.5
        Size of the first step, :math:`\gamma_0`.
    decay : float, default=0.25
        Power a by which steps become smaller.
    max_iter : int, default=100_000
        Most iterations: rows that are drawn.
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        What it costs to take a row of one class (its row) for one of another (its column), classes in sorted order.
    init : {"random", "first"}, default="random"
        Which rows the code begins with: random ones, of every class in proportion, the best of 20 draws, or the first.
    keep_best : bool, default=True
        Whether the code of least risk on the training rows is kept, of those looked at a hundred times, or the last.
    standardize : bool, default=True
        Whether features are brought to mean 0 and variance 1 first; distances depend on units.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    code_vectors_ : ndarray of shape (n_prototypes, n_features)
        The code vectors, in units of the features.
    code_labels_ : ndarray of int of shape (n_prototypes,)
        Places of their classes in ``classes_``.
    risk_ : float
        Mean cost of the answers for the training rows.
    n_iter_ : int
        Number of rows that were drawn.
    mean_, scale_ : ndarray of shape (n_features,)
        Distances are those of features less the mean, divided by the scale.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    BVQFE : New axes across the borders of such a code.
    MC1 : Prototypes that are rows, drawn at random.

    Notes
    -----
    The update as printed in [1]_ has the opposite sign, which drives the code vector of the right class away, against
    the text beside it; the sign here follows from the derivative of the risk. The factor
    :math:`\gamma_k s / \|m_i - m_j\|` is at most 1, so that two near code vectors are not thrown far away. The source
    takes the first rows as code, which may lack a class that then can never be answered, and says nothing of decay,
    iterations and which code is kept.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 6.3.
    .. [2] C. Diamantini and M. Panti, "An efficient and scalable data compression approach to classification", ACM
       SIGKDD Explorations 2, 2000.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = BVQ(6, random_state=0).fit(X, y)
    >>> found.code_vectors_.shape, bool(found.risk_ < 0.05)
    ((6, 4), True)
    """

    method_tags = MethodTags(
        targets=("classes",), views=("dense",), deterministic=False, invariance=(), cost="max_iter*n_prototypes*d"
    )
    _parameter_constraints: dict = {
        "n_prototypes": [Interval(Integral, 1, None, closed="left")],
        "window": [Interval(Real, 0, None, closed="neither")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "decay": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "cost_matrix": "no_validation",
        "init": [StrOptions({"random", "first"})],
        "keep_best": ["boolean"],
        "standardize": ["boolean"],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_prototypes: int = 20,
        *,
        window: float = 0.5,
        learning_rate: float = 0.5,
        decay: float = 0.25,
        max_iter: int = 100_000,
        cost_matrix: Any = None,
        init: str = "random",
        keep_best: bool = True,
        standardize: bool = True,
        random_state: Any = None,
    ) -> None:
        self.n_prototypes = n_prototypes
        self.window = window
        self.learning_rate = learning_rate
        self.decay = decay
        self.max_iter = max_iter
        self.cost_matrix = cost_matrix
        self.init = init
        self.keep_best = keep_best
        self.standardize = standardize
        self.random_state = random_state

    def _learn(self, data: View) -> None:
        X, codes = np.asarray(data.whole().X, dtype=np.float64), np.asarray(data.whole().y, dtype=np.int64)
        self.mean_ = X.mean(axis=0) if self.standardize else np.zeros(X.shape[1])
        self.scale_ = spreads(X, self.mean_) if self.standardize else np.ones(X.shape[1])
        rows = np.ascontiguousarray((X - self.mean_) / self.scale_)
        n = data.n_classes
        equal = self.cost_matrix is None or n < 2
        costs = 1.0 - np.eye(n) if equal else as_costs(type(self).__name__, self.cost_matrix, n)
        rng = np.random.default_rng(self.random_state)
        first = self._best_rows(rows, codes, costs, rng)
        self.code_labels_ = codes[first]
        code, self.risk_ = self._moved(rows, codes, rows[first].copy(), costs, rng)
        self.code_vectors_ = code * self.scale_ + self.mean_
        self.n_iter_ = self.max_iter

    def _best_rows(
        self, rows: np.ndarray, codes: np.ndarray, costs: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Return the rows of least risk of several draws: a code on the wrong sides cannot find its way back."""
        draws = [self._first_rows(codes, len(costs), rng) for _ in range(DRAWS if self.init == "random" else 1)]
        return min(draws, key=lambda drawn: _risk(rows, codes, rows[drawn], codes[drawn], costs))

    def _first_rows(self, codes: np.ndarray, n_classes: int, rng: np.random.Generator) -> np.ndarray:
        """Return the rows that the code begins with."""
        count = min(self.n_prototypes, len(codes))
        if self.init == "first":
            return np.arange(count)
        if count < n_classes:
            raise RequirementError(
                f"{type(self).__name__} got n_prototypes={self.n_prototypes} for {n_classes} classes, but a class "
                "without code vector is never answered; raise n_prototypes to at least the number of classes."
            )
        sizes = per_class(np.bincount(codes, minlength=n_classes), count)
        drawn = [rng.choice(np.flatnonzero(codes == c), sizes[c], replace=False) for c in range(n_classes)]
        return np.concatenate(drawn)

    def _moved(
        self, rows: np.ndarray, codes: np.ndarray, code: np.ndarray, costs: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, float]:
        """Return the code after all rows that are drawn, and its risk."""
        labels = self.code_labels_
        best, least = code.copy(), _risk(rows, codes, code, labels, costs)
        edges = np.unique(np.linspace(0, self.max_iter, LOOKS + 1).astype(np.int64))
        for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist()):
            drawn = rng.integers(0, len(rows), end - begin)
            rates = self.learning_rate * np.arange(begin + 1, end + 1, dtype=np.float64) ** -self.decay
            border_codes.bvq_steps(rows, codes, drawn, code, labels, costs, rates, self.window / 2)
            if self.keep_best:
                risk = _risk(rows, codes, code, labels, costs)
                if risk < least:
                    best, least = code.copy(), risk
        return (best, least) if self.keep_best else (code, _risk(rows, codes, code, labels, costs))


def _risk(rows: np.ndarray, codes: np.ndarray, code: np.ndarray, labels: np.ndarray, costs: np.ndarray) -> float:
    """Return the mean cost of what the nearest code vectors say."""
    first, second = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    border_codes.nearest_two(rows, code, first, second, np.empty(len(rows)))
    return float(costs[codes, labels[first]].mean())


def per_class(counts: np.ndarray, total: int) -> np.ndarray:
    """Return how many of so many places each class gets: one at least, others in proportion by largest remainder.

    Examples
    --------
    >>> per_class(np.array([70, 20, 10]), 6).tolist()
    [4, 1, 1]
    """
    sizes = np.minimum(1, counts)
    while sizes.sum() < total:
        # The next place to the class that is farthest below its part; never more than its rows.
        short = np.where(sizes < counts, counts * total / counts.sum() - sizes, -np.inf)
        sizes[short.argmax()] += 1
    return sizes
