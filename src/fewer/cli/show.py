"""fewer explain, fewer report: what a written selection says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from fewer.cli.console import finite, say, say_json, say_table
from fewer.cli.methods import Json
from fewer.cli.output import check_outputs, write_outputs
from fewer.cli.problems import in_options
from fewer.core.records.result import Selection

File = Annotated[
    Path,
    typer.Argument(
        metavar="SELECTION",
        readable=False,
        help="File made by 'fewer select --out' or 'fewer compare --out'.",
        show_default=False,
    ),
]
MOST_ROWS = 60
MOST_TABLE_ROWS = 8
# Features of a path that a terminal has room for.
MOST_PATHS = 6


def explain(
    selection_file: File,
    feature: Annotated[
        str | None, typer.Argument(metavar="FEATURE", help="Name of one feature.", show_default=False)
    ] = None,
    top: Annotated[int, typer.Option("--top", min=0, metavar="ROWS", help="Rows to show, 0 for all.")] = MOST_ROWS,
    as_json: Json = False,
) -> None:
    """Say why features were kept or dropped."""
    _explain(_chosen(selection_file), feature, top, as_json)


def _explain(selection: Selection, feature: str | None, top: int, as_json: bool) -> None:
    if feature is not None:
        reason = selection.reason(feature)
        if as_json:
            say_json({**finite(asdict(reason)), "sentence": str(reason)})
        else:
            say(str(reason))
        return
    if as_json:
        say_json(
            {
                "method": selection.meta.get("method"),
                "features": _reasons(selection),
                "tables": plain_tables(selection),
            }
        )
        return
    _say_all(selection, top)


def plain_tables(selection: Selection) -> dict[str, dict[str, Any]]:
    """Return what was found beside the ranking, with the names of the features."""
    return {
        name: {"title": table.title, "kind": table.kind, "columns": table.named(selection.feature_names)}
        for name, table in selection.tables.items()
    }


def say_findings(meta: Any) -> None:
    """Print what a look at the columns has found."""
    from fewer.report.findings import finding_lines

    for line in finding_lines(meta, "--keep"):
        say(line)


def say_notes(meta: Mapping[str, Any]) -> None:
    """Print how the file was read where that is not plain, in the words of the command line."""
    for note in meta.get("data", {}).get("notes", ()):
        say(in_options(str(note)), style="dim")


def say_tables(selection: Selection, top: int) -> None:
    """Print what was found beside the ranking: the first rows of every table, all if ``top`` is 0."""
    from fewer.report.words import column

    most, names = None if top == 0 else MOST_TABLE_ROWS, selection.feature_names
    for table in selection.tables.values():
        if not len(table):
            continue
        say()
        say(f"{table.title}:", style="bold")
        if table.kind == "tree":
            for line in table.lines(names, most):
                say(line)
        elif table.kind == "lines":
            say(f"{len(table.columns) - 1:,} rounds of {len(table):,} rows, drawn in the report.", style="dim")
            continue
        else:
            columns = (table if most is None else table.narrowed(MOST_PATHS)).named(names, most)
            numbers = [head for head, values in columns.items() if not isinstance(values[0], str)]
            say_table(list(columns), zip(*map(column, columns.values())), right=numbers)
        if most is not None and len(table) > most:
            say(f"... and {len(table) - most:,} more; --top 0 shows all.", style="dim")
        if most is not None and len(table.coefficients) > MOST_PATHS:
            say(f"... and {len(table.coefficients) - MOST_PATHS:,} more features; --top 0 shows all.", style="dim")


def _is_comparison(path: Path) -> bool:
    """Return whether a file begins as a written comparison does; what cannot be read is none."""
    if not path.is_file():
        return False
    try:
        with path.open(encoding="utf-8") as file:
            return '"kind": "comparison"' in file.read(200)
    except (OSError, UnicodeDecodeError):
        return False


def _chosen(path: Path) -> Selection:
    """Return a written selection, or that of the headline of a written comparison."""
    if not _is_comparison(path):
        return Selection.from_json(path)
    from fewer.evaluate.comparison import Comparison
    from fewer.report.comparison_facts import headline_selection

    return headline_selection(Comparison.from_json(path))


def _reasons(selection: Selection) -> list[dict[str, Any]]:
    """Return one record per feature, best first."""
    reasons = [selection.reason(j) for j in selection.table()["index"]]
    return [{**finite(asdict(reason)), "sentence": str(reason)} for reason in reasons]


def _say_all(selection: Selection, top: int) -> None:
    from fewer.report.words import column, headline, number, rest_in_words, why

    say(f"{headline(selection)}.", style="bold")
    rest = rest_in_words(selection)
    if rest:
        say(rest)
    say_findings(selection.meta)
    if not selection.n_features:
        return
    say()
    numbers = selection.table()["index"]
    shown = numbers if top == 0 else numbers[:top]
    reasons = [selection.reason(j) for j in shown]
    scores = column([reason.score for reason in reasons])
    rows = [[number(r.rank), r.feature, score, why(r, score)] for r, score in zip(reasons, scores)]
    say_table(["rank", "feature", "score", "why"], rows, right=["rank", "score"], feature="bold")
    if len(shown) < len(numbers):
        say(f"... and {len(numbers) - len(shown):,} more; --top 0 shows all.", style="dim")
    say_tables(selection, top)


def report(
    selection_file: File,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="HTML", readable=False, help="File to write.")] = Path(
        "report.html"
    ),
) -> None:
    """Write a selection or a comparison as a page for the browser."""
    check_outputs([out], [selection_file])
    if _is_comparison(selection_file):
        from fewer.evaluate.comparison import Comparison

        write_outputs([(out, Comparison.from_json(selection_file).report)])
    else:
        from fewer.report import page

        selection = Selection.from_json(selection_file)
        write_outputs([(out, lambda path: page.write(selection, path))])
    say(f"Wrote {out}; open it in a browser.")
