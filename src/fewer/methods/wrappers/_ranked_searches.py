"""Searches along a ranking: its prefixes, and what is better by a test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from scipy.stats import t as student

from fewer.core.criteria.shapes import Criterion
from fewer.core.records.errors import RequirementError
from fewer.core.records.numerals import numeral
from fewer.core.records.params import Interval, number_from, whole_from
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection, after
from fewer.core.search import Evaluations, Outcome, SubsetSearch
from fewer.core.search.contract import MANY_UNITS
from fewer.core.search.units import Subset, with_unit
from fewer.core.stop import Stop, Wanted


@dataclass(frozen=True)
class Prefixes(SubsetSearch):
    """Evaluate the first so many units of an order; the answer is the best prefix, of equal ones the shortest.

    Parameters
    ----------
    order : tuple of int, default=()
        Units, best first.
    step : int, default=1
        How many join at once.
    ranking : Selection, optional
        Where the order comes from, for the explanation.
    """

    order: tuple[int, ...] = ()
    step: int = 1
    ranking: Selection | None = field(default=None, repr=False, compare=False)

    by_loss: ClassVar[bool] = False
    constraints: ClassVar[dict[str, Any]] = {"step": [whole_from(1)]}

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Walk along the order."""
        last = min(len(self.order), evaluations.high)
        here: Subset = ()
        evaluations.expected = evaluations.expected or len(prefix_sizes(evaluations.low, last, self.step))
        for size in prefix_sizes(evaluations.low, last, self.step):
            if size == len(here) + 1:
                evaluations.added(here, [self.order[size - 1]])
                here = with_unit(here, self.order[size - 1])
            else:
                here = tuple(sorted(self.order[:size]))
                evaluations.value(here)
            evaluations.walk(here)

    def explained(self, selection: Selection, outcome: Outcome) -> Selection:
        """Take the scores of the ranking, and put the features that follow in its order."""
        if self.ranking is None:
            return selection
        return along_ranking(selection, self.ranking, len(outcome.evaluations.units.fixed_columns))


def along_ranking(selection: Selection, ranking: Selection, n_fixed: int) -> Selection:
    """Return the selection in the order of a ranking and with its scores; what is always in stays first."""
    fixed, moved = selection.indices[:n_fixed], selection.indices[n_fixed:]
    kept = np.concatenate([fixed, moved[np.argsort(ranking.ranking[moved], kind="stable")]])
    scores = selection.scores if ranking.scores is None else ranking.scores
    return replace(selection, indices=kept, order=after(kept, ranking.order), scores=scores)


def prefix_sizes(low: int, high: int, step: int) -> list[int]:
    """Return the sizes from ``low`` (or one step) on, and the last one.

    Examples
    --------
    >>> prefix_sizes(1, 12, 5)
    [5, 10, 12]
    """
    sizes = list(range(max(low, min(step, high)), high + 1, step))
    return sizes if sizes and sizes[-1] == high else [*sizes, high]


@dataclass(frozen=True)
class TrialResult:
    """What became of a unit: the subset it was tried with, what it gained, and how likely that is by chance."""

    subset: Subset
    gain: float
    pvalue: float


@dataclass(frozen=True)
class Increments(SubsetSearch):
    """Go down a ranking once; a unit joins if the subset with it is significantly better (BIRS, book fig. 8.1).

    Parameters
    ----------
    order : tuple of int, optional
        Units, best first; by default in the order of their own values.
    alpha : float, default=0.1
        Level of the paired t-test over the folds, two-tailed, where the criterion has folds.
    min_improvement : float, default=0.005
        What a unit must gain, where it has none.
    tested : dict
        Filled by the search: what became of each unit.
    """

    order: tuple[int, ...] | None = None
    alpha: float = 0.1
    min_improvement: float = 0.005
    tested: dict[int, TrialResult] = field(default_factory=dict, repr=False, compare=False)

    by_loss: ClassVar[bool] = False
    constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "min_improvement": [number_from(0)],
    }

    def check(self, who: str, criterion: Criterion, size: Stop, extras: Iterable[str] = ()) -> None:
        """Raise before any work starts also on a fewest number, which nothing here could reach."""
        super().check(who, criterion, size, extras)
        wanted = size.wanted(MANY_UNITS)
        if 1 < wanted.low < wanted.high:
            raise RequirementError(
                f"{who} got n_features_to_select={str(size)!r}, but adds features only as long as each helps and takes "
                "a most, no fewest; pass a number, a range from 1, or 'best'."
            )

    def sized(self, wanted: Wanted) -> Wanted:
        """Let the tests find the size; what was asked for is a bound."""
        return replace(wanted, low=1)

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Go down the ranking."""
        everyone = np.arange(evaluations.n_units)
        evaluations.value(())
        order = self.order
        if order is None:
            order = tuple(np.argsort(-evaluations.added((), everyone), kind="stable").tolist())
        here: Subset = order[:1]
        value = evaluations.value(here)
        folds = evaluations.fold_values(here)
        evaluations.walk(here)
        evaluations.keep(here)
        for unit in order[1:]:
            if len(here) >= evaluations.high:
                return
            new = float(evaluations.added(here, [unit])[0])
            there = with_unit(here, unit)
            # Fold scores cost an evaluation of their own; a mean that is not higher needs no test.
            rivals = evaluations.fold_values(there) if folds is not None and new > value else None
            pvalue = np.nan if rivals is None or folds is None else paired_pvalue(rivals, folds)
            self.tested[unit] = TrialResult(here, new - value, pvalue)
            better = pvalue < self.alpha if folds is not None else new - value > self.min_improvement
            if better:
                here, value, folds = there, new, rivals
                evaluations.walk(here)
                evaluations.keep(here)

    def explained(self, selection: Selection, outcome: Outcome) -> Selection:
        """Score features by what they are worth alone, and say with which features they were tried."""
        facts, tested = outcome.evaluations, self.tested
        groups, n = facts.units.groups, selection.n_features
        alone = facts.known_changed((), range(len(groups)))
        nothing = facts.known(())
        kind, scores = selection.reasons.kind.copy(), np.full(n, np.nan)
        related: dict[int, tuple[int, ...]] = {}
        note = dict(selection.reasons.note)
        for u, columns in enumerate(groups):
            scores[list(columns)] = alone[u]
            if kind[columns[0]] == KEPT:
                continue
            kind[list(columns)] = NOT_REACHED
            if nothing is not None and alone[u] <= nothing:
                kind[list(columns)] = IRRELEVANT
            elif u in tested:
                kind[list(columns)] = REDUNDANT
                related |= dict.fromkeys(columns, facts.units.columns(tested[u].subset))
            if u in tested:
                note |= dict.fromkeys(columns, _words(tested[u]))
        line = np.nan if nothing is None else nothing
        said = Reasons(kind, line, selection.reasons.rule, related, note=note, above=True)
        order = after(selection.indices, np.argsort(-scores, kind="stable"))
        return replace(selection, scores=scores, reasons=said, order=order)


def _words(tested: TrialResult) -> str:
    chance = "" if np.isnan(tested.pvalue) else f" (p = {tested.pvalue:.3g})"
    before = "the feature" if len(tested.subset) == 1 else f"the {len(tested.subset)} features"
    return f"it gained {numeral(tested.gain, '.4g')}{chance} over {before} before it"


def paired_pvalue(a: np.ndarray, b: np.ndarray) -> float:
    """Return the two-tailed p-value of Student's paired t-test; 0 for the same difference everywhere, 1 for none.

    Examples
    --------
    >>> import numpy as np
    >>> round(paired_pvalue(np.array([0.02, 0.03, 0.05, 0.04, 0.06]), np.zeros(5)), 6)
    0.004813
    """
    differences = np.asarray(a, dtype=float) - b
    n, mean = len(differences), differences.mean()
    # Equal differences of scores such as 0.1 and 0.3 - 0.2 differ by rounding.
    spread = differences.std(ddof=1) if n > 1 else 0.0
    if spread <= 1e-12 * max(1.0, float(np.abs(differences).max())):
        return 1.0 if abs(mean) <= 1e-12 else 0.0
    return float(2.0 * student.sf(abs(mean) / (spread / np.sqrt(n)), n - 1))
