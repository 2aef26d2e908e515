"""Compare methods on a data set: which features are enough, which method finds them, how sure that is."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from fewer.core.estimators.selector import versions
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.runners import progress
from fewer.core.views.inner_splits import inner_splits
from fewer.core.views.row_splits import MANY_ROWS, Splits, as_seed, make_splits
from fewer.evaluate.assemble import assemble
from fewer.evaluate.checkpoint import UnitJournal, fingerprint
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.data import Data, examined, read
from fewer.evaluate.fold_units import ALL_ROWS, Plan, fold_units
from fewer.evaluate.nesting import inner_units, inner_work
from fewer.evaluate.panel import (
    default_cv,
    default_estimators,
    default_panel,
    make_scorer,
    make_sizes,
    named_estimators,
    named_methods,
    named_score,
)
from fewer.evaluate.retold import facts_of, further
from fewer.evaluate.weights import check_scorer
from fewer.evaluate.weights import notes as weight_notes


class Interrupted(KeyboardInterrupt):
    """The user stopped a comparison; the message says what was kept."""


def compare(
    X: Any,
    y: Any = None,
    methods: Any = None,
    estimators: Any = None,
    sizes: Any = None,
    *,
    cv: Any = None,
    scoring: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    task: str | None = None,
    categorical_features: Any = None,
    names: Any = None,
    naive: bool | None = None,
    keep: Any = None,
    drop: Any = None,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    verbose: int = 0,
) -> Comparison:
    """Compare methods of feature selection on a data set, without leakage.

    On every split each method chooses features on the training rows; estimators learn from the training rows with the
    best 1, 2, ... of them and are scored on the test rows. Cutting into levels, filling in, scaling and choosing are
    all learned on training rows only.

    Parameters
    ----------
    X : array-like, data frame, sparse matrix, Table, or path of a file
        The data. From a path, ``y`` names the target column.
    y : array-like or str
        The target, or the name of its column in X.
    methods : list of str or selectors, mapping of label to these, optional
        What to compare. By default methods of different kinds that suit the task, the kind and the size of the data;
        the result names them. A stop rule of a selector holds besides the sizes; a number of features does not.
        Selectors of scikit-learn, and others that fit and tell by ``get_support`` what they keep, see nominal columns
        as level numbers and missing numbers as the median; those that know no order keep their own number.
        `RandomRanking` is a baseline: the mean and spread of random subsets, each scored on all splits; it takes no
        stop rule, and draws another order on every split even if it has a seed.
    estimators : estimator, str, list of these, or mapping of label to estimator, optional
        What learns from the chosen features. By default "logistic" regression, nearest "neighbours" and "naive Bayes",
        or "ridge" regression, nearest "neighbours" and a "tree"; the words name single ones of these. Nominal features
        are given to them as one column per level, with more than 20 levels as the smoothed mean of the target at the
        level (learned on other training rows), missing values as the median.
    sizes : list of int, optional
        Numbers of features. By default up to eight, in equal ratios from 1 to 100.
    cv : int, str, list of pairs, splitter, optional
        The splits: a number of folds, "RxK" for R repetitions of K folds such as "5x2", "loo", "time:K", (train, test)
        pairs, or a splitter of scikit-learn. By default ten folds, five of more than 2,000 rows; for balanced accuracy
        down to five, so that each tests the rarest class. Rarer classes are spread over them, and a class with a single
        row is trained on and never tested.
    scoring : str or callable, optional
        A score of scikit-learn; larger is better. By default accuracy, balanced accuracy if one class holds more than
        80 % of the rows, or R squared. Where folds lack classes, balanced accuracy is weighted so that its mean over
        the folds is that of all tested classes.
    groups : array-like of shape (n_rows,), optional
        Rows of one group are never split between training and test.
    sample_weight : array-like of shape (n_rows,), optional
        How much each row counts: for methods (those that take no weights are left out, with a sentence), for estimators
        that take weights, and for all scores. A row of weight 0 is as good as absent.
    task : {"classification", "regression"}, optional
        What the target is for. By default text, booleans, and whole numbers with at most 20 different values are
        classes.
    categorical_features : array-like of int, str or bool, optional
        Nominal columns besides those whose dtype says so.
    names : list of str, optional
        Names of the columns of an array or sparse matrix.
    naive : bool, optional
        Whether to score also what is chosen on all rows before the split, which shows the selection bias. By default
        unless there are more than 2,000 rows and more than 20 per feature, where there is none to speak of.
    keep : str, list of str or int, optional
        Columns that are not left out, whatever is found of them: names or numbers, or "all". By default identifiers,
        constant columns, exact copies and dates are left out for all methods.
    drop : str, list of str, optional
        What is left out besides: "leaks", or another kind of finding that is only flagged otherwise.
    random_state : int, optional, default=0
        Seed of the splits and of everything random; None draws one.
    n_jobs : int, optional
        Number of processes.
    checkpoint : str or path, optional
        File in which finished work is kept, so that the same call goes on after an interruption.
    verbose : int, default=0
        Whether to show progress.

    Returns
    -------
    Comparison
        Scores, stability, consensus and the headline; `Comparison.report` writes them as a page.

    Raises
    ------
    Interrupted
        On Ctrl-C, a KeyboardInterrupt; with a checkpoint nothing finished is lost.

    Notes
    -----
    The data are read and checked once. On a fold all methods that read the target alike see one view, so that what one
    has summed up the next one finds there; one ranking serves all sizes and estimators; and what an estimator learned
    of some features serves every method that chose the same ones. Counts of whole data are not reduced by those of the
    test rows: cut points are learned on training rows, and cutting costs more than counting.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = compare(X, y, ["FTest", "JMI"], sizes=[1, 2], cv=5)
    >>> found.scores.shape
    (2, 3, 2, 5)
    >>> found.best().method, found.best().size
    ('JMI', 1)
    """
    begin = time.perf_counter()
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise ParameterError(
            f"compare got n_jobs={n_jobs!r}, but takes a number of processes, -1 for all cores, or None; pass such."
        )
    data, findings = examined(read(X, y, "compare", task, categorical_features, sample_weight, names), keep, drop)
    groups = data.view.per_row(groups)
    data = replace(data, groups=None if groups is None else np.asarray(groups))
    _check_rows(data, cv)
    chosen, panel = default_panel(data) if methods is None else (named_methods(methods), "Named by the user.")
    if not chosen:
        raise ParameterError(f"compare knows no method that suits these data; pass methods=... yourself. {panel}")
    seed = as_seed(random_state, "compare")
    folds = default_cv(scoring, data) if cv is None and groups is None else cv
    splits = make_splits(folds, data.y, data.task, groups, seed)
    _check_classes(data, splits)
    splits = replace(splits, inner=inner_splits(splits, data.y, data.task, groups, seed))
    fewest = min(len(rows) for rows in splits.train)
    models = default_estimators(data, fewest) if estimators is None else named_estimators(estimators, data, fewest)
    scorer, name = make_scorer(scoring, data, splits)
    if data.weight is not None:
        check_scorer(scorer, name)
    naive = data.n_rows <= max(MANY_ROWS, 20 * data.n_features) if naive is None else bool(naive)
    plan = Plan(
        data, splits, chosen, models, make_sizes(sizes, data.n_features, len(data.columns)), scorer, seed, naive
    )
    meta = {
        "protocol": splits.words,
        "panel": panel,
        "score": named_score(scoring, data, splits)[1],
        "seed": seed,
        "versions": versions(),
        "findings": findings,
        **facts_of(plan, cv, name, further(groups, sample_weight, task, categorical_features, naive, keep, drop)),
        "remarks": weight_notes(data, models),
    }
    kept = UnitJournal(checkpoint, fingerprint(plan, name))
    with progress.bar() if verbose and not progress.listening() else nullcontext():
        leaks = [one["number"] for one in findings if one["kind"] == "leak" and not one["left_out"]]
        other = _without(plan, leaks) if leaks else None
        _work([plan] if other is None else [plan, other], kept, n_jobs)
        if leaks:
            meta["without_leaks"] = _found_without(other, kept, name)
        return assemble(plan, kept.done, name, time.perf_counter() - begin, meta)


def _without(plan: Plan, leaks: list[int]) -> Plan | None:
    """Return the plan without columns that may give the target away; None if nothing is left."""
    left = np.setdiff1d(plan.data.columns, leaks)
    if not len(left):
        return None
    sizes = tuple(k for k in plan.sizes if k <= len(left)) or (len(left),)
    return replace(plan, data=replace(plan.data, left=left), sizes=sizes, naive=False)


def _found_without(other: Plan | None, kept: UnitJournal, scoring: str) -> dict[str, Any]:
    """Return what is found without columns that may give the target away."""
    if other is None:
        return {"score": None, "kept": []}
    head = assemble(other, kept.passes[1], scoring, 0.0, {}).best()
    return {"score": head.score, "kept": [other.data.names[j] for j in head.features]}


def _check_rows(data: Data, cv: Any) -> None:
    """Raise if splits name rows by their numbers, of which some were left out."""
    if data.view.counted is not None and cv is not None and not isinstance(cv, int | str):
        raise ParameterError(
            f"compare got splits of its own beside {int((~data.view.counted).sum())} rows of weight 0, which are left "
            "out, so that row numbers would shift; drop these rows first, or give a number of folds."
        )


def _check_classes(data: Data, splits: Splits) -> None:
    """Raise if some training rows are all of one class: every method would fail on them, one after another."""
    for number, rows in enumerate(splits.train if data.task == "classification" else (), start=1):
        if (data.y[rows] == data.y[rows[0]]).all():
            raise InputError(
                f"compare trains on parts of the {data.n_rows} rows, and part {number} of {len(splits)} holds only the "
                f"class {data.y[rows[0]]}, but needs two; give more rows of each class, or another cv."
            )


def _work(plans: list[Plan], kept: UnitJournal, n_jobs: int | None) -> None:
    """Do all units that are not done yet, those of the comparison itself before those without leaks."""
    every = [plan.units() + inner_units(plan) for plan in plans]
    total, stop = sum(map(len, every)), threading.Event()
    try:
        with _noticed_interrupt(stop):
            progress.report("comparing methods", sum(map(len, kept.passes)), total)
            for number, plan in enumerate(plans):
                missing = [one for one in every[number] if one not in kept.passes[number]]
                for unit in _units(plan, missing, n_jobs):
                    # A method may answer an interruption with the best so far, which is no finished unit.
                    if stop.is_set():
                        raise KeyboardInterrupt
                    kept.add(unit, number)
                    progress.report("comparing methods", sum(map(len, kept.passes)), total)
    except KeyboardInterrupt as error:
        where = (
            f"are kept in {kept.path}: the same call goes on from there"
            if kept.path
            else ("are lost; pass checkpoint='file' to be able to go on")
        )
        what = "The comparison was interrupted"
        if len(kept.done) == len(every[0]):
            what = (
                "The comparison was finished, but interrupted while it was repeated without columns that may be leaks"
            )
        raise Interrupted(
            f"{what}; {sum(map(len, kept.passes))} of {total} units were finished and {where}."
        ) from error


def _units(plan: Plan, missing: list[tuple[str, int]], n_jobs: int | None) -> Iterator[dict[str, Any]]:
    """Do units fold by fold, in this process or in several."""
    tasks: dict[int, list[str]] = {}
    for label, fold in missing:
        tasks.setdefault(fold, []).append(label)
    workers = effective_n_jobs(n_jobs)
    if workers == 1:
        for fold, labels in tasks.items():
            yield from _of_fold(plan, fold, labels)
        return
    # Whole folds share most; few folds, and the long work on all rows, are cut into parts, so that no worker is idle.
    few, cut = max(1, -(-3 * workers // max(1, len(tasks)))), []
    for fold, labels in tasks.items():
        parts = 3 * workers if fold == ALL_ROWS else few
        cut += [(fold, labels[i::parts]) for i in range(parts) if labels[i::parts]]
    run = Parallel(n_jobs=workers, return_as="generator_unordered")
    for units in run(delayed(_listed)(plan, fold, labels) for fold, labels in cut):
        yield from units


def _listed(plan: Plan, fold: int, labels: list[str]) -> list[dict[str, Any]]:
    return list(_of_fold(plan, fold, labels))


def _of_fold(plan: Plan, fold: int, labels: list[str]) -> Iterator[dict[str, Any]]:
    return fold_units(plan, fold, labels) if fold >= ALL_ROWS else inner_work(plan, fold, labels)


@contextmanager
def _noticed_interrupt(stop: threading.Event) -> Iterator[None]:
    """Remember an interruption that the code it hits may swallow; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def notice(number: int, frame: Any) -> None:
        stop.set()
        if callable(before):
            before(number, frame)
        else:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, notice)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
