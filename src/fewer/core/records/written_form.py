"""What a written selection or comparison must look like: files come from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

import numpy as np

# Of reasons: kept, irrelevant, redundant, not reached.
N_KINDS = 4
# Facts that are shown by name, and the form they are written in.
_FACTS: dict[type, tuple[str, ...]] = {
    dict: ("data", "versions", "parameters", "models", "summaries", "families"),
    list: ("notes", "findings"),
    str: ("method",),
}


def check_selection(data: Mapping[str, Any]) -> None:
    """Raise ValueError where plain values are of another form than a selection writes.

    Parameters
    ----------
    data : mapping
        What `Selection.to_dict` would have returned.
    """
    reasons, n = data["reasons"], len(data["reasons"]["kind"])
    for name in ("indices", "order"):
        _need(_features(data[name], n), f"{name} are no numbers of its {n} features")
        _need(len(set(data[name])) == len(data[name]), f"{name} name a feature twice")
    _need(_features(reasons["kind"], N_KINDS), f"the kinds of its reasons are not from 0 to {N_KINDS - 1}")
    _need(data["names"] is None or _texts(data["names"]), "its names are no texts")
    _need(isinstance(data["meta"], dict), "its meta are no named facts")
    _need(isinstance(reasons["rule"], str) and _texts(reasons["note"].values()), "what its reasons say is no text")
    _need(np.shape(reasons.get("above", False)) in ((), (n,)), "its bounds are not one per feature")
    _check_meta(data["meta"])
    for need in reasons.get("needs", ()):
        _need(all(isinstance(need[key], str) for key in ("quantity", "how") if key in need), "a need has no words")
    _need(all(_features(to, n) for to in reasons["related"].values()), "its reasons name features that are not there")
    for step in data["trace"]:
        _need(_features(step["added"], n) and _features(step["removed"], n), "its steps name strange features")


def check_comparison(data: Mapping[str, Any]) -> None:
    """Raise ValueError where plain values are of another form than a comparison writes.

    Parameters
    ----------
    data : mapping
        What `Comparison.to_dict` would have returned.
    """
    lengths = {"methods": data["methods"], "estimators": data["estimators"]}
    _need(all(isinstance(one, list) and _texts(one) for one in lengths.values()), "its axes have no names")
    _need(isinstance(data["names"], list) and _texts(data["names"]), "its names are no texts")
    _need(isinstance(data["meta"], dict), "its meta are no named facts")
    _need(isinstance(data["scoring"], str), "its score has no name")
    n, folds = len(data["names"]), len(data["n_test"])
    _need(_features(data["sizes"], 2**62) and _features(data["n_test"], 2**62), "its sizes are no whole numbers")
    shape = (len(data["methods"]), len(data["estimators"]), len(data["sizes"]), folds)
    for name, axes in {
        "scores": shape,
        "naive": shape,
        "inner": shape,
        "whole": shape[1::2],
        "chance": shape[3:],
    }.items():
        given = data.get(name)
        _need(given is None or np.shape(given) == axes, f"its {name} are not of shape {axes}")
    for name in ("n_train", "repeat"):
        _need(np.shape(data[name]) == (folds,), f"{name} has not one number per fold")
    _need(set(data["methods"]) <= set(data["selections"]), "a method has no selection")
    _need(np.shape(data["kept"]) == (shape[0], *shape[2:]), "kept has not one number per method, size and fold")
    _check_orders(data, n, shape[2], folds)
    for one in data["selections"].values():
        _need(len(one["reasons"]["kind"]) == n, "a selection is of other features")
    _check_meta(data["meta"])
    _need(data["meta"].get("score") is None or isinstance(data["meta"]["score"], str), "its score is no text")
    _check_seconds(data.get("seconds", {}), shape[0], folds)
    related = data.get("related")
    if related:
        width = len(related["features"])
        _need(_features(related["features"], n), "it relates features that are not there")
        # Without a feature there is no row, and so no width.
        _need(np.shape(related["matrix"])[:2] == (width, width)[: 2 if width else 1], "its relations are no square")
    _check_evidence(data.get("evidence", {}), n)
    for portrait in data["portraits"]:
        _check_portrait(portrait, n)


def _check_orders(data: Mapping[str, Any], n: int, sizes: int, folds: int) -> None:
    for name, orders in zip(data["methods"], data["orders"], strict=True):
        _need(name in data["subsets"] or len(orders) == folds, "a method has no order for some fold")
        _need(all(_features(order, n) for order in orders), "it chose features that are not there")
    for folds_of in data["subsets"].values():
        _need([len(one) for one in folds_of] == [sizes] * folds, "a method has no subset for some size")
        _need(all(_features(one, n) for fold in folds_of for one in fold), "it chose features that are not there")


def _check_meta(meta: Mapping[str, Any]) -> None:
    """Raise unless the facts that are shown by name, as far as there are any, are of the form they are written in."""
    for kind, names in _FACTS.items():
        for name in names:
            _need(isinstance(meta.get(name, kind()), kind), f"its {name} are no {kind.__name__}")
    data = meta.get("data", {})
    _need(isinstance(data.get("notes", []), list), "its notes are no list")
    classes = data.get("classes")
    _check_findings(meta)
    _need(not isinstance(classes, dict) or _features([*classes.values()], 2**62), "its classes have no numbers of rows")


def _check_findings(meta: Mapping[str, Any]) -> None:
    for one in meta.get("findings", ()):
        _need(isinstance(one, dict) and type(one["left_out"]) is bool, "a finding does not say what it did")
        # -1 is what concerns no single feature.
        _need(type(one["number"]) is int and one["number"] >= -1, "a finding is about no feature")
        _need(_texts([one["feature"], one["kind"], one["words"]]), "a finding has no words")
        _need(isinstance(one.get("related", []), list) and _texts(one.get("related", [])), "a finding has no relations")
    without = meta.get("without_leaks")
    if isinstance(without, dict):
        _need(isinstance(without.get("kept", []), list), "what it keeps without leaks is no list")
        score = without.get("score")
        _need(score is None or _numbers([score]), "its score without leaks is no number")


def _check_seconds(given: Mapping[str, Any], methods: int, folds: int) -> None:
    total = given.get("total")
    _need(total is None or _numbers([total]), "its seconds are no number")
    for name, axes in {"select": (methods, folds), "learn": (methods, folds), "shared": (folds,)}.items():
        found = np.shape(given.get(name, np.zeros(axes)))
        # Learning is measured for every estimator, or for every size, too: an axis between.
        _need(tuple(found[:1] + found[1:][-1:]) == axes, f"its seconds to {name} are not of shape {axes}")


def _check_evidence(given: Mapping[str, Any], n: int) -> None:
    for name in ("alone", "pvalue"):
        _need(name not in given or np.shape(given[name]) == (n,), f"{name} has not one number per feature")
    _need(_features(given.get("constant", []), n), "its constant features are not there")
    for name, width in (("copies", 2), ("twins", 3)):
        for one in given.get(name, ()):
            _need(isinstance(one, list) and len(one) == width and _numbers(one), f"its {name} are no rows of {width}")
            _need(_features(one[:2], n), f"its {name} name features that are not there")


def _check_portrait(given: Mapping[str, Any], n: int) -> None:
    """Raise unless the picture of one feature has a number for every interval or level, of every class."""
    _need(_features([given["index"]], n) and isinstance(given["name"], str), "a picture shows no feature")
    _need(_features([given["missing"]], 2**62), "a picture has no number of missing rows")
    _need(isinstance(given["nominal"], bool), "a picture does not say whether its feature is nominal")
    if given["nominal"]:
        _need(isinstance(given["labels"], list) and _texts(given["labels"]), "the levels of a picture have no names")
        places = len(given["labels"])
    else:
        _need(isinstance(given["edges"], list) and _numbers(given["edges"]), "the edges of a picture are no numbers")
        places = len(given["edges"]) - 1
    if "counts" in given:
        _need(isinstance(given["classes"], list) and _texts(given["classes"]), "the classes of a picture have no names")
        rows = given["counts"]
        _need(len(rows) == len(given["classes"]) and places > 0, "a picture has not one row per class")
    else:
        rows = [given[name] for name in ("rows", "means", "deviations")]
    for row in rows:
        _need(isinstance(row, list) and len(row) == places, "a picture has not one number per place")
        # Only the mean and the deviation of no rows are missing.
        _need(not ("counts" in given or row is given["rows"]) or None not in row, "a picture lacks a number of rows")
        _need(all(one is None or _numbers([one]) for one in row), "a picture holds what is no number")


def _numbers(given: Iterable[Any]) -> bool:
    # Whole numbers that are larger cannot become a float; NaN is written as null, infinity as a text.
    return all((type(one) is float and isfinite(one)) or (type(one) is int and abs(one) < 2**1000) for one in given)


def _features(given: Any, n: int) -> bool:
    """Return whether a list holds numbers from 0 to n - 1 only."""
    return isinstance(given, list) and all(type(one) is int and 0 <= one < n for one in given)


def _texts(given: Iterable[Any]) -> bool:
    return all(isinstance(one, str) for one in given)


def _need(holds: bool, words: str) -> None:
    if not holds:
        raise ValueError(words)
