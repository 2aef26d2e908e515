"""O-Simba: gradient ascent on the margins above and below."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.kernels import dominance as kernels
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.search import top_ranked
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.ordinal._classes import in_class_order
from fewer.methods.ordinal._margins import TurnedRows
from fewer.methods.ordinal._order import OrdinalBase

ROWS_AT_ONCE = 64


@dataclass(frozen=True)
class OSimbaCriterion(RankingCriterion):
    """Learn weights that make the one-sided margins large (Algorithm 5).

    ``ordered`` says that the class numbers of views are in the order of the classes, which the labels need not tell.
    """

    n_starts: int = 5
    n_passes: int = 1
    hits: str = "dominance"
    monotone: Any = None
    random_state: Any = None
    ordered: bool = False
    name: str = "OSimba"
    requires = ("dense",)
    has_pvalues = False

    def scores(self, view: View) -> Ranking:
        """Climb from equal weights, over the rows in several random orders; return the weights of the best climb."""
        rows = TurnedRows.of(self.name, in_class_order(self.name, view, self.ordered), self.monotone)
        data = (rows.X, rows.y, rows.n_numeric, rows.directed, self.hits == "dominance")
        # One source per climb: the result does not depend on which thread makes it.
        sources = np.random.default_rng(self.random_state).spawn(self.n_starts)

        def climb(start: int, _: int) -> np.ndarray:
            # A constant feature separates nothing, and no step would change its weight.
            weights = rows.varies[rows.columns].astype(np.float64)
            for _ in range(self.n_passes):
                kernels.ordinal_simba(*data, sources[start].permutation(view.n_rows), weights)
            progress.report(self.name, start + 1, self.n_starts)
            largest = np.abs(weights).max()
            return weights / largest if largest > 0 else weights

        def margin(weights: np.ndarray) -> float:
            work = lambda start, stop: kernels.ordinal_margins(*data, weights, start, stop)  # noqa: E731
            return float(sum(view.run.scan(work, view.n_rows, ROWS_AT_ONCE)))

        found = view.run.scan(climb, self.n_starts, 1)
        margins = [margin(weights) for weights in found]
        table = ResultTable.numbered("Summed margin of every climb", "climb", {"summed margin": margins})
        return Ranking(rows.per_feature(found[int(np.argmax(margins))]) ** 2, tables={"climbs": table})


class OSimba(OrdinalBase):
    r"""Keep features whose weights make the margins to higher and to lower classes large.

    With :math:`\|z\|_w = \sqrt{\sum_i w_i^2 z_i^2}` the margin of a row is :math:`\frac{1}{2}(\|x - NM_-\|_w -
    \|x - NH_-\|_w) + \frac{1}{2}(\|x - NM_+\|_w - \|x - NH_+\|_w)` (eq. 11 of [1]_): nearest misses among all rows of
    lower and of higher classes, nearest hits among rows of its class that are at most and at least as large as x in
    every feature, all found under the current weights. From weights 1 every row in turn adds the gradient of its
    margin (eq. 12); the result is :math:`w^2 / \max w^2`. Features are scaled to [0, 1] first.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_starts : int, default=5
        Number of climbs, of which the one with the largest summed margin counts.
    n_passes : int, default=1
        Passes over the rows in each climb.
    hits : {"dominance", "nearest"}, default="dominance"
        Whether hits must compare with the row in every directed feature. A row for which a side has no such hit takes
        its nearest hits there; "nearest" does so always.
    monotone : None, "auto", array-like of int or dict, default=None
        1 for features that rise with the class, -1 for those that fall, 0 for those that do neither; a dictionary names
        those that do not rise. None: all rise. "auto": as more pairs of rows say.
    class_order : array-like, default=None
        The classes, the lowest first; needed for text labels without an order of their own.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    margins_ : ndarray of shape (n_starts,)
        Sum of the margins at the end of every climb, with the largest weight set to 1.

    See Also
    --------
    OReliefF : Finds the neighbours once, with all features equal.

    Notes
    -----
    The text draws rows at random; here each takes its turn in random order. It does not scale features, on which the
    norm would then depend. A term whose distance is 0 has no gradient and is left out, and a side without a miss or
    without a hit counts 0. A constant feature gets weight 0; its weight is never changed and would otherwise stay at
    its first value.

    References
    ----------
    .. [1] Q. Hu, W. Pan, Y. Song and D. Yu, "Large-margin feature selection for monotonic classification",
       Knowledge-Based Systems 31, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> sorted(OSimba(2, random_state=0).fit(X, y).selection_.indices.tolist())
    [2, 3]
    """

    method_tags = MethodTags(
        targets=("ordered classes",),
        views=("dense",),
        handles_nominal=True,
        deterministic=False,
        # Of rows that are equally near, rounding takes one.
        invariance=("scale_untied",),
        cost="n^2*d*starts*passes",
    )
    _parameter_constraints: dict = {
        **OrdinalBase._parameter_constraints,
        "n_starts": [Interval(Integral, 1, None, closed="left")],
        "n_passes": [Interval(Integral, 1, None, closed="left")],
        "hits": [StrOptions({"dominance", "nearest"})],
        "categorical_features": ["array-like", None],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_starts: int = 5,
        n_passes: int = 1,
        hits: str = "dominance",
        monotone: Any = None,
        class_order: Any = None,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_starts = n_starts
        self.n_passes = n_passes
        self.hits = hits
        self.monotone = monotone
        self.class_order = class_order
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    criterion = OSimbaCriterion()

    def _criterion(self) -> OSimbaCriterion:
        return OSimbaCriterion(self.n_starts, self.n_passes, self.hits, self.monotone, self.random_state, True)

    def _offers(self, criterion: Any) -> tuple[str, ...]:
        # Weights are relative to each other: those of random probes would be so among themselves.
        return self._serves

    def _select(self, data: View, parts: Parts) -> Selection:
        return top_ranked(lambda: parts.criterion.scores(data), parts.size)

    @property
    def margins_(self) -> np.ndarray:
        """Sum of the margins at the end of every climb."""
        return np.array(self.selection_.tables["climbs"].columns["summed margin"])
