"""ReliefF for literals: true on positives, false on negatives that are alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.neighbours.bit_rows import near_shares, packed_rows
from fewer.core.neighbours.relief_weights import sampled_rows
from fewer.core.records.errors import InputError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class LiteralWeights(RankingCriterion):
    """The ranking by Algorithm 9.4.1, with how often a literal is true on positives and false on near negatives."""

    n_neighbors: int = 10
    n_samples: int | None = None
    average_ties: bool = True
    pos_label: Any = None
    random_state: Any = None
    requires = ("dense",)

    def scores(self, view: View) -> Ranking:
        """Return the weights as scores."""
        truth = as_literals(view.whole().X)
        positive = self._positive(view)
        own, rest = np.flatnonzero(positive), np.flatnonzero(~positive)
        drawn = sampled_rows("LiteralRelief", self.n_samples, len(own), self.random_state, "positive rows")
        rows = own if drawn is None else own[drawn]
        words, asked = packed_rows(truth), truth[rows].astype(np.float64)
        settings = (self.n_neighbors, self.average_ties)
        hits, misses = (near_shares(view.run, words, rows, among, *settings) for among in (own, rest))
        near_hits, near_misses = hits @ truth[own].astype(np.float64), misses @ truth[rest].astype(np.float64)
        # Table 9.1: of a miss only true against false counts, of a hit both ways; a lone positive has no hit.
        found = np.diff(hits.indptr)[:, None] > 0
        apart = np.where(found, asked + near_hits - 2.0 * asked * near_hits, 0.0)
        spared = asked * (1.0 - near_misses)
        columns = {
            "true on positives": truth[own].mean(axis=0),
            "false on near negatives": 1.0 - near_misses.mean(axis=0),
        }
        weights = (spared - apart).mean(axis=0)
        # What is 0 on paper is not ordered by rounding.
        return Ranking(np.where(np.abs(weights) > ROUNDING, weights, 0.0), columns=columns)

    def _positive(self, view: View) -> np.ndarray:
        """Return which rows are positive."""
        classes = np.asarray(view.classes).tolist()
        labels, asked = [str(label) for label in classes], self.pos_label
        # On the command line all labels are text.
        alike = [i for i, label in enumerate(classes) if label == asked or str(label) == str(asked)]
        place = len(labels) - 1 if asked is None else (alike[0] if alike else -1)
        if place < 0:
            raise InputError(
                f"LiteralRelief got pos_label={self.pos_label!r}, but the classes are {' and '.join(labels)}; give one "
                "of them, or None for the last."
            )
        return np.asarray(view.whole().y == place)


class LiteralRelief(ScoreBase):
    r"""Rank literals by how well they cover positive rows and leave out negative rows that are alike.

    A column says of which rows a literal is true. For each of m positive rows :math:`x_k` take the n nearest positive
    rows :math:`x_H`, its hits, and the n nearest negative rows :math:`x_M`, its misses, by the number of literals that
    differ (eq. 9.11 of [1]_). The weight of literal L is (Algorithm 9.4.1) :math:`W_L = \frac{1}{m n} \sum_k \sum_i
    L(x_k) (1 - L(x_{M_i})) - |L(x_k) - L(x_{H_i})|`, where L is 1 for true and 0 for false. Other than ReliefF, where a
    difference to a miss counts whichever way it goes, only a literal that is true of the positive row and false of the
    miss gains (Table 9.1): a literal that is true on negatives is of no use in a rule for positives, though its
    negation may be.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_neighbors : int, default=10
        Number of nearest rows, positive and negative ones, or all if there are fewer.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all. Only positive
        rows do.
    ties : {"first", "average"}, default="average"
        Which of equally far rows take the last places: those with the lowest numbers, or all of them in equal parts,
        which makes the result independent of the order of the rows.
    pos_label : int, float, bool, str or None, default=None
        The label of the positive rows; None is the last in sorted order.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    ReliefF : Counts differences to misses both ways, and asks rows of all classes.

    Notes
    -----
    A column of two values is true where it has the larger; of one with more values the literal is "above the
    median", or above the smallest value where the median is the largest.
    Where there are fewer than n hits or misses, the sum is divided by their number. Many rows of booleans are equally
    far from one another, so that ties are shared by default; the text does not say what to do with them. Rows are
    packed into 64-bit words, and distances counted by words.

    ``selection_.columns`` holds the fraction of positives on which a literal is true, and that of near negatives on
    which it is false; the reasons of kept literals say both.

    References
    ----------
    .. [1] M. Robnik-Šikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF", in
       Computational Methods of Feature Selection, 2008, section 9.4.1.
    .. [2] U. Pompe and I. Kononenko, "Linear space induction in first order logic with ReliefF", 1995.

    Examples
    --------
    The first literal is true on positives alone, the second on negatives alone:

    >>> X = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]]
    >>> found = LiteralRelief(1, n_neighbors=1).fit(X, [True, True, False, False])
    >>> found.scores_.tolist()
    [1.0, 0.0, -1.0]
    >>> print(found.selection_.reason(0).note)
    true on 100 % of the positives, false on 100 % of their near negatives
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        binary_only=True,
        invariance=("scale", "monotone", "row_order"),
        cost="n^2*d/64",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_samples": [Interval(Integral, 1, None, closed="left"), None],
        "ties": [StrOptions({"first", "average"})],
        # It is compared with the labels, whatever they are.
        "pos_label": "no_validation",
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_neighbors: int = 10,
        n_samples: int | None = None,
        ties: str = "average",
        pos_label: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.n_samples = n_samples
        self.ties = ties
        self.pos_label = pos_label
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        tags = self.method_tags
        if self.ties == "first":
            tags = tags.unchanged_only_by(("scale", "monotone"))
        if self.n_samples is None:
            return tags
        return replace(tags.unchanged_only_by(("scale", "monotone")), deterministic=False)

    def _criterion(self) -> LiteralWeights:
        average = self.ties == "average"
        return LiteralWeights(self.n_neighbors, self.n_samples, average, self.pos_label, self.random_state)

    def _select(self, data: View, parts: Parts) -> Selection:
        found = super()._select(data, parts)
        true, spared = found.columns["true on positives"], found.columns["false on near negatives"]
        words = "true on {:.0f} % of the positives, false on {:.0f} % of their near negatives"
        notes = {int(j): words.format(100 * true[j], 100 * spared[j]) for j in found.indices}
        return replace(found, reasons=replace(found.reasons, note={**notes, **found.reasons.note}))


def as_literals(X: np.ndarray) -> np.ndarray:
    """Return which entries are true: the larger of two values, what lies above the median of more."""
    low, high = X.min(axis=0), X.max(axis=0)
    # The lower median is a value of the column, so that no change of scale moves it.
    middle = np.sort(X, axis=0)[(len(X) - 1) // 2]
    several = ((low != X) & (high != X)).any(axis=0)
    return np.where(several, np.where(middle == high, low, middle) < X, (high == X) & (low != X))
