"""O-ReliefF: nearest hits and misses above and below a row of an ordered class."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.kernels import dominance as kernels
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.ordinal._classes import in_class_order
from fewer.methods.ordinal._margins import TurnedRows
from fewer.methods.ordinal._order import OrdinalBase

# Rows whose distances to all others are held at a time; fixed, so that sums do not depend on the number of threads.
ROWS_AT_ONCE = 64
ROWS_PER_REPORT = 64 * ROWS_AT_ONCE


@dataclass(frozen=True)
class OReliefFCriterion(RankingCriterion):
    """Score the mean difference to the nearest misses minus that to the nearest hits, above and below (eq. 10).

    ``ordered`` says that the class numbers of views are in the order of the classes, which the labels need not tell.
    """

    n_neighbors: int | str = 10
    hits: str = "dominance"
    metric: str = "manhattan"
    monotone: Any = None
    n_samples: int | None = None
    random_state: Any = None
    ordered: bool = False
    name: str = "OReliefF"
    requires = ("dense",)
    has_pvalues = False

    def scores(self, view: View) -> Ranking:
        """Look at the neighbours of all rows, or of some drawn at random."""
        rows = TurnedRows.of(self.name, in_class_order(self.name, view, self.ordered), self.monotone)
        chosen = np.arange(view.n_rows)
        if self.n_samples is not None and self.n_samples < view.n_rows:
            draw = np.random.default_rng(self.random_state).choice(view.n_rows, self.n_samples, replace=False)
            chosen = np.sort(draw)
        k = min(self._n_neighbors(view.n_rows), max(1, view.n_rows - 1))

        def work(some: np.ndarray, start: int, stop: int) -> np.ndarray:
            queries, total = some[start:stop], np.zeros(view.n_features)
            tile = rows.distances(queries, self.metric == "euclidean")
            by_dominance = self.hits == "dominance"
            kernels.ordinal_relief(rows.X, rows.y, rows.n_numeric, rows.directed, by_dominance, k, queries, tile, total)
            return total

        weights = np.zeros(view.n_features)
        for first in range(0, len(chosen), ROWS_PER_REPORT):
            some = chosen[first : first + ROWS_PER_REPORT]
            for part in view.run.scan(partial(work, some), len(some), ROWS_AT_ONCE):
                weights += part
            # Told from here: whoever listens does so in this thread.
            progress.report(self.name, first + len(some), len(chosen))
        return Ranking(rows.per_feature(weights) / len(chosen) + 0.0)

    def _n_neighbors(self, n_rows: int) -> int:
        return max(1, round(math.log(n_rows))) if isinstance(self.n_neighbors, str) else int(self.n_neighbors)


class OReliefF(OrdinalBase):
    r"""Keep features that move a row away from higher and from lower classes, more than within its own class.

    For a row x of an ordered class the k nearest misses are found among all rows of higher classes (NM+) and among all
    rows of lower classes (NM-), and the k nearest hits among the rows of its class that are at least as large as x in
    every feature (NH+) and at most as large (NH-). The weight of feature i is the mean over rows of
    :math:`\bar d_i(NM_-) - \bar d_i(NH_-) + \bar d_i(NM_+) - \bar d_i(NH_+)` (eq. 10 of [1]_), where :math:`\bar d_i`
    is the mean of :math:`|x_i - z_i| / (\max_i - \min_i)`, for nominal columns of :math:`[x_i \neq z_i]`.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_neighbors : int or "log", default=10
        Number of nearest rows of each kind, hits and misses, on each side; "log" is the natural logarithm of the number
        of rows, rounded.
    hits : {"dominance", "nearest"}, default="dominance"
        Whether hits must compare with the row in every directed feature. A row for which a side has no such hit takes
        its nearest hits there; "nearest" does so always.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        How the differences add up to the distance by which rows are near.
    monotone : None, "auto", array-like of int or dict, default=None
        1 for features that rise with the class, -1 for those that fall, 0 for those that do neither; a dictionary names
        those that do not rise. None: all rise. "auto": as more pairs of rows say.
    class_order : array-like, default=None
        The classes, the lowest first; needed for text labels without an order of their own.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    OSimba : Finds the neighbours under the weights.
    RankMutualInformation : Looks at single features.

    Notes
    -----
    The text divides by k; here means are over the neighbours that there are. A row of the highest class has no miss
    above: that side, with its hits, counts 0, and so does a side without any hit. In many dimensions hardly any row
    compares with another, and the nearest hits are taken; with two classes the weights are then those of `ReliefF`. A
    direction changes nothing but which rows compare; nominal columns have none. Of equally near rows the first counts,
    so that the order of the rows matters where many distances tie.

    References
    ----------
    .. [1] Q. Hu, W. Pan, Y. Song and D. Yu, "Large-margin feature selection for monotonic classification",
       Knowledge-Based Systems 31, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> OReliefF(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = MethodTags(
        targets=("ordered classes",),
        views=("dense",),
        handles_nominal=True,
        invariance=("row_order_untied", "scale"),
        cost="n^2*d",
    )
    _parameter_constraints: dict = {
        **OrdinalBase._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left"), StrOptions({"log"})],
        "hits": [StrOptions({"dominance", "nearest"})],
        "metric": [StrOptions({"manhattan", "euclidean"})],
        "categorical_features": ["array-like", None],
        "n_samples": [None, Interval(Integral, 1, None, closed="left")],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int | str = 10,
        hits: str = "dominance",
        metric: str = "manhattan",
        monotone: Any = None,
        class_order: Any = None,
        categorical_features: Any = None,
        n_samples: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.hits = hits
        self.metric = metric
        self.monotone = monotone
        self.class_order = class_order
        self.categorical_features = categorical_features
        self.n_samples = n_samples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    criterion = OReliefFCriterion()

    def _criterion(self) -> OReliefFCriterion:
        return OReliefFCriterion(
            self.n_neighbors, self.hits, self.metric, self.monotone, self.n_samples, self.random_state, True
        )

    def _tags_in_use(self) -> MethodTags:
        if self.n_samples is None:
            return self.method_tags
        return replace(self.method_tags, deterministic=False, invariance=("scale",))
