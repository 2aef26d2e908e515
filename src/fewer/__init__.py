"""fewer: feature selection in one library.

Which features matter, which are redundant and why, how sure we are.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"

_FUNCTIONS = {
    "select": "fewer.api",
    "rank": "fewer.api",
    "compare": "fewer.evaluate.compare",
    "catalog": "fewer.api",
    "get": "fewer.api",
    "use": "fewer.api",
    "open_table": "fewer.io",
    "Selection": "fewer.results",
    "Comparison": "fewer.evaluate.comparison",
    "Selector": "fewer.methods.compose",
    "Chain": "fewer.methods.compose",
}

_MODULES = (
    "api",
    "criteria",
    "discretize",
    "evaluate",
    "io",
    "measures",
    "registry",
    "results",
    "search",
    "stop",
    "synth",
)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    if name in _MODULES:
        return import_module(f"fewer.{name}")
    from fewer import registry

    if name in registry._BY_NAME:
        return registry.load(name)
    from fewer.core.records.errors import closest

    hint = "" if name.startswith("_") else closest(name, [*_FUNCTIONS, *registry._BY_NAME])
    raise AttributeError(f"module 'fewer' has no attribute {name!r}.{hint}")


def __dir__() -> list[str]:
    from fewer import registry

    return sorted({*globals(), *_FUNCTIONS, *_MODULES, *registry._BY_NAME})
