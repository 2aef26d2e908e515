"""Rules that watch a search: too little gain, too long without gain, or the budget is spent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fewer.core.records.errors import ParameterError
from fewer.core.records.rounding import exceeds
from fewer.core.records.trace import Trace
from fewer.core.stop.checks import number, whole
from fewer.core.stop.rule import Stop
from fewer.core.stop.wanted import Wanted


@dataclass(frozen=True)
class Gain(Stop):
    """End a search when a step gains no more than ``tol`` over the step before.

    Parameters
    ----------
    tol : float, default=0.0
        The gain that is not enough. May be negative: a search that drops features then accepts a small loss.
    """

    tol: float = 0.0

    abilities: ClassVar[tuple[str, ...]] = ("done", "subsets")
    word: ClassVar[str] = "gain"
    main: ClassVar[str] = "tol"

    def __post_init__(self) -> None:
        object.__setattr__(self, "tol", number("Gain", "tol", self.tol))

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the last step gained too little; a step without value never ends the search."""
        if len(trace) < 2 or trace[-1].value != trace[-1].value or trace[-2].value != trace[-2].value:
            return False
        return not exceeds(trace[-1].value, trace[-2].value + self.tol)

    def steps_kept(self, trace: Trace) -> int:
        """Leave out a last step that gained too little."""
        return len(trace) - self.done(trace, 0)

    def wanted(self, n_units: int) -> Wanted:
        """Let the first step that gains too little end the search."""
        return Wanted(1, n_units, gain=self.tol, patience=1, free=True)


@dataclass(frozen=True)
class Patience(Stop):
    """End a search when its best value has not improved by more than ``tol`` for ``steps`` steps.

    Parameters
    ----------
    steps : int
        Number of steps without improvement, at least 1.
    tol : float, default=0.0
        An improvement of this size or less does not count, at least 0.
    """

    steps: int
    tol: float = 0.0

    abilities: ClassVar[tuple[str, ...]] = ("done", "subsets")
    word: ClassVar[str] = "patience"
    main: ClassVar[str] = "steps"

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", whole("Patience", "steps", self.steps))
        object.__setattr__(self, "tol", number("Patience", "tol", self.tol))
        if self.tol < 0:
            raise ParameterError(
                f"Patience got tol={self.tol:g}, but improvements are not negative; pass tol of at least 0."
            )

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether the last improvement is ``steps`` steps ago; steps without value do not count."""
        return self._since_best(trace)[1] >= self.steps

    def steps_kept(self, trace: Trace) -> int:
        """Go back to the last improvement if the rule ended the search."""
        at, waited = self._since_best(trace)
        return at + 1 if waited >= self.steps else len(trace)

    def wanted(self, n_units: int) -> Wanted:
        """Let so many steps without gain end the search."""
        return Wanted(1, n_units, gain=self.tol, patience=self.steps, free=True)

    def _since_best(self, trace: Trace) -> tuple[int, int]:
        """Return the step of the last improvement and how many steps with a value came after it."""
        # The rule is asked after every step: only the new ones are read.
        seen, best, at, waited = trace.notes.get(("patience", self.tol), (0, float("-inf"), -1, 0))
        for i in range(seen, len(trace)):
            value = trace[i].value
            if exceeds(value, best + self.tol) or (at < 0 and value == value):
                best, at, waited = value, i, 0
            elif value == value:
                waited += 1
        trace.notes["patience", self.tol] = (len(trace), best, at, waited)
        return at, waited


@dataclass(frozen=True)
class Budget(Stop):
    """End a search when its time or its number of evaluations is spent; at least one of the two is given.

    Parameters
    ----------
    seconds : float, optional
        Time for all steps together.
    evaluations : int, optional
        Evaluations of the criterion in all steps together.
    """

    seconds: float | None = None
    evaluations: int | None = None

    abilities: ClassVar[tuple[str, ...]] = ("done", "subsets")

    def __post_init__(self) -> None:
        if self.seconds is None and self.evaluations is None:
            raise ParameterError(
                "Budget got neither seconds nor evaluations, but needs one of them; "
                "pass for example Budget(seconds=60)."
            )
        if self.seconds is not None:
            object.__setattr__(self, "seconds", number("Budget", "seconds", self.seconds))
            if self.seconds <= 0:
                raise ParameterError(
                    f"Budget got seconds={self.seconds:g}, but needs a positive time; pass for example seconds=60."
                )
        if self.evaluations is not None:
            object.__setattr__(self, "evaluations", whole("Budget", "evaluations", self.evaluations))

    @property
    def word(self) -> str:  # type: ignore[override]
        """Name of the rule in texts: the first limit that is set."""
        return "evaluations" if self.seconds is None else "seconds"

    @property
    def main(self) -> str:  # type: ignore[override]
        """The limit that follows the colon."""
        return self.word

    def done(self, trace: Trace, n_left: int, *, drops: bool = False) -> bool:
        """Return whether a limit is reached."""
        late = self.seconds is not None and trace.seconds >= self.seconds
        return late or (self.evaluations is not None and trace.evaluations >= self.evaluations)

    def wanted(self, n_units: int) -> Wanted:
        """Limit the work."""
        return Wanted(1, n_units, seconds=self.seconds, evaluations=self.evaluations, free=True)
