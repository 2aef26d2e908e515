"""The work of a comparison in units: one method on one fold, on all rows, or what no method is needed for."""

from __future__ import annotations

import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from fewer.core.records.json_text import plain
from fewer.core.records.reasons import IRRELEVANT
from fewer.core.records.result import Selection
from fewer.core.records.trace import Trace
from fewer.core.runners import progress
from fewer.core.runners.threads import ThreadRunner
from fewer.core.stop import as_stop
from fewer.core.stop.sizes import Count
from fewer.core.views.row_splits import Splits
from fewer.core.views.view import View
from fewer.evaluate.baseline import known_mean
from fewer.evaluate.data import Data
from fewer.evaluate.encode import FoldColumns, width
from fewer.evaluate.outside import OWN_SIZE, given
from fewer.evaluate.panel import guess
from fewer.evaluate.pooled import PooledR2
from fewer.evaluate.times import clock, warm
from fewer.evaluate.weights import learned, score_of
from fewer.evaluate.why import LEFT_OUT

# The number of a fold that stands for all rows, and the label of what needs no method.
ALL_ROWS, NO_METHOD = -1, ""
MOST_CELLS = 20_000_000
SIZE = "n_features_to_select"


@dataclass(frozen=True, eq=False)
class Plan:
    """All that a worker must know."""

    data: Data
    splits: Splits
    methods: dict[str, Any]
    estimators: dict[str, Any]
    sizes: tuple[int, ...]
    scorer: Any
    seed: int
    naive: bool = True

    def units(self) -> list[tuple[str, int]]:
        """Return label and fold of every unit, in order."""
        folds = range(len(self.splits))
        labels = [NO_METHOD, *self.methods]
        every = [(label, f) for f in folds for label in labels]
        return every + [(label, ALL_ROWS) for label in self.methods]


@dataclass(frozen=True, eq=False)
class FoldScorer:
    """Scores features on one fold; the same features are learned once, whichever method chose them."""

    plan: Plan
    fold: int
    _known: dict[Any, tuple[float | str, float]] = field(default_factory=dict)

    @cached_property
    def _design(self) -> FoldColumns:
        return FoldColumns(self.plan.data, self.plan.splits.train[self.fold], self.plan.splits.test[self.fold])

    def scores(self, subsets: Sequence[np.ndarray], seconds: list[float], failed: dict[str, str]) -> list[list[float]]:
        """Return the scores by estimator and subset; adds the seconds of each estimator, and what failed in words.

        The seconds are what learning from these subsets takes, also where it was done for another method before.
        """
        out = []
        for e, name in enumerate(self.plan.estimators):
            values = []
            for columns in subsets:
                value, taken = self._score(name, np.sort(columns))
                if isinstance(value, str):
                    failed.setdefault(name, value)
                values.append(float("nan") if isinstance(value, str) else value)
                seconds[e] += taken
            out.append(values)
        return out

    def _score(self, name: str, columns: np.ndarray) -> tuple[float | str, float]:
        key = (name, columns.tobytes())
        if key not in self._known:
            begin = time.perf_counter()
            value = self._learned(self.plan.estimators[name], columns)
            self._known[key] = value, time.perf_counter() - begin
        return self._known[key]

    def _learned(self, estimator: Any, columns: np.ndarray) -> float | str:
        plan, f = self.plan, self.fold
        train, test = plan.splits.train[f], plan.splits.test[f]
        if len(columns) == 0:
            # A method that kept nothing leaves nothing to learn from.
            estimator, known, new = guess(plan.data.task), np.zeros((len(train), 1)), np.zeros((len(test), 1))
        else:
            known, new = self._design.of(columns)
        try:
            model = learned(seeded(clone(estimator), plan.seed), plan.data, known, train)
            value = score_of(plan.scorer, model, plan.data, new, test)
        except Exception as error:
            return sentence(error)
        return value if np.isfinite(value) else f"The score of {type(estimator).__name__} is {value} on a fold."


def fold_units(plan: Plan, fold: int, labels: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Do the units of some methods on one fold, and yield each when it is done.

    The rows are cut out once; methods that read the target alike share one view of them, and all methods and sizes
    share what an estimator learned of the same features.
    """
    rows = None if fold == ALL_ROWS else plan.splits.train[fold]
    with ThreadRunner(1) as run:
        part, scorers = plan.data.rows(rows, run), [FoldScorer(plan, f) for f in _scored(plan, fold)]
        for label in labels:
            # One thread: the sums of a linear algebra library depend on the number of threads.
            with warnings.catch_warnings(record=True) as caught, threadpool_limits(1), progress.listen(_nobody):
                warnings.simplefilter("always")
                if label == NO_METHOD:
                    unit = _without_method(plan, scorers[0])
                else:
                    unit = _with_method(plan, label, fold, part, scorers)
            unit.update(method=label, fold=fold, warnings=sorted({_warning(one) for one in caught}))
            yield unit


def _scored(plan: Plan, fold: int) -> list[int]:
    if fold != ALL_ROWS:
        return [fold]
    return list(range(len(plan.splits))) if plan.naive else []


def _without_method(plan: Plan, scorer: FoldScorer) -> dict[str, Any]:
    """Score all features and none."""
    seconds, failures = [0.0] * len(plan.estimators), dict[str, str]()
    whole = [[float("nan")]] * len(plan.estimators)
    if plan.data.n_rows * width(plan.data) <= MOST_CELLS:
        whole = scorer.scores([plan.data.columns], seconds, failures)
    chance = _guessed(plan, scorer.fold)
    return {"whole": [row[0] for row in whole], "chance": chance, "failures": failures, "learn": seconds}


def _guessed(plan: Plan, fold: int) -> float:
    """Return the score of a guess that knows how the target of all rows is distributed; NaN if it has none.

    Of equal classes the one left out is the rarer one in the training rows: a guess that knew only these would be
    wrong each time when one row is left out, and anything would seem better than chance. R squared is measured from
    the guess that knows the training rows.
    """
    test = plan.splits.test[fold]
    known = plan.splits.train[fold] if isinstance(plan.scorer, PooledR2) else np.arange(plan.data.n_rows)
    try:
        model = learned(guess(plan.data.task), plan.data, np.zeros((len(known), 1)), known)
        value = score_of(plan.scorer, model, plan.data, np.zeros((len(test), 1)), test)
    except Exception:
        return float("nan")
    return value if np.isfinite(value) else float("nan")


def _with_method(plan: Plan, label: str, fold: int, rows: View, scorers: list[FoldScorer]) -> dict[str, Any]:
    """Choose on the rows of the fold, then score every size; chosen on all rows, the scores are the naive ones."""
    warm(label, plan.methods[label], plan.data, rows.run)
    try:
        with clock() as taken:
            selection, subsets = choose(plan, label, fold, rows)
    except Exception as error:
        method = plan.methods[label]
        # Users know nothing of what stands between.
        return {"error": sentence(error).replace(type(method).__name__, type(given(method)).__name__)}
    learn, failures = [0.0] * len(plan.estimators), dict[str, str]()
    if plan.methods[label].method_tags.baseline:
        draws = _by_lot(plan, label, [len(one) for one in subsets])
        # Chosen on all rows, a baseline promises nothing else: its naive scores are left out.
        lots = [] if fold == ALL_ROWS else [scorers[0].scores(one, learn, failures) for one in draws]
        scores = [known_mean(lots).tolist() if lots else _unknown(plan) for _ in scorers]
    else:
        lots, scores = [], [scorer.scores(subsets, learn, failures) for scorer in scorers]
    nested = all(
        np.array_equal(subsets[-1][: len(one)], one) and len(one) <= size for one, size in zip(subsets, plan.sizes)
    )
    unit: dict[str, Any] = {
        "order": subsets[-1].tolist(),
        "kept": [len(one) for one in subsets],
        "scores": scores[0] if fold != ALL_ROWS else scores,
        "select": taken.seconds,
        "made": taken.made,
        "found": taken.found,
        "learn": learn,
        "failures": failures,
    }
    if lots:
        unit["random"] = lots
    if not nested:
        unit["subsets"] = [one.tolist() for one in subsets]
    if fold == ALL_ROWS:
        unit["selection"] = plain(selection.to_dict())
    return unit


def _by_lot(plan: Plan, label: str, sizes: list[int]) -> list[list[np.ndarray]]:
    """Return random subsets of every size, the same on all folds, so that each has a mean score over them."""
    selector = seeded(clone(plan.methods[label]), _seed(plan, label, ALL_ROWS))
    orders = plan.data.columns[selector.draw(len(plan.data.columns), max(sizes, default=0))]
    return [[order[:size] for size in sizes] for order in orders]


def _unknown(plan: Plan) -> list[list[float]]:
    """Return scores by estimator and size that nobody knows."""
    return np.full((len(plan.estimators), len(plan.sizes)), np.nan).tolist()


def _seed(plan: Plan, label: str, fold: int) -> int:
    """Return the seed of a method on a fold."""
    return int(np.random.SeedSequence([plan.seed, zlib.crc32(label.encode()), fold + 1]).generate_state(1)[0])


def choose(plan: Plan, label: str, fold: int, rows: View) -> tuple[Selection, list[np.ndarray]]:
    """Return the selection with the largest size, and the features for every size.

    One ranking serves all sizes if the method's choices are nested; otherwise it is fitted for each size.
    """
    seed, method = _seed(plan, label, fold), plan.methods[label]
    if method.method_tags.baseline and fold != ALL_ROWS:
        # One order on all folds, from a seed of its own, would look perfectly stable.
        method = clone(method).set_params(random_state=seed)
    largest = fitted(sized(method, plan.sizes[-1]), plan.data, rows, seed)
    if method._tags_in_use().nested or SIZE not in method.get_params(deep=False):
        return largest, [_cut(largest, size) for size in plan.sizes]
    smaller = [fitted(sized(method, size), plan.data, rows, seed) for size in plan.sizes[:-1]]
    return largest, [_cut(one, size) for one, size in zip([*smaller, largest], plan.sizes)]


def _cut(selection: Selection, size: int) -> np.ndarray:
    """Return the best features; all of those that have no order, and cannot be cut."""
    return selection.indices if selection.meta.get(OWN_SIZE) else selection.indices[:size]


def sized(selector: Any, size: int) -> Any:
    """Return a copy of a selector that keeps at most ``size`` features, besides what its own rule says."""
    made = clone(selector)
    parameters = made.get_params(deep=False)
    if SIZE not in parameters:
        return made
    rule = as_stop(parameters[SIZE]).at_most(size)
    return made.set_params(**{SIZE: size if rule == Count(size) else rule})


def fitted(selector: Any, data: Data, rows: View, seed: int) -> Selection:
    """Return what a selector chooses on some rows."""
    selection = seeded(selector, seed).fit_view(rows).selection_
    if data.left is not None:
        wide = selection.on(data.left, data.n_features, IRRELEVANT, LEFT_OUT)
        selection = wide.with_names(data.names)
    said = {
        name: selection.meta[name] for name in ("method", "parameters", "summary", OWN_SIZE) if name in selection.meta
    }
    # Seconds would make two equal runs differ; the comparison keeps its own.
    steps = Trace([replace(step, seconds=0.0) for step in selection.trace])
    return replace(selection, trace=steps, meta={**said, "task": data.task, "data": data.facts})


def seeded(part: Any, seed: int) -> Any:
    """Give every part of a selector or estimator that would draw its own seed this one."""
    names = part.get_params(deep=True)
    unset = {k: seed for k, v in names.items() if v is None and (k == "random_state" or k.endswith("__random_state"))}
    return part.set_params(**unset) if unset else part


def sentence(error: BaseException) -> str:
    """Return an error as one sentence."""
    words = " ".join(str(error).split())
    plain = f"{type(error).__name__}: {words}" if type(error).__module__ == "builtins" else words
    return plain if len(plain) <= 500 else plain[:497] + "..."


def _warning(caught: Any) -> str:
    return f"{caught.category.__name__}: {' '.join(str(caught.message).split())[:300]}"


def _nobody(what: str, done: int, total: int | None) -> None:
    """Hear what the methods tell of their progress, and keep it."""
