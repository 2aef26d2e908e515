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
ATTACHED["point_plot"] = lambda given: registry.part("fewer.report.point_plot", "weights")(*given)
ATTACHED["point_report"] = lambda given: registry.part("fewer.report.point_page", "write")(*given)


def __getattr__(name: str) -> Any:
    return registry.public(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *registry.public_names()})
