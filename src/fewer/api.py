"""The functions a user calls first: select, rank, catalog, get."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from fewer import registry
from fewer.core.records.errors import InputError, InputTypeError, ParameterError, closest
from fewer.core.records.result import Selection
from fewer.core.runners.context import use as use
from fewer.dispatch import CONTRACTS
from fewer.registry import Entry

# What is used when no method is named: to select, and to rank.
DEFAULT_RECIPE = "DefaultRecipe"
DEFAULT_METHOD = {"classification": "SymmetricalUncertainty", "regression": "VarianceReduction"}
TASKS = tuple(DEFAULT_METHOD)
# The same without a target.
UNLABELLED_RECIPE, UNLABELLED_METHOD = "UnlabelledRecipe", "LaplacianScore"
RECIPES = (DEFAULT_RECIPE, UNLABELLED_RECIPE)
# The same for times until an event.
SURVIVAL_METHOD = "CoxScore"
# What says how a file is to be read, as parameters of `open_table`.
READING = ("sep", "decimal", "encoding", "transpose", "join", "on", "memory", "resume")


class Catalog(list[Entry]):
    """A list of registry entries that prints as a table."""

    heads = ("name", "family", "contract", "shape", "task", "source")

    @property
    def rows(self) -> list[list[str]]:
        """One list of texts per method."""
        return [[getattr(entry, head) for head in self.heads] for entry in self]

    def __repr__(self) -> str:
        lines = [list(self.heads), *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines)]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines)

    def _repr_html_(self) -> str:
        from html import escape

        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self.rows)
        return f"<table><tr>{''.join(f'<th>{head}</th>' for head in self.heads)}</tr>{body}</table>"


def catalog(
    task: str | None = None, family: str | None = None, contract: str | None = None, *, room: str | None = None
) -> Catalog:
    """List the methods.

    Parameters
    ----------
    task : {"classification", "regression", "survival", "none"}, optional
        Only methods for this kind of target ("none": without a target).
    family : str, optional
        Only methods of this family.
    contract : {"selector", "classifier", "regressor", "clusterer", "projector", "generator", "acquirer"}, optional
        Only methods that offer this.
    room : str, optional
        The old name of ``family``; it will be removed in the next release.

    Returns
    -------
    catalog : list of Entry
        Records with name, module, family, contract, shape, task and source; prints as a table.
    """
    if room is not None:
        # The caller's line: the command line passes None unless its old option is used.
        warnings.warn("room is now called family; pass family instead.", FutureWarning, stacklevel=2)
        family = room if family is None else family
    methods = registry.listed()
    asked = {"task": task, "family": family, "contract": contract}
    known = {
        "task": ["any", "classification", "none", "regression", "survival"],
        "family": sorted({*registry.FAMILIES, *(e.family for e in methods)}),
        "contract": list(CONTRACTS),
    }
    for name, given in asked.items():
        if given is not None and given not in known[name]:
            allowed = known[name]
            raise ParameterError(
                f"catalog got {name}={given!r}; it knows {', '.join(allowed)}.{closest(given, allowed)}"
            )
    return Catalog(
        e
        for e in methods
        if family in (None, e.family)
        and contract in (None, e.contract)
        and (task in (None, e.task) or (e.task == "any" and task in TASKS))
    )


def get(name: str) -> Any:
    """Return the class of a method by its name."""
    return registry.load(name)


def select(
    X: Any,
    y: Any = None,
    method: Any = None,
    *,
    task: str | None = None,
    names: Any = None,
    runner: str | None = None,
    **params: Any,
) -> Selection:
    """Select features and say why.

    Parameters
    ----------
    X : array-like, data frame, Arrow table, sparse matrix, Table, Dask collection, or path of a file
        The data. From a path, ``y`` names the target column; files above 1 GiB are read in batches by methods that are
        able to, others at once, as on the command line. A lazy frame of polars is collected.
    y : array-like, str or list of str, optional
        The target, or the name of its column in X, or the names of several columns. Rows without a target are left out,
        and a note says how many, unless the method takes them.
    method : str or selector, optional
        Name of a method, or a selector to clone. By default `DefaultRecipe`: identifiers, constant and duplicate
        columns are left out, the others tested and ordered by relevance less redundancy, and as many kept as predict
        best by five folds; wherever the data are, with the same result. It keeps nothing if nothing is better than a
        guess. Without a target `UnlabelledRecipe`: the features on which rows that are near by the others agree, as
        many as stand before the largest gap; nothing if none does beyond chance.
    task : {"classification", "regression"}, optional
        What the target is for. By default text, booleans, categoricals, and whole numbers with at most 20 different
        values are classes, and other numbers are not; a method for classes alone takes any whole numbers for classes.
        Where whole numbers are read as numbers by a method that takes both, a warning says so.
    names : list of str, optional
        Names of the columns of an array or sparse matrix.
    runner : {"cuda"}, optional
        Where to compute: on the NVIDIA GPU of this machine, as inside ``fewer.use("cuda")``; the selection is the same.
    **params
        Parameters of the method, and ``sample_weight`` and ``groups`` of its ``fit``. With a path also ``sep``,
        ``decimal``, ``encoding``, ``transpose``, ``join``, ``on``, ``memory`` and ``resume`` of `open_table`. Besides,
        ``dates="expand"`` makes numbers of date columns of a data frame or file: year, month, weekday, hour and days
        since 1970; by default they are left out with a note. ``fixed_features`` and ``feature_groups`` are those of
        `Constrained`, for any method; ``aggregate`` is that of `AcrossTargets`, for a target of several columns.

    Returns
    -------
    selection : Selection
        Kept features with scores, trace and a reason for every feature.

    Examples
    --------
    >>> import fewer
    >>> from sklearn.datasets import load_breast_cancer
    >>> data = load_breast_cancer(as_frame=True)
    >>> fewer.select(data.data, data.target, "InformationGain", n_features_to_select=2).kept_names
    ['worst perimeter', 'worst area']
    """
    from fewer.core.reading.asked import named
    from fewer.core.reading.targets import declared_task

    with declared_task(task), named(names), _placed(runner):
        return _selected(X, y, method, params, task)


def _placed(runner: str | None) -> Any:
    """Return the context in which methods run where the caller says."""
    if runner not in (None, "cuda"):
        raise ParameterError(
            f"runner={runner!r} was given, but 'cuda' is the one that is known by name; give that, or leave it out: a "
            "table streams, and fewer.use(client) runs on a Dask cluster."
        )
    return nullcontext() if runner is None else use(runner)


def _selected(
    X: Any, y: Any, method: Any, params: dict[str, Any], task: str | None, *, ranks: bool = False
) -> Selection:
    from fewer.core.reading.asked import present, target_numbers, with_notes, with_target

    weight, groups, opened = params.pop("sample_weight", None), params.pop("groups", None), isinstance(X, (str, Path))
    reading = {name: params.pop(name) for name in READING if opened and name in params}
    X, y = _resolve(X, y, task, reading)
    unlabelled = y is None and getattr(X, "target", None) is None
    if method is None and unlabelled and task is not None:
        raise InputError(
            f"task={task!r} was given without a target; pass y, or the name of its column, or leave task out to select "
            "without a target."
        )
    numbers, notes = target_numbers(y, task)
    looks = ranks and method is None
    if method is None or "dates" in params:
        from fewer.core.reading.dates import read_dates

        X = read_dates(X, params.pop("dates", "leave out"), params.get("keep"))
    if method is None:
        X = X.held(True) if opened else X
        method = default_method(X, present(numbers), ranks=ranks, unlabelled=unlabelled)
        if method in RECIPES:
            # An answer to read, not a step of a pipeline, which must go on.
            params = {"if_nothing": "none", **params}
    selector = _wrapped(method, params)
    _check_task(selector, task)
    tags, here, named_y = selector._tags_in_use(), None, getattr(y, "name", None)
    y, notes = (y, []) if tags.task == "classification" else (numbers, notes)
    if tags.needs_target and "partly labelled" not in tags.targets:
        X, y, weight, here = with_target(X, y, weight)
    if opened:
        # As the command line reads files: at once, unless they are large and the method works in batches.
        X = X.held(selector._reads_batches(selector.check()), who=type(selector).__name__)
    if looks:
        found = ranked(selector, X, y, weight)
    else:
        more = {
            "sample_weight": weight,
            "groups": groups if here is None or groups is None else np.asarray(groups)[here],
        }
        given = {name: rows for name, rows in more.items() if rows is not None}
        _check_fit(selector, given)
        found = selector.fit(X, y, **given).selection_
    if not notes and here is None:
        return found
    return found.with_meta(data=with_notes(found.meta["data"], notes, here, named_y))


def ranked(selector: Any, X: Any, y: Any = None, weight: Any = None) -> Selection:
    """Rank by a selector after a look at the columns: findings are noted, identifiers come last."""
    from fewer.core.hygiene.examine import examine
    from fewer.core.reading.asked import examining

    with selector._open_runner(X) as run, examining():
        data = selector._read(X, y, weight, run, selector.check())
        return examine(data, keep="all").noted(selector.fit_view(data).selection_)


def rank(
    X: Any,
    y: Any = None,
    method: Any = None,
    *,
    task: str | None = None,
    names: Any = None,
    runner: str | None = None,
    **params: Any,
) -> Selection:
    """Order all features, best first.

    Takes what `select` takes; every feature is kept. The default method is symmetrical uncertainty for classes and
    variance reduction for a numeric target, after a look at the columns: what is found is noted, and identifiers come
    last. Without a target it is the Laplacian score.
    """
    from fewer.core.reading.asked import named
    from fewer.core.reading.targets import declared_task

    with declared_task(task), named(names), _placed(runner):
        return _selected(X, y, method, {"n_features_to_select": None, **params}, task, ranks=True)


def _check_task(selector: Any, task: str | None) -> None:
    """Raise if a method is for another task than the one that was said; let one that is told its task know it."""
    if task is None:
        return
    if "task" in selector._get_param_names():
        selector.set_params(task=task)
    takes = selector._tags_in_use().task
    if takes in TASKS and takes != task:
        raise ParameterError(
            f"{type(selector).__name__} is for {takes}, but task={task!r} was given; choose another method, see "
            f"fewer.catalog(task={task!r}), or leave task out."
        )


def _check_fit(selector: Any, given: Mapping[str, Any]) -> None:
    """Raise if groups were given to a method that knows none; methods themselves say what they weigh."""
    from inspect import signature

    taken = signature(selector.fit).parameters
    if "groups" in given and not ({"groups", "params"} & set(taken)):
        raise InputTypeError(
            f"{type(selector).__name__}.fit got groups, but groups only decide how rows are split into folds, which it "
            "does not do; leave them out, or use a method with cv, such as OrderedFS."
        )


def _resolve(X: Any, y: Any, task: str | None = None, reading: Mapping[str, Any] = {}) -> tuple[Any, Any]:
    from fewer.core.reading.frames import as_rows
    from fewer.core.reading.targets import refuse_form, unpacked_target

    if task is not None and task not in TASKS:
        raise ParameterError(f"task={task!r} was given, but allowed are {' and '.join(map(repr, TASKS))}; pass one.")
    if task is not None and getattr(X, "task", task) != task:
        raise ParameterError(
            f"task={task!r} was given with a table that was opened for {X.task}; pass task to open_table instead."
        )
    if isinstance(X, (str, Path)):
        from fewer.core.reading.table import open_table

        several = isinstance(y, (list, tuple)) and all(isinstance(name, str) for name in y)
        if y is not None and not isinstance(y, str) and not several:
            raise InputError(f"With a file, y must name the target column, but got {type(y).__name__}; pass its name.")
        table = open_table(X, target=y, task=task, **reading)
        return table, None
    X = as_rows(X, "X")
    columns = [str(c) for c in getattr(X, "columns", ())]
    if isinstance(y, (list, tuple)) and len(y) > 1 and all(isinstance(c, str) and c in columns for c in y):
        return X[[c for c in X.columns if c not in y]], X[list(y)]
    if isinstance(y, str):
        if not hasattr(X, "columns"):
            raise InputError(f"y={y!r} names a column, but X has no column names; pass a data frame or y itself.")
        if y not in list(X.columns):
            raise InputError(
                f"X has no column {y!r} for the target; name one of its {len(X.columns)} columns."
                f"{closest(y, [str(c) for c in X.columns])}"
            )
        return X[[c for c in X.columns if c != y]], X[y]
    refuse_form("fewer", y)
    return X, unpacked_target("fewer", y)


def default_method(X: Any, y: Any, *, ranks: bool = False, unlabelled: bool = False) -> str:
    """Return the name of the method that selects, or ranks, when none is named."""
    from fewer.core.records.target_kinds import kind_of

    if unlabelled:
        return UNLABELLED_METHOD if ranks else UNLABELLED_RECIPE
    if hasattr(X, "joint_target"):
        y = X.joint_target()
    if kind_of(y) == "survival":
        return SURVIVAL_METHOD
    scores = ranks or kind_of(y) in ("several labels", "several numbers")
    return DEFAULT_METHOD.get(_task(X, y), DEFAULT_RECIPE) if scores else DEFAULT_RECIPE


def _selector(method: Any, params: dict[str, Any]) -> Any:
    from sklearn.base import clone

    if hasattr(method, "set_params") and not isinstance(method, type):
        return clone(method).set_params(**params)
    if not isinstance(method, str | type):
        raise ParameterError(
            f"method must be a name, a selector or its class, but got {method!r}; see fewer.catalog()."
        )
    made: Any = method if isinstance(method, type) else registry.load_selector(method)
    known = made._get_param_names()
    for name in params:
        if name not in known:
            raise ParameterError(
                f"{made.__name__} has no parameter {name!r}; it takes {', '.join(known)}.{closest(name, known)}"
            )
    return made(**params)


def _wrapped(method: Any, params: dict[str, Any]) -> Any:
    """Return the selector, in what lets it keep features always, keep groups whole, or score several targets."""
    params = dict(params)
    how = params.pop("aggregate", None)
    made = registry.load_selector(method) if isinstance(method, str) else method
    own = made._get_param_names() if hasattr(made, "_get_param_names") else ()
    names = [name for name in ("fixed_features", "feature_groups") if params.get(name) is not None]
    native = "fixed_features" in own and "feature_groups" in own
    given = {} if native else {name: params.pop(name) for name in names}
    return constrained(_selector(method, params), how, given)


def constrained(selector: Any, aggregate: str | None, given: Mapping[str, Any]) -> Any:
    """Return a selector in what lets it score several targets, keep features always and keep groups whole."""
    if aggregate is not None:
        selector = registry.public("AcrossTargets")(selector, aggregate=aggregate)
    return registry.public("Constrained")(selector, **given) if given else selector


def _task(X: Any, y: Any) -> str:
    from fewer.core.reading.targets import task_of, warn_of_numbers

    if not hasattr(X, "joint_target") and getattr(X, "task", None) in DEFAULT_METHOD:
        warn_of_numbers("The default method", getattr(X, "target_reason", None))
        return X.task
    return "classification" if y is None else task_of("The default method", y)
