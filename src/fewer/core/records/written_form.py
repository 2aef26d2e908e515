"""What a written selection or comparison must look like: files come from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


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
    _need(_features(reasons["kind"], 2**8), "the kinds of its reasons are no small whole numbers")
    _need(data["names"] is None or _texts(data["names"]), "its names are no texts")
    _need(isinstance(data["meta"], dict), "its meta are no named facts")
    _need(isinstance(reasons["rule"], str) and _texts(reasons["note"].values()), "what its reasons say is no text")
    _need(np.ndim(reasons.get("above", False)) < 2, "its bounds are no numbers")
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
    for order in (order for one in data["orders"] for order in one):
        _need(_features(order, n), "it chose features that are not there")
    for one in data["selections"].values():
        _need(len(one["reasons"]["kind"]) == n, "a selection is of other features")


def _features(given: Any, n: int) -> bool:
    """Return whether a list holds numbers from 0 to n - 1 only."""
    return isinstance(given, list) and all(type(one) is int and 0 <= one < n for one in given)


def _texts(given: Iterable[Any]) -> bool:
    return all(isinstance(one, str) for one in given)


def _need(holds: bool, words: str) -> None:
    if not holds:
        raise ValueError(words)
