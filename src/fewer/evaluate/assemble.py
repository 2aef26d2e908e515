"""From the finished units to a Comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.metrics import normalized_mutual_info_score

from fewer.core.records.errors import InputError
from fewer.core.records.result import Selection
from fewer.evaluate import figures
from fewer.evaluate.comparison import Comparison, Failure
from fewer.evaluate.data import Data
from fewer.evaluate.evidence import centred_ranks, column_of, gather, levels_of
from fewer.evaluate.fold_units import ALL_ROWS, NO_METHOD, Plan
from fewer.evaluate.nesting import inner_scores
from fewer.evaluate.times import told_apart

# How many features are drawn and related to each other.
MOST_SHOWN, N_INTERVALS = 40, 12

Units = Mapping[tuple[str, int], Mapping[str, Any]]


def assemble(plan: Plan, units: Units, scoring: str, seconds: float, meta: dict[str, Any]) -> Comparison:
    """Return the comparison that the units make up; raise if every method failed."""
    failures = _failed_methods(plan, units)
    methods = _usable_methods(plan, failures)
    failures += _failed_estimators(plan, units, methods)
    folds = range(len(plan.splits))
    every, none = [[units[label, f] for f in folds] for label in methods], [units[NO_METHOD, f] for f in folds]
    scores = _by_setting([[unit["scores"] for unit in one] for one in every])
    usable = ~np.isnan(scores).all(axis=(0, 2, 3))
    if not usable.any():
        raise InputError(f"Every estimator of the comparison failed, the first because: {failures[0].words}")
    rows = [units[label, ALL_ROWS] for label in methods]
    inner, (own, shared) = inner_scores(plan, units, methods), told_apart(every)
    learn = np.array([[unit["learn"] for unit in one] for one in every]).transpose(0, 2, 1)
    found = Comparison(
        task=plan.data.task,
        methods=methods,
        estimators=tuple(e for e, good in zip(plan.estimators, usable) if good),
        sizes=plan.sizes,
        scoring=scoring,
        scores=scores[:, usable],
        kept=np.array([[unit["kept"] for unit in one] for one in every], dtype=np.int64).transpose(0, 2, 1),
        naive=_by_setting([unit["scores"] for unit in rows])[:, usable] if plan.naive else None,
        inner=None if inner is None else inner[:, usable],
        whole=np.array([unit["whole"] for unit in none], dtype=float).T[usable],
        chance=np.array([unit["chance"] for unit in none], dtype=float),
        orders=tuple(tuple(np.asarray(unit["order"], dtype=np.int64) for unit in one) for one in every),
        subsets={label: _subsets(one, plan.sizes) for label, one in zip(methods, every) if _any_subsets(one)},
        finals={label: _subsets([unit], plan.sizes)[0] for label, unit in zip(methods, rows) if _any_subsets([unit])},
        random={label: _random(one, usable) for label, one in zip(methods, every) if "random" in one[0]},
        selections={label: Selection.from_dict(dict(unit["selection"])) for label, unit in zip(methods, rows)},
        n_train=np.array([len(rows) for rows in plan.splits.train]),
        n_test=np.array([len(rows) for rows in plan.splits.test]),
        repeat=plan.splits.repeat,
        names=plan.data.names,
        failures=tuple(failures),
        seconds={"select": own, "shared": shared, "learn": learn[:, usable], "total": seconds},
        meta={**meta, "notes": [*meta.pop("remarks", ()), *_notes(units)]},
    )
    return _with_features(found, plan.data)


def _by_setting(scores: list[Any]) -> np.ndarray:
    """Return scores of methods, folds, estimators and sizes with the folds last."""
    return np.array(scores, dtype=float).transpose(0, 2, 3, 1)


def _with_features(found: Comparison, data: Data) -> Comparison:
    """Return the comparison with what all rows say about the features."""
    shown = _shown_features(found)
    chosen = np.unique(np.concatenate([order for folds in found.orders for order in folds]))
    return replace(
        found,
        related=_related(data, shown),
        portraits=tuple(_portrait(data, j) for j in shown),
        evidence=gather(data, chosen),
    )


def _usable_methods(plan: Plan, failures: list[Failure]) -> tuple[str, ...]:
    """Return the methods that did not fail; raise if there are none, or only such as look at no data."""
    methods = tuple(label for label in plan.methods if label not in {one.method for one in failures})
    if not methods:
        first = failures[0]
        raise InputError(f"Every method of the comparison failed, the first ({first.method}) because: {first.words}")
    if all(plan.methods[label].method_tags.baseline for label in methods) and failures:
        first = failures[0]
        raise InputError(
            f"Every method of the comparison but {', '.join(methods)}, which looks at no data, failed, the first "
            f"({first.method}) because: {first.words}"
        )
    return methods


def _failed_methods(plan: Plan, units: Units) -> list[Failure]:
    """Return the methods that failed on any fold, with the sentence of the first."""
    out = []
    for label in plan.methods:
        words = [units[label, f].get("error") for f in (*range(len(plan.splits)), ALL_ROWS) if (label, f) in units]
        said = [one for one in words if one is not None]
        if said:
            out.append(Failure(label, said[0]))
    return out


def _failed_estimators(plan: Plan, units: Units, methods: tuple[str, ...]) -> list[Failure]:
    """Return the estimators that failed on what some method chose."""
    out = []
    for label in methods:
        for name in plan.estimators:
            said = [units[label, f]["failures"].get(name) for f in range(len(plan.splits))]
            words = next((one for one in said if one is not None), None)
            if words is not None:
                out.append(Failure(label, words, name))
    return out


def _random(units: list[Mapping[str, Any]], usable: np.ndarray) -> np.ndarray:
    """Return the mean score over the folds of every random subset, by subset, estimator and size."""
    return np.array([unit["random"] for unit in units], dtype=float).mean(axis=0)[:, usable]


def _any_subsets(units: list[Mapping[str, Any]]) -> bool:
    return any("subsets" in unit for unit in units)


def _subsets(units: list[Mapping[str, Any]], sizes: tuple[int, ...]) -> tuple[tuple[np.ndarray, ...], ...]:
    """Return the features by fold and size; on folds where they happened to be nested they are prefixes."""
    out = []
    for unit in units:
        order = unit["order"]
        lists = unit.get("subsets") or [order[:k] for k in unit["kept"]]
        out.append(tuple(np.asarray(one, dtype=np.int64) for one in lists))
    return tuple(out)


def _notes(units: Units) -> list[str]:
    """Return what was warned of, each once, with the number of units in which it was."""
    heard: dict[str, int] = {}
    for unit in units.values():
        for words in unit.get("warnings", ()):
            heard[words] = heard.get(words, 0) + 1
    return [f"{words} ({times} times)" if times > 1 else words for words, times in sorted(heard.items())]


def _shown_features(found: Comparison) -> np.ndarray:
    """Return the features of the headline, then those most often chosen, at most so many that a page can show them."""
    order = figures.consensus_order(found)[0]
    first = np.asarray(found.best().features, dtype=np.int64)
    chosen = np.concatenate([first, order[~np.isin(order, first)]])[:MOST_SHOWN]
    # In the order of the consensus, so that the page does not depend on the headline.
    return np.concatenate([order[np.isin(order, chosen)], chosen[~np.isin(chosen, order)]])


def _related(data: Data, features: np.ndarray) -> dict[str, Any]:
    """Return how much the features tell about each other."""
    columns = [column_of(data, int(j)) for j in features]
    if data.nominal[features].any():
        levels = [levels_of(column, bool(data.nominal[j])) for column, j in zip(columns, features)]
        matrix = np.eye(len(features))
        for a in range(len(features)):
            for b in range(a):
                matrix[a, b] = matrix[b, a] = normalized_mutual_info_score(levels[a], levels[b])
        return {"features": features, "matrix": matrix, "measure": "symmetrical uncertainty of ten levels"}
    ranks = np.reshape([centred_ranks(column) for column in columns], (len(features), data.n_rows))
    spread = np.sqrt((ranks**2).sum(axis=1))
    spread[spread == 0] = np.inf
    matrix = np.abs(ranks @ ranks.T) / np.outer(spread, spread)
    np.fill_diagonal(matrix, 1.0)
    return {"features": features, "matrix": np.clip(matrix, 0, 1), "measure": "absolute rank correlation (Spearman)"}


def _portrait(data: Data, j: int) -> dict[str, Any]:
    """Return how a feature is distributed over the classes, or how the target depends on it."""
    column, nominal = column_of(data, int(j)), bool(data.nominal[j])
    here = ~np.isnan(column)
    out: dict[str, Any] = {"index": int(j), "name": data.names[j], "nominal": nominal, "missing": int((~here).sum())}
    if nominal:
        labels = [str(label) for label in data.view.labels[int(j)]]
        place, n = column[here].astype(np.int64), len(labels)
        out["labels"] = labels
    else:
        low, high = (float(column[here].min()), float(column[here].max())) if here.any() else (0.0, 1.0)
        edges = np.linspace(low, high if high > low else low + 1.0, N_INTERVALS + 1)
        place, n = np.clip(np.searchsorted(edges, column[here], side="right") - 1, 0, N_INTERVALS - 1), N_INTERVALS
        out["edges"] = edges.tolist()
    y = data.y[here]
    if data.task == "classification":
        out["classes"] = [str(label) for label in np.unique(data.y)]
        out["counts"] = [np.bincount(place[y == label], minlength=n).tolist() for label in np.unique(data.y)]
        return out
    rows = np.bincount(place, minlength=n)
    with np.errstate(invalid="ignore"):
        means = np.bincount(place, weights=y, minlength=n) / rows
        squares = np.bincount(place, weights=(y - means[place]) ** 2, minlength=n) / rows
    return {**out, "rows": rows.tolist(), "means": means.tolist(), "deviations": np.sqrt(squares).tolist()}
