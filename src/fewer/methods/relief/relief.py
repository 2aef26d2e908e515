"""Relief: the nearest hit and the nearest miss."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.neighbours.relief_weights import sampled_rows
from fewer.core.neighbours.row_space import as_ramp, range_space
from fewer.core.neighbours.spaces import Space
from fewer.core.neighbours.sums import neighbour_sums
from fewer.core.neighbours.topk import Slots
from fewer.core.records.params import Options
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.relief._relief import RELIEF_CONSTRAINTS, SAMPLE_CONSTRAINTS, TAGS
from fewer.methods.relief._summed import Part, SummedRelief, Sums


class Relief(SummedRelief):
    r"""Rank features by how well they tell a row from its nearest row of the other class.

    For each row :math:`x_k` with its nearest hit :math:`x_H` of the same class and its nearest miss :math:`x_M` of the
    other, Algorithm 9.2.1 of [1]_: :math:`W_i = \frac{1}{m} \sum_k [ d_i(x_k, x_M)^q - d_i(x_k, x_H)^q ]`, where
    :math:`d_i` is the difference in feature i as a fraction of its range (0 or 1 for a nominal one) and q the power.

    Near means a small sum of :math:`d_i^q` over all features, so that a feature is evaluated in the company of the
    others: features that tell the class only together are found.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all.
    power : {1, 2}, default=1
        The q of the formula. 1 takes differences as chapter 9 of [1]_ does; 2 squares them, and takes the nearest rows
        by Euclidean distance, as figure 3.4 of [3]_ does.
    ties : {"first", "average"}, default="first"
        Which of equally near rows is the neighbour: the one with the lowest number, or the mean of all, which makes
        the result independent of the order of the rows (recommended for nominal data).
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
    ReliefF : More neighbours, more classes.
    Simba : Neighbours under the weights found so far.

    Notes
    -----
    diff is 0 or 1 for nominal features and the fraction of the range for numbers. A missing value takes the mean diff
    over the known values of the class of its row, which is eq. 9.4 and what follows it for nominal features, and its
    exact extension to numbers. Distances that differ by less than 1e-9 are equal. A row without a hit has no hit term.

    With ``power=2`` it is diff as just said that is squared: the fraction of the range, its ramp, or the mean diff of a
    missing value. Nominal features without missing values have the same terms as with ``power=1``, since 0 and 1 are
    their own squares; large differences of numbers count more. Chapter 3 says nothing about missing values, and keeps
    features whose weight reaches a cut-off: ``n_features_to_select="threshold:0.1"``.

    References
    ----------
    .. [1] M. Robnik-Šikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF", in
       Computational Methods of Feature Selection, 2008.
    .. [2] K. Kira and L. A. Rendell, "A practical approach to feature selection", ICML 1992.
    .. [3] D. J. Stracuzzi, "Randomized feature selection", in Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]
    >>> Relief(1).fit(X, y).scores_.tolist()
    [1.0, -1.0]
    >>> Relief(1, power=2).fit([[0.0], [0.25], [1.0]], [0, 0, 1]).scores_.round(4).tolist()
    [0.6667]
    """

    method_tags = replace(TAGS, binary_only=True)
    _parameter_constraints: dict = {**RELIEF_CONSTRAINTS, **SAMPLE_CONSTRAINTS, "power": [Options(Integral, {1, 2})]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_samples: int | None = None,
        power: int = 1,
        ties: str = "first",
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_samples = n_samples
        self.power = power
        self.ties = ties
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _space(self, view: View) -> Space:
        return range_space(view, as_ramp("Relief", self.ramp), squared=self.power == 2)

    def _asked(self, n_rows: int, space: Space | None, total: float) -> np.ndarray | None:
        return sampled_rows("Relief", self.n_samples, n_rows, self.random_state)

    def _sums(self, view: View, space: Space, asked: np.ndarray | None, part: Part) -> Sums:
        slots = Slots.hits_and_misses(view.whole().y, view.n_classes)
        factor = np.tile([-1.0, 1.0], (view.n_classes, 1))
        average = self.ties == "average"
        sums = neighbour_sums(view.run, space, 1, slots, factor, rows=asked, average_ties=average, part=part)
        return (sums.differences[0] / (view.n_rows if asked is None else len(asked)),)

    def _from_sums(self, sums: Sums, n_rows: int) -> np.ndarray:
        return sums[0]
