"""Selectors that drop binary features which others cover: counts of pairs, trees, reasons (book ch. 16)."""

from __future__ import annotations

import time
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.discretize.codes import codes_view
from fewer.core.discretize.user_edges import UserEdges
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector, WeightedFit
from fewer.core.measures import information_gain
from fewer.core.measures.covers import Covers, find_covers
from fewer.core.records.forest import RedundancyForest
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.records.trace import Step, Trace
from fewer.core.stop import Stop
from fewer.core.stop.sizes import Fraction
from fewer.core.summaries.counts import TargetCounts
from fewer.core.summaries.pairs import PresencePairs
from fewer.core.views.view import View

ON_PRESENCE = MethodTags(
    targets=("classes",),
    views=("codes",),
    handles_sparse=True,
    handles_weights=True,
    weights_count_rows=True,
    streams=True,
    cost="n*d^2",
)
COVERS: dict[str, Any] = {
    # as_stop reads it and says in one sentence what is allowed.
    "n_features_to_select": "no_validation",
    "rule": [StrOptions({"tree", "matrix"})],
    "tau": [Interval(Real, 0, 1, closed="right")],
    "clip": ["boolean"],
    "threshold": [Interval(Real, None, None, closed="neither")],
    "n_jobs": [None, Interval(Integral, 1, None, closed="left"), Interval(Integral, None, -1, closed="right")],
    "verbose": ["verbose"],
}


class CoverSelector(WeightedFit, BaseSelector):
    """Base of selectors on the redundancy tree of binary features; a method may say which features take part.

    Parameters of every one of them are ``rule``, ``top_fraction``, ``tau``, ``clip`` and ``threshold``.
    """

    rule: str
    top_fraction: float | None
    tau: float
    clip: bool
    threshold: float
    # How many features, those of highest information gain, are never redundant.
    protected: int = 0

    def _select(self, data: View, parts: Parts) -> Selection:
        begin = time.perf_counter()
        view = codes_view(data, UserEdges([self.threshold]))
        counts = view.fold(TargetCounts(view.n_classes))
        information = information_gain(counts)
        absent, present = (counts.table[counts.offsets[:-1] + level].sum(axis=1) for level in (0, 1))
        order = np.argsort(-information, kind="stable")
        features, notes = self._reached(order, present, absent)
        covers = self._covers(view, features, counts.of(0).sum(axis=0), information)
        forest = RedundancyForest(covers.parents, np.where(covers.parents >= 0, covers.value, 0.0))
        selection = self._selection(covers, features, information, order, notes, parts.size)
        step = Step(
            added=tuple(selection.indices.tolist()),
            value=float(information[selection.indices].sum()),
            evaluations=view.n_features,
            seconds=time.perf_counter() - begin,
        )
        return replace(selection, trace=Trace([step]), tables={"tree": forest.table()})

    def _reached(self, order: np.ndarray, present: np.ndarray, absent: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
        """Return among which features covers are looked for, ascending, and what is wrong with others, in words."""
        reached = np.zeros(len(order), bool)
        reached[order[: self._n_top(len(order))]] = True
        notes = constants(present, absent)
        reached[list(notes)] = False
        return np.flatnonzero(reached), notes

    def _n_top(self, n_features: int) -> int:
        share = self.top_fraction
        return n_features if share is None or share == 1 else Fraction(share).count(n_features)

    @property
    def tree_(self) -> RedundancyForest:
        """Who covers whom."""
        found = self.selection_
        return RedundancyForest.from_table(found.tables["tree"], found.n_features, found.names)

    def _covers(self, view: View, features: np.ndarray, sizes: np.ndarray, information: np.ndarray) -> Covers:
        """Find the covers of some features, by their numbers in the data."""
        n = view.n_features
        best, value, parents = np.full(n, -1, np.int64), np.zeros(n), np.full(n, -1, np.int64)
        if len(features):
            pairs = view.fold(PresencePairs(view.n_classes, tuple(features.tolist()))).pairs
            found = find_covers(pairs, sizes, information[features], tau=self.tau, clip=self.clip)
            named = np.append(features, -1)
            best[features], value[features], parents[features] = named[found.best], found.value, named[found.parents]
        return Covers(best, value, parents)

    def _selection(
        self,
        covers: Covers,
        features: np.ndarray,
        information: np.ndarray,
        order: np.ndarray,
        notes: dict[int, str],
        size: Stop,
    ) -> Selection:
        redundant = covers.redundant(self.rule)
        redundant[order[np.isin(order, features)][: self.protected]] = False
        left = features[~redundant[features]]
        cut = size.cut(Ranking(information[left]))
        group = np.full(len(information), 3)
        group[features] = 2
        group[left] = np.where(cut.kept, 0, 1)
        order = order[np.argsort(group[order], kind="stable")]
        kept = order[: int(cut.kept.sum())]
        threshold = np.full(len(information), np.nan)
        threshold[left] = cut.threshold
        rule = cut.rule if self.top_fraction is None else f"{cut.rule}; among a fraction of {self.top_fraction:g} only"
        kind = np.full(len(information), NOT_REACHED, np.uint8)
        kind[left[cut.irrelevant]] = IRRELEVANT
        kind[kept], kind[redundant], kind[list(notes)] = KEPT, REDUNDANT, IRRELEVANT
        related = {int(j): (int(covers.best[j]),) for j in np.flatnonzero(redundant)}
        amount = {j: float(covers.value[j]) for j in related}
        reasons = Reasons(kind, threshold, rule, related, amount, notes)
        return Selection.build(kept, order, reasons, information)


def constants(present: np.ndarray, absent: np.ndarray) -> dict[int, str]:
    """Return what is wrong with features that no row or every row has."""
    none = {int(j): "no row has it" for j in np.flatnonzero(present == 0)}
    return none | {int(j): "all rows have it" for j in np.flatnonzero(absent == 0)}
