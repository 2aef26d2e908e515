"""Random mutation hill climbing over prototypes and features at once."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import RequirementError
from fewer.core.records.needs import MORE_THAN, Need
from fewer.core.records.params import Interval
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.search.outcome import ADDS_NOTHING
from fewer.core.views.view import View
from fewer.methods.prototypes._prototype_climb import PrototypeClimb, State, checked_count

MANY_FEATURES = 10**9


class RMHCPrototypes(BaseSelector):
    """Choose features together with a few prototypes, rows whose nearest one classifies all others.

    One string of bits holds the row numbers of the prototypes and a bit per feature. Random bits are flipped; a flip
    stays if the nearest prototypes, by the chosen features, then classify more training rows rightly.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "best" leaves the
        size to the climb. None keeps all features, and only prototypes are chosen.
    n_prototypes : int or None, default=None
        Number of rows that stand for all others; None for the number of classes.
    max_iter : int, default=1000
        Most iterations: flips tried; they end early when no row is wrong.
    accept_equal : bool, default=False
        Whether a flip that changes nothing is kept, too.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads. The climb, one flip after the other, uses one of them.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    prototypes_ : ndarray of shape (n_prototypes,)
        Row numbers of the prototypes; a row may be there twice.
    accuracy_ : float
        Fraction of the training rows that the prototypes classify rightly.
    n_iter_ : int
        Number of bit strings that were evaluated, the first included.

    See Also
    --------
    MC1 : Draws prototypes, keeps all features, and classifies by them.
    RMHCSelector : The same climb over features that any estimator evaluates.

    Notes
    -----
    Distances are Euclidean: bring the features to one scale first. Of equal distances the first prototype is nearest.
    Scores are what a kept feature adds to the accuracy, and what a dropped one would add. The figure in [1]_ never
    takes a failed flip back; its text does, and so does this climb. Numbers beyond the last row begin again at the
    first. A flip after which no feature would be left fails. Where a size is given, a flip that breaks it also flips a
    random other feature. A longer climb need not find the optimum, climbs from several seeds find it in the limit.

    A dropped feature that adds nothing is irrelevant if it is constant, or if it alone does not beat the most frequent
    class with prototypes that do so with the kept features; prototypes of one class say nothing about any feature.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 3.6.3, Fig. 3.5.
    .. [2] D. B. Skalak, "Prototype and feature selection by sampling and random mutation hill climbing algorithms",
       ICML 1994.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> y = X[:, 2] > 0
    >>> found = RMHCPrototypes(1, random_state=0).fit(X, y)
    >>> found.selection_.indices.tolist(), len(found.prototypes_)
    ([2], 2)
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("dense",),
        deterministic=False,
        nested=False,
        invariance=(),
        cost="max_iter*n_prototypes*n*d",
    )
    _serves = ("subsets",)
    _parameter_constraints: dict = {
        "n_features_to_select": "no_validation",
        "n_prototypes": [None, Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "accept_equal": ["boolean"],
        "random_state": "no_validation",
        "n_jobs": [None, Integral],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_features_to_select: Any = "best",
        *,
        n_prototypes: int | None = None,
        max_iter: int = 1000,
        accept_equal: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_prototypes = n_prototypes
        self.max_iter = max_iter
        self.accept_equal = accept_equal
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _parts(self) -> Parts:
        parts = super()._parts()
        wanted = parts.size.wanted(MANY_FEATURES)
        if wanted.choose != "best" or (wanted.patience, wanted.seconds, wanted.evaluations) != (None,) * 3:
            raise RequirementError(
                f"RMHCPrototypes got n_features_to_select={self.n_features_to_select!r}, but its climb has neither "
                "standard errors nor steps of single features that such a rule could read; pass a number, a fraction, "
                "a range, 'best' or None."
            )
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        block = data.whole()
        count = checked_count("RMHCPrototypes", self.n_prototypes, data.n_classes, data.n_rows)
        columns = np.ascontiguousarray(block.X.T, dtype=np.float64)
        rng = np.random.default_rng(self.random_state)
        climb = PrototypeClimb(columns, block.y, count, parts.size.wanted(data.n_features), rng)
        end = climb.run(self.max_iter, self.accept_equal)
        self.prototypes_ = climb.rows(end.codes)
        self.accuracy_ = end.right / data.n_rows
        self.n_iter_ = climb.n_flips + 1
        labels = np.asarray(data.classes).astype(str)[block.y[self.prototypes_]]
        table = ResultTable("Rows that stand for all others", {"row": self.prototypes_, "class": labels})
        return self._explained(climb, end).with_tables(prototypes=table)

    def _explained(self, climb: PrototypeClimb, end: State) -> Selection:
        """Return the kept features, those first without which most is lost, and the others by what they would add."""
        scores = climb.changes(end)
        order = np.lexsort((np.arange(len(scores)), -scores, ~end.mask))
        adds, idle = Need("gain over the kept features", scores, 0.0, how=MORE_THAN), scores <= 0
        useless = idle & climb.tells_nothing(end)
        kind = np.where(end.mask, KEPT, np.where(useless, IRRELEVANT, NOT_REACHED)).astype(np.uint8)
        note = {int(j): ADDS_NOTHING for j in np.flatnonzero(idle & (kind == NOT_REACHED))}
        rule = (
            f"{climb.n_flips} flips led to {climb.n_prototypes} prototypes whose accuracy on the training rows is "
            f"{self.accuracy_:.6g}"
        )
        reasons = Reasons(kind, rule=rule, note=note, needs=(adds,))
        meta = {"value": self.accuracy_, "evaluations": self.n_iter_}
        kept = order[: int(end.mask.sum())]
        return Selection.build(kept, order, reasons, scores, climb.trace, meta=meta)
