"""The methods, the public names, and the one lazy importer.

The CLI, the docs and the checks read it; importing it imports no method.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

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
    found = _BY_NAME.get(name) or next((e for e in METHODS if e.name.lower() == name.lower()), None)
    if found is None:
        raise ParameterError(
            f"There is no method named {name!r}; 'fewer methods' and fewer.catalog() list all {len(METHODS)}."
            f"{closest(name, _BY_NAME)}"
        )
    return found


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
    "independence",
    "io",
    "measures",
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
    hint = "" if name.startswith("_") else closest(name, [*FUNCTIONS, *_BY_NAME])
    raise AttributeError(f"module 'fewer' has no attribute {name!r}.{hint}")
