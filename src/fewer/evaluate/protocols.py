"""What selection gains, and what choosing on the wrong rows promises too much."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.api import DEFAULT_METHOD
from fewer.core.records.errors import InputError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.row_splits import Splits, as_seed, fold_numbers, make_splits
from fewer.evaluate.data import Data, read
from fewer.evaluate.fold_units import ALL_ROWS, FoldScorer, Plan, choose
from fewer.evaluate.panel import (
    default_estimators,
    make_sizes,
    named_estimators,
    named_methods,
)
from fewer.evaluate.scoring import default_cv, make_scorer
from fewer.evaluate.statistics import TestResult, corrected_t


@dataclass(frozen=True, eq=False)
class SelectionBias:
    """The score of one method by three protocols.

    Attributes
    ----------
    nested : ndarray of shape (n_folds,)
        Features chosen on the training rows of each fold: honest.
    once : ndarray of shape (n_folds,)
        Features chosen once on all rows, then cross-validated: the test rows helped to choose.
    halves : ndarray of shape (n_folds,)
        Features chosen on one half of the training rows, the estimator fitted to the other.
    scoring : str
        Name of the score; larger is better.
    """

    nested: np.ndarray
    once: np.ndarray
    halves: np.ndarray
    scoring: str

    @property
    def bias(self) -> float:
        """What choosing on all rows promises too much: the difference of the means."""
        return float(self.once.mean() - self.nested.mean())


@dataclass(frozen=True, eq=False)
class BeforeAfter:
    """An estimator with all features and with the chosen ones.

    Attributes
    ----------
    before, after : ndarray of shape (n_folds,)
        Scores with all and with the chosen features.
    n_before : int
        Number of all features.
    n_after : ndarray of int of shape (n_folds,)
        Number of chosen ones.
    seconds_before, seconds_after, seconds_select : float
        Mean time to learn and score with all and with the chosen features, and to choose them.
    test : TestResult
        Corrected resampled t-test of ``after - before``.
    """

    before: np.ndarray
    after: np.ndarray
    n_before: int
    n_after: np.ndarray
    seconds_before: float
    seconds_after: float
    seconds_select: float
    test: TestResult


def selection_bias(
    X: Any,
    y: Any = None,
    method: Any = None,
    n_features: int = 10,
    estimator: Any = None,
    *,
    cv: Any = None,
    scoring: Any = None,
    random_state: int | None = 0,
) -> SelectionBias:
    """Score a method by choosing inside every fold, on all rows, and on a half that is not learned from.

    Parameters
    ----------
    X, y, cv, scoring, random_state
        As for `compare`.
    method : str or selector, optional
        What chooses; the default method of `select` by default.
    n_features : int, default=10
        How many features it may keep.
    estimator : str or estimator, optional
        What learns; the first that `compare` would take by default.

    Returns
    -------
    SelectionBias

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(40, 400)), np.repeat([0, 1], 20)
    >>> found = selection_bias(X, y, "TTest", cv=5)
    >>> found.bias > 0.2
    True
    """
    plan, label, scoring = _plan("selection_bias", X, y, method, n_features, estimator, cv, scoring, random_state)
    rng = np.random.default_rng([plan.seed, 1])
    nested, once, halves = [], [], []
    with ThreadRunner(1) as run:
        all_rows = plan.data.rows(None, run)
        everything = choose(plan, label, ALL_ROWS, all_rows)[1][0]
        for f in range(len(plan.splits)):
            chosen = choose(plan, label, f, plan.data.rows(plan.splits.train[f], run))[1][0]
            nested.append(_score(plan, f, chosen))
            once.append(_score(plan, f, everything))
            first, second = _halved(plan.data, plan.splits.train[f], rng)
            chosen = choose(plan, label, f, plan.data.rows(first, run))[1][0]
            halves.append(_score(_learning_from(plan, f, second), f, chosen))
    return SelectionBias(np.array(nested), np.array(once), np.array(halves), scoring)


def before_after(
    X: Any,
    y: Any = None,
    method: Any = None,
    n_features: int = 10,
    estimator: Any = None,
    *,
    cv: Any = None,
    scoring: Any = None,
    random_state: int | None = 0,
) -> BeforeAfter:
    """Compare an estimator with all features and with those that a method chooses inside every fold.

    Takes what `selection_bias` takes.

    Returns
    -------
    BeforeAfter

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = before_after(X, y, "JMI", 5, cv="5x2")
    >>> found.n_before, found.n_after.tolist()
    (30, [5, 5, 5, 5, 5, 5, 5, 5, 5, 5])
    """
    plan, label, _ = _plan("before_after", X, y, method, n_features, estimator, cv, scoring, random_state)
    every = np.arange(plan.data.n_features)
    before, after, kept, seconds = [], [], [], []
    with ThreadRunner(1) as run:
        for f in range(len(plan.splits)):
            times = [time.perf_counter()]
            before.append(_score(plan, f, every))
            times.append(time.perf_counter())
            chosen = choose(plan, label, f, plan.data.rows(plan.splits.train[f], run))[1][0]
            times.append(time.perf_counter())
            after.append(_score(plan, f, chosen))
            times.append(time.perf_counter())
            kept.append(len(chosen))
            seconds.append(np.diff(times))
    share = float(np.mean([len(b) / (len(a) + len(b)) for a, b in zip(plan.splits.train, plan.splits.test)]))
    test = corrected_t(after, before, test_fraction=share)
    learn_all, select, learn_chosen = (float(value) for value in np.mean(seconds, axis=0))
    return BeforeAfter(
        np.array(before), np.array(after), len(every), np.array(kept), learn_all, learn_chosen, select, test
    )


def _plan(
    where: str, X: Any, y: Any, method: Any, n_features: int, estimator: Any, cv: Any, scoring: Any, seed: int | None
) -> tuple[Plan, str, str]:
    """Return the plan of one method, one estimator and one size."""
    seed = as_seed(seed, where)
    data = read(X, y, where)
    methods = named_methods(DEFAULT_METHOD[data.task] if method is None else method)
    splits = make_splits(default_cv(scoring, data) if cv is None else cv, data.y, data.task, None, seed)
    fewest = min(len(rows) for rows in splits.train) // 2
    models = default_estimators(data, fewest) if estimator is None else named_estimators(estimator, data, fewest)
    first = dict([next(iter(models.items()))])
    scorer, name = make_scorer(scoring, data, splits)
    plan = Plan(data, splits, methods, first, make_sizes([n_features], data.n_features), scorer, seed)
    return plan, next(iter(methods)), name


def _score(plan: Plan, fold: int, columns: np.ndarray) -> float:
    failed: dict[str, str] = {}
    value = FoldScorer(plan, fold).scores([columns], [0.0], failed)[0][0]
    for name, words in failed.items():
        raise InputError(f"The estimator {name} failed on a fold: {words}")
    return value


def _halved(data: Data, rows: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return two halves of some rows with equal fractions of the classes."""
    half = fold_numbers(2, data.y[rows], data.task, rng)
    return rows[half == 0], rows[half == 1]


def _learning_from(plan: Plan, fold: int, rows: np.ndarray) -> Plan:
    """Return the plan with other training rows on one fold."""
    train = tuple(rows if f == fold else one for f, one in enumerate(plan.splits.train))
    return replace(plan, splits=Splits(train, plan.splits.test, plan.splits.repeat, plan.splits.words))
