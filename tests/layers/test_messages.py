"""Refusals say in one sentence what was given, what is allowed, and, after a semicolon, what to do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "fewer"
# What repeats the sentence of another error, or never reaches a user.
WITHOUT_ADVICE = {
    "cli/warm.py",
    "core/records/journal.py",
    "core/search/evaluations.py",
    "core/stop/parse.py",
    "evaluate/assemble.py",
    "evaluate/protocols.py",
    "registry.py",
}


def raised(path: Path) -> list[tuple[int, str, str]]:
    """Return line, class and text of every error that is raised with a text; {} stands for what is filled in."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            given = node.exc.args[0]
            parts = given.values if isinstance(given, ast.JoinedStr) else [given]
            if all(isinstance(part, (ast.Constant, ast.FormattedValue)) for part in parts):
                text = "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in parts)
                kind = node.exc.func
                found.append((node.lineno, kind.id if isinstance(kind, ast.Name) else kind.attr, text))
    return found


@pytest.mark.parametrize("path", sorted(SRC.rglob("*.py")), ids=lambda p: str(p.relative_to(SRC)))
def test_refusals_say_what_to_do(path):
    for line, kind, text in raised(path):
        if kind.endswith("Error") and kind not in ("AttributeError", "NotImplementedError", "KeyError"):
            if path.relative_to(SRC).as_posix() in WITHOUT_ADVICE:
                continue
            assert ";" in text, (line, text)
            assert not text.endswith("!"), (line, text)
