"""A discretizer that is told its edges."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.discretize.cuts import Cuts
from fewer.core.discretize.discretizer import Discretizer
from fewer.core.records.errors import ParameterError, closest


class UserEdges(Discretizer):
    """Cut features at given edges.

    Parameters
    ----------
    edges : list or dict
        Edges for all features, or for each feature, by name or number; features not named have one level.
        A value equal to an edge belongs to the level left of it.

    Attributes
    ----------
    cuts_ : Cuts
        Edges and levels of every feature.

    Examples
    --------
    >>> UserEdges([0.0, 1.0]).fit_transform([[-1.0], [0.0], [0.5], [2.0]]).ravel().tolist()
    [0, 0, 1, 2]
    """

    _parameter_constraints: dict = {"edges": [dict, "array-like"]}

    def __init__(self, edges: Any = ()) -> None:
        self.edges = edges

    def _learn(self, data: Any) -> Cuts:
        d, names = data.n_features, getattr(data, "names", None)
        if isinstance(self.edges, Mapping):
            lists: list[np.ndarray] = [np.empty(0)] * d
            for feature, edges in self.edges.items():
                lists[_number(feature, d, names)] = _ascending(edges, f"feature {feature!r}")
        else:
            lists = [_ascending(self.edges, "all features")] * d
        return Cuts.from_lists([np.empty(0) if skip else one for one, skip in zip(lists, data.nominal)])


def _ascending(edges: Any, where: str) -> np.ndarray:
    """Return edges as an array after checking them."""
    edges = np.asarray(edges, dtype=np.float64)
    if edges.ndim != 1 or not np.isfinite(edges).all() or np.any(np.diff(edges) <= 0):
        raise ParameterError(
            f"UserEdges got edges={edges.tolist()} for {where}, but edges are a list of finite numbers, "
            "each larger than the one before; sort them and leave out repeats."
        )
    return edges


def _number(feature: Any, n_features: int, names: tuple[str, ...] | None) -> int:
    """Return the number of a feature given by name or number."""
    if isinstance(feature, Integral) and 0 <= int(feature) < n_features:
        return int(feature)
    if names is not None and feature in names:
        return list(names).index(feature)
    hint = closest(feature, names) if isinstance(feature, str) and names is not None else ""
    raise ParameterError(
        f"UserEdges got edges for feature {feature!r}, but X has {n_features} features"
        f"{'' if names is not None else ' without names'}; use a name of X or a number from 0 to "
        f"{n_features - 1}.{hint}"
    )
