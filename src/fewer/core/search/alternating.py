"""Steps in both directions by a fixed plan: plus-l-minus-r, and two searches that meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.params import whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.sequential import take_step
from fewer.core.search.units import Subset, with_unit, without


@dataclass(frozen=True)
class PlusLMinusR(SubsetSearch):
    """Add ``plus`` units and remove ``minus`` in turn (Stearns 1976; book ch. 2, section 2.3.1).

    With more additions it starts with nothing and ends at the largest allowed size, otherwise it starts with everything
    and ends at the smallest; it answers with the best subset of allowed size on the way.

    Parameters
    ----------
    plus : int, default=2
        Units added in a row, at least 0.
    minus : int, default=1
        Units removed in a row, at least 0 and not equal to ``plus``.
    """

    plus: int = 2
    minus: int = 1

    by_loss: ClassVar[bool] = False
    constraints: ClassVar[dict[str, Any]] = {"plus": [whole_from(0)], "minus": [whole_from(0)]}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.plus == self.minus:
            raise ParameterError(
                f"PlusLMinusR got plus={self.plus} and minus={self.minus}, but would never end so; make one larger."
            )

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Go on in turn until the end is reached."""
        grows = self.plus > self.minus
        here: Subset = () if grows else tuple(range(evaluations.n_units))
        evaluations.value(here)
        evaluations.walk(here)
        end = evaluations.high if grows else evaluations.low
        turns = [(True, self.plus), (False, self.minus)]
        while len(here) != end:
            for forward, steps in turns if grows else turns[::-1]:
                for _ in range(steps):
                    # The way back may not leave the units there are.
                    if len(here) == end or len(here) == (evaluations.n_units if forward else 0):
                        break
                    here, _ = take_step(here, forward, 1, evaluations)
                    evaluations.walk(here)


@dataclass(frozen=True)
class Bidirectional(SubsetSearch):
    """Forward and backward selection in turn, until they meet (book ch. 2, section 2.3.1).

    What the forward search added is never removed, and what the backward search removed is never added, so that both
    end with the same subset. The answer is the best subset of allowed size that either saw.
    """

    by_loss: ClassVar[bool] = False

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Move both ends towards each other."""
        small: Subset = ()
        large: Subset = tuple(range(evaluations.n_units))
        evaluations.values([large, small])
        evaluations.walk(small)
        while len(small) < len(large):
            between = np.array(sorted(set(large) - set(small)), dtype=np.int64)
            if len(small) < evaluations.high:
                small = with_unit(small, int(between[np.argmax(evaluations.added(small, between))]))
                evaluations.walk(small)
                between = between[~np.isin(between, small)]
            if len(large) > evaluations.low and len(between):
                # Reversed, so that of equal values the higher number leaves.
                values = evaluations.removed(large, between[::-1])
                large = without(large, int(between[::-1][np.argmax(values)]))
