"""Relief as a ratio: how far a feature lies from near misses against how far from near hits."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.neighbours.row_space import as_ramp, range_space
from fewer.core.neighbours.spaces import Space
from fewer.core.neighbours.sums import neighbour_sums
from fewer.core.neighbours.topk import Slots
from fewer.core.runners.runner import Runner
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.relief._relief import (
    NEIGHBOUR_CONSTRAINTS,
    RELIEF_CONSTRAINTS,
    SAMPLE_CONSTRAINTS,
    TAGS,
    ReliefBase,
    as_neighbours,
)
from fewer.methods.relief._weights import refuse_lone_rows

# A feature on which no hits differ is divided by this, so that such features still have an order.
LEAST_DIFFERENCE = float(np.finfo(float).eps)


def difference_ratios(
    run: Runner, space: Space, y: np.ndarray, n_classes: int, k: int, average_ties: bool = False
) -> np.ndarray:
    """Return per feature the mean difference from the k nearest misses over that from the k nearest hits.

    Parameters
    ----------
    run : Runner
        Its threads do the work.
    space : Space
        The rows.
    y : ndarray of int
        Their classes; at least one has two rows.
    n_classes : int
        Number of classes.
    k : int
        Number of hits, and of misses of whatever class; fewer where there are fewer.
    average_ties : bool, default=False
        Whether all rows as far as the last neighbour share its place.
    """

    def by_class(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        hit = y[rows] == y[others]
        return np.stack([hit, ~hit]).astype(float)

    slots = Slots.hits_and_misses(y, n_classes)
    sums = neighbour_sums(run, space, k, slots, np.ones((n_classes, 2)), average_ties=average_ties, multiply=by_class)
    hits, misses = sums.differences / sums.weights[:, None]
    return misses / np.maximum(hits, LEAST_DIFFERENCE)


class ReliefRatio(ReliefBase):
    r"""Keep features that differ much from near rows of other classes and little from near rows of their own.

    The score is :math:`\sum_x \sum_{j=1}^{k} |x_i - M_j(x)_i| \, / \, \sum_x \sum_{j=1}^{k} |x_i - H_j(x)_i|`, where
    :math:`H_j(x)` and :math:`M_j(x)` are the k nearest rows of the class of x and of all other classes (Relief_k of
    [1]_, after [2]_). Irrelevant features have scores about 1. A ratio does not depend on how much a feature varies,
    so that it favours those with small but consistent differences more than the difference that `ReliefF` takes.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "threshold:1.1" is
        a usual bound. None keeps all.
    n_neighbors : int or "log", default=30
        Number of nearest rows of the own class, and of the others; "log" is the natural logarithm of the number of
        rows.
    ties : {"first", "average"}, default="first"
        Which of equally far rows are neighbours: those with the lowest row numbers, or all, sharing the places.
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself. (0.05, 0.10) is usual where numeric and nominal features
        stand side by side.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    GSRelief : Takes the chosen features out of the others.
    ReliefF : The difference instead of the ratio.

    Notes
    -----
    The text does not say how distances are measured; here they are sums of the differences of all features, numbers
    counting by their fraction of the range and levels 0 or 1, as in the rest of the family. It speaks of two classes;
    with more, the nearest misses are those of any other class. A row without another of its class has no hits and
    counts only with its misses. Where no hits differ, the ratio would be infinite: the mean difference from the misses
    is divided by 2.2e-16 instead. A constant feature has score 0.

    References
    ----------
    .. [1] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking according to
       their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.
    .. [2] I. Guyon, H.-M. Bitter, Z. Ahmed, M. Brown and J. Heller, "Multivariate non-linear feature selection with
       kernel multiplicative updates and Gram-Schmidt relief", BISC FLINT-CIBI workshop, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ReliefRatio(2).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = TAGS
    _parameter_constraints: dict = {
        **RELIEF_CONSTRAINTS,
        "n_neighbors": NEIGHBOUR_CONSTRAINTS["n_neighbors"],
        "ties": SAMPLE_CONSTRAINTS["ties"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int | str = 30,
        ties: str = "first",
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.ties = ties
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _weights(self, view: View) -> np.ndarray:
        name = type(self).__name__
        refuse_lone_rows(name, view)
        return difference_ratios(
            view.run,
            range_space(view, as_ramp(name, self.ramp)),
            view.whole().y,
            view.n_classes,
            as_neighbours(self.n_neighbors, view.n_rows),
            self.ties == "average",
        )
