"""How a setting is chosen for a fold without its test rows: the units of the inner splits, and what they add up to."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from fewer.core.runners import progress
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.inner_splits import Inner
from fewer.core.views.row_splits import Splits
from fewer.evaluate.fold_units import ALL_ROWS, FoldScorer, Plan, choose, sentence
from fewer.evaluate.pooled import BalancedAccuracy

# Units of inner splits have the numbers of folds below that of all rows.
FIRST = ALL_ROWS - 1


@dataclass(eq=False)
class Halves:
    """A scorer that scores several sets of test rows, one after another, and remembers the scores."""

    scorer: Any
    bounds: tuple[int, ...]
    last: tuple[float, ...] = ()

    def __call__(self, model: Any, X: Any, y: Any, **more: Any) -> float:
        """Return the mean of the scores."""
        parts = [slice(a, b) for a, b in zip(self.bounds[:-1], self.bounds[1:])]
        weights = [{name: None if given is None else given[part] for name, given in more.items()} for part in parts]
        self.last = tuple(float(self.scorer(model, X[p], y[p], **w)) for p, w in zip(parts, weights))
        return float(np.mean(self.last))


class InnerScorer(FoldScorer):
    """Scores features on all test sets of an inner split; what is learned once serves them all."""

    def parts(self, subsets: Sequence[np.ndarray]) -> list[list[list[float | None]]]:
        """Return the scores by test set, estimator and subset, None where an estimator failed."""
        n_sets = len(self.plan.scorer.bounds) - 1
        out: list[list[list[float | None]]] = [[] for _ in range(n_sets)]
        found: dict[Any, tuple[float, ...] | None] = {}
        for name in self.plan.estimators:
            rows: list[list[float | None]] = [[] for _ in range(n_sets)]
            for columns in subsets:
                key = (name, np.sort(columns).tobytes())
                if key not in found:
                    value = self._learned(self.plan.estimators[name], np.sort(columns))
                    found[key] = None if isinstance(value, str) else self.plan.scorer.last
                known = found[key]
                for i, row in enumerate(rows):
                    row.append(None if known is None else known[i])
            for i, row in enumerate(rows):
                out[i].append(row)
        return out


def inner_units(plan: Plan) -> list[tuple[str, int]]:
    """Return label and number of every unit of the inner splits; baselines are chosen by nobody."""
    labels = [label for label, method in plan.methods.items() if not method.method_tags.baseline]
    return [(label, FIRST - i) for i in range(len(plan.splits.inner)) for label in labels]


def inner_work(plan: Plan, number: int, labels: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Do the units of some methods on one inner split, and yield each when it is done."""
    i = FIRST - number
    inner, seeded = plan.splits.inner[i], len(plan.splits) + i
    ours = _only(plan, inner)
    with ThreadRunner(1) as run:
        part, scorer = plan.data.rows(inner.train, run), InnerScorer(ours, 0)
        for label in labels:
            begin, unit = time.perf_counter(), dict[str, Any](method=label, fold=number)
            # What is warned of here is warned of on the folds, too.
            with warnings.catch_warnings(), threadpool_limits(1), progress.listen(_nobody):
                warnings.simplefilter("ignore")
                try:
                    unit["inner"] = scorer.parts(choose(ours, label, seeded, part)[1])
                except Exception as error:
                    unit["error"] = sentence(error)
            yield {**unit, "seconds": time.perf_counter() - begin}


def _only(plan: Plan, inner: Inner) -> Plan:
    """Return the plan with one split, which tests on the sets of an inner one."""
    bounds = tuple(np.cumsum([0, *(len(rows) for rows in inner.test)]).tolist())
    splits = Splits((inner.train,), (np.concatenate(inner.test),), np.zeros(1, dtype=np.int64), "")
    scorer = plan.scorer
    if isinstance(scorer, BalancedAccuracy):
        scorer = BalancedAccuracy.over(plan.data.y, [rows for one in plan.splits.inner for rows in one.test])
    return replace(plan, splits=splits, scorer=Halves(scorer, bounds))


def inner_scores(
    plan: Plan, units: Mapping[tuple[str, int], Mapping[str, Any]], methods: Sequence[str]
) -> np.ndarray | None:
    """Return the mean inner scores by method, estimator, size and fold; None without inner splits.

    A setting that could not be scored on an inner split of a fold is NaN there.
    """
    if not plan.splits.inner:
        return None
    shape = len(methods), len(plan.estimators), len(plan.sizes), len(plan.splits)
    total, times = np.zeros(shape), np.zeros(len(plan.splits))
    for i, inner in enumerate(plan.splits.inner):
        unknown = [np.full(shape[1:3], np.nan)] * len(inner.test)
        every = [units.get((label, FIRST - i), {}).get("inner") or unknown for label in methods]
        for part, folds in enumerate(inner.serves):
            found = np.array([scores[part] for scores in every], dtype=float)
            total[..., list(folds)] += found[..., None]
            times[list(folds)] += 1
    return total / np.where(times > 0, times, np.nan)


def _nobody(what: str, done: int, total: int | None) -> None:
    """Hear what the methods tell of their progress, and keep it."""
