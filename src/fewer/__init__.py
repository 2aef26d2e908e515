"""fewer: feature selection in one library.

Which features matter, which are redundant and why, how sure we are.
"""

from __future__ import annotations

from typing import Any

from fewer import registry
from fewer._version import __version__
from fewer.core.records.attached import ATTACHED

__all__ = ["__version__", "registry"]

ATTACHED["plot"] = lambda selection: registry.part("fewer.report.plots", "Plots")(selection)


def __getattr__(name: str) -> Any:
    return registry.public(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *registry.public_names()})
