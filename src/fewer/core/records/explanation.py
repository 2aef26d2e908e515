"""Explanation: the table that answers why each feature was kept or dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import Reason
from fewer.core.records.terminal_text import printable

if TYPE_CHECKING:
    from fewer.core.records.result import Selection


@dataclass(frozen=True)
class Explanation:
    """The table behind `Selection.explain`; prints itself as text, rich table or HTML."""

    selection: Selection
    most: int = 60

    def __getitem__(self, feature: int | str) -> Reason:
        return self.selection.reason(feature)

    def to_frame(self, library: str = "pandas") -> Any:
        """Return a pandas or polars data frame."""
        return self.selection.to_frame(library)

    def rows(self, most: int | None = None) -> tuple[list[str], list[list[str]], int]:
        """Return headings, rows as text, and how many rows were left out."""
        table = self.selection.table()
        n_rows = len(table["feature"])
        shown = n_rows if most is None else min(most, n_rows)
        heads = [h for h in table if h != "index"]
        rows = [[_cell(table[h][i]) for h in heads] for i in range(shown)]
        return heads, rows, n_rows - shown

    def __str__(self) -> str:
        heads, rows, left = self.rows(self.most)
        widths = [max([len(h), *(len(r[i]) for r in rows)]) for i, h in enumerate(heads)]
        lines = ["  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in [heads, *rows]]
        lines = [printable(line) for line in lines]
        if left:
            lines.append(f"... and {left} more")
        return "\n".join(lines)

    __repr__ = __str__

    def __rich__(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        heads, rows, left = self.rows(self.most)
        # As text: rich would read the brackets of a name as its own language.
        title = Text(repr(self.selection), style="table.title")
        table = Table(title=title, title_justify="left", caption=f"{left} more" if left else None)
        styles = {"kept": "bold green", "redundant": "yellow", "irrelevant": "dim", "not reached": "dim"}
        for head in heads:
            table.add_column(
                Text(printable(head)), justify="left" if head in ("feature", "status", "redundant_to") else "right"
            )
        status = heads.index("status")
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row), style=styles.get(row[status]))
        return table

    def _repr_html_(self) -> str:
        from html import escape

        heads, rows, left = self.rows(self.most)
        head = "".join(f"<th>{escape(h)}</th>" for h in heads)
        body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
        more = f"<caption style='caption-side:bottom'>{left} more</caption>" if left else ""
        return f"<table class='fewer-selection'>{more}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return numeral(value) if isinstance(value, float) else str(value)
