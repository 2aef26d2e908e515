"""What the common checks must know of single methods: a file per group of methods, found and changed alone.

A file holds any of the tables below; lists of one key are put together, records of one key are joined.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

# Of tests/common/test_parameters.py: SHARED, HOMONYMS, OWN_TYPES, OWN_TEXTS, DEFAULTS, OWN_DEFAULTS.
# Of tests/common/cases.py: QUICK, SPECIAL, NOT_ROWS, TOGETHER. Of tests/common/test_results.py: TABLES.
_FILES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")
_PARTS = [import_module(f"common.tables.{name}") for name in _FILES]


def joined(table: str, here: dict[str, Any]) -> dict[str, Any]:
    """Return a table of the checks with the lines of all files."""
    for part in _PARTS:
        for key, value in getattr(part, table, {}).items():
            if key not in here:
                here[key] = value
            elif isinstance(value, dict):
                here[key] = {**here[key], **value}
            else:
                here[key] = [*here[key], *value]
    return here
