"""A selection that is computed when it is asked for first, from what `fit` has seen."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.origin import with_facts
from fewer.core.records.result import Selection
from fewer.core.views.view import View


@dataclass(frozen=True)
class RunnerName:
    """What a result says of the runner that made it."""

    name: str


@dataclass(frozen=True, eq=False)
class SeenData:
    """What a result says of the data it was made of; unlike a view it holds no rows and can be stored."""

    n_rows: int
    n_features: int
    nominal: np.ndarray
    names: Any
    facts: dict[str, Any]
    run: RunnerName

    @classmethod
    def of(cls, data: View) -> SeenData:
        """Return what was seen of a view."""
        facts = dict(data.facts)
        return cls(data.n_rows, data.n_features, data.nominal, data.names, facts, RunnerName(data.run.name))


class LateSelection:
    """Mixin: ``selection_`` is computed on first use by `_late_selection`. `fit` sets ``_seen``."""

    _seen: SeenData

    def _late_selection(self) -> Selection:
        """Return which features matter."""
        raise NotImplementedError

    @property
    def selection_(self) -> Selection:
        """Which features matter and why; computed when it is asked for first."""
        check_is_fitted(self)
        if "_late" not in vars(self):
            begin = time.perf_counter()
            found: Any = self._late_selection().settled()
            data: Any = self._seen
            made: Any = self
            self._late = with_facts(made, made.method_tags, found, data, begin)
        return self._late

    def _forget(self, data: View) -> None:
        """Drop the selection of an earlier `fit` and remember what was seen."""
        vars(self).pop("_late", None)
        self._seen = SeenData.of(data)
