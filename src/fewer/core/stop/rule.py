"""The contract of a stop rule: where to cut a ranking, and when a search has done enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.errors import ParameterError, RequirementError, require
from fewer.core.records.needs import Need
from fewer.core.records.ranking import Ranking
from fewer.core.records.trace import Trace
from fewer.core.stop.wanted import Wanted

ABILITY_WORDS = {
    "cut": "a ranking of the features",
    "done": "a search that goes step by step",
    "subsets": "a search that compares subsets of different sizes",
}


@dataclass(frozen=True, eq=False)
class Cut:
    """Where a rule cut a ranking.

    Attributes
    ----------
    kept : ndarray of bool, shape (n_features,)
        Mask of the kept features.
    threshold : float or ndarray of shape (n_features,)
        What a score had to reach; NaN if no such number exists. Joined rules may differ between features.
    above : bool or ndarray of bool, shape (n_features,)
        Whether a score had to exceed the threshold rather than to reach it.
    needs : tuple of Need
        What other quantities had to reach, such as p-values.
    rule : str
        What drew the line, in words.
    relevance : bool
        Whether a dropped feature is irrelevant by this rule (True) or merely not reached (False).
    irrelevant : ndarray of bool, shape (n_features,)
        Mask of the dropped features that are irrelevant; follows from `relevance` unless given. Joined rules
        give it, because one may call a feature irrelevant that another merely did not reach.
    columns : mapping of str to ndarray of shape (n_features,)
        Numbers per feature that the rule has found and that are worth showing.
    """

    kept: np.ndarray
    threshold: float | np.ndarray = float("nan")
    rule: str = ""
    relevance: bool = False
    irrelevant: np.ndarray = None  # type: ignore[assignment]
    above: bool | np.ndarray = False
    needs: tuple[Need, ...] = ()
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.irrelevant is None:
            object.__setattr__(self, "irrelevant", ~self.kept if self.relevance else np.zeros_like(self.kept))


@dataclass(frozen=True)
class Beside:
    """How a selector scores artificial features beside its own, for rules that compare with them.

    Attributes
    ----------
    probes : callable
        Given a number, returns the scores of that many shuffles of every feature, (number, n_features).
    knockoffs : callable
        Given whether they are fixed, and a seed, returns the scores of the features and of their knockoffs beside them.
    """

    probes: Callable[[int], np.ndarray]
    knockoffs: Callable[[bool, int], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Stop:
    """Base of all stop rules; usable as ``n_features_to_select`` of any selector.

    Rules are small frozen values: they compare equal, can be copied and pickled, join with ``|`` (the
    stricter of the two holds), and ``str(rule)`` is a text that `as_stop` reads back.

    Attributes
    ----------
    abilities : tuple of str
        ``"cut"`` if the rule can cut a ranking, ``"done"`` if it can end a search step by step, ``"subsets"`` if it
        says what a search through subsets shall find.
    needs : tuple of str
        What the selector must offer besides, such as ``"p-values"``, ``"probes"`` or ``"knockoffs"``.
    word, main : str
        Name of the rule in texts, and the parameter that follows the colon.
    """

    abilities: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[str, ...]] = ()
    word: ClassVar[str] = ""
    main: ClassVar[str] = ""

    def cut(self, ranking: Ranking) -> Cut:
        """Return which features of a ranking are kept."""
        raise RequirementError(
            f"The rule {str(self)!r} cannot cut a ranking, only end a search; pass a number of features or a threshold."
        )

    def cut_with_probes(self, ranking: Ranking, probe_scores: np.ndarray) -> Cut:
        """Return which features are kept, given the scores of random probes of each, which most rules ignore."""
        return self.cut(ranking)

    def probes_wanted(self, n_features: int) -> int:
        """Return how many random probes of every feature the selector should score beside the features."""
        return 0

    def cut_beside(self, ranking: Ranking, beside: Beside) -> Cut:
        """Return which features are kept, given how to score artificial features beside them."""
        wanted = self.probes_wanted(len(ranking.scores))
        return self.cut_with_probes(ranking, beside.probes(wanted)) if wanted else self.cut(ranking)

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether a search should end now.

        Parameters
        ----------
        trace : Trace
            The steps so far.
        n_left : int
            How many features may still move: candidates outside the subset if the search adds features,
            features in the subset if it drops them.
        drops : bool, default=False
            Whether the search starts with all features and drops some. Its trace does not record the full set
            as added; a first step without features may carry its value.
        """
        raise RequirementError(
            f"The rule {str(self)!r} cannot end a search, only cut a ranking; pass a number of features or a gain."
        )

    def steps_kept(self, trace: Trace) -> int:
        """Return how many steps of an ended search count; the last may only have shown that it is over."""
        return len(trace)

    def wanted(self, n_units: int) -> Wanted:
        """Return what a search through subsets of ``n_units`` units shall find."""
        raise RequirementError(
            f"The rule {str(self)!r} says nothing that a search through subsets could follow; pass a number of "
            "features, a range such as '2-10', 'best' or 'parsimonious'."
        )

    def at_most(self, n: int) -> Stop:
        """Return a rule that keeps no more than ``n`` features, besides what this one says."""
        # Count stands in a file that imports this one.
        from fewer.core.stop.sizes import Count

        return Count(n) | self

    def check(self, part_name: str, offered: Iterable[str]) -> None:
        """Raise unless ``part_name`` offers what the rule needs, before any work starts.

        ``offered`` holds ``"cut"`` if the part ranks features, ``"done"`` if it searches step by step, ``"subsets"`` if
        it searches through subsets, and the names of what else it has, such as ``"p-values"``.
        """
        offered = set(offered)
        abilities = [a for a in offered if a in ABILITY_WORDS]
        if not set(self.abilities) & set(abilities):
            wanted = " or ".join(ABILITY_WORDS[a] for a in self.abilities)
            has = [ABILITY_WORDS[a] for a in abilities]
            require(f"The rule {str(self)!r}", [wanted], has, part_name, "pass a number of features or another rule")
        extras = offered - set(ABILITY_WORDS)
        require(f"The rule {str(self)!r}", self.needs, extras, part_name, "pass a number of features or another rule")

    def __or__(self, other: Any) -> AnyOf:
        if not isinstance(other, Stop):
            return NotImplemented
        return AnyOf((*_parts(self), *_parts(other)))

    def __str__(self) -> str:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        texts = [] if values.get(self.main) is None else [text_of(values[self.main])]
        for f in fields(self):
            if f.name != self.main and (f.default is MISSING or values[f.name] != f.default):
                texts.append(f"{f.name}={text_of(values[f.name])}")
        return ":".join([self.word, ",".join(texts)] if texts else [self.word])


@dataclass(frozen=True)
class AnyOf(Stop):
    """Several rules at once: a search ends when any of them says so, a ranking keeps what all of them keep.

    Parameters
    ----------
    rules : sequence of Stop
        Rules that can all cut a ranking, or can all end a search.

    Examples
    --------
    >>> from fewer.stop import BenjaminiHochberg, Count
    >>> str(Count(20) | BenjaminiHochberg(0.05))
    '20|fdr:0.05'
    """

    rules: tuple[Stop, ...]

    def __post_init__(self) -> None:
        rules = (self.rules,) if isinstance(self.rules, Stop) else tuple(self.rules)
        strange = [r for r in rules if not isinstance(r, Stop)]
        if not rules or strange:
            raise ParameterError(
                f"AnyOf got {strange[0] if strange else 'no rule'!r}, but it joins one or more stop rules; "
                "pass for example AnyOf([Count(20), Threshold(0.1)])."
            )
        rules = tuple(part for rule in rules for part in _parts(rule))
        object.__setattr__(self, "rules", rules)
        if not self.abilities:
            raise ParameterError(
                f"The rules {' and '.join(map(repr, rules))} cannot be joined, because some only cut "
                "rankings and the others only end searches; join rules of one kind."
            )

    @property
    def abilities(self) -> tuple[str, ...]:  # type: ignore[override]
        """What all of the rules can do."""
        return tuple(a for a in ABILITY_WORDS if all(a in rule.abilities for rule in self.rules))

    @property
    def needs(self) -> tuple[str, ...]:  # type: ignore[override]
        """What any of the rules needs."""
        return tuple(sorted({need for rule in self.rules for need in rule.needs}))

    def cut(self, ranking: Ranking) -> Cut:
        """Keep what all rules keep."""
        return _stricter([rule.cut(ranking) for rule in self.rules])

    def cut_with_probes(self, ranking: Ranking, probe_scores: np.ndarray) -> Cut:
        """Keep what all rules keep."""
        return _stricter([rule.cut_with_probes(ranking, probe_scores) for rule in self.rules])

    def probes_wanted(self, n_features: int) -> int:
        """Return the largest number that any rule wants."""
        return max(rule.probes_wanted(n_features) for rule in self.rules)

    def cut_beside(self, ranking: Ranking, beside: Beside) -> Cut:
        """Keep what all rules keep; all see the same probes."""
        wanted = self.probes_wanted(len(ranking.scores))
        scores = beside.probes(wanted) if wanted else np.empty((0, len(ranking.scores)))
        shared = replace(beside, probes=lambda _: scores)
        return _stricter([rule.cut_beside(ranking, shared) for rule in self.rules])

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether any rule ends the search."""
        return any(rule.done(trace, n_left, drops=drops) for rule in self.rules)

    def steps_kept(self, trace: Trace) -> int:
        """Return the smallest number that any rule keeps."""
        return min(rule.steps_kept(trace) for rule in self.rules)

    def wanted(self, n_units: int) -> Wanted:
        """Return what all rules ask for at once."""
        return Wanted.joined([rule.wanted(n_units) for rule in self.rules])

    def at_most(self, n: int) -> Stop:
        """Return the rules with a bound on the size."""
        return AnyOf(tuple(rule.at_most(n) for rule in self.rules))

    def __str__(self) -> str:
        return "|".join(map(str, self.rules))


def text_of(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    short = f"{value:g}"
    return short if isinstance(value, float) and float(short) == value else repr(value)


def _parts(rule: Stop) -> tuple[Stop, ...]:
    """Return the rules a rule is joined of."""
    return rule.rules if isinstance(rule, AnyOf) else (rule,)


def _thresholds(cuts: list[Cut], kept: np.ndarray) -> tuple[float | np.ndarray, bool | np.ndarray]:
    """Return what scores had to reach, and whether to exceed; for a dropped feature by the rules that dropped it."""
    lines = np.array([np.broadcast_to(c.threshold, kept.shape) for c in cuts], dtype=float)
    strict = np.array([np.broadcast_to(c.above, kept.shape) for c in cuts], dtype=bool)
    told = ~np.isnan(lines) & (np.array([~c.kept for c in cuts]) | kept)
    highest = np.where(told, lines, -np.inf).max(axis=0)
    out = np.where(told.any(axis=0), highest, np.nan)
    # Of equal thresholds the one that must be exceeded is the stricter.
    above = (told & strict & (lines == highest)).any(axis=0)
    same = len(out) and (out == out[0]).all() and (above == above[0]).all()
    if np.isnan(out).all():
        return float("nan"), False
    return (float(out[0]), bool(above[0])) if same else (out, above)


def _stricter(cuts: list[Cut]) -> Cut:
    """Return the cut that keeps what all cuts keep."""
    kept = np.logical_and.reduce([c.kept for c in cuts])
    threshold, above = _thresholds(cuts, kept)
    return Cut(
        kept,
        threshold,
        "; ".join(c.rule for c in cuts if c.rule),
        any(c.relevance for c in cuts),
        np.logical_or.reduce([c.irrelevant for c in cuts]),
        above,
        tuple(need for c in cuts for need in c.needs),
        {name: values for c in cuts for name, values in c.columns.items()},
    )
