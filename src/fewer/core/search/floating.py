"""Floating search: after each step forward, back as long as that pays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.params import StrOptions, whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.sequential import take_step
from fewer.core.search.units import Subset
from fewer.core.stop import Wanted


@dataclass(frozen=True)
class Floating(SubsetSearch):
    """Sequential floating selection, SFFS and SBFS (Pudil, Novovicova and Kittler 1994).

    After each step in its direction the search steps back as long as it finds a subset better than the best one of that
    size so far. It ends ``beyond`` sizes after the last allowed one, since coming back from there can improve results,
    and answers with the best subset of allowed size.

    Parameters
    ----------
    direction : {"forward", "backward"}, default="forward"
        Whether to start with nothing or with everything.
    beyond : int, default=3
        By how many units the search overshoots.
    patience : int or None, default=None
        How many steps in its direction may fail in a row to find a better subset of allowed size.

    Notes
    -----
    Steps back need a strictly better subset: without that the search could go in circles.
    """

    direction: str = "forward"
    beyond: int = 3
    patience: int | None = None

    by_loss: ClassVar[bool] = False
    constraints: ClassVar[dict[str, Any]] = {
        "direction": [StrOptions({"forward", "backward"})],
        "beyond": [whole_from(0)],
        "patience": [None, whole_from(1)],
    }

    def following(self, wanted: Wanted) -> Floating:
        """Go on to the last size if there is only one."""
        return replace(self, patience=None) if wanted.low == wanted.high else self

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Walk from one end beyond the last allowed size."""
        n, forward = evaluations.n_units, self.direction == "forward"
        here: Subset = () if forward else tuple(range(n))
        records = {len(here): evaluations.value(here)}
        evaluations.walk(here)
        last = min(evaluations.high + self.beyond, n) if forward else max(evaluations.low - self.beyond, 0)
        best, waited = evaluations.best, 0
        while len(here) != last and waited != self.patience:
            here, value = take_step(here, forward, 1, evaluations)
            evaluations.walk(here)
            records[len(here)] = max(value, records.get(len(here), -np.inf))
            here = self._back(here, records, evaluations)
            waited = waited + 1 if evaluations.best is best and best is not None else 0
            best = evaluations.best

    def _back(self, here: Subset, records: dict[int, float], evaluations: Evaluations) -> Subset:
        """Step back while that gives the best subset of its size."""
        n, forward = evaluations.n_units, self.direction == "forward"
        # Two units from the start a step back can only undo the step before.
        while (len(here) if forward else n - len(here)) > 2:
            there, value = take_step(here, not forward, 1, evaluations)
            if not value > records.get(len(there), -np.inf):
                break
            here, records[len(there)] = there, value
            evaluations.walk(here)
        return here
