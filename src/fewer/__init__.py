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
    "use": "fewer.core.runners.context",
    "open_table": "fewer.core.views.table",
    "Selection": "fewer.core.base.result",
    "Comparison": "fewer.evaluate.comparison",
    "Selector": "fewer.methods.compose",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    if name in ("synth", "registry", "api"):
        return import_module(f"fewer.{name}")
    from fewer import registry

    if name in registry._BY_NAME:
        return registry.load(name)
    from fewer.core.base.errors import closest

    hint = "" if name.startswith("_") else closest(name, [*_FUNCTIONS, *registry._BY_NAME])
    raise AttributeError(f"module 'fewer' has no attribute {name!r}.{hint}")


def __dir__() -> list[str]:
    from fewer import registry

    return sorted({*globals(), *_FUNCTIONS, *registry._BY_NAME, "synth"})
