"""What is printed: results on standard output, progress on standard error."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fewer.core.records.terminal_text import printable, printable_json
from fewer.core.runners import progress

# Wide enough that nothing is ever wrapped where no terminal sets a width.
NO_LIMIT = 10_000


def is_terminal() -> bool:
    """Return whether standard output is a terminal; it may also be closed."""
    return sys.stdout is not None and sys.stdout.isatty()


def console() -> Console:
    """Return the console of standard output; away from a terminal it is plain and never wraps."""
    plain = not is_terminal()
    told = os.environ.get("COLUMNS", "")
    # Looks at COLUMNS, too, but not at one of 0, which would leave room for nothing.
    width = shutil.get_terminal_size().columns if not plain or (told.isdecimal() and int(told) > 0) else NO_LIMIT
    rules: dict[str, Any] = {"width": width, "markup": False, "highlight": False, "emoji": False}
    return Console(force_terminal=False, no_color=True, **rules) if plain else Console(**rules)


def say_compiling() -> None:
    """Say on a terminal why the first use takes longer; away from one nobody waits."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write("Loops are compiled and kept for later runs, once; 'fewer warmup' does it ahead for all.\n")


def width() -> int:
    """Return how many letters a line of a table may have; away from a terminal, as many as are easily read."""
    return min(console().width, 140)


def say(text: str = "", style: str = "", indent: int = 0) -> None:
    """Print a paragraph."""
    _emit(
        Padding(Text(printable(text), style=style), (0, 0, 0, indent)) if indent else Text(printable(text), style=style)
    )


def say_table(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str] = (), **styles: str) -> None:
    """Print a table.

    Parameters
    ----------
    heads : list of str
        Headings.
    rows : iterable of list of str
        Cells.
    right : list of str
        Headings of the columns that are aligned to the right.
    **styles : str
        Style of a column, by its heading.
    """
    terminal = is_terminal()
    table = Table(box=SIMPLE_HEAD if terminal else None, pad_edge=False, header_style="bold", show_edge=False)
    for head in heads:
        table.add_column(
            Text(head),
            justify="right" if head in right else "left",
            style=styles.get(head),
            overflow="fold",
            no_wrap=head in right,
        )
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    _emit(table)


def say_facts(facts: dict[str, str]) -> None:
    """Print one line per fact, its heading on the left."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for head, words in facts.items():
        table.add_row(Text(f"{head}:", style="bold"), Text(printable(words)))
    _emit(table)


def _emit(what: Any) -> None:
    """Print something, away from a terminal without blanks at the ends of lines."""
    screen = console()
    if screen.is_terminal:
        screen.print(what)
        return
    with screen.capture() as capture:
        screen.print(what)
    _write("\n".join(line.rstrip() for line in capture.get().split("\n")))


def _write(text: str) -> None:
    """Write to standard output, if there is one."""
    if sys.stdout is not None:
        sys.stdout.write(text)


def say_json(value: Any, indent: int | None = 2) -> None:
    """Print one JSON document."""
    ascii_only = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") != "utf8"
    text = json.dumps(finite(value), ensure_ascii=ascii_only, allow_nan=False, indent=indent, default=str)
    # A lone surrogate, as in a file name that is no UTF-8, is not printable, either.
    _write(printable_json(text) + "\n")


def finite(value: Any) -> Any:
    """Replace numbers that JSON cannot hold: NaN by null, infinity by its text."""
    if isinstance(value, dict):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def bar() -> Any:
    """Return a context that shows progress, on a terminal only."""
    from contextlib import nullcontext

    return progress.bar() if sys.stderr is not None and sys.stderr.isatty() else nullcontext()


@contextmanager
def steps(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show the progress of ``total`` steps; gives a function to call with the number of steps done."""
    with bar():

        def tell(done: int) -> None:
            progress.report(what, done, total)

        yield tell
