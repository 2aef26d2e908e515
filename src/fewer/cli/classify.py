"""fewer classify: from a file to the classes of rows, and why."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from fewer.cli.console import bar, finite, say, say_json, say_table
from fewer.cli.input import Columns
from fewer.cli.methods import Json
from fewer.cli.new_rows import NewFile, RowNumbers, RowSplit, split_rows
from fewer.cli.other_contracts import made_for, names_for
from fewer.cli.output import check_outputs, write_outputs
from fewer.cli.work import DEFAULT_ROWS, ReportPage, Top

# Features that are named beside the class of a row.
SHOWN_FEATURES = 3

Classifier = Annotated[
    str | None,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME",
        help="Method, see 'fewer methods --contract classifier'.",
        autocompletion=lambda incomplete: names_for("classify", incomplete),
        show_default=False,
    ),
]
Predictions = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="TABLE", readable=False, help="Write the class of every row: .csv, .parquet, .feather."
    ),
]
Weights = Annotated[
    Path | None,
    typer.Option(
        "--weights", metavar="TABLE", readable=False, help="Write the weight of every feature at every row, too."
    ),
]


def classify(
    context: typer.Context,
    data: Columns,
    method: Classifier = None,
    given: Mapping[str, Any] = {},
    new: NewFile = None,
    rows: RowNumbers = None,
    out: Predictions = None,
    weights: Weights = None,
    report: ReportPage = None,
    top: Top = DEFAULT_ROWS,
    as_json: Json = False,
) -> None:
    """Say the class of new rows, of rows without a target, or of chosen rows by all others, and why."""
    check_outputs([out, weights, report], [*data.files, *([] if new is None else [new])])
    for path in (out, weights):
        if path is not None:
            from fewer.core.reading.io.writing import is_text

            # Refuses an extension that cannot be written, before any work.
            is_text(path)
    made = made_for("classify", method, given)
    split = split_rows(made, data, new, rows)
    with bar():
        found = _explained(made, split)
        reasons = found.with_rows(split.names, split.learned, command=context.obj, source=str(data.file))
    written = _write(reasons, out, weights, report)
    if as_json:
        say_json(finite(reasons.to_dict()))
        return
    _say(reasons, split, top)
    if written:
        say()
        say(f"Wrote {', '.join(map(str, written))}.")


def _explained(made: Any, split: RowSplit) -> Any:
    from fewer.core.estimators.point_reasons import point_reasons

    fitted = made.fit(split.known)
    with warnings.catch_warnings():
        # The columns were put in order by their names.
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        return point_reasons(fitted, split.queries)


def _write(reasons: Any, out: Path | None, weights: Path | None, report: Path | None) -> list[Path]:
    from fewer.core.records.errors import ParameterError

    if weights is not None and reasons.weights is None:
        raise ParameterError(
            f"{reasons.meta['method']} has no weights at single rows to write to {weights}; leave --weights out, or "
            "use a method that has, such as ADAMENN."
        )
    outputs = [
        (out, lambda path: _write_classes(path, reasons)),
        (weights, lambda path: _write_weights(path, reasons)),
        (report, lambda path: reasons.report(path)),
    ]
    wanted = [(path, write) for path, write in outputs if path is not None]
    with bar():
        write_outputs(wanted)
    return [path for path, _ in wanted]


def _write_classes(path: Path, reasons: Any) -> None:
    from fewer.core.reading.io.writing import write_chunks

    columns: dict[str, Any] = {"row": np.array(reasons.rows), "predicted": reasons.predicted.astype(str)}
    if reasons.posterior is not None:
        columns |= {f"P({label})": reasons.posterior[:, c] for c, label in enumerate(reasons.classes)}
    write_chunks(path, [columns], {})


def _write_weights(path: Path, reasons: Any) -> None:
    from fewer.core.reading.io.writing import write_chunks

    columns = {"row": np.array(reasons.rows), **{name: reasons.weights[:, j] for j, name in enumerate(reasons.names)}}
    write_chunks(path, [columns], {})


def _say(reasons: Any, split: RowSplit, top: int) -> None:
    n = len(reasons)
    say(f"{n:,} {'row' if n == 1 else 'rows'} classified by {reasons.meta['method']}, learned from "
        f"{len(split.learned):,} rows of {reasons.meta['source']}.", style="bold")  # fmt: skip
    if split.truth is not None:
        right = int(np.sum([str(a) == str(b) for a, b in zip(reasons.predicted, split.truth)]))
        say(f"{right:,} of {n:,} are as the target says.")
    say()
    heads = ["row", "class"]
    heads += ["probability"] if reasons.posterior is not None else []
    heads += ["counts most here"] if reasons.weights is not None else []
    shown = range(n if top == 0 else min(top, n))
    say_table(heads, [_line(reasons, i) for i in shown], right=["probability"])
    if len(shown) < n:
        say(f"... and {n - len(shown):,} more; --top 0 shows all.", style="dim")
    if reasons.weights is not None:
        say("Weights in brackets; 'x 2.0' is twice the average of the training rows.", style="dim")


def _line(reasons: Any, i: int) -> list[str]:
    cells = [reasons.rows[i], str(reasons.predicted[i])]
    if reasons.posterior is not None:
        cells.append(f"{reasons.probabilities(i)[str(reasons.predicted[i])]:.2f}")
    if reasons.weights is not None:
        found = reasons.features(i, SHOWN_FEATURES)
        each = zip(found["feature"], found["weight"], found["times"])
        cells.append(", ".join(f"{name} ({weight:.2g}, x {times:.1f})" for name, weight, times in each))
    return cells
