"""Any ranker as a part: by name or as a selector, and the order in which it puts features."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fewer import registry
from fewer.core.estimators.whole_methods import order_of as order_of
from fewer.core.estimators.whole_methods import ranked as ranked
from fewer.core.estimators.whole_methods import resized
from fewer.core.records.errors import ParameterError
from fewer.core.search import Units


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
    return resized(ranker, most)


def unit_order(order: Iterable[int], units: Units) -> tuple[int, ...]:
    """Return the units that may move in the order of their best feature."""
    unit = {j: u for u, group in enumerate(units.groups) for j in group}
    return tuple(dict.fromkeys(unit[j] for j in map(int, order) if j in unit))
