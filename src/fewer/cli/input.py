"""The file a command works on: which columns play which part, and whether it is held in memory."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from fewer.core.reading.io.opening import database_of, is_query
from fewer.core.records.errors import ParameterError
from fewer.core.records.tags import MethodTags

SHOWN_COLUMNS = 5
PANEL = "How the file is read"


def file_or_query(text: Any) -> Any:
    """Return the path of a file, or a query as it stands, in which slashes are no folders."""
    return text if is_query(text) else Path(text)


Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Work on the Dask cluster whose scheduler this is, as tcp://10.0.0.1:8786; it must see the file.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class Columns:
    """What is said about the file and its columns on the command line."""

    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            parser=file_or_query,
            help="Table: .csv, .tsv, .txt, .parquet, .feather, .arrow, .arff, .svmlight, .npz, .fasta; or "
            "duckdb:FILE?table=NAME.",
            show_default=False,
        ),
    ]
    target: Annotated[
        str | None,
        typer.Option(
            "--target", "-t", metavar="COLUMN", help="Column to be predicted, or several as in a,b.", show_default=False
        ),
    ] = None
    event: Annotated[
        str | None,
        typer.Option("--event", metavar="COLUMN", help="With --time: column of 0 and 1, whether an event was seen."),
    ] = None
    time: Annotated[
        str | None,
        typer.Option("--time", metavar="COLUMN", help="With --event: column of times of events, or until when seen."),
    ] = None
    drop: Annotated[
        list[str] | None, typer.Option("--drop", metavar="COLUMNS", help="Columns to leave out, as in a,b; repeatable.")
    ] = None
    categorical: Annotated[
        list[str] | None,
        typer.Option("--categorical", metavar="COLUMNS", help="Columns of numbers that are mere names; repeatable."),
    ] = None
    task: Annotated[
        str | None,
        typer.Option("--task", metavar="TASK", help="classification or regression; found out by default."),
    ] = None
    sep: Annotated[
        str | None,
        typer.Option(
            "--sep", metavar="MARK", help="Separator: , ; | tab or space; found out by default.", rich_help_panel=PANEL
        ),
    ] = None
    decimal: Annotated[
        str | None,
        typer.Option(
            "--decimal",
            metavar="MARK",
            help="Mark before fractions, . or , ; found out by default.",
            rich_help_panel=PANEL,
        ),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            "--encoding",
            metavar="NAME",
            help="Such as utf-8, utf-16, cp1252; found out by default.",
            rich_help_panel=PANEL,
        ),
    ] = None
    transpose: Annotated[
        bool,
        typer.Option("--transpose", help="Rows are features, named in the first column.", rich_help_panel=PANEL),
    ] = False
    join: Annotated[
        Path | None,
        typer.Option(
            "--join",
            metavar="FILE",
            readable=False,
            help="Second table with one row per sample, such as one with the target.",
            rich_help_panel=PANEL,
        ),
    ] = None
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="COLUMN",
            help="Column that names the samples in both tables, or here=there.",
            rich_help_panel=PANEL,
        ),
    ] = None

    def open(self, categorical: Iterable[Any] | None = None) -> Any:
        """Return the table.

        Parameters
        ----------
        categorical : list, optional
            Further nominal columns, as an option of the method.
        """
        return self._opened(categorical, None)

    def _opened(self, categorical: Iterable[Any] | None, weight: str | None) -> Any:
        from fewer.core.reading.io.fasta import is_sequence_file
        from fewer.core.reading.table import open_table

        if is_sequence_file(self.file):
            from fewer.cli.sequence_input import SequenceOptions

            return SequenceOptions().open(self)
        nominal = [*(self.categorical or []), *(categorical or [])]
        return open_table(
            self.file,
            self.targets,
            event=self.event,
            time=self.time,
            weight=weight,
            drop=self.drop or [],
            categorical_features=nominal or None,
            task=self.task,
            **self.reading,
        )

    @property
    def targets(self) -> str | list[str] | None:
        """The column to be predicted, or several: names between commas, unless a column has that name."""
        if self.target is None or "," not in self.target:
            return self.target
        from fewer.core.reading.table import open_table

        table = open_table(self.file, None, **self.reading)
        if self.target in (*table.names, table.target):
            return self.target
        return [name.strip() for name in self.target.split(",") if name.strip()]

    @property
    def files(self) -> list[Path]:
        """The files that are read."""
        return [database_of(self.file) or self.file, *([] if self.join is None else [self.join])]

    @property
    def reading(self) -> dict[str, Any]:
        """How the file is to be read, as parameters of `open_table`."""
        names = ("sep", "decimal", "encoding", "transpose", "join", "on")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Weighted(Columns):
    """What is said about the file, its columns, and the weights of the rows."""

    weight: Annotated[
        str | None, typer.Option("--weight", metavar="COLUMN", help="Column that says how often each row counts.")
    ] = None

    def open(self, categorical: Iterable[Any] | None = None) -> Any:
        """Return the table with its weights; ``categorical`` names further nominal columns."""
        return self._opened(categorical, self.weight)


@dataclass(frozen=True)
class Input(Weighted):
    """What is said about the data of a method: besides the columns and the weights, how to read."""

    no_target: Annotated[
        bool, typer.Option("--no-target", help="No column is to be predicted: features are selected without one.")
    ] = False
    stream: Annotated[
        bool | None,
        typer.Option(
            "--stream/--no-stream",
            help="Read in batches or at once; by default in batches from 1 GiB on.",
            show_default=False,
        ),
    ] = None
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory", metavar="SIZE", help="What the command may take, as 2GB or 500MB.", show_default=False
        ),
    ] = None
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            metavar="FOLDER",
            readable=False,
            help="Keep what is done there; the same command goes on from it.",
            show_default=False,
        ),
    ] = None
    device: Annotated[
        str | None,
        typer.Option("--device", metavar="cuda", help="Compute on the NVIDIA GPU of this machine.", show_default=False),
    ] = None
    scheduler: Scheduler = None

    text: Annotated[
        str | None,
        typer.Option(
            "--text", metavar="COLUMN", help="Column of documents: its words are the features.", show_default=False
        ),
    ] = None

    def open(self, categorical: Iterable[Any] | None = None) -> Any:
        """Return the table; of a column of documents that of its words."""
        if self.text is None:
            return super().open(categorical)
        from fewer.core.reading.documents import open_documents

        wrong = {"--drop": self.drop, "--categorical": self.categorical, "--transpose": self.transpose}
        for option, given in wrong.items():
            if given:
                raise ParameterError(
                    f"--text {self.text} was given with {option}, but all columns beside the text and the target are "
                    "left out; leave that out."
                )
        return open_documents(
            self.file, self.target, text=self.text, weight=self.weight, task=self.task, **self.reading
        )

    @property
    def reading(self) -> dict[str, Any]:
        """How the file is to be read, as parameters of `open_table`, and what that may take."""
        return {**super().reading, "memory": self.memory, "resume": self.resume}

    def placed(self) -> Any:
        """Return the context in which methods run where --device or --scheduler says."""
        if self.device not in (None, "cuda"):
            raise ParameterError(
                f"--device {self.device} was given, but cuda is the one that is known; give that, or leave it out to "
                "work on the processor."
            )
        if self.device is None:
            return on_cluster(self.scheduler)
        if self.scheduler is not None:
            raise ParameterError(
                f"--device {self.device} and --scheduler {self.scheduler} were given, but work is done on the GPU of "
                "this machine or on a cluster; leave one of them out."
            )
        from fewer.core.runners.context import use

        return use(self.device)

    def held(self, table: Any, name: str, streams: bool) -> Any:
        """Return the table as it shall be read by a method: in batches, held in memory, or by the workers."""
        if self.stream and not streams:
            raise ParameterError(
                f"{name} needs all rows in memory, so it cannot be used with --stream; leave that out."
            )
        by_workers = self.scheduler is not None and streams and self.stream is not False
        return table.held(streams, True if by_workers else self.stream, name)

    def check(self, table: Any, name: str, tags: MethodTags) -> None:
        """Raise before work starts when the method and the roles of the columns do not fit."""
        if self.no_target and self.target is not None:
            raise ParameterError(
                f"--no-target and --target {self.target} were given, but a file has a target or none; leave one out."
            )
        if self.no_target and tags.needs_target:
            raise ParameterError(
                f"{name} needs a target, but --no-target was given; leave that out, or use a method that needs none, "
                "such as LaplacianScore."
            )
        if tags.needs_target and self.no_target:
            raise ParameterError(
                f"{name} needs a target, but --no-target was given; give --target COLUMN in its place, or a method "
                "that needs none, such as LaplacianScore."
            )
        if tags.needs_target and table.target is None:
            raise ParameterError(needs_target(name, table))
        if self.weight is not None and not tags.handles_weights:
            raise ParameterError(f"{name} takes no weights, but --weight {self.weight} was given; leave it out.")


def on_cluster(scheduler: str | None) -> Any:
    """Return the context in which work is done by the cluster of a scheduler, if one is named."""
    from fewer.core.runners.context import use

    if scheduler is None:
        return nullcontext()
    if "://" not in scheduler:
        raise ParameterError(
            f"--scheduler {scheduler} is no address, which names the protocol, too; give it as tcp://{scheduler}, or "
            "leave it out to work on this machine."
        )
    return use(scheduler)


def needs_target(name: str, table: Any, otherwise: str = "") -> str:
    """Return the sentence that asks for the target and names columns that it could be; ``otherwise`` is another way."""
    # The features of documents are words, none of which is a column.
    names = getattr(table, "others", None) or table.names
    last = names[-SHOWN_COLUMNS:]
    which = "the columns are" if len(last) == len(names) else "the last columns are"
    # The first column names every row, and the others hold numbers.
    rows = ", or --transpose if its rows are features and its columns samples" if table.has_features_in_rows else ""
    return (
        f"{name} needs to know which column of {table.path} to predict, but --target was not given; {which} "
        f"{', '.join(last)}: add for example --target {last[-1]}{otherwise}{rows}."
    )
