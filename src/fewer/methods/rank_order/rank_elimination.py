"""Backward elimination of features whose order inside a row matters, not their values."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search.elimination import Elimination, backward_elimination, said_interrupted
from fewer.core.stop import Stop
from fewer.core.views.row_ranks import ranks_view
from fewer.core.views.view import View
from fewer.methods.rank_order._blankets import LeastBeyondBlanket
from fewer.methods.rank_order._divergence import LeastDivergence, divergence_path
from fewer.methods.rank_order._spoilers import MostInversions
from fewer.methods.rank_order.class_centres.engine import CentreDistances
from fewer.methods.rank_order.explanation import best_pairs

# Criteria that need nothing but counts of pairs.
ON_COUNTS = ("spoilers", "cdv")
# So many pairs are told, and only if at most so many features are kept: their number grows with the square.
N_PAIRS, MOST_PAIRED = 20, 100


class RankOrderElimination(BaseSelector):
    r"""Remove features one by one, evaluated only by the order of the features inside each row.

    All features must share one domain, such as counts, ratings or expression levels. The reversed order of removal
    is the ranking; the score of a feature is the step at which it left. ``selection_.columns["divergence"]`` holds
    the feature subset divergence :math:`\Delta` (in nats) of what was left after that step.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    criterion : {"spoilers", "cdv", "kl", "koller-sahami"}, default="spoilers"
        What to remove next: the feature that changes sides with others most often between rows of one class;
        the one without which the distances between the class centres stay nearest to the first ones; the one
        without which the orders tell most about the classes; or the one that adds least to a few other features.
    max_divergence : float, default=None
        The elimination also ends before the divergence from all features exceeds this; at least 0.
    blanket_size : int, default=5
        Number of other features for "koller-sahami".
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    MarkovBlanketFilter : Koller and Sahami's elimination on the values.

    Notes
    -----
    The text assumes that no values are equal or missing. Here equal values share the average rank, and a comparison
    with a missing value counts half for each side in rank sums; neither is ever an inversion. Equal rank sums share
    the average rank in a centre. Of equal candidates the one with the highest number leaves, so that the lower
    number wins; the text chooses arbitrarily. A feature without any strict comparison leaves first under "spoilers".

    "spoilers" and "cdv" read the rows once, for a table of pair counts, which a stream or a cluster can make. The
    divergence is known, and ``max_divergence`` allowed, only with the rows in memory. Each step of "cdv" looks at
    every candidate exactly, so its time grows with the cube of the number of features; "spoilers" with the square.

    References
    ----------
    .. [1] D. J. Slotta, J. P. C. Vergara, N. Ramakrishnan and L. S. Heath, "Algorithms for feature selection in
       rank-order spaces", 2005.

    Examples
    --------
    >>> X = [[1, 2, 3, 4], [2, 1, 4, 3], [4, 2, 1, 3], [1, 4, 3, 2]]
    >>> y = [0, 0, 1, 1]
    >>> RankOrderElimination(2, criterion="spoilers").fit(X, y).selection_.indices.tolist()
    [1, 2]
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("ranks",),
        handles_nan=True,
        streams=True,
        invariance=("row_order", "monotone_together"),
        cost="n*d^2",
    )
    _parameter_constraints: dict = {
        # as_stop reads it and says in one sentence what is allowed.
        "n_features_to_select": "no_validation",
        "criterion": [StrOptions({"spoilers", "cdv", "kl", "koller-sahami"})],
        "max_divergence": [None, Interval(Real, 0, None, closed="left")],
        "blanket_size": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [None, Interval(Integral, 1, None, closed="left"), Interval(Integral, None, -1, closed="right")],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        criterion: str = "spoilers",
        max_divergence: float | None = None,
        blanket_size: int = 5,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.criterion = criterion
        self.max_divergence = max_divergence
        self.blanket_size = blanket_size
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        on_counts = self.criterion in ON_COUNTS and self.max_divergence is None
        return replace(self.method_tags, streams=on_counts)

    def _criterion(self) -> Any:
        made = {"spoilers": MostInversions, "cdv": CentreDistances, "kl": LeastDivergence}
        return made[self.criterion]() if self.criterion in made else LeastBeyondBlanket(self.blanket_size)

    def _select(self, data: View, parts: Parts) -> Selection:
        view = ranks_view(data)
        found = backward_elimination(view, parts.criterion)
        path = None
        if view.run.in_memory:
            block = view.whole()
            path = divergence_path(block.codes, block.y, found.removed, found.left)
        if self.criterion == "kl" and path is not None and not np.allclose(found.trace.values, path[1:]):
            raise RequirementError("Two rows in different order had the same hash; this is a defect, please report it.")
        selection = self._result(found, path, parts.size)
        kept, classes = selection.indices, np.asarray(data.classes)
        if not view.run.in_memory or not 2 <= len(kept) <= MOST_PAIRED or len(classes) < 2:
            return selection
        pairs = best_pairs(data.whole().X, block.y, classes, kept, selection.feature_names, N_PAIRS)
        return selection.with_tables(pairs=pairs.result_table())

    def _result(self, found: Elimination, path: np.ndarray | None, stop: Stop) -> Selection:
        scores, d = found.steps.astype(float), len(found.steps)
        cut = stop.cut(Ranking(scores))
        size, rule = max(int(cut.kept.sum()), len(found.left)), cut.rule
        if self.max_divergence is not None and path is not None:
            within = int(np.flatnonzero(path <= self.max_divergence + 1e-12)[-1])
            if d - within > size:
                size, rule = d - within, f"the next removal would exceed the divergence {self.max_divergence:g}"
        rule = said_interrupted(found) or rule
        after, note = np.full(d, np.nan), {}
        if path is not None:
            after[found.removed] = path[1:]
        for step, j in enumerate(found.removed.tolist(), 1):
            told = "" if path is None else f", with divergence {path[step]:.6g} after it"
            note[j] = f"step {step} of the elimination{told}"
        kept = found.order[:size]
        reasons = Reasons.of_kept(d, kept, NOT_REACHED, rule=rule, note=note)
        return Selection.build(kept, found.order, reasons, scores, found.trace, {"divergence": after})
