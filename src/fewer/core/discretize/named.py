"""All discretizers by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from fewer.core.discretize.binning import EqualFrequency, EqualWidth, SigmaLevels
from fewer.core.discretize.cuts import Cuts
from fewer.core.discretize.discretizer import Discretizer, LocalData
from fewer.core.discretize.greedy_cuts import GreedyDiscretizer
from fewer.core.discretize.mdl import MDLDiscretizer
from fewer.core.discretize.mixtures import FoundLevels, MixtureLevels, Mixtures, fit_mixtures
from fewer.core.discretize.user_edges import UserEdges
from fewer.core.records.errors import InputError, ParameterError, closest

__all__ = [
    "Cuts",
    "Discretizer",
    "EqualFrequency",
    "EqualWidth",
    "ForeignDiscretizer",
    "FoundLevels",
    "GreedyDiscretizer",
    "LocalData",
    "MDLDiscretizer",
    "MixtureLevels",
    "Mixtures",
    "SigmaLevels",
    "UserEdges",
    "as_discretizer",
    "fit_mixtures",
]

NAMED: dict[str, Callable[[int], Discretizer]] = {
    "quantile": lambda bins: EqualFrequency(bins),
    "uniform": lambda bins: EqualWidth(bins),
    "mdl": lambda bins: MDLDiscretizer(),
    "sigma": lambda bins: SigmaLevels(),
    "mixture": lambda bins: MixtureLevels(),
    "relief": lambda bins: GreedyDiscretizer(max_bins=bins),
}


class ForeignDiscretizer:
    """A transformer of another library, whose output is taken as level numbers.

    Parameters
    ----------
    transformer : object
        Has `fit` and `transform` and returns one column of whole numbers from 0 on per feature. A copy is fitted.
    """

    def __init__(self, transformer: Any) -> None:
        self.transformer = transformer

    def codes(self, data: Any) -> np.ndarray:
        """Return the level numbers of all rows in memory, (n_rows, n_features), int64; all columns are numeric."""
        block = data.whole()
        given = (block.X, block.y) if takes_target(self.transformer) else (block.X,)
        made = clone(self.transformer, safe=False).fit(*given).transform(block.X)
        made = made.toarray() if sparse.issparse(made) else np.asarray(made)
        name = type(self.transformer).__name__
        if made.shape != block.X.shape:
            raise InputError(
                f"The discretizer {name} made {made.shape[1] if made.ndim == 2 else made.ndim} columns of "
                f"{block.X.shape[1]} features, but one column of level numbers per feature is needed; "
                "set encode='ordinal' or the like."
            )
        if made.dtype.kind not in "iufb" or not np.all((made >= 0) & (made == np.floor(made)) & (made <= 65535)):
            raise InputError(
                f"The discretizer {name} made values that are not whole numbers from 0 to 65535; use one that returns "
                "level numbers, or impute missing values first."
            )
        return made.astype(np.int64)


def takes_target(transformer: Any) -> bool:
    """Return whether the method `fit` of a transformer can be given a target."""
    try:
        taken = inspect.signature(transformer.fit).parameters.values()
    except (TypeError, ValueError):
        return True
    return len(taken) > 1 or any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in taken)


def as_discretizer(spec: Any, bins: int = 10) -> Discretizer | ForeignDiscretizer:
    """Return the discretizer that a parameter ``discretizer`` means.

    Parameters
    ----------
    spec : str or object
        "quantile", "uniform", "mdl", "sigma", "mixture", "relief", one of the discretizers here (anything with a method
        `cuts`), or a transformer of another library.
    bins : int, default=10
        Number of levels for "quantile" and "uniform", at most for "relief".

    Returns
    -------
    discretizer : object
        Has a method ``cuts(data)``, or ``codes(data)`` if it is foreign.
    """
    if isinstance(spec, str) and spec in NAMED:
        return NAMED[spec](bins)
    if not isinstance(spec, (str, type)):
        if callable(getattr(spec, "cuts", None)):
            return spec
        if hasattr(spec, "fit") and hasattr(spec, "transform"):
            return ForeignDiscretizer(spec)
    hint = closest(spec, NAMED) if isinstance(spec, str) else ""
    raise ParameterError(
        f"The parameter discretizer is {spec!r}, but allowed are {', '.join(map(repr, NAMED))} or a transformer; "
        f"choose one of them.{hint}"
    )
