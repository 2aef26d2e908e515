"""fewer cluster: from a file to groups of rows, and which features tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from fewer.cli.console import finite, say, say_json, say_table
from fewer.cli.input import Columns
from fewer.cli.methods import Json
from fewer.cli.other_contracts import fitted_to, made_for, names_for, told, write_found
from fewer.cli.output import check_outputs
from fewer.cli.pair_file import PairFile
from fewer.cli.show import say_notes, say_tables
from fewer.cli.work import DEFAULT_ROWS, Out, ReportPage, Top, say_ranking
from fewer.core.records.errors import ParameterError

# Lines of the table of clusters that a terminal has room for.
MOST_CLUSTERS = 20

Clusterer = Annotated[
    str | None,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME",
        help="Method, see 'fewer methods --contract clusterer'.",
        autocompletion=lambda incomplete: names_for("cluster", incomplete),
        show_default=False,
    ),
]
Labels = Annotated[
    Path | None,
    typer.Option(
        "--labels", metavar="TABLE", readable=False, help="Write the cluster of every row: .csv, .parquet, .feather."
    ),
]


def cluster(
    context: typer.Context,
    data: Columns,
    method: Clusterer = None,
    given: Mapping[str, Any] = {},
    pairs: PairFile = None,
    labels: Labels = None,
    out: Out = None,
    report: ReportPage = None,
    top: Top = DEFAULT_ROWS,
    as_json: Json = False,
) -> None:
    """Find groups of rows, and which features tell them apart."""
    check_outputs([labels, out, report], [*data.files, *([] if pairs is None else [pairs])])
    if labels is not None:
        from fewer.core.reading.io.writing import is_text

        # Refuses an extension that cannot be written, before any work.
        is_text(labels)
    made = made_for("cluster", method, given)
    fitted = fitted_to(made, data, pairs)
    selection = told(context, fitted, data)
    if selection is None and (out is not None or report is not None):
        raise ParameterError(
            f"{type(made).__name__} weighs no features, so there is no selection to write to {out or report}; leave "
            "--out and --report out, or use a method that weighs features, such as WKMeans."
        )
    own = (labels, lambda path: _write_labels(path, fitted.labels_))
    written = write_found(selection, own, out, report)
    if as_json:
        say_json(_document(fitted, selection))
        return
    _say(fitted, selection, data, top)
    if written:
        say()
        say(f"Wrote {', '.join(map(str, written))}.")


def _write_labels(path: Path, labels: np.ndarray) -> None:
    """Write the cluster of every row."""
    from fewer.core.reading.io.writing import write_chunks

    write_chunks(path, [{"row": np.arange(len(labels)), "cluster": labels}], {})


def _document(fitted: Any, selection: Any) -> dict[str, Any]:
    """Return all that was found, for programs."""
    names = getattr(fitted, "feature_names_in_", np.arange(fitted.n_features_in_))
    found = {
        "method": type(fitted).__name__,
        "labels": fitted.labels_.tolist(),
        "clusters": finite(fitted.clusters_.named([str(name) for name in names])),
    }
    if hasattr(fitted, "n_violated_"):
        found["n_violated"] = fitted.n_violated_
    return found if selection is None else {**found, "selection": finite(selection.to_dict())}


def _say(fitted: Any, selection: Any, data: Columns, top: int) -> None:
    found = np.unique(fitted.labels_[fitted.labels_ >= 0])
    outside = int(np.count_nonzero(fitted.labels_ < 0))
    rest = f"; {outside:,} rows are in none" if outside else ""
    kinds = "cluster" if len(found) == 1 else "clusters"
    say(f"{len(found)} {kinds} of {len(fitted.labels_):,} rows of {data.file} by {type(fitted).__name__}{rest}.",
        style="bold")  # fmt: skip
    if getattr(fitted, "n_violated_", 0):
        say(f"{fitted.n_violated_:,} of the pairs are not met.")
    if selection is not None:
        say_notes(selection.meta)
        say_tables(selection, top)
        say()
        say(f"{len(selection)} of {selection.n_features:,} features tell the clusters apart: {selection.reasons.rule}.")
        say_ranking(selection, len(selection), top)
        return
    from fewer.report.words import column

    names = [str(name) for name in getattr(fitted, "feature_names_in_", range(fitted.n_features_in_))]
    columns = fitted.clusters_.named(names, None if top == 0 else MOST_CLUSTERS)
    say()
    say_table(list(columns), zip(*map(column, columns.values())), right=["cluster", "rows"])
    if top and len(fitted.clusters_) > MOST_CLUSTERS:
        say(f"... and {len(fitted.clusters_) - MOST_CLUSTERS:,} more; --top 0 shows all.", style="dim")
