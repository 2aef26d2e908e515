"""fewer rank, fewer select: from a file to a selection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from fewer import registry
from fewer.cli.around import NOTHING_AROUND, Aggregate, Around, Fix, Groups, column_names
from fewer.cli.console import bar, finite, say, say_json, say_table
from fewer.cli.input import Input, needs_target
from fewer.cli.methods import Json, method_names
from fewer.cli.options import OWN_DEFAULTS, MethodOption, options_of, values_of
from fewer.cli.output import Reasons, check_outputs, write_outputs
from fewer.cli.sequence_input import SequenceOptions
from fewer.cli.show import plain_tables, say_findings, say_notes, say_tables
from fewer.core.records.errors import FewerError, ParameterError, RequirementError
from fewer.core.records.reasons import DOUBT, NO_PVALUE
from fewer.core.records.result import Selection
from fewer.core.runners.interruption import noticed_interrupt
from fewer.report.reason_file import check_reason_file, write_reasons

SIZE = "n_features_to_select"
DEFAULT_ROWS = 20
# What is used for documents when no method is named.
TEXT_METHOD = "TextScore"
NO_SEQUENCES = SequenceOptions()

MethodName = Annotated[
    str | None,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME",
        help="Method, see 'fewer methods'.",
        autocompletion=method_names,
        show_default=False,
    ),
]
Top = Annotated[int, typer.Option("--top", min=0, metavar="ROWS", help="Rows to show, 0 for all.")]

Dates = Annotated[
    str, typer.Option("--dates", metavar="HOW", help="expand makes numbers of dates; by default they are left out.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="JSON",
        readable=False,
        help="Write the selection, for 'fewer explain' and 'fewer report'.",
    ),
]
Write = Annotated[
    Path | None,
    typer.Option(
        "--write",
        metavar="TABLE",
        readable=False,
        help="Write the kept columns and the target: .csv, .parquet, .feather.",
    ),
]
ReportPage = Annotated[
    Path | None, typer.Option("--report", metavar="HTML", readable=False, help="Write a report page.")
]
KeepPartial = Annotated[
    bool, typer.Option("--keep-partial", help="After Ctrl-C in a search, write the best so far, marked as partial.")
]


class Partial(FewerError):
    """The user stopped a search and has what it had found until then."""

    exit_code = 130


def method_of(named: str | None, documents: bool) -> str | None:
    """Return the method that is used: the named one, or that for documents; None leaves it to the data."""
    return named or (TEXT_METHOD if documents else None)


def method_options(name: str | None, ranks: bool) -> list[MethodOption]:
    """Return the options of a method, or of those that are used when none is named.

    Parameters
    ----------
    name : str or None
        Name of the method.
    ranks : bool
        Whether all features are put in order, so that no number of features can be asked for.
    """
    from fewer.api import DEFAULT_METHOD, RECIPES

    found: dict[str, MethodOption] = {}
    defaults = list(DEFAULT_METHOD.values()) if ranks else RECIPES
    for one in [name] if name else defaults:
        for option in options_of(registry.load_selector(one)):
            if not (ranks and option.name == SIZE):
                found.setdefault(option.name, option)
    return list(found.values())


def rank(
    context: typer.Context,
    data: Input,
    sequences: SequenceOptions,
    method: MethodName = None,
    given: Mapping[str, Any] = {},
    top: Top = DEFAULT_ROWS,
    as_json: Json = False,
) -> None:
    """Put all features in order, best first."""
    selection, _ = fitted(context, data, method, given, ranks=True, sequences=sequences)
    if as_json:
        say_json({**selection.meta, "features": records(selection), "tables": plain_tables(selection)})
        return
    facts = selection.meta["data"]
    target = f", target {facts['target_name']}" if facts.get("target_name") else ""
    say(f"{selection.n_features:,} features of {facts['source']} ({facts['n_rows']:,} rows{target}) "
        f"ranked by {selection.meta['method']}.", style="bold")  # fmt: skip
    say_notes(selection.meta)
    say_findings(selection.meta)
    say()
    say_ranking(selection, selection.n_features, top)


def select(
    context: typer.Context,
    data: Input,
    sequences: SequenceOptions,
    method: MethodName = None,
    given: Mapping[str, Any] = {},
    fix: Fix = None,
    groups: Groups = None,
    aggregate: Aggregate = None,
    dates: Dates = "leave out",
    out: Out = None,
    write: Write = None,
    report: ReportPage = None,
    reasons: Reasons = None,
    keep_partial: KeepPartial = False,
    top: Top = DEFAULT_ROWS,
    as_json: Json = False,
) -> None:
    """Keep the best features and say why the others were dropped."""
    from fewer.report.words import headline, rest_in_words

    check_outputs([out, write, report, reasons], data.files)
    if reasons is not None:
        check_reason_file(reasons)
    if write is not None:
        from fewer.core.reading.io.writing import is_text

        # Refuses an extension that cannot be written, before any work.
        is_text(write)
    around = Around(aggregate, column_names(fix), [column_names([text]) for text in groups or ()])
    selection, table = fitted(context, data, method, given, False, dates, sequences, keep_partial, around)
    written = _write(selection, table, out, write, report, reasons)
    if "partial" in selection.meta:
        there = f"was written to {', '.join(map(str, written))}" if written else "was not written, as no file is named"
        raise Partial(f"Interrupted; the best of {selection.meta['method']} so far {there}.")
    if as_json:
        say_json(selection.to_dict(), indent=None)
        return
    rule = selection.reasons.rule.rstrip(".")
    say(f"{headline(selection)}{f': {rule}' if rule else ''}.", style="bold")
    rest = rest_in_words(selection)
    if rest:
        say(rest)
    say_notes(selection.meta)
    say_findings(selection.meta)
    if len(selection):
        say()
        say_ranking(selection, len(selection), top)
    say_tables(selection, top)
    _say_written(written, out)


def _write(
    selection: Selection,
    table: Any,
    out: Path | None,
    write: Path | None,
    report: Path | None,
    reasons: Path | None,
) -> list[Path]:
    """Write what was asked for, all or nothing."""
    outputs: list[tuple[Path, Any]] = []
    if out is not None:
        outputs.append((out, selection.to_json))
    if write is not None:
        outputs.append((write, lambda path: table.write(path, selection.kept_names)))
    if report is not None:
        from fewer.report import page

        outputs.append((report, lambda path: page.write(selection, path)))
    if reasons is not None:
        outputs.append((reasons, lambda path: write_reasons(selection, path)))
    with bar():
        write_outputs(outputs)
    return [path for path, _ in outputs]


def _say_written(written: Sequence[Path], out: Path | None) -> None:
    if written:
        say()
        say(f"Wrote {', '.join(map(str, written))}.")
    if out is not None:
        say(f"'fewer explain {out} FEATURE' says why a feature was kept or dropped.", style="dim")


def fitted(
    context: typer.Context,
    data: Input,
    method: str | None,
    given: Mapping[str, Any],
    ranks: bool,
    dates: str = "leave out",
    sequences: SequenceOptions = NO_SEQUENCES,
    keep_partial: bool = False,
    around: Around = NOTHING_AROUND,
) -> tuple[Selection, Any]:
    """Fit the method to the file; returns the selection and the table it was made of.

    A search answers Ctrl-C with the best so far, which counts only if ``keep_partial``.
    """
    from fewer.api import RECIPES, ranked
    from fewer.core.reading.dates import read_dates

    method = method_of(method, data.text is not None)
    if method is not None:
        # Wrong options are found before the file is touched.
        _selector(method, given, ranks)
    elif sequences.has_sequences(data) and sequences.selects:
        return sequences.selected(context, data, given)
    nominal = values_of(method_options(method, ranks), given, method or "the default method")
    # The cluster or the device is asked for before the file is read.
    with bar(), data.placed():
        table = sequences.open(data, nominal.get("categorical_features"), method)
        if method in (None, *RECIPES) or dates == "expand":
            table = read_dates(table, dates, nominal.get("keep"))
        selector = _selector(method or _default_method(table, data, ranks), given, ranks)
        if nominal.get("categorical_features") is not None:
            # The table knows them now.
            selector.set_params(categorical_features=None)
        name = type(selector).__name__
        selector = around.put(selector)
        tags = selector._tags_in_use()
        data.check(table, name, tags)
        held = data.held(table, name, selector._reads_batches(selector.check()))
        with noticed_interrupt() as interrupted:
            selection = ranked(selector, held) if ranks and method is None else selector.fit(held).selection_
    if interrupted.is_set():
        if not keep_partial:
            raise KeyboardInterrupt
        selection = selection.with_meta(partial="Interrupted: the best so far.")
    facts = {
        **selection.meta["data"],
        "source": str(data.file),
        "target_name": None if data.no_target else data.target or table.target,
    }
    family = registry.entry(name).family
    return sequences.told(selection.with_meta(command=context.obj, family=family, data=facts), data), table


def _default_method(table: Any, data: Input, ranks: bool) -> str:
    from fewer.api import default_method

    if table.target is None and not data.no_target:
        raise ParameterError(needs_target("The default method", table, ", or --no-target if there is none"))
    return default_method(table.held(True, data.stream), None, ranks=ranks, unlabelled=data.no_target)


def _selector(name: str, given: Mapping[str, Any], ranks: bool) -> Any:
    """Return the selector with checked parameters."""
    made = registry.load_selector(name)
    parameters = values_of(options_of(made), given, made.__name__)
    known = made._get_param_names()
    parameters = {**{name: value for name, value in OWN_DEFAULTS.items() if name in known}, **parameters}
    if ranks and SIZE in known:
        parameters[SIZE] = None
    selector = made(**parameters)
    try:
        selector.check()
    except RequirementError as error:
        # No data were seen yet: what does not fit are options.
        raise ParameterError(str(error)) from error
    return selector


def records(selection: Selection, most: int | None = None) -> list[dict[str, Any]]:
    """Return one record per feature, best first."""
    table = selection.table()
    rows = [dict(zip(table, values)) for values in zip(*table.values())]
    return finite(rows[:most])


def say_ranking(selection: Selection, n_rows: int, top: int) -> None:
    """Print the best features with their scores.

    Parameters
    ----------
    selection : Selection
        What was selected.
    n_rows : int
        How many features, best first, are worth showing.
    top : int
        How many rows to print at most; 0 for all.
    """
    from fewer.report.words import column

    shown = n_rows if top == 0 else min(top, n_rows)
    table = {h: values[:shown] for h, values in selection.table().items() if h not in ("index", "status")}
    heads = ["p-value" if head == "pvalue" else head for head in table]
    texts = [column(values) for values in table.values()]
    words = ("feature", "redundant_to")
    say_table(heads, zip(*texts), right=[head for head in heads if head not in words], feature="bold")
    if shown < n_rows:
        say(f"... and {n_rows - shown:,} more; --top 0 shows all.", style="dim")
    for doubt, n in _doubts(selection).items():
        say(f"Of {n:,} features {doubt}.", style="dim")


def _doubts(selection: Selection) -> Counter[str]:
    """Return what is said of p-values that are not to be trusted, or not there, and of how many features."""
    notes = selection.reasons.note.values()
    return Counter(words for words in notes if words.startswith((DOUBT, NO_PVALUE)))
