"""fewer acquire: ask for the values worth measuring, take what was measured, keep all in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from fewer import registry
from fewer.cli.acquired_values import named_domains, read_values, sample_names
from fewer.cli.console import say, say_json, say_table
from fewer.cli.input import Columns, needs_target
from fewer.cli.methods import Json
from fewer.cli.other_contracts import load_for, made_for, names_for, options_for, rows_for, write_found
from fewer.cli.output import check_outputs
from fewer.cli.show import say_notes, say_tables
from fewer.cli.signature import assembled
from fewer.cli.work import DEFAULT_ROWS, Out, ReportPage, Top, say_ranking
from fewer.core.records.errors import FileError, ParameterError
from fewer.report.words import column as in_column

Acquirer = Annotated[
    str | None,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME",
        help="Method, see 'fewer methods --contract acquirer'.",
        autocompletion=lambda incomplete: names_for("acquire", incomplete),
        show_default=False,
    ),
]
StateFile = Annotated[
    Path,
    typer.Option(
        "--state", "-s", metavar="FILE", readable=False, help="File that keeps all that was told.", show_default=False
    ),
]
HELP = """Ask for the values worth measuring, and take what was measured.

A table with missing values becomes a state file by start; ask says what to measure next, tell takes what was measured,
skip gives a value up, take-back makes one missing again, status says which features matter by what is known.
"""


def acquire_commands(words: Sequence[str], named: str | None) -> typer.Typer:
    """Return the commands below 'fewer acquire'; 'start' has the options of the method that the words name."""
    app = typer.Typer(name="acquire", help=HELP)
    begins = "start" in words
    options = options_for("acquire", named) if begins else []
    heading = f"Options of {load_for('acquire', named).__name__}" if begins else ""
    app.command("start")(assembled(start, options, heading))
    app.command("ask")(ask)
    app.command("tell")(tell)
    app.command("skip")(skip)
    app.command("take-back")(take_back)
    app.command("status")(status)
    return app


def start(
    data: Columns,
    state: StateFile,
    method: Acquirer = None,
    given: Mapping[str, Any] = {},
    domain: Annotated[
        list[str] | None,
        typer.Option(
            "--domain",
            metavar="COLUMN=VALUES",
            help="Values a column can take, as in colour=red,green or age=edges:30,50; repeatable.",
        ),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="Column that names the rows; no feature.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make the state file of a table whose classes are known and many of whose values are missing."""
    if state.exists():
        raise FileError(
            f"The state file {state} is there already and holds what was told; ask and tell with it, or give another."
        )
    check_outputs([state], data.files)
    made = made_for("acquire", method, given)
    columns, row_names = sample_names(data, names)
    table = columns.open(getattr(made, "categorical_features", None))
    if table.target is None:
        raise ParameterError(needs_target("fewer acquire start", table))
    if table.without_target:
        raise ParameterError(
            f"{data.file} has {table.without_target:,} rows without a value of {data.target}, but the class of every "
            "row must be known before values are acquired; drop or label these rows."
        )
    held, _ = rows_for(made, columns)
    made.set_params(categorical_features=None)
    made.start(held, domains=named_domains(domain or []), row_names=row_names, state=state)
    if as_json:
        say_json(_facts(made, state))
        return
    missing = int((made.known_levels() < 0).sum())
    say(f"{type(made).__name__} knows {made.n_features_in_:,} features of {len(made.known_levels()):,} rows of "
        f"{data.file}; {missing:,} values are missing.", style="bold")  # fmt: skip
    say_notes(made.selection_.meta)
    say(f"Wrote {state}; try: fewer acquire ask --state {state}")


def ask(
    state: StateFile,
    n: Annotated[int, typer.Option("--number", "-n", min=1, metavar="INT", help="How many values to ask for.")] = 1,
    as_json: Json = False,
) -> None:
    """Say which values to measure next; the same until something is told."""
    made = restored(state)
    asked = made.ask(n)
    if as_json:
        keys = ("row", "row_name", "column", "name", "label", "benefit", "cost")
        found = [dict(zip(keys, (q.row, q.row_name, q.column, q.name, str(q.label), q.benefit, q.cost))) for q in asked]
        say_json({"questions": found, "stopped": made.stopped_})
        return
    if not asked:
        say(f"Nothing more: {made.stopped_}.")
        return
    heads = ["row", "column", "class", "expected benefit", "cost"]
    numbers = (in_column([getattr(q, name) for q in asked]) for name in ("benefit", "cost"))
    rows = zip([q.row_name for q in asked], [q.name for q in asked], [str(q.label) for q in asked], *numbers)
    say_table(heads, rows, right=["expected benefit", "cost"], column="bold")
    first = asked[0]
    say()
    say(f"Then: fewer acquire tell --state {state} {first.row_name} {first.name} VALUE", style="dim")


def tell(
    state: StateFile,
    row: Annotated[str | None, typer.Argument(metavar="ROW", help="Number or name of the row.")] = None,
    column: Annotated[str | None, typer.Argument(metavar="COLUMN", help="Number or name of the column.")] = None,
    value: Annotated[str | None, typer.Argument(metavar="VALUE", help="What was measured.")] = None,
    values: Annotated[
        Path | None,
        typer.Option(
            "--values", metavar="CSV", readable=False, help="Several values: columns row, column, value; all or none."
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Correct values that were told before.")] = False,
) -> None:
    """Take values that were measured; they are on the disk when the command ends."""
    single = [word for word in (row, column, value) if word is not None]
    if (values is None and len(single) != 3) or (values is not None and single):
        raise ParameterError(
            f"fewer acquire tell got {' '.join(single) or 'no value'}{'' if values is None else ' beside --values'}, "
            "but takes either ROW COLUMN VALUE or --values values.csv; give one of the two."
        )
    made = restored(state)
    told = [(row, column, value)] if values is None else read_values(values)
    made.tell_many(told, replace=replace)
    known = "1 value" if len(told) == 1 else f"{len(told):,} values"
    rest = f"; nothing more is asked for: {made.stopped_}" if made.stopped_ else ""
    say(f"Took {known}, {len(made.acquisitions_):,} in all{rest}.")


def skip(
    state: StateFile,
    row: Annotated[str, typer.Argument(metavar="ROW", help="Number or name of the row.")],
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="Number or name of the column.")],
) -> None:
    """Never ask for a value that cannot be measured; it may still be told."""
    restored(state).withdraw(row, column)
    say(f"{column} of row {row} is not asked for any more.")


def take_back(
    state: StateFile,
    row: Annotated[str, typer.Argument(metavar="ROW", help="Number or name of the row.")],
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="Number or name of the column.")],
) -> None:
    """Make a value that was told missing again, as if it had not been told."""
    restored(state).take_back(row, column)
    say(f"{column} of row {row} is missing again.")


def status(
    context: typer.Context,
    state: StateFile,
    out: Out = None,
    report: ReportPage = None,
    top: Top = DEFAULT_ROWS,
    as_json: Json = False,
) -> None:
    """Say which features matter by what is known, and what was acquired so far."""
    check_outputs([out, report], [state])
    made = restored(state)
    family = registry.entry(type(made).__name__).family
    found = made.selection_
    selection = found.with_meta(command=context.obj, family=family, data={**found.meta["data"], "source": str(state)})
    written = write_found(selection, (None, None), out, report)
    if as_json:
        say_json({**_facts(made, state), "selection": selection.to_dict()}, indent=None)
        return
    n_told, missing = len(made.acquisitions_), int((made.known_levels() < 0).sum())
    say(f"{n_told:,} values acquired at a cost of {made.spent_:g}, {missing:,} missing, by {type(made).__name__}.",
        style="bold")  # fmt: skip
    say(f"Nothing more is asked for: {made.stopped_}." if made.stopped_ else f"Next: {made.ask()}.")
    say_notes(selection.meta)
    say()
    say_ranking(selection, len(selection), top)
    say_tables(selection, top)
    if written:
        say()
        say(f"Wrote {', '.join(map(str, written))}.")


def restored(state: Path) -> Any:
    """Return the acquirer of a state file, whichever it is."""
    # The list of commands loads no method.
    from fewer.core.estimators.acquisition_state import read_state

    method = read_state(state)[0]
    return load_for("acquire", method).restore(state)


def _facts(made: Any, state: Path) -> dict[str, Any]:
    return {
        "method": type(made).__name__,
        "state": str(state),
        "n_acquired": len(made.acquisitions_),
        "n_missing": int((made.known_levels() < 0).sum()),
        "cost": made.spent_,
        "stopped": made.stopped_,
        "domains": made.domains_,
    }
