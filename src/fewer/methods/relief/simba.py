"""Simba: gradient ascent on the margin of Euclidean distances."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.kernels import margins
from fewer.core.kernels.simba import climb
from fewer.core.records.params import Interval
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.relief._weights import LearnedWeights, ranges, unit_columns, weighted_columns


def summed_margin(X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """Return the sum over rows of half the weighted distance from the nearest miss less that from the nearest hit."""
    neighbour, squares = np.empty((len(X), 2), np.int64), np.empty((len(X), 2))
    margins.nearest_hits_and_misses(weighted_columns(X, weights), y, True, 0, len(X), neighbour, squares)
    to_hit, to_miss = np.sqrt(squares[np.isfinite(squares).all(axis=1)]).T
    return float(0.5 * (to_miss - to_hit).sum())


class Simba(LearnedWeights):
    r"""Keep features with the largest weights on a climb of the margin, row by row.

    For one row x after the other the nearest miss and hit are found under the current weights, in the norm
    :math:`\|z\|_w = \sqrt{\sum_j w_j^2 z_j^2}`, and every weight is moved along the gradient of the margin,
    :math:`w_j \leftarrow w_j + \frac12 \left( \frac{(x_j - NM_j)^2}{\|x - NM\|_w} - \frac{(x_j - NH_j)^2}{\|x - NH\|_w}
    \right) w_j` (algorithm 3 of [2]_). The score is :math:`w_j^2 / \max w^2`. Features are scaled to [0, 1] first.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_starts : int, default=5
        Number of climbs, of which the one with the largest summed margin counts.
    n_passes : int, default=1
        Passes over the rows in each climb.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads. They share the climbs.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    margins_ : ndarray of shape (n_starts,)
        Sum of the margins at the end of every climb, with the largest weight set to 1.

    See Also
    --------
    IRelief : Has a fixed point instead of many local maxima.

    Notes
    -----
    The margin is not concave. Every climb starts from weights 1, as the algorithm says, and differs from the others in
    the order of the rows. Chapter 12 of [3]_ speaks of several starting points without naming them; random weights are
    not used because steps are proportional to the weights, so that a feature with a low start stays behind. Rows are
    drawn without replacement: a pass uses each once. A term with distance zero, of duplicates, is left out; the only
    row of a class has no hit and makes no step; constant features have weight 0.

    The weights of useful features tend to fall to zero too, and mislabelled rows do harm: chapter 12 of [3]_ finds
    I-Relief and ReliefF ahead.

    References
    ----------
    .. [1] R. Gilad-Bachrach, A. Navot and N. Tishby, "Margin based feature selection: theory and algorithms", ICML,
       2004.
    .. [2] Q. Hu, W. Pan, Y. Song and D. Yu, "Large-margin feature selection for monotonic classification",
       Knowledge-Based Systems 31, 2012.
    .. [3] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> Simba(2, random_state=0).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        deterministic=False,
        # Which rows come first decides where a climb ends; of rows that are equally near, rounding takes one.
        invariance=("scale_untied",),
        cost="n^2*d*starts*passes",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "n_starts": [Interval(Integral, 1, None, closed="left")],
        "n_passes": [Interval(Integral, 1, None, closed="left")],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_starts: int = 5,
        n_passes: int = 1,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_starts = n_starts
        self.n_passes = n_passes
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _learn(self, data: View) -> Ranking:
        low, width = ranges(data)
        X, y = unit_columns(data.whole().X, low, width), data.whole().y
        # One source per climb: the result does not depend on which thread makes it.
        sources = np.random.default_rng(self.random_state).spawn(self.n_starts)

        def one_climb(start: int, stop: int) -> tuple[float, np.ndarray]:
            rng = sources[start]
            # Constant features separate nothing, and no step would change their weight.
            weights = (width > 0).astype(np.float64)
            for _ in range(self.n_passes):
                climb(X, y, rng.permutation(len(X)), weights)
            progress.report("Simba", start + 1, self.n_starts)
            largest = np.abs(weights).max(initial=0.0)
            weights = np.abs(weights) / largest if largest > 0 else np.zeros_like(weights)
            return summed_margin(X, y, weights), weights

        climbs = data.run.scan(one_climb, self.n_starts, 1)
        sums = [margin for margin, _ in climbs]
        table = ResultTable.numbered("Summed margin of every climb", "climb", {"summed margin": sums})
        return Ranking(climbs[int(np.argmax(sums))][1] ** 2, tables={"climbs": table})

    @property
    def margins_(self) -> np.ndarray:
        """Sum of the margins at the end of every climb."""
        return np.array(self.selection_.tables["climbs"].columns["summed margin"])
