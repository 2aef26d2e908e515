"""Compare methods on a data set: which features are enough, which method finds them, how sure that is."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Any

from fewer.core.reading.table_views import is_table
from fewer.core.records.errors import ParameterError
from fewer.core.runners import progress
from fewer.core.views.row_splits import MANY_ROWS, as_seed
from fewer.evaluate.assemble import assemble
from fewer.evaluate.checkpoint import UnitJournal, fingerprint
from fewer.evaluate.data import Data, examined, read
from fewer.evaluate.fold_units import Plan
from fewer.evaluate.nesting import inner_units
from fewer.evaluate.panel import (
    check_tasks,
    default_estimators,
    default_panel,
    make_sizes,
    named_estimators,
    named_methods,
)
from fewer.evaluate.retold import facts_of, further
from fewer.evaluate.scoring import make_scorer, named_score
from fewer.evaluate.splits import splits_of
from fewer.evaluate.weights import check_scorer
from fewer.evaluate.weights import notes as weight_notes
from fewer.evaluate.without import Without
from fewer.evaluate.without_target import instead
from fewer.evaluate.work import Interrupted, work

__all__ = ["Interrupted", "compare"]


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
    dates: str = "leave out",
    naive: bool | None = None,
    keep: Any = None,
    drop: Any = None,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    verbose: int = 0,
) -> Any:
    """Compare methods of feature selection on a data set, without leakage.

    On every split each method chooses features on the training rows; estimators learn from the training rows with the
    best 1, 2, ... of them and are scored on the test rows. Cutting into levels, filling in, scaling and choosing are
    all learned on training rows only.

    Parameters
    ----------
    X : array-like, data frame, sparse matrix, Table, or path of a file
        The data. From a path, ``y`` names the target column.
    y : array-like or str, optional
        The target, or the name of its column in X. Without one, methods that need none are compared by clusters of
        half-samples: the call is one of `compare_without_target` with ``sizes`` of one number, which also takes labels.
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
        the folds is that of all tested classes; R squared of a fold divides by the variation of the target over all
        folds, so that its mean is that of all tested rows.
    groups : array-like of shape (n_rows,), optional
        Rows of one group are never split between training and test. By default rows that are exact copies of others in
        all features are, if that is no chance; a note says how many.
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
    dates : {"leave out", "expand"}, default="leave out"
        What becomes of date columns of a data frame or file: left out with a note, or made into numbers: year, month,
        weekday, hour and days since 1970.
    naive : bool, optional
        Whether to score also what is chosen on all rows before the split, which shows the selection bias. By default
        unless there are more than 2,000 rows and more than 20 per feature, where there is none to speak of.
    keep : str, list of str or int, optional
        Columns that are not left out, whatever is found of them: names or numbers, or "all". By default identifiers,
        constant columns, exact copies and dates are left out for all methods.
    drop : str, list of str or int, optional
        What is left out besides: "leaks", or another kind of finding that is only flagged otherwise; and names or
        numbers of columns, which are not even looked at.
    random_state : int, optional, default=0
        Seed of the splits and of everything random; None draws one.
    n_jobs : int, optional
        Number of processes. Inside `fewer.use`, or a block of `joblib.parallel_config` that names a backend, the work
        goes there.
    checkpoint : str or path, optional
        File in which finished work is kept, so that the same call goes on after an interruption.
    verbose : int, default=0
        Whether to show progress.

    Returns
    -------
    Comparison
        Scores, stability, consensus and the headline; `Comparison.report` writes them as a page. Without a target a
        `HalfComparison`.

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
    _check_jobs(n_jobs)
    if y is None and not (is_table(X) and X.target is not None):
        given = {"estimators": estimators, "cv": cv, "scoring": scoring, "groups": groups, "task": task, "keep": keep}
        given |= {"sample_weight": sample_weight, "naive": naive, "drop": drop, "checkpoint": checkpoint}
        given |= {"dates": None if dates == "leave out" else dates}
        same = {"categorical_features": categorical_features, "names": names, "random_state": random_state}
        with _bar(verbose):
            return instead(X, methods, sizes, given, **same)
    # Before any work: what was named wrongly.
    named, seed = None if methods is None else named_methods(methods), as_seed(random_state, "compare")
    data = read(X, y, "compare", task, categorical_features, sample_weight, names, dates, keep)
    if named is not None:
        check_tasks(named, data)
    data, findings = examined(data, keep, drop)
    data = replace(data, groups=data.view.per_row(groups))
    plan, name, meta = _planned(data, named, estimators, sizes, cv, scoring, naive, seed)
    asked = {"task": task, "keep": keep, "drop": drop, "dates": None if dates == "leave out" else dates}
    more = further(groups, sample_weight, categorical_features, plan.naive, **asked)
    meta |= {"findings": findings, **facts_of(plan, cv, name, more)}
    kept = UnitJournal(checkpoint, fingerprint(plan, name))
    with _bar(verbose):
        leaks = [one["number"] for one in findings if one["kind"] == "leak" and not one["left_out"]]
        meta |= _finished(plan, leaks, kept, n_jobs)
        return assemble(plan, kept.done, name, time.perf_counter() - begin, meta)


def _planned(
    data: Data,
    named: dict[str, Any] | None,
    estimators: Any,
    sizes: Any,
    cv: Any,
    scoring: Any,
    naive: bool | None,
    seed: int,
) -> tuple[Plan, str, dict[str, Any]]:
    """Return the plan with everything that is chosen by default, the name of the score, and why these were chosen."""
    chosen, panel = default_panel(data) if named is None else (named, "Named by the user.")
    if not chosen:
        raise ParameterError(f"compare knows no method that suits these data; pass methods=... yourself. {panel}")
    splits, copies = splits_of(data, cv, scoring, seed)
    if copies is not None:
        data = data.with_note(copies.words)
    fewest = min(len(rows) for rows in splits.train)
    models = default_estimators(data, fewest) if estimators is None else named_estimators(estimators, data, fewest)
    scorer, name = make_scorer(scoring, data, splits)
    if data.weight is not None:
        check_scorer(scorer, name)
    naive = data.n_rows <= max(MANY_ROWS, 20 * data.n_features) if naive is None else bool(naive)
    steps = make_sizes(sizes, data.n_features, len(data.columns))
    why = {"protocol": splits.words, "panel": panel, "score": named_score(scoring, data, splits)[1]}
    plan = Plan(data, splits, chosen, models, steps, scorer, seed, naive)
    return plan, name, {**why, "remarks": weight_notes(data, models)}


def _bar(verbose: int) -> Any:
    return progress.bar() if verbose and not progress.listening() else nullcontext()


def _check_jobs(n_jobs: Any) -> None:
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise ParameterError(
            f"compare got n_jobs={n_jobs!r}, but takes a number of processes, -1 for all cores, or None; pass such."
        )


def _finished(plan: Plan, leaks: list[int], kept: UnitJournal, n_jobs: int | None) -> dict[str, Any]:
    """Do all units, and return what is found without the columns that may give the target away, if there are some."""
    own = (plan, plan.units() + inner_units(plan))
    if not leaks:
        work([own], kept, n_jobs)
        return {}
    other = Without.of(plan, leaks)
    if other.plan is None:
        work([own], kept, n_jobs)
    else:
        units = other.units()
        work([own, (other.plan, units)], kept, n_jobs, later=1)
        work([own, (other.plan, units + other.last_unit(kept.passes[1]))], kept, n_jobs)
    return {"without_leaks": other.found(kept.passes[1])}
