"""fewer compare: which features are enough, which method finds them, how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from fewer.cli.console import bar, say, say_json, say_table
from fewer.cli.input import Columns, Scheduler, Weighted, needs_target, on_cluster
from fewer.cli.methods import Json, method_names
from fewer.cli.no_target import compare_halves, refuse
from fewer.cli.output import Reasons, check_outputs, write_outputs
from fewer.cli.show import say_findings, say_notes
from fewer.core.records.errors import FewerError, ParameterError, closest
from fewer.report.reason_file import check_reason_file, write_reasons

# What --estimators knows; names are found in any case and with - or _ for a blank.
ESTIMATORS = ("logistic", "neighbours", "naive Bayes", "ridge", "tree")
MOST_FEATURES = 12


class Stopped(FewerError):
    """The user stopped a comparison."""

    exit_code = 130


@dataclass(frozen=True)
class Settings:
    """What is compared, and how, as said on the command line."""

    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--methods",
            "-m",
            metavar="NAMES",
            help="Methods, separated by commas; by default different ones that suit the data.",
            autocompletion=method_names,
        ),
    ] = None
    estimators: Annotated[
        list[str] | None,
        typer.Option(
            "--estimators",
            "-e",
            metavar="NAMES",
            help="logistic, neighbours, naive-bayes for classes; ridge, neighbours, tree for numbers; all by default.",
        ),
    ] = None
    sizes: Annotated[
        str | None, typer.Option("--sizes", metavar="LIST", help="Numbers of features, such as 1,2,5,10.")
    ] = None
    cv: Annotated[
        str | None,
        typer.Option(
            "--cv", metavar="SPLITS", help="10 for folds, 5x2 for repetitions of folds, loo, time:5; 10 by default."
        ),
    ] = None
    scoring: Annotated[
        str | None,
        typer.Option(
            "--scoring",
            metavar="SCORE",
            help="Score of scikit-learn; by default accuracy, balanced if one class is large, or r2.",
        ),
    ] = None
    groups: Annotated[
        str | None,
        typer.Option("--groups", metavar="COLUMN", help="Column that says which rows belong together in a split."),
    ] = None
    naive: Annotated[
        bool | None,
        typer.Option(
            "--naive/--no-naive",
            help="Score also what is chosen on all rows, which shows the selection bias; by default where it matters.",
            show_default=False,
        ),
    ] = None
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="COLUMNS", help="Columns that are not left out, by commas; all for all."),
    ] = None
    drop_leaks: Annotated[bool, typer.Option("--drop-leaks", help="Leave out leak suspects, too.")] = False
    dates: Annotated[
        str,
        typer.Option("--dates", metavar="HOW", help="expand makes numbers of dates; by default they are left out."),
    ] = "leave out"
    seed: Annotated[int, typer.Option("--seed", "--random-state", min=0, metavar="INT", help="Seed.")] = 0
    jobs: Annotated[int, typer.Option("--jobs", "--n-jobs", "-j", metavar="INT", help="Processes; -1 for all.")] = -1

    no_target: Annotated[
        bool,
        typer.Option(
            "--no-target",
            help="Compare methods without a target, by clusters of half-samples; --target then names labels only.",
        ),
    ] = False

    def parameters(self) -> dict[str, Any]:
        """Return what the library calls these settings, the groups left aside."""
        if self.jobs == 0:
            raise ParameterError("compare got --jobs 0, but needs a process; give 1 or more, or -1 for all processors.")
        return {
            "methods": _names(self.methods),
            "estimators": _estimators(self.estimators),
            "sizes": _sizes(self.sizes),
            "cv": int(self.cv) if self.cv is not None and self.cv.strip().isdecimal() else self.cv,
            "scoring": self.scoring,
            "naive": self.naive,
            "keep": _columns(self.keep),
            "drop": "leaks" if self.drop_leaks else None,
            "dates": self.dates,
            "random_state": self.seed,
            "n_jobs": self.jobs,
        }

    def of_targets(self) -> dict[str, Any]:
        """Return what was given that needs a target, by option."""
        options = ("estimators", "cv", "scoring", "groups", "naive", "keep", "drop_leaks")
        given = {f"--{name.replace('_', '-')}": getattr(self, name) for name in options}
        return {**given, "--dates": None if self.dates == "leave out" else self.dates}


def compare(
    context: typer.Context,
    data: Weighted,
    settings: Settings,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            readable=False,
            help="Keeps finished work, so that the same command goes on; by default beside --out or --report.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="JSON", readable=False, help="Write the comparison, for 'fewer report'."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="HTML", readable=False, help="Write a report page.")
    ] = None,
    reasons: Reasons = None,
    scheduler: Scheduler = None,
    as_json: Json = False,
) -> None:
    """Compare methods: how few features are enough, which, how sure that is."""
    check_outputs([out, report, checkpoint, reasons], data.files)
    if reasons is not None:
        check_reason_file(reasons)
    if settings.no_target:
        given = {"--checkpoint": checkpoint, "--report": report, "--reasons": reasons, **settings.of_targets()}
        given["--scheduler"] = scheduler
        refuse({**given, "--weight": data.weight})
        compare_halves(data, _names(settings.methods), _sizes(settings.sizes), settings.seed, out, as_json)
        return
    parameters = settings.parameters()
    beside = _beside(out or report) if checkpoint is None else None
    with _removed(beside), bar(), on_cluster(scheduler):
        found, table = _compared(data, settings.groups, checkpoint or beside, parameters)
    facts = {**found.meta["data"], "source": str(data.file), "target_name": table.target}
    found = found.with_meta(command=context.obj, data=facts)
    written = _write(found, out, report, reasons)
    if beside is not None:
        beside.unlink(missing_ok=True)
    if as_json:
        say_json(found.to_dict(), indent=None)
    else:
        _say(found, written)


def _compared(data: Columns, groups: str | None, checkpoint: Path | None, settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return the comparison and the table it was made of."""
    from fewer.core.reading.dates import read_dates
    from fewer.evaluate.compare import compare as compared
    from fewer.evaluate.work import Interrupted

    table = data.open()
    if table.target is None:
        raise ParameterError(needs_target("compare", table, ", or --no-target"))
    labels = None
    if groups is not None:
        labels = _groups(data, groups, table)
        table = replace(data, drop=[*(data.drop or []), groups]).open()
    try:
        held = read_dates(table, settings["dates"], settings["keep"]).load()
        return compared(held, groups=labels, checkpoint=checkpoint, **settings), table
    except Interrupted as error:
        words = str(error).replace("the same call goes on from there", "run the same command again to go on")
        raise Stopped(words.replace("pass checkpoint='file'", "add --checkpoint FILE")) from error


def _groups(data: Columns, groups: str, table: Any) -> np.ndarray:
    """Return the values of the column that names the groups."""
    from fewer.core.reading.table import open_table

    if groups not in table.names or groups == table.target:
        raise ParameterError(
            f"--groups {groups} is no column of {table.path} besides the target; the columns are "
            f"{', '.join(map(str, table.names[:8]))}{', ...' if len(table.names) > 8 else ''}."
            f"{closest(groups, table.names)}"
        )
    read = open_table(data.file, data.target, columns=[groups], task=data.task, **data.reading).read().X
    values = np.asarray(read.toarray() if hasattr(read, "toarray") else read, dtype=float)[:, 0]
    if np.isnan(values).any():
        raise ParameterError(
            f"--groups {groups} has {int(np.isnan(values).sum()):,} rows without a value, but every row needs a group; "
            "fill them in or leave these rows out."
        )
    return values


def _names(given: Sequence[str] | None) -> list[str] | None:
    if given is None:
        return None
    names = [name.strip() for part in given for name in part.split(",") if name.strip()]
    if not names:
        raise ParameterError("--methods got no name, but needs at least one; leave it out for the default methods.")
    return names


def _columns(given: Sequence[str] | None) -> list[str] | None:
    return None if given is None else [name.strip() for part in given for name in part.split(",") if name.strip()]


def _estimators(given: Sequence[str] | None) -> list[str] | None:
    """Return estimators as the library calls them."""
    if given is None:
        return None
    known = {name.lower(): name for name in ESTIMATORS}
    typed = [name.strip() for part in given for name in part.split(",") if name.strip()]
    found = [known.get(name.lower().replace("-", " ").replace("_", " ")) for name in typed]
    for name, one in zip(typed, found):
        if one is None:
            raise ParameterError(
                f"--estimators got {name!r}, but knows {', '.join(ESTIMATORS)}; name some of them."
                f"{closest(name, ESTIMATORS)}"
            )
    return [one for one in found if one is not None] or None


def _sizes(given: str | None) -> list[int] | None:
    if given is None:
        return None
    parts = [part.strip() for part in given.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() for part in parts):
        raise ParameterError(
            f"--sizes got {given!r}, but takes whole numbers separated by commas; write them as in 1,2,5,10."
        )
    return [int(part) for part in parts]


def _beside(path: Path | None) -> Path | None:
    """Return the file that keeps unfinished work if none is named."""
    return None if path is None else path.with_name(f"{path.name}.unfinished")


@contextmanager
def _removed(beside: Path | None) -> Iterator[None]:
    """Leave no file behind that was made unasked, if nothing can go on from it."""
    new = beside is not None and not beside.exists()
    try:
        yield
    except Stopped:
        raise
    except FewerError:
        if new and beside is not None:
            beside.unlink(missing_ok=True)
        raise


def _write(found: Any, out: Path | None, report: Path | None, reasons: Path | None) -> list[Path]:
    """Write what was asked for, all or nothing."""
    outputs: list[tuple[Path, Any]] = []
    if out is not None:
        outputs.append((out, found.to_json))
    if report is not None:
        outputs.append((report, found.report))
    if reasons is not None:
        outputs.append((reasons, lambda path: write_reasons(found.selection, path)))
    write_outputs(outputs)
    return [path for path, _ in outputs]


def _say(found: Any, written: Sequence[Path]) -> None:
    """Print what matters: the headline, one row per method, the features."""
    from fewer.report import comparison_facts as facts
    from fewer.report import comparison_words as words
    from fewer.report.comparison_tables import method_columns
    from fewer.report.words import listed

    head = found.best()
    say(f"{words.title(found, head)}.", style="bold")
    say(words.lede(found, head))
    say(f"{found.meta['panel']} Splits: {found.meta['protocol']}. Score: {found.meta.get('score', '')}", style="dim")
    say_notes(found.meta)
    say()
    for tile in words.tiles(found, head):
        say(f"{tile['name']}: {tile['figure']} ({tile['words']}).")
    say_findings(found.meta)
    names = [found.names[j] for j in head.features]
    say(f"Features: {listed(names, most=MOST_FEATURES)}." if names else "No feature is kept.")
    if words.stable(found, head):
        say(words.stable(found, head))
    say()
    columns = method_columns(found, facts.method_order(found, head), facts.rank_test(found))
    right = [one.head for one in columns if one.shown_as == "number"]
    say_table([one.head for one in columns], zip(*(one.cells for one in columns)), right=right, method="bold")
    if words.times(found):
        say(words.times(found), style="dim")
    for one in words.failures(found):
        say(f"Left out: {one['what']}: {one['why']}", style="dim")
    if written:
        say()
        say(f"Wrote {', '.join(map(str, written))}.")
