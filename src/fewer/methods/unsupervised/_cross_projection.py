"""One step after the other, where subsets of different size are compared by cross-projection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewer.core.search.evaluations import Evaluations
from fewer.core.search.moves import outside
from fewer.core.search.sequential import Sequential, take_step
from fewer.core.search.units import Subset
from fewer.core.stop import Wanted


@dataclass(frozen=True)
class CrossProjection(Sequential):
    """Forward or backward selection whose steps are accepted by a comparison of two subsets.

    Candidates of one step have the same size, and their values are compared as they are. The best of them is taken if
    the criterion prefers it to the subset before; of subsets that are equally good, up to chance, the smaller is kept.
    The comparison is not transitive, so that only sizes that follow each other are compared.
    """

    takes_gains: ClassVar[bool] = False

    def following(self, wanted: Wanted) -> CrossProjection:
        """Return the same: no rule changes what a step must gain."""
        return self

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Walk from one end towards the other while the comparison is won."""
        forward = self.direction == "forward"
        here: Subset = () if forward else tuple(range(evaluations.n_units))
        evaluations.value(here)
        evaluations.walk(here)
        evaluations.keep(here)
        while len(here) != (evaluations.high if forward else evaluations.low):
            # The best of several was not drawn by chance alone; what leaves is kept only if it is clearly better.
            tried = len(outside(here, evaluations)) if forward else 1
            there, _ = take_step(here, forward, 1, evaluations)
            evaluations.walk(there)
            if not self._forced(there, evaluations) and self._larger_wins(there, here, tried, evaluations) != forward:
                return
            here = there
            evaluations.keep(here)

    def _larger_wins(self, one: Subset, other: Subset, tried: int, evaluations: Evaluations) -> bool:
        """Return whether the larger of two subsets, the best of so many, is better."""
        small, large = sorted((one, other), key=len)
        columns = evaluations.units.columns
        criterion = evaluations.criterion
        prefers = criterion.prefers  # type: ignore[attr-defined]
        return bool(prefers(evaluations.view, columns(large), columns(small), tried))
