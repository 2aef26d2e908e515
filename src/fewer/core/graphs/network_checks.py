"""What is no network, and what cannot be asked of one, in one sentence each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, closest

# What probabilities of one line may lack to 1, by rounding in a file.
ROUNDING = 1e-6


def read_nodes(nodes: Any) -> list[tuple[str, list[int], np.ndarray]]:
    """Return of every node its name, the numbers of its parents and its table, as they were given."""
    if not isinstance(nodes, Mapping) or not nodes:
        raise InputError(
            f"A network got {type(nodes).__name__} of {len(nodes) if isinstance(nodes, Mapping) else 'no'} nodes, but "
            "is made of a mapping of names to (parents, table); give at least one node."
        )
    names = list(nodes)
    return [(name, *_node(name, given, names)) for name, given in nodes.items()]


def _node(name: Any, given: Any, names: list[str]) -> tuple[list[int], np.ndarray]:
    if not isinstance(name, str):
        raise InputError(f"A network got the name {name!r} of a node, but names are text; choose such a name.")
    if not isinstance(given, (tuple, list)) or len(given) != 2 or isinstance(given[0], str):
        raise InputError(
            f"A network got {_short(given)} for {name!r}, but takes a pair of parents and table; give for instance "
            "((), [0.5, 0.5]) or (('a', 'b'), table)."
        )
    parents, table = list(given[0]), given[1]
    unknown = [p for p in parents if p not in names]
    if unknown:
        raise InputError(
            f"A network got the parent {unknown[0]!r} of {name!r}, but has nodes {', '.join(names)}; name one "
            f"of them.{closest(str(unknown[0]), names)}"
        )
    wrong = [p for p in parents if p == name or parents.count(p) > 1]
    if wrong:
        raise InputError(
            f"A network got the parents {', '.join(parents)} of {name!r}, but parents are other nodes, each once; "
            f"leave out {wrong[0]!r}."
        )
    values = read_numbers(name, table)
    if values.ndim != len(parents) + 1:
        raise InputError(
            f"A network got a table of {values.ndim} axes for {name!r}, but it has {len(parents)} parents; give "
            "one axis for each, and one for its own levels."
        )
    return [names.index(p) for p in parents], values


def read_numbers(name: str, table: Any) -> np.ndarray:
    """Return a table as numbers."""
    try:
        return np.array(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"A network got {_short(table)} as the table of {name!r}, but needs numbers in lines of equal length; "
            "correct it."
        ) from error


def refuse_cycle(names: Sequence[str], parents: Sequence[Sequence[int]]) -> None:
    """Raise if nodes lead back to themselves."""
    left = set(range(len(names)))
    while free := {node for node in left if not left.intersection(parents[node])}:
        left -= free
    if left:
        some = [names[node] for node in sorted(left)]
        raise InputError(
            f"A network got a cycle among {', '.join(some[:10])}, but no node leads back to itself; turn or drop an "
            "edge."
        )


def check_table(name: str, table: np.ndarray, shape: tuple[int, ...]) -> None:
    """Raise unless a table has a shape and holds probabilities that add up to 1 along its last axis."""
    if table.shape != shape or 0 in shape:
        raise InputError(
            f"A network got a table of shape {table.shape} for {name!r}, but needs the shape {shape}, the levels of "
            "its parents and at least one of its own; correct it."
        )
    bad = table[~(np.isfinite(table) & (table >= 0))]
    if bad.size:
        raise InputError(
            f"A network got {bad[0]:g} in the table of {name!r}, but probabilities are finite and not negative; "
            "correct it."
        )
    sums = table.sum(axis=-1)
    off = sums[np.abs(sums - 1.0) > ROUNDING]
    if off.size:
        raise InputError(
            f"A network got probabilities of {name!r} that sum to {off[0]:g}, but they must add up to 1 along the last "
            "axis; correct them."
        )


def check_level(name: str, level: Any, n_levels: int) -> int:
    """Return the level of a node, or raise; a negative number would count from the end."""
    if not isinstance(level, (Integral, np.bool_)) or not 0 <= int(level) < n_levels:
        raise InputError(
            f"A network was asked about level {level!r} of {name!r}, but it has levels 0 to {n_levels - 1}; choose one."
        )
    return int(level)


def check_wanted(names: Sequence[str], wanted: Sequence[int]) -> None:
    """Raise unless some nodes are asked for, each once."""
    twice = [names[node] for node in wanted if wanted.count(node) > 1]
    if twice or not wanted:
        what = f"{twice[0]!r} twice" if twice else "no node"
        raise InputError(f"A network was asked about {what}, but returns one axis for each node; name some, each once.")


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 60 else text[:57] + "..."
