"""RReliefF: near rows with other values and another target against near rows with other values alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.neighbours.relief_weights import rrelieff_sums, sampled_rows, weights_of_sums
from fewer.core.neighbours.row_space import as_ramp, range_space
from fewer.core.neighbours.spaces import Space
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.relief._relief import (
    NEIGHBOUR_CONSTRAINTS,
    RELIEF_CONSTRAINTS,
    SAMPLE_CONSTRAINTS,
    TAGS,
    as_neighbours,
)
from fewer.methods.relief._summed import Part, SummedRelief, Sums


class RReliefF(SummedRelief):
    r"""Keep features that differ where near rows differ in a numeric target, and agree where they agree.

    With :math:`N_{dY}` the mean difference of the target between a row and its nearest rows, summed over m rows,
    :math:`N_{dF}` that of a feature and :math:`N_{dY \wedge dF}` that of their product, the weight of the feature is
    :math:`\frac{N_{dY \wedge dF}}{N_{dY}} - \frac{N_{dF} - N_{dY \wedge dF}}{m - N_{dY}}` (Algorithm 9.3.2 of [1]_):
    the probability of another value among near rows with another target, less that among near rows with the same.
    Weights lie between -1 and 1. Numbers, the target among them, differ by their fraction of the range, levels by 0 or
    1. Features that matter only together with others are found, because near rows agree on the others.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_neighbors : int or "log", default=10
        Number of nearest rows; "log" is the natural logarithm of the number of rows.
    neighbor_weights : {"equal", "exponential"}, default="equal"
        Whether neighbours count alike, or less with their rank r, as :math:`\exp(-(r / \sigma)^2)`.
    sigma : float, default=20.0
        Width of the exponential weights; 70 neighbours suit the default.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all.
    ties : {"first", "average"}, default="first"
        Which of equally far rows are neighbours: those with the lowest row numbers, or all, sharing the places.
    ramp : tuple of two floats or None, default=None
        Fractions of the range up to which numbers are equal and beyond which they are different; in between diff grows
        linearly. None takes the fraction of the range itself. (0.05, 0.10) is usual where numeric and nominal features
        stand side by side.
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
    ReliefF : The same for classes.

    Notes
    -----
    Eq. 9.10 is printed with a conditional probability in place of a joint one; the algorithm is meant. A part of the
    weight that would divide by zero, where no near rows differ in the target or all differ entirely, is 0. A missing
    value takes its expected difference over the known values of the feature, as no class tells them apart. Ranks
    start at 1, and equally far rows have the first rank of their group. The ramp is not applied to the target.

    ``"threshold:0.447214"`` is 1 / sqrt(alpha m) for alpha = 0.05 and m = 100 rows (section 9.7.1), above which an
    irrelevant feature comes with probability alpha at most; see `fewer.measures.relief_threshold`. The
    bound is loose, and ``"probes:0.05"`` finds what chance does by shuffling the target.

    References
    ----------
    .. [1] M. Robnik-Sikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF",
       ch. 9 of H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    The product of two features, of which each alone tells nothing:

    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(300, 6))
    >>> RReliefF(2).fit(X, X[:, 1] * X[:, 4]).selection_.indices.tolist()
    [4, 1]
    """

    method_tags = replace(TAGS, targets=("numbers",))
    _parameter_constraints: dict = {**RELIEF_CONSTRAINTS, **NEIGHBOUR_CONSTRAINTS, **SAMPLE_CONSTRAINTS}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int | str = 10,
        neighbor_weights: str = "equal",
        sigma: float = 20.0,
        n_samples: int | None = None,
        ties: str = "first",
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.neighbor_weights = neighbor_weights
        self.sigma = sigma
        self.n_samples = n_samples
        self.ties = ties
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _space(self, view: View) -> Space:
        return range_space(view, as_ramp("RReliefF", self.ramp))

    def _asked(self, n_rows: int, space: Space | None, total: float) -> np.ndarray | None:
        return sampled_rows("RReliefF", self.n_samples, n_rows, self.random_state)

    def _sums(self, view: View, space: Space, asked: np.ndarray | None, part: Part) -> Sums:
        k = as_neighbours(self.n_neighbors, view.n_rows)
        sigma = self.sigma if self.neighbor_weights == "exponential" else None
        average = self.ties == "average"
        return rrelieff_sums(view.run, space, view.whole().y, k, asked, sigma=sigma, average_ties=average, part=part)

    def _from_sums(self, sums: Sums, n_rows: int) -> np.ndarray:
        return weights_of_sums(*sums)
