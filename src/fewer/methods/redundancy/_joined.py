"""A search through columns that are made of features, told as a search through the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace
from fewer.core.stop import Stop
from fewer.methods.redundancy._expansion import NONE


@dataclass
class Joined:
    """The features in the order of joining, at which column each did, and the steps of the search seen so."""

    columns: Trace
    features: list[int] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    n_read: int = 0

    @property
    def trace(self) -> Trace:
        """One step per feature."""
        return Trace(list(self.steps))


@dataclass(frozen=True, eq=False)
class OnFeatures(Stop):
    """A rule about features in a search through columns: a feature joins with the first of its columns.

    A later column whose features have all joined is no step of its own. Where several features join with one column,
    the lower number comes first, and the rule may leave out the others.

    Parameters
    ----------
    rule : Stop
        What ends the search.
    factors : ndarray of int64, shape (n_columns, degree)
        The features of every column, -1 where there are fewer.
    n_features : int
        How many features there are.
    """

    rule: Stop
    factors: np.ndarray
    n_features: int
    _read: list[Joined] = field(default_factory=list, repr=False)

    abilities: ClassVar[tuple[str, ...]] = ("done",)

    def joined(self, trace: Trace) -> Joined:
        """Return which features joined, up to the one that is enough; reads only steps that it has not read before."""
        if not self._read or self._read[0].columns is not trace:
            self._read[:] = [Joined(trace)]
        joined = self._read[0]
        for place in range(joined.n_read, len(trace)):
            self._follow(joined, trace[place], place)
        joined.n_read = len(trace)
        return joined

    def _follow(self, joined: Joined, step: Step, place: int) -> None:
        """Let the new features of one column join."""
        new = [j for j in _features_of(self.factors[step.added[0]]) if j not in joined.features]
        if not new:
            # What a passed column took is spent on the feature before.
            last = joined.steps[-1]
            evaluations, seconds = last.evaluations + step.evaluations, last.seconds + step.seconds
            joined.steps[-1] = replace(last, evaluations=evaluations, seconds=seconds)
        for j in new:
            if j != new[0] and self.rule.done(joined.trace, self.n_features - len(joined.features)):
                return
            joined.features.append(j)
            joined.at.append(place)
            joined.steps.append(Step((j,), (), step.value, step.evaluations, step.seconds))
            step = replace(step, evaluations=0, seconds=0.0)

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the features that joined are enough."""
        trace = self.joined(trace).trace
        return self.rule.done(trace, self.n_features - len(trace), drops=drops)

    def steps_kept(self, trace: Trace) -> int:
        """Return the number of columns with which the features that count joined, all if all do."""
        joined = self.joined(trace)
        n_kept = self.rule.steps_kept(joined.trace)
        if n_kept == len(joined.features):
            return len(trace)
        return joined.at[n_kept - 1] + 1 if n_kept else 0

    def __str__(self) -> str:
        return str(self.rule)


def selection_of_features(
    found: Selection, stop: OnFeatures, varies: np.ndarray, names: Sequence[str], explains: np.ndarray
) -> Selection:
    """Return the selection of features that a selection of columns stands for.

    Parameters
    ----------
    found : Selection
        The columns, with the column ``"probe_risk"``.
    stop : OnFeatures
        What ended the search.
    varies : ndarray of bool, shape (n_features,)
        Which features are not constant; the first columns are these features themselves, in order.
    names : sequence of str
        Names of the features, for notes.
    explains : ndarray of bool, shape (n_columns,)
        Which columns explain something beyond the kept ones.
    """
    factors, n_features = stop.factors, len(varies)
    joined = stop.joined(found.trace)
    n_kept = stop.rule.steps_kept(joined.trace)
    kept = [j for place, (j, at) in enumerate(zip(joined.features, joined.at)) if place < n_kept and at < len(found)]
    scores = np.zeros(n_features)
    for k in range(factors.shape[1]):
        there = factors[:, k] != NONE
        np.maximum.at(scores, factors[there, k], np.asarray(found.scores)[there])
    scores[joined.features] = joined.trace.values
    columns = {"probe_risk": np.full(n_features, np.nan), "degree": np.full(n_features, np.nan)}
    note = {int(j): "the column is constant" for j in np.flatnonzero(~varies)}
    for j, at in zip(kept, joined.at):
        column = found.trace[at].added[0]
        columns["probe_risk"][j] = found.columns["probe_risk"][column]
        columns["degree"][j] = (factors[column] != NONE).sum()
        if columns["degree"][j] > 1:
            note[j] = f"it joined as {_text(factors[column], names)}"
    reasons = replace(_reasons(found.reasons, factors, varies, kept, explains), note=note)
    return Selection.build(kept, joined.features, reasons, scores, joined.trace, columns, then=scores)


def _reasons(
    of_columns: Reasons, factors: np.ndarray, varies: np.ndarray, kept: list[int], explains: np.ndarray
) -> Reasons:
    """Return the reasons of the features: those of the features themselves among the columns.

    What is spanned, but has another column that explains more, has the reason of that column.
    """
    kind = np.full(len(varies), IRRELEVANT, dtype=np.uint8)
    kind[varies] = of_columns.kind[: int(varies.sum())]
    for own in factors.T:
        there = explains & (own != NONE)
        kind[own[there]] = np.where(kind[own[there]] == REDUNDANT, of_columns.kind[there], kind[own[there]])
    # A feature that joined and was not kept may have come with others in a column that was.
    kind[kind == KEPT] = NOT_REACHED
    kind[kept] = KEPT
    related: dict[int, tuple[int, ...]] = {}
    for column, j in enumerate(np.flatnonzero(varies).tolist()):
        if kind[j] == REDUNDANT:
            theirs = [i for k in of_columns.related[column] for i in _features_of(factors[k]) if i in kept]
            related[j] = tuple(dict.fromkeys(theirs))
    amount = {j: of_columns.amount[int(varies[:j].sum())] for j in related}
    return replace(of_columns, kind=kind, related=related, amount=amount, note={})


def _features_of(factors: np.ndarray) -> list[int]:
    """Return the features of a column, each once, the lower number first."""
    return sorted({*factors.tolist()} - {NONE})


def _text(factors: np.ndarray, names: Sequence[str]) -> str:
    """Return a product as text, such as x0^2*x3."""
    features, counts = np.unique(factors[factors != NONE], return_counts=True)
    return "*".join(names[j] + (f"^{n}" if n > 1 else "") for j, n in zip(features, counts))
