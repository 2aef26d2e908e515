"""fewer cluster: from a file to groups of rows, and which features tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from fewer import registry
from fewer.cli.console import bar, finite, say, say_json, say_table
from fewer.cli.input import Columns
from fewer.cli.methods import Json
from fewer.cli.options import OWN_DEFAULTS, MethodOption, options_of, values_of
from fewer.cli.output import check_outputs, write_outputs
from fewer.cli.show import say_notes, say_tables
from fewer.cli.work import DEFAULT_ROWS, Out, ReportPage, Top, say_ranking
from fewer.core.records.errors import ParameterError

DEFAULT_CLUSTERER = "WKMeans"
# Lines of the table of clusters that a terminal has room for.
MOST_CLUSTERS = 20

Clusterer = Annotated[
    str | None,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME",
        help="Method, see 'fewer methods --contract clusterer'.",
        autocompletion=lambda typed: _names(typed),
        show_default=False,
    ),
]
Labels = Annotated[
    Path | None,
    typer.Option(
        "--labels", metavar="TABLE", readable=False, help="Write the cluster of every row: .csv, .parquet, .feather."
    ),
]


def _names(typed: str) -> list[str]:
    """Return the methods that group rows and whose name begins with what was typed."""
    found = (e.name for e in registry.METHODS if e.contract == "clusterer")
    return [name for name in found if name.lower().startswith(typed.lower())]


def clusterer_options(name: str | None) -> list[MethodOption]:
    """Return the options of a method that groups rows."""
    return options_of(_load(name))


def _load(name: str | None) -> Any:
    found = registry.entry(name or DEFAULT_CLUSTERER)
    if "cluster" not in found.offers.commands:
        raise ParameterError(
            f"{found.name} {found.offers.words} and finds no groups of rows; 'fewer methods --contract clusterer' "
            f"lists those that do, such as {DEFAULT_CLUSTERER}."
        )
    return registry.load(found.name)


def cluster(
    context: typer.Context,
    data: Columns,
    method: Clusterer = None,
    given: Mapping[str, Any] = {},
    labels: Labels = None,
    out: Out = None,
    report: ReportPage = None,
    top: Top = DEFAULT_ROWS,
    as_json: Json = False,
) -> None:
    """Find groups of rows, and which features tell them apart."""
    check_outputs([labels, out, report], data.files)
    if labels is not None:
        from fewer.core.reading.io.writing import is_text

        # Refuses an extension that cannot be written, before any work.
        is_text(labels)
    made = _load(method)
    parameters = values_of(options_of(made), given, made.__name__)
    defaults = {name: value for name, value in OWN_DEFAULTS.items() if name in made._get_param_names()}
    fitted = _fitted(made(**{**defaults, **parameters}), data)
    selection = _told(context, fitted, data)
    if selection is None and (out is not None or report is not None):
        raise ParameterError(
            f"{made.__name__} weighs no features, so there is no selection to write to {out or report}; leave "
            "--out and --report out, or use a method that weighs features, such as WKMeans."
        )
    written = _write(fitted, selection, labels, out, report)
    if as_json:
        say_json(_document(fitted, selection))
        return
    _say(fitted, selection, data, top)
    if written:
        say()
        say(f"Wrote {', '.join(map(str, written))}.")


def _fitted(made: Any, data: Columns) -> Any:
    """Return the method, fitted to the file; the target, if one is named, is left out."""
    made._validate_params()
    with bar():
        categorical = getattr(made, "categorical_features", None)
        table = data.open(categorical)
        if categorical is not None:
            # The table knows them now.
            made.set_params(categorical_features=None)
        return made.fit(table.held(False, None))


def _told(context: typer.Context, fitted: Any, data: Columns) -> Any:
    """Return the selection with where it comes from, if there is one."""
    selection = getattr(fitted, "selection_", None)
    if selection is None:
        return None
    facts = {**selection.meta["data"], "source": str(data.file)}
    family = registry.entry(type(fitted).__name__).family
    return selection.with_meta(command=context.obj, family=family, data=facts)


def _write(fitted: Any, selection: Any, labels: Path | None, out: Path | None, report: Path | None) -> list[Path]:
    """Write what was asked for, all or nothing."""
    from fewer.core.reading.io.writing import write_chunks
    from fewer.report import page

    columns = {"row": np.arange(len(fitted.labels_)), "cluster": fitted.labels_}
    outputs: list[tuple[Path, Any]] = []
    if labels is not None:
        outputs.append((labels, lambda path: write_chunks(path, [columns], {})))
    if out is not None:
        outputs.append((out, selection.to_json))
    if report is not None:
        outputs.append((report, lambda path: page.write(selection, path)))
    with bar():
        write_outputs(outputs)
    return [path for path, _ in outputs]


def _document(fitted: Any, selection: Any) -> dict[str, Any]:
    """Return all that was found, for programs."""
    names = getattr(fitted, "feature_names_in_", np.arange(fitted.n_features_in_))
    found = {
        "method": type(fitted).__name__,
        "labels": fitted.labels_.tolist(),
        "clusters": finite(fitted.clusters_.named([str(name) for name in names])),
    }
    return found if selection is None else {**found, "selection": finite(selection.to_dict())}


def _say(fitted: Any, selection: Any, data: Columns, top: int) -> None:
    found = np.unique(fitted.labels_[fitted.labels_ >= 0])
    outside = int(np.count_nonzero(fitted.labels_ < 0))
    rest = f"; {outside:,} rows are in none" if outside else ""
    kinds = "cluster" if len(found) == 1 else "clusters"
    say(f"{len(found)} {kinds} of {len(fitted.labels_):,} rows of {data.file} by {type(fitted).__name__}{rest}.",
        style="bold")  # fmt: skip
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
