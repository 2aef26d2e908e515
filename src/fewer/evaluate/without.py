"""What a comparison finds without the columns that may give the target away, with as little work as that takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.evaluate.assemble import Units
from fewer.evaluate.fold_units import ALL_ROWS, Plan
from fewer.evaluate.headline import one_standard_error


@dataclass(frozen=True, eq=False)
class Without:
    """The same plan without some columns; ``plan`` is None if no column is left.

    Only the score of the headline and its features are told. So neither guesses, all features and inner splits are
    scored again, nor baselines; and on all rows only the method of the headline chooses.
    """

    plan: Plan | None

    @classmethod
    def of(cls, plan: Plan, columns: list[int]) -> Without:
        """Leave out columns."""
        left = np.setdiff1d(plan.data.columns, columns)
        if not len(left):
            return cls(None)
        sizes = tuple(k for k in plan.sizes if k <= len(left)) or (len(left),)
        return cls(replace(plan, data=replace(plan.data, left=left), sizes=sizes, naive=False))

    @property
    def labels(self) -> list[str]:
        """The methods that can be those of a headline: baselines only if there is nothing else."""
        methods = {} if self.plan is None else self.plan.methods
        return [label for label, one in methods.items() if not one.method_tags.baseline] or list(methods)

    def units(self) -> list[tuple[str, int]]:
        """Return label and fold of every unit but the last."""
        folds = range(0 if self.plan is None else len(self.plan.splits))
        return [(label, f) for f in folds for label in self.labels]

    def last_unit(self, units: Units) -> list[tuple[str, int]]:
        """Return the unit that tells the features of the headline, given all others; none if all methods failed."""
        best = self._best(units)
        return [] if best is None else [(best[0], ALL_ROWS)]

    def found(self, units: Units) -> dict[str, Any]:
        """Return score and names of the features of the headline."""
        best = self._best(units)
        unit: Mapping[str, Any] = {"error": ""} if best is None else units[best[0], ALL_ROWS]
        if self.plan is None or best is None or "error" in unit:
            return {"score": None, "kept": []}
        _, size, score = best
        chosen = unit["subsets"][size] if "subsets" in unit else unit["order"][: unit["kept"][size]]
        return {"score": score, "kept": [self.plan.data.names[j] for j in chosen]}

    def _best(self, units: Units) -> tuple[str, int, float] | None:
        """Return method, place of the size, and mean score of the headline."""
        if self.plan is None:
            return None
        folds = range(len(self.plan.splits))
        usable = [label for label in self.labels if not any("error" in units[label, f] for f in folds)]
        if not usable:
            return None
        scores = np.array([[units[label, f]["scores"] for f in folds] for label in usable], dtype=float)
        kept = np.array([[units[label, f]["kept"] for f in folds] for label in usable], dtype=float).mean(axis=1)
        means = scores.mean(axis=1)
        if np.isnan(means).all():
            return None
        errors = scores.std(axis=1, ddof=1) / np.sqrt(len(folds)) if len(folds) > 1 else np.full(means.shape, np.nan)
        cost = np.broadcast_to(kept[:, None, :], means.shape)
        near = one_standard_error(means.ravel(), errors.ravel(), cost.ravel())[1]
        m, _, s = np.unravel_index(near, means.shape)
        return usable[int(m)], int(s), float(means.ravel()[near])
