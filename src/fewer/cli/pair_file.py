"""Files of pairs of rows, and fewer pairs: pairs drawn at random from rows with labels."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from fewer.cli.console import say
from fewer.cli.input import Columns, needs_target
from fewer.cli.output import check_outputs, write_outputs
from fewer.core.records.errors import FileError, ParameterError

TOGETHER, APART = ("together", "must", "must-link", "1"), ("apart", "cannot", "cannot-link", "-1", "0")
# Digits of a row number, and of a wrong one that a message shows.
MOST_DIGITS, MOST_SHOWN = 18, 40

PairFile = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        metavar="CSV",
        readable=False,
        help="Pairs of rows that belong together or apart: columns first, second (row numbers from 0), link.",
    ),
]


def read_pairs(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return must-links and cannot-links of a file with the columns first, second and link."""
    found: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, skipinitialspace=True)
            rows.fieldnames = [head.strip() for head in rows.fieldnames or ()]
            if not {"first", "second", "link"} <= set(rows.fieldnames):
                heads = ", ".join(rows.fieldnames) or "none"
                raise FileError(
                    f"{path} has the columns {heads}, but a file of pairs has first, second and link; name them so."
                )
            for row in rows:
                if not any((row[name] or "").strip() for name in ("first", "second", "link")):
                    continue
                found[_is_together(path, rows.line_num, row["link"])].append(
                    (_row(path, rows.line_num, row["first"]), _row(path, rows.line_num, row["second"]))
                )
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(
            f"{path} could not be read as a file of pairs ({reason}); pass an existing CSV file."
        ) from error
    must, cannot = (np.array(found[kind], dtype=np.int64).reshape(-1, 2) for kind in (True, False))
    return must, cannot


def _is_together(path: Path, line: int, word: str | None) -> bool:
    plain = (word or "").strip().lower()
    if plain not in (*TOGETHER, *APART):
        raise FileError(f"{path} says {word!r} in line {line}, but a link is together or apart; write one of the two.")
    return plain in TOGETHER


def _row(path: Path, line: int, word: str | None) -> int:
    plain = (word or "").strip()
    if not (plain.isascii() and plain.isdigit() and len(plain) <= MOST_DIGITS):
        shown = repr(word) if len(plain) <= MOST_SHOWN else repr(plain[:MOST_SHOWN]) + "..."
        raise FileError(
            f"{path} says {shown} in line {line}, but rows are given by number, from 0 on; write whole numbers."
        )
    return int(plain)


def pairs(
    data: Columns,
    n_pairs: Annotated[int, typer.Option("--number", "-n", min=1, metavar="INT", help="How many pairs.")] = 100,
    fraction: Annotated[
        float, typer.Option("--fraction", metavar="FLOAT", help="Fraction of the rows from which they are drawn.")
    ] = 0.5,
    seed: Annotated[int | None, typer.Option("--seed", min=0, metavar="INT", help="Seed of the draw.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="CSV", readable=False, help="File for the pairs.")
    ] = None,
) -> None:
    """Draw pairs of rows at random: together if the target is the same, else apart."""
    from fewer.core.reading.table_labels import table_labels
    from fewer.synth import sample_pairwise_constraints

    if out is None:
        raise ParameterError("fewer pairs needs a file for the pairs, but --out was not given; add --out pairs.csv.")
    check_outputs([out], data.files)
    table = data.open()
    if table.target is None:
        raise ParameterError(needs_target("fewer pairs", table))
    # Rows of the file, also those without a label, so that their numbers are right.
    labels = table_labels(table, all_rows=True)
    must, cannot = sample_pairwise_constraints(labels, n_pairs, fraction=fraction, random_state=seed)
    write_outputs([(out, lambda path: _write(path, must, cannot))])
    say(f"Wrote {len(must):,} pairs of rows that belong together and {len(cannot):,} that do not to {out}.")


def _write(path: Path, must: np.ndarray, cannot: np.ndarray) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("first", "second", "link"))
        for kind, rows in (("together", must), ("apart", cannot)):
            writer.writerows((i, j, kind) for i, j in rows.tolist())
