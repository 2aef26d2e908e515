"""ReliefF: several neighbours of every class."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.measures.costs import as_costs, cost_shares
from fewer.core.neighbours.relief_weights import class_shares, relieff_weights, sampled_rows
from fewer.core.neighbours.row_space import as_ramp, range_space
from fewer.core.neighbours.spaces import NumberSpace, Space
from fewer.core.records.errors import InputError
from fewer.core.records.params import StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.relief._relief import (
    NEIGHBOUR_CONSTRAINTS,
    RELIEF_CONSTRAINTS,
    SAMPLE_CONSTRAINTS,
    TAGS,
    as_neighbours,
)
from fewer.methods.relief._sampling import leaf_sample
from fewer.methods.relief._summed import Part, SummedRelief, Sums


class ReliefF(SummedRelief):
    r"""Rank features by how well they tell rows from near rows of every other class.

    For each of m rows :math:`x_k` and for every class y take the n nearest rows. Those of the own class count against
    a feature that differs, those of the others for it, by the fraction :math:`p_y` of their class (Algorithm 9.3.1 of
    [1]_): :math:`W_i = \frac{1}{m n} \sum_k [ \sum_{y \ne y_k} \frac{p_y}{1 - p_{y_k}} \sum_j d_i(x_k, x_{jy}) -
    \sum_j d_i(x_k, x_{jy_k}) ]`, where :math:`x_{jy}` is the j-th nearest row of class y and :math:`d_i` the difference
    in feature i as a fraction of its range (0 or 1 for a nominal one).

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_neighbors : int or "log", default=10
        Number of nearest rows of each class, or all rows of a class with fewer; "log" is the natural logarithm of the
        number of rows.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all.
    sampling : {"random", "kdtree"}, default="random"
        How they are drawn: at random without replacement, or one from each leaf of a k-d tree with about n_samples
        leaves, which spreads them over the data (numbers without missing ones only).
    neighbor_weights : {"equal", "exponential"}, default="equal"
        Whether neighbours count alike, or less with their rank r, as :math:`\exp(-(r / \sigma)^2)`.
    sigma : float, default=20.0
        Width of the exponential weights; 70 neighbours suit the default.
    ties : {"first", "average"}, default="first"
        Which of equally far rows take the last places: those with the lowest numbers, or all of them in equal parts,
        which makes the result independent of the order of the rows (recommended for nominal data).
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        What it costs to take a row of one class (its row) for one of another (its column), classes in sorted order.
    cost_mode : {"expected", "average"}, default="expected"
        Whether costs weigh classes by expected cost (eq. 9.12) or by mean cost (eq. 9.13).
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    Relief : One neighbour, two classes.
    RReliefF : For a numeric target.
    MultiSURF : As many neighbours as lie near.

    Notes
    -----
    diff is 0 or 1 for nominal features and the fraction of the range for numbers. A missing value takes the mean diff
    over the known values of the class of its row. A row is left out of its own neighbours by its number, so that
    copies of it are neighbours. Where a class has fewer than n rows the sum is divided by their number, not by n.
    Ranks of exponential weights start at 1, and equal distances share the first rank of their group. Distances that
    differ by less than 1e-9 are equal.

    The scores are those of scikit-rebate if there are two classes of more than n rows each, no missing values, more
    than ten different values in every column and no equal distances. In a class of m rows, m at most n, scikit-rebate
    counts each row among its own hits, with diff 0, and divides by m; here the m - 1 others are the hits, and their
    sum is divided by m - 1. Both take all m rows as misses of the other class. It takes columns of at most ten values
    as nominal, and beside such columns takes numbers that differ by more than a standard deviation as different; it
    weighs several classes by the neighbours found in them, and leaves missing values out.

    References
    ----------
    .. [1] M. Robnik-Šikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF", in
       Computational Methods of Feature Selection, 2008.
    .. [2] I. Kononenko, "Estimating attributes: analysis and extensions of RELIEF", ECML 1994.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]
    >>> ReliefF(1, n_neighbors=2).fit(X, y).scores_.tolist()
    [1.0, -0.5]
    """

    method_tags = TAGS
    _parameter_constraints: dict = {
        **RELIEF_CONSTRAINTS,
        **SAMPLE_CONSTRAINTS,
        **NEIGHBOUR_CONSTRAINTS,
        "sampling": [StrOptions({"random", "kdtree"})],
        "cost_matrix": ["array-like", None],
        "cost_mode": [StrOptions({"expected", "average"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int | str = 10,
        n_samples: int | None = None,
        sampling: str = "random",
        neighbor_weights: str = "equal",
        sigma: float = 20.0,
        ties: str = "first",
        cost_matrix: Any = None,
        cost_mode: str = "expected",
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.n_samples = n_samples
        self.sampling = sampling
        self.neighbor_weights = neighbor_weights
        self.sigma = sigma
        self.ties = ties
        self.cost_matrix = cost_matrix
        self.cost_mode = cost_mode
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        tags = super()._tags_in_use()
        drawn = self.n_samples is not None and self.sampling == "kdtree"
        # Where values tie, rounding decides on which side of a leaf they fall.
        return replace(tags, invariance=("scale_untied",)) if drawn else tags

    def _divides(self, parts: Parts) -> bool:
        return super()._divides(parts) and not self._drawn_by_tree

    @property
    def _drawn_by_tree(self) -> bool:
        # A k-d tree divides numbers.
        return self.n_samples is not None and self.sampling == "kdtree"

    def _space(self, view: View) -> Space:
        return range_space(view, as_ramp("ReliefF", self.ramp), bits=not self._drawn_by_tree)

    def _asked(self, n_rows: int, space: Space | None, total: float) -> np.ndarray | None:
        rows = sampled_rows("ReliefF", self.n_samples, n_rows, self.random_state)
        if rows is None or self.sampling == "random":
            return rows
        if not isinstance(space, NumberSpace):
            raise InputError(
                "ReliefF got sampling='kdtree' with nominal columns, missing values or a ramp, but a k-d tree takes "
                "complete numbers; choose sampling='random'."
            )
        bucket = -(-space.n_rows // len(rows))
        return leaf_sample(space.scaled, bucket, np.random.default_rng(self.random_state))

    def _sums(self, view: View, space: Space, asked: np.ndarray | None, part: Part) -> Sums:
        y = view.whole().y
        shares = class_shares(y, view.n_classes)
        if self.cost_matrix is not None:
            shares = cost_shares(shares, as_costs("ReliefF", self.cost_matrix, view.n_classes), self.cost_mode)
        k = as_neighbours(self.n_neighbors, view.n_rows)
        sigma = self.sigma if self.neighbor_weights == "exponential" else None
        average = self.ties == "average"
        return (relieff_weights(view.run, space, y, shares, k, asked, sigma=sigma, average_ties=average, part=part),)

    def _from_sums(self, sums: Sums, n_rows: int) -> np.ndarray:
        return sums[0]
