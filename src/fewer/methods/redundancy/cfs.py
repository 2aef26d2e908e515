"""Correlation-based feature selection: subsets that go with the class and not with themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.criteria.merit import Merit, merit
from fewer.core.criteria.shapes import StepwiseCriterion
from fewer.core.criteria.uncertainties import Uncertainties
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import WeightedFit
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Trace
from fewer.core.search import Problem
from fewer.core.search.by_name import as_search
from fewer.core.stop import Gain, Stop
from fewer.core.stop.sizes import Between
from fewer.core.views.view import View
from fewer.methods.redundancy._on_codes import SAME, CodesSelector, tells_something


class CFSMerit(StepwiseCriterion, Merit):
    r"""Score :math:`k \bar r_{cf} / \sqrt{k + k (k - 1) \bar r_{ff}}`, r being symmetrical uncertainty.

    As an incremental criterion it scores every feature by the merit of the chosen subset with it; as a subset
    criterion it gives any subset its merit.
    """

    requires = ("codes",)

    def start(self, view: View) -> np.ndarray:
        """Score every feature alone: its merit is r_cf."""
        self.known = Uncertainties.of(view)
        self.hopeless = self.known.constant
        self.with_class, self.among = 0.0, 0.0
        self.with_chosen = np.zeros(view.n_features)
        return merit(self.known.with_classes, 1, 0.0)

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        last = chosen[-1]
        self.with_class += float(self.known.with_classes[last])
        self.among += float(self.with_chosen[last])
        self.with_chosen = self.with_chosen + self.known.row(last)
        return merit(self.with_class + self.known.with_classes, len(chosen) + 1, self.among + self.with_chosen)

    def explain(self, reasons: Reasons, kept: np.ndarray) -> Reasons:
        """Tell irrelevant features, and those that go with a kept feature at least as well as with the class."""
        relevance = self.known.with_classes
        most, partner = np.zeros(len(relevance)), np.full(len(relevance), -1, np.int64)
        for j in kept:
            row = self.known.row(int(j))
            more = row > most
            most[more], partner[more] = row[more], j
        kind, told = reasons.kind.copy(), tells_something(relevance)
        dropped = kind != KEPT
        covered = dropped & ~told.failed & (partner >= 0) & (most >= relevance - SAME)
        kind[dropped & told.failed], kind[covered] = IRRELEVANT, REDUNDANT
        related = {int(j): (int(partner[j]),) for j in np.flatnonzero(covered)}
        amount = {j: float(most[j]) for j in related}
        return replace(reasons, kind=kind, needs=(told,), related=related, amount=amount)


@dataclass(frozen=True)
class Rising(Gain):
    """End a search when the merit does not rise any more; that of no features is 0."""

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the last step gained too little."""
        return super().done(trace, n_left) or (len(trace) == 1 and trace[0].value <= self.tol)


class CFS(WeightedFit, CodesSelector):
    r"""Choose features that go with the class and not with each other.

    Features join one by one as long as the merit of the subset rises, :math:`k \bar r_{cf} / \sqrt{k + k (k - 1) \bar
    r_{ff}}`, with the mean symmetrical uncertainty of its k features with the class, :math:`\bar r_{cf}`, and of its
    pairs of features, :math:`\bar r_{ff}`.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None stops when
        the merit does not rise any more.
    search : str or Search, default="greedy"
        How subsets are visited: "greedy" lets features join one by one, always the one with the best merit; or
        "best_first", "floating", "sequential" or another search of `fewer.search` through subsets, by name or with
        its parameters. Such a search takes None for the best size.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. The literature takes "mdl",
        which needs all rows in memory.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    FCBF : Compares features pair by pair.

    Notes
    -----
    A dropped feature is called redundant to the kept feature it goes with best if it goes with the class no better.
    Constant features are never kept, and nothing is if no feature goes with the class.

    References
    ----------
    .. [1] M. A. Hall, "Correlation-based feature selection for discrete and numeric class machine learning",
       ICML 2000.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CFS(discretizer="mdl").fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    # What the search says of sizes is all that holds.
    _serves = ()
    # as_search reads it.
    _parameter_constraints: dict = {**CodesSelector._parameter_constraints, "search": "no_validation"}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        search: Any = "greedy",
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            discretizer=discretizer,
            bins=bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.search = search

    def _criterion(self) -> CFSMerit:
        return CFSMerit()

    def _parts(self) -> Parts:
        parts = replace(super()._parts(), search=as_search(self.search, "CFS"))
        if self.n_features_to_select is None:
            parts = replace(parts, size=Between() if parts.search.shape == "subset" else Rising(SAME))
        parts.search.check("CFS", parts.criterion, parts.size)
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        return parts.search.run(Problem(self._view(data, parts), parts.criterion, parts.size, who="CFS"))
