"""fewer project: from a file to new axes, and which features they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from fewer.cli.console import finite, say, say_json
from fewer.cli.input import Columns
from fewer.cli.methods import Json
from fewer.cli.other_contracts import fitted_to, made_for, names_for, rows_for, told, write_found
from fewer.cli.output import check_outputs
from fewer.cli.pair_file import PairFile
from fewer.cli.show import say_notes
from fewer.cli.work import DEFAULT_ROWS, Out, ReportPage, Top, say_ranking

Projector = Annotated[
    str | None,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME",
        help="Method, see 'fewer methods --contract projector'.",
        autocompletion=lambda incomplete: names_for("project", incomplete),
        show_default=False,
    ),
]
Axes = Annotated[
    Path | None,
    typer.Option(
        "--write", metavar="TABLE", readable=False, help="Write the rows on the new axes: .csv, .parquet, .feather."
    ),
]


def project(
    context: typer.Context,
    data: Columns,
    method: Projector = None,
    given: Mapping[str, Any] = {},
    pairs: PairFile = None,
    write: Axes = None,
    out: Out = None,
    report: ReportPage = None,
    top: Top = DEFAULT_ROWS,
    as_json: Json = False,
) -> None:
    """Make new axes of all features, and say which features they are made of."""
    check_outputs([write, out, report], [*data.files, *([] if pairs is None else [pairs])])
    if write is not None:
        from fewer.core.reading.io.writing import is_text

        # Refuses an extension that cannot be written, before any work.
        is_text(write)
    fitted = fitted_to(made_for("project", method, given), data, pairs)
    selection = told(context, fitted, data)
    written = write_found(selection, (write, lambda path: _write_axes(path, fitted, data)), out, report)
    if as_json:
        say_json(finite(selection.to_dict()), indent=None)
        return
    n_axes = len(fitted.get_feature_names_out())
    say(f"{n_axes:,} {'axis' if n_axes == 1 else 'axes'} of {selection.n_features:,} features of {data.file} by "
        f"{type(fitted).__name__}.", style="bold")  # fmt: skip
    say_notes(selection.meta)
    n_kept = len(selection)
    say(f"{n_kept:,} {'feature makes' if n_kept == 1 else 'features make'} up most of them: {selection.reasons.rule}.")
    say()
    say_ranking(selection, len(selection), top)
    if written:
        say()
        say(f"Wrote {', '.join(map(str, written))}.")


def _write_axes(path: Path, fitted: Any, data: Columns) -> None:
    """Write the rows of the file on the axes."""
    # Here, because the list of commands would take twice as long to show.
    import scipy.sparse

    from fewer.core.reading.io.writing import write_chunks

    rows = [batch.X for batch in rows_for(fitted, data)[0].batches()]
    X = scipy.sparse.csr_array(scipy.sparse.vstack(rows)) if scipy.sparse.issparse(rows[0]) else np.vstack(rows)
    made = fitted.on_axes(X)
    made = made.toarray() if scipy.sparse.issparse(made) else np.asarray(made)
    heads = [str(name) for name in fitted.get_feature_names_out()]
    write_chunks(path, [dict(zip(heads, made.T))], {})
