"""What hangs on results from above, such as plots: told here by the package, so that records know no report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ATTACHED: dict[str, Callable[[Any], Any]] = {}
