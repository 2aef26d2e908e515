"""The methods, the public names, and the one lazy importer.

The CLI, the docs and the checks read it; importing it imports no method. Methods of other packages are looked for when
all methods are listed, and when a name is asked for that is not in the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fewer import plugged
from fewer.core.records.errors import ParameterError, closest
from fewer.dispatch import CONTRACTS, Contract
from fewer.method_table import METHOD_TABLE


@dataclass(frozen=True, slots=True)
class Entry:
    """One method: where it lives, what it offers, what it is made of, what it is for, and where it comes from."""

    name: str
    module: str
    family: str
    contract: str
    shape: str
    task: str
    source: str

    @property
    def offers(self) -> Contract:
        """What its contract offers."""
        return CONTRACTS[self.contract]


# Shapes of criteria.
SHAPES = ("ranking", "stepwise", "subset", "weights")


def _read(family: str, name: str, module: str, words: str, task: str, source: str) -> Entry:
    contract = next((word for word in words.split() if word in CONTRACTS), "selector")
    shape = next((word for word in words.split() if word in SHAPES), "none")
    return Entry(name, f"fewer.methods.{family}.{module}".rstrip("."), family, contract, shape, task, source)


METHODS = tuple(_read(family, *row) for family, rows in METHOD_TABLE.items() for row in rows)
FAMILIES = tuple(METHOD_TABLE)
_BY_NAME = {entry.name: entry for entry in METHODS}


def entry(name: str) -> Entry:
    """Return the entry of a method, by its name in any case."""
    name = str(name)
    found = _BY_NAME.get(name) or next((e for e in METHODS if e.name.lower() == name.lower()), None) or _plugged(name)
    if found is None:
        known = [*_BY_NAME, *_points()]
        raise ParameterError(
            f"There is no method named {name!r}; 'fewer methods' and fewer.catalog() list all {len(known)}."
            f"{closest(name, known)}"
        )
    return found


def listed() -> tuple[Entry, ...]:
    """Return all methods: those of this library, and after them those of other packages, which it imports."""
    found = (plugged.usable(point) for point in _points().values())
    return (*METHODS, *(Entry(*facts) for facts in found if facts is not None))


def _points() -> dict[str, Any]:
    return plugged.points({*FUNCTIONS, *MODULES, *_BY_NAME})


def _plugged(name: str) -> Entry | None:
    """Return the entry of a method of another package, by its name in any case; None if no package has one."""
    point = next((point for known, point in _points().items() if known.lower() == name.lower()), None)
    return None if point is None else Entry(*plugged.facts(point))


def part(module: str, name: str) -> Any:
    """Import a module and return one of its names: for what stands above the caller, and for what is loaded late."""
    return getattr(import_module(module), name)


def load(name: str) -> Any:
    """Import and return the class of a method."""
    found = entry(name)
    return part(found.module, found.name)


def load_selector(name: str) -> Any:
    """Import and return the class of a method that selects features."""
    found = entry(name)
    if not found.offers.selects:
        raise ParameterError(
            f"{found.name} {found.offers.words} and selects no features; use it before or after a selector, and "
            "choose one here, such as RankOrderElimination."
        )
    return load(name)


# Names of the package beside the methods, and where each lives.
FUNCTIONS = {
    "select": "fewer.api",
    "rank": "fewer.api",
    "compare": "fewer.evaluate.compare",
    "compare_without_target": "fewer.evaluate.without_target",
    "catalog": "fewer.api",
    "get": "fewer.api",
    "use": "fewer.api",
    "open_table": "fewer.io",
    "Pairs": "fewer.io",
    "Selection": "fewer.results",
    "Comparison": "fewer.evaluate.comparison",
    "HalfComparison": "fewer.evaluate.half_comparison",
    "Selector": "fewer.methods.compose",
    "Chain": "fewer.methods.compose",
    "Constrained": "fewer.methods.constrained",
    "AcrossTargets": "fewer.methods.across_targets",
}
MODULES = (
    "api",
    "criteria",
    "discretize",
    "evaluate",
    "export",
    "independence",
    "io",
    "measures",
    "plugins",
    "results",
    "search",
    "stop",
    "synth",
)


def public_names() -> set[str]:
    """Return every name that `fewer` offers."""
    return {*FUNCTIONS, *MODULES, *_BY_NAME}


def public(name: str) -> Any:
    """Import and return a public name of `fewer`."""
    if name in FUNCTIONS:
        return part(FUNCTIONS[name], name)
    if name in MODULES:
        return import_module(f"fewer.{name}")
    if name in _BY_NAME:
        return load(name)
    if not name.startswith("_") and name in _points():
        return load(name)
    hint = "" if name.startswith("_") else closest(name, [*FUNCTIONS, *_BY_NAME])
    raise AttributeError(f"module 'fewer' has no attribute {name!r}.{hint}")
