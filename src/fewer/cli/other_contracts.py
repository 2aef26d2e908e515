"""What the commands of clusterers, projectors and classifiers share: the method, its options, and the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import typer

from fewer import registry
from fewer.cli.console import bar
from fewer.cli.input import Columns
from fewer.cli.options import OWN_DEFAULTS, MethodOption, options_of, values_of
from fewer.cli.output import write_outputs
from fewer.cli.pair_file import read_pairs
from fewer.core.records.errors import ParameterError
from fewer.dispatch import CONTRACTS

# The method of a command if none is named.
DEFAULTS = {"cluster": "WKMeans", "project": "ConstraintProjection", "classify": "ADAMENN", "acquire": "MAC"}


def contract_named(command: str) -> str:
    """Return the contract whose methods a command takes."""
    return next(name for name, contract in CONTRACTS.items() if command in contract.commands)


def names_for(command: str, typed: str) -> list[str]:
    """Return the methods that a command takes and whose name begins with what was typed."""
    found = (e.name for e in registry.listed() if command in e.offers.commands)
    return [name for name in found if name.lower().startswith(typed.lower())]


def load_for(command: str, name: str | None) -> Any:
    """Return the class of a method that a command takes."""
    found = registry.entry(name or DEFAULTS[command])
    if command not in found.offers.commands:
        contract = contract_named(command)
        raise ParameterError(
            f"{found.name} {found.offers.words}, but 'fewer {command}' takes what {CONTRACTS[contract].words}; "
            f"'fewer methods --contract {contract}' lists these, such as {DEFAULTS[command]}."
        )
    return registry.load(found.name)


def options_for(command: str, name: str | None) -> list[MethodOption]:
    """Return the options of a method that a command takes."""
    return options_of(load_for(command, name))


def made_for(command: str, name: str | None, given: Mapping[str, Any]) -> Any:
    """Return the method with checked parameters."""
    kind = load_for(command, name)
    parameters = values_of(options_of(kind), given, kind.__name__)
    defaults = {name: value for name, value in OWN_DEFAULTS.items() if name in kind._get_param_names()}
    made = kind(**{**defaults, **parameters})
    made.check()
    return made


def fitted_to(made: Any, data: Columns, pairs: Path | None) -> Any:
    """Return the method, fitted to the file and, if it takes them, to pairs of its rows."""
    more: dict[str, Any] = {}
    takes_pairs = "pairs" in signature(made.fit).parameters
    if pairs is not None:
        if not takes_pairs:
            raise ParameterError(
                f"{type(made).__name__} takes no pairs of rows, but --pairs {pairs} was given; leave it out, or use a "
                "method that does, such as ConstraintProjection or PCSKMeans."
            )
        more["pairs"] = read_pairs(pairs)
    with bar():
        table, labels = rows_for(made, data)
        if getattr(made, "categorical_features", None) is not None:
            # The table knows them now.
            made.set_params(categorical_features=None)
        if takes_pairs and made.contract == "projector" and pairs is None:
            if labels is None:
                raise ParameterError(
                    f"{type(made).__name__} learns from pairs of rows, or from labels of some, but neither --pairs nor "
                    "--target was given; add --pairs pairs.csv or --target COLUMN."
                )
            more["y"] = labels
        return made.fit(table, **more)


def rows_for(made: Any, data: Columns) -> tuple[Any, list[Any] | None]:
    """Return the rows of the file, in memory, and their labels if there is a target.

    Methods that do not need a label for every row get the rows without one, too, so that numbers of rows are those of
    the file.
    """
    from fewer.core.reading.table_labels import table_labels

    categorical = getattr(made, "categorical_features", None)
    table = data.open(categorical)
    if table.target is None:
        return table.held(False, None), None
    labels = table_labels(table, all_rows=True)
    if table.without_target and data.target is not None and "none" in made.method_tags.targets:
        whole = replace(data, target=None, drop=[*(data.drop or []), data.target], task=None)
        table = whole.open(categorical)
    return table.held(False, None), labels


def told(context: typer.Context, fitted: Any, data: Columns) -> Any:
    """Return the selection with where it comes from, if there is one."""
    selection = getattr(fitted, "selection_", None)
    if selection is None:
        return None
    facts = {**selection.meta["data"], "source": str(data.file)}
    family = registry.entry(type(fitted).__name__).family
    return selection.with_meta(command=context.obj, family=family, data=facts)


def write_found(selection: Any, own: tuple[Path | None, Any], out: Path | None, report: Path | None) -> list[Path]:
    """Write what was asked for, all or nothing; ``own`` is the file of the command and what writes it."""
    from fewer.report import page

    outputs = [own, (out, lambda path: selection.to_json(path)), (report, lambda path: page.write(selection, path))]
    wanted = [(path, write) for path, write in outputs if path is not None]
    with bar():
        write_outputs(wanted)
    return [path for path, _ in wanted]
