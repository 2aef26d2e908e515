"""What common checks need to know of the small filters."""

from __future__ import annotations

TABLES = {"InformationValue": {"weights of evidence": "rows"}}
