"""The width of output must not depend on who runs the tests."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_width(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
