"""Compare methods without a target: does what they choose on one half of the rows show the same groups in the other?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from fewer import registry
from fewer.api import _resolve
from fewer.core.hygiene.examine import examine
from fewer.core.reading.asked import named
from fewer.core.reading.dask_parts import is_dask
from fewer.core.reading.dates import read_dates
from fewer.core.reading.memory import read_memory
from fewer.core.reading.table_views import is_table, read_table
from fewer.core.records.errors import InputError, InputTypeError, ParameterError
from fewer.core.records.params import check_value, whole_from
from fewer.core.records.target_kinds import missing_targets
from fewer.core.runners import progress
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.row_splits import as_seed
from fewer.evaluate.data import EVERYTHING, Data, _data
from fewer.evaluate.fold_units import sized
from fewer.evaluate.half_comparison import HalfComparison
from fewer.evaluate.half_samples import clustered, halves, numbers_of, one_half
from fewer.evaluate.panel import named_methods

ALL_COLUMNS, WHERE = "all columns", "compare_without_target"
# Fewer rows in a half leave nothing to cluster.
LEAST_ROWS = 8


def compare_without_target(
    X: Any,
    methods: Any = None,
    size: int | None = None,
    *,
    labels: Any = None,
    n_halves: int = 10,
    max_clusters: int = 8,
    categorical_features: Any = None,
    names: Any = None,
    random_state: int | None = 0,
) -> HalfComparison:
    """Compare methods of feature selection that need no target, by half-samples.

    The rows are divided at random into two halves, several times. Each method chooses columns on the first half; then
    both halves are clustered on these columns by k-means, each with the number of clusters of its largest silhouette.
    Told are the silhouette of the second half, on which nothing was chosen; the agreement of its clusters with those
    that the first half gives to the same rows (adjusted Rand index); both for rows without groups, to hold them
    against; how stable the choice of columns is; and the seconds of one choice.

    Parameters
    ----------
    X : array-like, data frame, sparse matrix, Table, or path of a file
        The data. Nominal columns and columns with missing values, which k-means cannot take, are left out, and so are
        identifiers, constant columns, exact copies and dates; the result says why.
    methods : list of str or selectors, mapping of label to these, optional
        What to compare. By default all rankings without a target. All columns stand beside them for comparison.
    size : int, optional
        How many columns each method keeps at most. By default 10, but not more than half of those it can choose from.
    labels : array-like of shape (n_rows,), optional
        Known groups. They are used for nothing but one more figure, the normalized mutual information of the clusters
        with them; rows whose label is missing do not count for it.
    n_halves : int, default=10
        How many times the rows are divided.
    max_clusters : int, default=8
        Most clusters.
    categorical_features : array-like of int, str or bool, optional
        Nominal columns besides those whose dtype says so.
    names : list of str, optional
        Names of the columns of an array or sparse matrix.
    random_state : int, optional, default=0
        Seed of the halves and of everything random; None draws one.

    Returns
    -------
    HalfComparison
        `rows` and `to_frame` have a line per method, `to_json` everything.

    Notes
    -----
    A silhouette is easily large on few columns, whatever they are, and k-means cuts a uniform square at the same places
    in every half. So beside both figures stand those of rows without groups: as many rows, uniform in the box around
    the half along its principal axes (the reference of the gap statistic). Groups are told by figures above these, and
    by the silhouette more than by the agreement, which long boxes have, too. Columns that could not be chosen do not
    count for the stability, and nothing is said of the stability of taking all columns.

    Examples
    --------
    >>> from fewer.synth import make_noise_feature_clusters
    >>> data = make_noise_feature_clusters(n_irrelevant=6, random_state=0)
    >>> found = compare_without_target(data.X, ["MixtureOverlap", "RandomRanking"], size=2, n_halves=4)
    >>> [line["method"] for line in found.rows()][0]
    'MixtureOverlap'
    """
    check_value(WHERE, "size", size, [whole_from(1), None])
    for name, value in (("n_halves", n_halves), ("max_clusters", max_clusters)):
        check_value(WHERE, name, value, [whole_from(2)])
    chosen, seed = _methods(methods), as_seed(random_state, WHERE)
    data, left_out = _read(X, categorical_features, names)
    groups = None if labels is None else _labels(labels, data.n_rows)
    size = min(10, max(1, len(data.columns) // 2)) if size is None else int(size)
    made = {label: sized(method, size) for label, method in chosen.items()}
    pairs = halves(data.n_rows, n_halves, seed)
    found: dict[str, list[Any]] = {label: [] for label in (*made, ALL_COLUMNS)}
    for p, pair in enumerate(pairs):
        # One seed per pair: equal columns have equal clusters, whoever chose them.
        own = int(np.random.SeedSequence([seed, p]).generate_state(1)[0] >> 1)
        cluster = _clusterer(data, pair, groups, max_clusters, own)
        for m, label in enumerate(found):
            progress.report("half-samples", p * len(found) + m, n_halves * len(found))
            found[label].append(one_half(data, made.get(label), pair, own, cluster))
    meta = {
        "size": size,
        "n_halves": int(n_halves),
        "max_clusters": int(max_clusters),
        "random_state": int(seed),
        "labels": labels is not None,
        "n_rows": data.n_rows,
        "left_out": left_out,
    }
    return HalfComparison(found, data.names, tuple(data.columns.tolist()), meta)


def _clusterer(
    data: Data, pair: tuple[np.ndarray, np.ndarray], groups: np.ndarray | None, max_clusters: int, seed: int
) -> Callable[[tuple[int, ...]], dict[str, Any]]:
    """Return what clusters a pair of halves on some columns, each choice of columns once."""
    there = None if groups is None else groups[pair[1]]

    @cache
    def cluster(columns: tuple[int, ...]) -> dict[str, Any]:
        first, second = (numbers_of(data, rows, columns) for rows in pair)
        return clustered(first, second, there, max_clusters, seed)

    return cluster


def _methods(methods: Any) -> dict[str, Any]:
    """Return the methods by label; raise if one needs a target."""
    if methods is None:
        none = [e for e in registry.METHODS if e.task == "none" and e.contract == "selector" and e.shape == "ranking"]
        methods = [entry.name for entry in none]
    made = named_methods(methods)
    for label, method in made.items():
        if method._tags_in_use().needs_target:
            raise ParameterError(
                f"{WHERE} got the method {label}, which needs a target; pass y to fewer.compare, or choose a "
                "method for data without one."
            )
    if ALL_COLUMNS in made:
        raise ParameterError(f"{WHERE} got a method labelled {ALL_COLUMNS!r}, which it uses itself; call it otherwise.")
    return made


def _read(X: Any, categorical: Any, names: Any) -> tuple[Data, dict[str, str]]:
    """Return the data with the columns that may be chosen, and why others may not."""
    X, _ = _resolve(X, None)
    X = read_dates(X, "leave out", None)
    if is_dask(X):
        raise InputTypeError(f"{WHERE} needs all rows in memory, but X is a Dask collection; call .compute() first.")
    tags = replace(EVERYTHING, targets=("none",), handles_weights=False)
    with ThreadRunner() as run:
        if is_table(X):
            view = read_table(WHERE, X if X.in_memory else X.load(), tags, run)
        else:
            with named(names):
                view = read_memory(type(WHERE, (BaseEstimator,), {})(), X, None, None, tags, categorical, run)
    data = _data(view)
    if data.n_rows < 2 * LEAST_ROWS:
        raise InputError(
            f"{WHERE} got {data.n_rows} rows, but needs {2 * LEAST_ROWS} or more, since it clusters halves of them; "
            "add rows."
        )
    findings = examine(replace(data.view, names=data.names), None, None)
    reasons = {one.feature: one.kind for one in findings.findings if one.left_out}
    values = data.X
    missing = np.zeros(data.n_features, bool)
    if data.missing:
        missing = np.isnan(values.toarray() if data.sparse else values).any(axis=0)
    for j in findings.left:
        if data.nominal[j] or missing[j]:
            reasons[data.names[j]] = "nominal" if data.nominal[j] else "missing values"
    left = np.array([j for j in findings.left if not data.nominal[j] and not missing[j]], np.int64)
    if not len(left):
        raise InputError(
            f"{WHERE} got no column of numbers without missing values that could be chosen; fill in or encode columns."
        )
    return replace(data, left=left), reasons


def _labels(labels: Any, n_rows: int) -> np.ndarray:
    """Return the labels as numbers, -1 for those that are missing."""
    given = np.asarray(labels)
    if given.shape != (n_rows,):
        raise InputError(f"{WHERE} got labels of shape {given.shape}, but X has {n_rows} rows; pass one label per row.")
    numbers = np.unique(given.astype(str), return_inverse=True)[1].ravel()
    gone = missing_targets(labels)
    return np.where(gone, -1, numbers) if len(gone) else numbers


def instead(X: Any, methods: Any, sizes: Any, given: Mapping[str, Any], **more: Any) -> HalfComparison:
    """Return what `compare` finds without a target; raise if it was given what needs one."""
    wrong = [name for name, value in given.items() if value is not None]
    if wrong:
        raise ParameterError(
            f"compare needs a target for {' and '.join(wrong)}, but y is None; pass y, or leave that out."
        )
    several: list[Any] = [sizes] if sizes is None or isinstance(sizes, Integral) else list(sizes)
    if len(several) != 1:
        raise ParameterError(
            f"compare needs a target for {len(several)} sizes, but y is None; pass y, or one size, such as sizes=[10]."
        )
    return compare_without_target(X, methods, several[0], **more)
