"""fewer synth: data whose relevant features are known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from fewer.cli.console import say, say_json, say_table
from fewer.cli.methods import Json
from fewer.cli.options import MethodOption, options_of, values_of
from fewer.cli.output import check_outputs, write_outputs
from fewer.core.reading.io.fasta import fasta_text, is_sequence_file
from fewer.core.records.errors import ParameterError, closest
from fewer.core.records.numerals import numeral

SHOWN_FEATURES = 12


def generator(name: str) -> Any:
    """Return the entry of a generator by its name, in any case and with - or _."""
    from fewer.synth import GENERATORS

    found = GENERATORS.get(name.lower().replace("-", "_"))
    if found is None:
        raise ParameterError(
            f"There is no generator named {name!r}; 'fewer synth' lists all {len(GENERATORS)}."
            f"{closest(name, GENERATORS)}"
        )
    return found


def generator_options(name: str | None) -> list[MethodOption]:
    """Return the options of a generator."""
    return [] if name is None else options_of(generator(name).make)


def synth(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Name of a generator.", show_default=False)] = None,
    given: Mapping[str, Any] = {},
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", readable=False, help="Table: .csv, .parquet, .feather, .npz; or .fasta."
        ),
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the generators.")] = False,
    as_json: Json = False,
) -> None:
    """Make data whose relevant features are known; without a name, list what can be made."""
    if name is None or list_all:
        _list(as_json)
        return
    check_outputs([out], [])
    if out is not None:
        _check_format(out)
    made = generator(name).make
    data = made(**values_of(options_of(made), given, name))
    if out is not None:
        write_outputs([(out, lambda path: write_data(data, path))])
    if as_json:
        say_json(_document(name, data, out, context.obj))
        return
    _say(name, data, out)


def _list(as_json: bool) -> None:
    from fewer.synth import GENERATORS

    if as_json:
        say_json([{"name": name, "help": entry.help} for name, entry in GENERATORS.items()])
        return
    say_table(["name", "what it makes"], [[name, entry.help] for name, entry in GENERATORS.items()], name="bold")
    say()
    say("'fewer synth NAME --help' lists the options of one; 'fewer synth NAME -o data.csv' writes it.", style="dim")


def _say(name: str, data: Any, out: Path | None) -> None:
    say(f"{name}: {len(data.y):,} rows, {data.n_features:,} features. {data.description}", style="bold")
    say()
    say(f"Relevant:  {_listed(data, data.relevant)}")
    if data.redundant:
        pairs = [f"{data.names[j]} (repeats {data.names[to]})" for j, to in sorted(data.redundant.items())]
        say(f"Redundant: {_some(pairs)}")
    rest = "are outside the Markov blanket of the target" if data.edges else "tell nothing about the target"
    say(f"The rest:  {len(data.irrelevant):,} of {data.n_features:,} features {rest}.")
    say()
    if out is None:
        say("Nothing was written; add -o data.csv to keep the data.", style="dim")
    else:
        target = "" if is_sequence_file(out) else f" --target {target_name(data)}"
        say(f"Wrote {out}; try: fewer rank {out}{target}")


def _listed(data: Any, numbers: Any) -> str:
    return _some([data.names[j] for j in numbers]) or "none"


def _some(words: list[str]) -> str:
    more = len(words) - SHOWN_FEATURES
    return ", ".join(words[:SHOWN_FEATURES]) + (f" and {more:,} more" if more > 0 else "")


def _document(name: str, data: Any, out: Path | None, command: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": data.description,
        "n_rows": len(data.y),
        "n_features": data.n_features,
        "task": data.task,
        "target": target_name(data),
        "relevant": [data.names[j] for j in data.relevant],
        "redundant": {data.names[j]: data.names[to] for j, to in data.redundant.items()},
        "irrelevant": [data.names[j] for j in data.irrelevant],
        "nominal": [data.names[j] for j in data.nominal],
        "file": None if out is None else str(out),
        "command": command,
    }


def target_name(data: Any) -> str:
    """Return the name of the target column: y, unless a feature has that name."""
    from fewer.core.reading.io.npz import free_name

    return free_name("y", data.names)


def _check_format(path: Path) -> None:
    """Raise before any work when the extension cannot be written."""
    from fewer.core.reading.io.writing import is_text

    if path.suffix.lower() != ".npz" and not is_sequence_file(path):
        is_text(path)


def write_data(data: Any, path: Path) -> None:
    """Write features and target; the numbers of nominal features become names v0, v1, ..., or letters."""
    if is_sequence_file(path):
        write_sequences(data, path)
        return
    if path.suffix.lower() == ".npz":
        nominal = np.zeros(data.n_features, dtype=bool)
        nominal[list(data.nominal)] = True
        np.savez(path, X=data.X, y=data.y, feature_names=np.array(data.names), nominal=nominal)
        return
    from fewer.core.reading.table import ArrayTable

    X, labels = np.array(data.X), {}
    for j in data.nominal:
        levels, X[:, j] = np.unique(X[:, j], return_inverse=True)
        letters = getattr(data, "letters", "")
        labels[j] = [letters[int(level)] if letters else f"v{numeral(level)}" for level in levels]
    ArrayTable(X, data.y, names=data.names, labels=labels, task=None if data.task == "none" else data.task).write(path)


def write_sequences(data: Any, path: Path) -> None:
    """Write sequences as FASTA; each header holds the class."""
    if not hasattr(data, "sequences"):
        raise ParameterError(
            f"{path} would hold sequences, but this generator makes a table; write .csv, .parquet, .feather or .npz."
        )
    headers = [f"s{i} class={label}" for i, label in enumerate(data.y.tolist(), 1)]
    path.write_text(fasta_text(data.sequences, headers), encoding="utf-8")
