"""Small pieces of HTML that notebooks show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape


def facts_html(sentence: str, facts: Mapping[str, str]) -> str:
    """Return a sentence and a table of facts, those without words left out."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(words)}</td></tr>"
        for name, words in facts.items()
        if words
    )
    return f"<p>{escape(sentence)}</p>" + (f"<table>{rows}</table>" if rows else "")


def table_html(sentence: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a sentence and a table."""
    head = "".join(f"<th>{escape(h)}</th>" for h in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<p>{escape(sentence)}</p><table><tr>{head}</tr>{body}</table>"
