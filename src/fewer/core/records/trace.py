"""What a search did, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a search: what joined or left the subset, and what the subset was worth then."""

    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    value: float = float("nan")
    evaluations: int = 0
    seconds: float = 0.0


@dataclass
class Trace:
    """The steps of a search, oldest first."""

    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        # Running totals: stop rules ask after every step, and a search may have very many.
        self._size = sum(len(step.added) - len(step.removed) for step in self.steps)
        self._evaluations = sum(step.evaluations for step in self.steps)
        self._seconds = sum(step.seconds for step in self.steps)
        # What a rule has read of the steps so far, under a name of its own; steps are only added.
        self.notes: dict[Any, Any] = {}

    def append(self, step: Step) -> None:
        """Add a step."""
        self.steps.append(step)
        self._size += len(step.added) - len(step.removed)
        self._evaluations += step.evaluations
        self._seconds += step.seconds

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __getitem__(self, index: int) -> Step:
        return self.steps[index]

    @property
    def values(self) -> list[float]:
        """The value after each step."""
        return [step.value for step in self.steps]

    @property
    def evaluations(self) -> int:
        """How often the criterion was evaluated in all steps together."""
        return self._evaluations

    @property
    def seconds(self) -> float:
        """How long all steps took together."""
        return self._seconds

    def size(self) -> int:
        """The number of features in the subset after the last step."""
        return self._size

    def on(self, numbers: np.ndarray) -> Trace:
        """Return the same of more features: feature ``j`` becomes feature ``numbers[j]``."""
        steps = []
        for step in self.steps:
            added, removed = (tuple(int(numbers[j]) for j in some) for some in (step.added, step.removed))
            steps.append(replace(step, added=added, removed=removed))
        return Trace(steps)

    def to_list(self) -> list[dict]:
        """Return the steps as plain dictionaries."""
        return [
            {
                "added": list(s.added),
                "removed": list(s.removed),
                "value": s.value,
                "evaluations": s.evaluations,
                "seconds": s.seconds,
            }
            for s in self.steps
        ]

    @classmethod
    def from_list(cls, steps: list[dict]) -> Trace:
        """Make a trace of what `to_list` returned."""
        return cls(
            [
                Step(
                    tuple(s["added"]),
                    tuple(s["removed"]),
                    float("nan") if s["value"] is None else float(s["value"]),
                    int(s["evaluations"]),
                    float(s["seconds"]),
                )
                for s in steps
            ]
        )
