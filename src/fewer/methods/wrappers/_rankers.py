"""Any ranker as a part: by name or as a selector, and the order in which it puts features."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone

from fewer import registry
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.records.result import Selection
from fewer.core.search import Units
from fewer.core.views.view import View


def check_ranker(name: str, ranker: Any) -> None:
    """Raise unless something can rank features."""
    if isinstance(ranker, str):
        registry.load_selector(ranker)
    elif not (hasattr(ranker, "fit") and hasattr(ranker, "get_params")) or isinstance(ranker, type):
        raise ParameterError(
            f"{name} got ranker={ranker!r}, but takes the name of a method or a selector; pass for example 'JMI' or "
            "fewer.ReliefF()."
        )


def sized(ranker: Any, most: int) -> Any:
    """Return a copy of a ranker that ranks so many features; a rule that it has in place of a number stays."""
    if isinstance(ranker, str):
        return registry.load_selector(ranker)(n_features_to_select=most)
    made = clone(ranker)
    return made.set_params(n_features_to_select=most) if _counts(made) else made


def ranked(ranker: Any, data: View) -> Selection:
    """Fit a ranker to data and return its selection."""
    if not hasattr(ranker, "fit_view"):
        raise RequirementError(
            f"{type(ranker).__name__} was given as ranker, but says no order of the features (selection_); pass a "
            "selector of this library."
        )
    return ranker.fit_view(replace(data, groups=None, fit_params={})).selection_


def order_of(ranker: Any, selection: Selection, most: int) -> np.ndarray:
    """Return the features in order, best first: as many as asked for, or those that its own rule keeps."""
    return (selection.order if _counts(ranker) else selection.indices)[:most]


def unit_order(order: Iterable[int], units: Units) -> tuple[int, ...]:
    """Return the units that may move in the order of their best feature."""
    unit = {j: u for u, group in enumerate(units.groups) for j in group}
    return tuple(dict.fromkeys(unit[j] for j in map(int, order) if j in unit))


def _counts(ranker: Any) -> bool:
    """Return whether a ranker was given a number, or none, rather than a rule of its own."""
    params = ranker.get_params(deep=False)
    size = params.get("n_features_to_select", "")
    return size is None or isinstance(size, Integral)
