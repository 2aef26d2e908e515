"""All made data sets: 25 that are messy, and 15 in which nothing may be flagged."""

from __future__ import annotations

from real_life import clean_numbers, clean_strong, messy_columns, messy_files, messy_targets

MESSY = (*messy_columns.CASES, *messy_targets.CASES, *messy_files.CASES)
CLEAN = (*clean_numbers.CASES, *clean_strong.CASES)
CASES = {case.name: case for case in (*MESSY, *CLEAN)}


def on(runner: str) -> list[str]:
    """Return the names of the data sets that suit a runner."""
    return [name for name, case in CASES.items() if runner in case.runners]
