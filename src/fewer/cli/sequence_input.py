"""Sequences on the command line: FASTA files, plain text, or a column of a table, and the features made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from fewer import registry
from fewer.cli.options import options_of, values_of
from fewer.core.reading.io.fasta import is_sequence_file, read_fasta
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.result import Selection

PANEL = "Sequences"
# Numbers of a table that is made dense for methods that take no sparse data; 400 MB.
MOST_CELLS = 50_000_000
# What is said where a method selects out of features that FGA has selected.
MADE_OF_THE_SAME = (
    "FGA chose these features by the classes of the same sequences, so that their scores and p-values look better than "
    "they are; check what is kept on other sequences."
)
# Features by the word that asks for them: method and parameters.
FEATURES: dict[str, tuple[str, dict[str, Any]]] = {
    "general": ("Kmers", {}),
    "region": ("Kmers", {"kind": "region"}),
    "position": ("Kmers", {"kind": "position"}),
    "conjunction": ("Conjunctions", {}),
    "floating": ("FloatingConjunctions", {}),
    "fga": ("FGA", {}),
}
# Options of tables that mean nothing in a file of sequences.
OF_TABLES = ("drop", "categorical", "task", "sep", "decimal", "encoding", "transpose", "join", "on", "weight", "stream")


@dataclass(frozen=True)
class SequenceOptions:
    """What is said about sequences on the command line."""

    sequence: Annotated[
        str | None,
        typer.Option("--sequence", metavar="COLUMN", help="Column of a table with sequences.", rich_help_panel=PANEL),
    ] = None
    negative: Annotated[
        Path | None,
        typer.Option(
            "--negative",
            metavar="FILE",
            readable=False,
            help="Sequences of the other class; those of FILE are then positive.",
            rich_help_panel=PANEL,
        ),
    ] = None
    features: Annotated[
        str | None,
        typer.Option(
            "--features",
            metavar="KIND",
            help="Made of sequences: general, region, position, conjunction, floating, or fga, which also selects.",
            rich_help_panel=PANEL,
        ),
    ] = None
    letters: Annotated[
        str | None,
        typer.Option("--letters", metavar="RANGE", help="Letters of a feature, such as 2-4.", rich_help_panel=PANEL),
    ] = None
    alphabet: Annotated[
        str | None,
        typer.Option("--alphabet", metavar="NAME", help="dna, rna, protein, or the letters.", rich_help_panel=PANEL),
    ] = None

    def has_sequences(self, data: Any) -> bool:
        """Return whether the file at hand holds sequences; raise if options of them were given for another."""
        if self.sequence is not None or self.negative is not None or is_sequence_file(data.file):
            return True
        given = [f"--{name}" for name in ("features", "letters", "alphabet") if getattr(self, name) is not None]
        if given:
            raise ParameterError(
                f"{' and '.join(given)} is for sequences, but {data.file} is a table without --sequence COLUMN; name "
                "the column, or leave it out."
            )
        return False

    @property
    def selects(self) -> bool:
        """Whether the features are selected while they are made."""
        return self._kind() == "fga"

    def open(self, data: Any, nominal: Any = None, method: str | None = None) -> Any:
        """Return the table of features, or the table as it is if it holds no sequences.

        It is sparse unless it is small and the method takes no sparse data.
        """
        if not self.has_sequences(data):
            return data.open(nominal)
        texts, classes = self.read(data)
        made = self.generator()
        if classes is None and self.selects:
            raise ParameterError("--features fga selects by the classes, but --no-target was given; leave that out.")
        X = made.fit(texts, classes).transform(texts)
        dense = method is not None and not registry.load(method).method_tags.handles_sparse
        if dense and X.shape[0] * X.shape[1] <= MOST_CELLS:
            X = X.toarray()
        return sequence_table(X, classes, made.get_feature_names_out())

    def generator(self, **more: Any) -> Any:
        """Return the method that makes the features."""
        name, parameters = FEATURES[self._kind()]
        if self.letters is not None:
            ends = [_whole(end) for end in str(self.letters).split("-")]
            of_fga = {"max_letters": ends[-1], **({"min_letters": ends[0]} if len(ends) > 1 else {})}
            parameters = {**parameters, **(of_fga if name == "FGA" else {"k": self.letters})}
        if self.alphabet is not None:
            parameters = {**parameters, "alphabet": self.alphabet}
        return registry.load(name)(**parameters, **more)

    def _kind(self) -> str:
        kind = self.features or "general"
        if kind not in FEATURES:
            raise ParameterError(
                f"--features {kind} was given, but features of sequences are {', '.join(FEATURES)}; give one of them."
            )
        return kind

    def read(self, data: Any) -> tuple[list[str], np.ndarray | None]:
        """Return the sequences and their classes."""
        if self.sequence is not None:
            return self._column(data)
        given = [f"--{name}" for name in OF_TABLES if getattr(data, name, None)]
        if given:
            raise ParameterError(
                f"{' and '.join(given)} is for tables, but {data.file} is read as a file of sequences; leave it out."
            )
        first, unlabelled = read_fasta(data.file), getattr(data, "no_target", False)
        if self.negative is None:
            classes = None if unlabelled else np.array(first.classes(data.target, where=str(data.file)))
            return list(first.texts), classes
        if data.target is not None or unlabelled:
            raise ParameterError(
                "--negative says which sequences are of which class, so that --target and --no-target mean nothing; "
                "leave one of them out."
            )
        second = read_fasta(self.negative)
        labels = np.repeat(["positive", "negative"], [len(first.texts), len(second.texts)])
        return [*first.texts, *second.texts], labels

    def _column(self, data: Any) -> tuple[list[str], np.ndarray | None]:
        """Return the sequences in a column of a table, and the target in another."""
        from fewer.core.reading.table import open_table
        from fewer.core.reading.table_labels import table_labels

        if self.negative is not None or getattr(data, "weight", None) is not None:
            raise ParameterError(
                "--sequence names a column of a table, which takes neither --negative nor --weight; leave them out."
            )
        texts = table_labels(open_table(data.file, self.sequence, task="classification", **data.reading), all_rows=True)
        if getattr(data, "no_target", False):
            return list(texts), None
        if data.target is None:
            raise ParameterError(
                f"--sequence {self.sequence} was given without --target, but the classes stand in another column; add "
                "--target COLUMN, or --no-target if there is none."
            )
        whole = open_table(data.file, data.target, task=data.task, **data.reading)
        classes = np.asarray(table_labels(whole, all_rows=True))
        missing = sum(one is None or one != one for one in classes.tolist())
        if missing:
            raise InputError(
                f"The target {data.target} of {data.file} is missing in {missing} row(s), but each sequence needs one; "
                "drop those rows."
            )
        return list(texts), classes

    def selected(self, context: typer.Context, data: Any, given: Mapping[str, Any]) -> tuple[Selection, Any]:
        """Return what FGA selects of the features that it makes, and the table of them."""
        wanted = values_of(options_of(registry.load("FGA")), given, "FGA")
        texts, classes = self.read(data)
        if classes is None:
            raise ParameterError("--features fga selects by the classes, but --no-target was given; leave that out.")
        made = self.generator(**wanted).fit(texts, classes)
        table = sequence_table(made.transform(texts), classes, made.get_feature_names_out())
        facts = {**made.selection_.meta["data"], "source": str(data.file)}
        found = made.selection_.with_meta(command=context.obj, family="sequences", data=facts)
        return self.told(found, data), table

    def told(self, selection: Selection, data: Any) -> Selection:
        """Return a selection with the number of sequences of every class that have each kept motif."""
        if not self.has_sequences(data):
            return selection
        named = "class" if data.target is None else data.target
        facts = {**selection.meta["data"], "target_name": None if getattr(data, "no_target", False) else named}
        if self.selects and selection.meta.get("method") != "FGA":
            facts["notes"] = [*facts.get("notes", ()), MADE_OF_THE_SAME]
        selection = selection.with_meta(data=facts)
        if "motifs" in selection.tables or facts["target_name"] is None or not len(selection):
            return selection
        from fewer.methods.sequences.motif_counts import class_presence, motif_table

        texts, classes = self.read(data)
        labels, y = np.unique(np.asarray(classes), return_inverse=True)
        generator = self.generator()
        X = generator.fit(texts, classes).transform(texts)
        place = {name: j for j, name in enumerate(generator.get_feature_names_out().tolist())}
        columns = [place[name] for name in selection.feature_names]
        present = class_presence(X[:, columns], y, len(labels))
        return selection.with_tables(motifs=motif_table(selection.indices, present, labels))


def sequence_table(X: Any, classes: np.ndarray | None, names: Any) -> Any:
    """Return the features of sequences as a table."""
    from fewer.core.reading.table import ArrayTable

    return ArrayTable(X, classes, names=list(names), task=None if classes is None else "classification")


def _whole(text: str) -> int:
    if not text.strip().isdigit():
        raise ParameterError(f"--letters {text} was given, but takes a range such as 2-4; give one.")
    return int(text)
