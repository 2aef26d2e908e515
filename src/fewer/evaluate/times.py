"""Fair times: nobody pays for compiling and first use, and what several methods share is told apart."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from fewer.core.kernels.compiling import compiling
from fewer.core.runners import ledger
from fewer.core.runners.runner import Runner

if TYPE_CHECKING:
    from fewer.evaluate.data import Data

# The sample on which a method is tried before it is timed.
FEW_ROWS, FEW_COLUMNS, ROWS_PER_CLASS = 60, 6, 6
_WARM: set[Any] = set()


@dataclass(eq=False)
class Clock:
    """Seconds of some work without those of compiling, and what of it is kept for others."""

    seconds: float = 0.0
    made: dict[str, float] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)


@contextmanager
def clock() -> Iterator[Clock]:
    """Time the work in the ``with`` block."""
    out = Clock()
    begin = time.perf_counter()
    with compiling() as compiled, ledger.kept() as noted:
        yield out
    out.seconds = max(0.0, time.perf_counter() - begin - sum(compiled))
    # What is made while compiling seems to have taken long.
    most = out.seconds
    out.made = {name: min(seconds, most) for name, seconds in noted.made.items()}
    out.found = sorted(noted.found)


def warm(label: str, method: Any, data: Data, run: Runner) -> None:
    """Run a method once on a few rows and columns, so that its first use is over; once per process.

    What takes estimators is left out: they load nothing of ours, and are slow on the smallest data.
    """
    kinds = (data.task, data.sparse, bool(data.nominal.any()), data.missing, data.weight is not None)
    key = (label, repr(method), str(data.X.dtype), kinds)
    if key in _WARM or "estimator" in method.get_params(deep=False):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            part = data.rows(_few(data), run)
            first = np.concatenate([np.flatnonzero(part.nominal)[:2], np.arange(min(FEW_COLUMNS, part.n_features))])
            made = clone(method)
            if "n_features_to_select" in made.get_params(deep=False):
                made.set_params(n_features_to_select=1)
            made.fit_view(part.columns(np.unique(first)[:FEW_COLUMNS]))
        except Exception:
            # So few rows may be refused where all are taken; the time of the first split is then a little too long.
            return
    _WARM.add(key)


def _few(data: Data) -> np.ndarray:
    """Return some rows of every class, or of all."""
    if data.task == "regression":
        return np.linspace(0, data.n_rows - 1, min(FEW_ROWS, data.n_rows)).astype(np.int64)
    classes = np.unique(data.y)
    each = max(2, min(ROWS_PER_CLASS * 5, FEW_ROWS // len(classes)))
    return np.sort(np.concatenate([np.flatnonzero(data.y == label)[:each] for label in classes]))


def told_apart(units: Sequence[Sequence[Mapping[str, Any]]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the seconds of each method and split without what others found made, and these seconds by split."""
    own = np.array([[unit["select"] for unit in one] for one in units], dtype=float)
    shared = np.zeros(own.shape[1])
    for f in range(own.shape[1]):
        found = {name for one in units for name in one[f].get("found", ())}
        for m, one in enumerate(units):
            seconds = sum(taken for name, taken in one[f].get("made", {}).items() if name in found)
            seconds = min(seconds, own[m, f])
            own[m, f] -= seconds
            shared[f] += seconds
    return own, shared
