"""Run a strategy to its end, its budget or Ctrl-C, and say what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.needs import MORE_THAN, Need
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.found import Found, SearchOver
from fewer.core.search.interrupts import answer_or_raise, is_driven
from fewer.core.search.units import Subset


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a search found.

    Attributes
    ----------
    found : Found
        The chosen subset of units and its value.
    evaluations : Evaluations
        All that is known of other subsets.
    strategy : object
        What searched.
    stopped : str
        Why the search ended before its own end, or an empty text.
    """

    found: Found
    evaluations: Evaluations
    strategy: Any
    stopped: str = ""

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped the search."""
        return self.stopped == INTERRUPTED


INTERRUPTED = "the user stopped it"
ADDS_NOTHING = "it adds nothing to the kept features"


def run_search(
    strategy: Any, evaluations: Evaluations, rng: np.random.Generator | int | None = None, choose: str = "best"
) -> Outcome:
    """Run a strategy; a spent budget and Ctrl-C end it with the best so far.

    Parameters
    ----------
    strategy : SubsetSearch
        How subsets are visited.
    evaluations : Evaluations
        The criterion, the data and all limits.
    rng : Generator or int, optional
        Source of randomness. A search that goes on from a checkpoint needs the seed it had.
    choose : {"best", "parsimonious"}, default="best"
        Whether the answer is that of the strategy, or the smallest visited subset whose value is within one standard
        error of the best.

    Returns
    -------
    Outcome
    """
    if choose not in ("best", "parsimonious"):
        raise ParameterError(
            f"run_search got choose={choose!r}, but knows 'best' and 'parsimonious'; pass one of them."
        )
    stopped = ""
    try:
        if evaluations.high > 0:
            strategy.search(evaluations, np.random.default_rng(rng))
        if evaluations.answer is None:
            # There is nothing to choose from, as when all features are always in.
            evaluations.value(())
    except SearchOver as over:
        stopped = str(over)
    except KeyboardInterrupt:
        best = evaluations.answer
        # No features, from which many searches start, are no answer.
        if best is None or not (best.subset or evaluations.units.n_fixed):
            raise
        n, count = len(best.subset) + evaluations.units.n_fixed, evaluations.count
        answer_or_raise(
            f"The search was interrupted after {count:,} subset{'' if count == 1 else 's'}; its answer is the best so "
            f"far, {n:,} feature{'' if n == 1 else 's'} with the value {numeral(best.value)}."
        )
        stopped = INTERRUPTED
    found = evaluations.answer
    assert found is not None  # a budget allows one evaluation at least
    if choose == "parsimonious" and stopped != INTERRUPTED:
        found = evaluations.parsimonious() or found
    return Outcome(found, evaluations, strategy, stopped)


def selection_of(outcome: Outcome, *, by_loss: bool = False) -> Selection:
    """Return the outcome of a search as a selection.

    Features that are always in come first. The others come in the order in which they joined the subset for good, of
    those that joined together first the one without which most is lost, as far as that was evaluated. After the kept
    features come those that were in the subset at some time, the last to leave first; features that never were have no
    rank. Scores are what a kept feature adds to the other kept ones, and what a dropped one would add to the kept ones;
    NaN where the search did not evaluate that.

    A dropped feature that would add nothing to the kept ones is redundant to the features with which it lost its last
    gain, if it had one at an earlier step of the search, and irrelevant if it adds nothing to no features either. All
    other dropped features are not reached, also one that adds nothing where the search did not ask what it is worth
    without the kept ones: it may repeat one of them.

    Parameters
    ----------
    outcome : Outcome
        What `run_search` returned.
    by_loss : bool, default=False
        Whether kept features are ordered by what is lost without them alone. What is not known yet is evaluated, unless
        the search was stopped before its end.
    """
    facts = outcome.evaluations
    if by_loss and not outcome.stopped and outcome.found.subset:
        try:
            facts.removed(outcome.found.subset, outcome.found.subset)
        except SearchOver:
            by_loss = False
        except KeyboardInterrupt:
            if is_driven():
                raise
            by_loss = False
    units, n_features = facts.units, facts.view.n_features
    gains = _gains(facts, outcome.found)
    kept, left = _order(facts, outcome.found.subset, gains, by_loss)
    indices = [*units.fixed_columns, *(j for u in kept for j in units.groups[u])]
    left_columns = [j for u in left for j in units.groups[u]]
    scores = np.full(n_features, np.nan)
    kind = np.full(n_features, NOT_REACHED, dtype=np.uint8)
    kind[np.array(indices, dtype=np.int64)] = KEPT
    related: dict[int, tuple[int, ...]] = {}
    amount: dict[int, float] = {}
    note = dict.fromkeys(units.fixed_columns, "always in")
    lost, alone = _last_gains(facts, outcome.found.subset, gains), _alone(facts)
    for u, columns in enumerate(units.groups):
        scores[list(columns)] = gains[u]
        if kind[columns[0]] == KEPT or not gains[u] <= 0:
            continue
        if u not in lost:
            kind[list(columns)] = IRRELEVANT if alone[u] <= 0 else NOT_REACHED
            note |= {} if alone[u] <= 0 else dict.fromkeys(columns, ADDS_NOTHING)
        else:
            kind[list(columns)] = REDUNDANT
            to = tuple(j for v in lost[u][0] for j in units.groups[v])
            related |= dict.fromkeys(columns, to)
            amount |= dict.fromkeys(columns, lost[u][1])
    adds = Need("gain over the kept features", scores, 0.0, how=MORE_THAN)
    reasons = Reasons(kind, rule=_rule(outcome), related=related, amount=amount, note=note, needs=(adds,))
    meta = {"value": outcome.found.value, "evaluations": facts.count, "stopped": outcome.stopped}
    known = None if np.isnan(scores).all() else scores
    return Selection.build(indices, left_columns, reasons, known, facts.trace, meta=meta, tables=_curve(facts))


def _curve(facts: Evaluations) -> dict[str, ResultTable]:
    """Return the best value by number of features, if the search saw several numbers."""
    found, fixed = facts.best_of_size, facts.units.n_fixed
    if len(found) < 2:
        return {}
    sizes = sorted(found)
    columns = {"features": [k + fixed for k in sizes], "best value": [found[k].value for k in sizes]}
    return {"curve": ResultTable("Best value found by number of features", columns, "curve")}


def _rule(outcome: Outcome) -> str:
    """Return in words where the subset comes from."""
    name, n = type(outcome.strategy).__name__, outcome.evaluations.count
    words = (
        f"{name} evaluated {n} subset{'' if n == 1 else 's'}; the kept one has the value {numeral(outcome.found.value)}"
    )
    return f"{words}; {outcome.stopped}" if outcome.stopped else words


def _gains(facts: Evaluations, found: Found) -> np.ndarray:
    """Return what each unit adds to the other kept ones, as far as known."""
    gains = facts.known_changed(found.subset, range(facts.n_units)) - found.value
    gains[list(found.subset)] *= -1
    return gains


def _alone(facts: Evaluations) -> np.ndarray:
    """Return what each unit adds to what is always in, as far as known."""
    nothing = facts.known(())
    return facts.known_changed((), range(facts.n_units)) - (np.nan if nothing is None else nothing)


def _order(facts: Evaluations, subset: Subset, gains: np.ndarray, by_loss: bool) -> tuple[list[int], list[int]]:
    """Return the kept units, best first, and the units that were in the walk, the last to leave first."""
    joined: dict[int, int] = {}
    gone: dict[int, int] = {}
    before: set[int] = set()
    for at, found in enumerate(facts.walked):
        after = set(found.subset)
        joined.update(dict.fromkeys(after - before, at))
        gone.update(dict.fromkeys(before - after, at))
        before = after
    end = len(facts.walked)
    loss = np.where(np.isnan(gains), -np.inf, gains)
    late = {u: joined.get(u, end) for u in subset}
    kept = sorted(subset, key=lambda u: (-loss[u], late[u], u) if by_loss else (late[u], -loss[u], u))
    inside = set(subset)
    left = sorted(
        (u for u in joined if u not in inside),
        key=lambda u: (-(end if u in before else gone[u]), joined[u], u),
    )
    return kept, left


def _last_gains(facts: Evaluations, subset: Subset, gains: np.ndarray) -> dict[int, tuple[Subset, float]]:
    """Return for each unit whose gain vanished along the walk the units that joined then, and the gain just before."""
    idle = np.flatnonzero(gains <= 0)
    idle = idle[~np.isin(idle, subset)]
    states = [found for found in facts.walked if set(found.subset) <= set(subset)]
    had = np.full(len(idle), np.nan)
    lost: dict[int, tuple[Subset, float]] = {}
    before: set[int] = set()
    for found in states if len(idle) else ():
        inside = set(found.subset)
        now = facts.known_changed(found.subset, idle.tolist()) - found.value
        joined = tuple(sorted(inside - before))
        for i in np.flatnonzero(~np.isnan(now)):
            if now[i] > 0:
                lost.pop(int(idle[i]), None)
            elif had[i] > 0:
                lost[int(idle[i])] = (joined, float(had[i]))
        had = np.where(np.isnan(now), had, now)
        before = inside
    return lost
