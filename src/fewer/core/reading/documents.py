"""A column of texts as a table of terms and counts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from fewer.core.reading.io.matrices import ArraySource, free_name
from fewer.core.reading.io.roles import choose_roles
from fewer.core.reading.table import Table, open_table
from fewer.core.records.errors import InputError, closest

# Names of columns that are told one by one.
TOLD = 5


class DocumentTable(Table):
    """The words of the documents of one column of a file, counted: a sparse table that is held in memory."""

    told: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """How the documents were read."""
        return (*self.told, *super().notes)


def open_documents(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    text: str,
    weight: str | None = None,
    task: str | None = None,
    vectorizer: Any = None,
    **reading: Any,
) -> DocumentTable:
    """Open a file of documents: the words of one column are the features, and other columns are left out.

    Parameters
    ----------
    path : str or path
        The file.
    target : str, optional
        Column to be predicted.
    text : str
        Column that holds the documents; an empty cell is an empty document.
    weight : str, optional
        Column of weights.
    task : {"classification", "regression"}, optional
        What the target is for.
    vectorizer : CountVectorizer, optional
        What makes counts of texts; words of two letters or more, in lower case, by default.
    **reading
        How the file is read, as parameters of `open_table`.

    Returns
    -------
    DocumentTable
        Names of the features are the terms.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    names = open_table(path, target, weight=weight, task=task, **reading).names
    if text not in names:
        raise InputError(
            f"text={text!r} is not a column of {path} beside the target, which has {', '.join(names[:TOLD])}; name the "
            f"column that holds the documents.{closest(text, names)}"
        )
    table = open_table(
        path, target, weight=weight, columns=[text], categorical_features=[text], task=task, **reading
    ).load()
    batch, levels = table.read(), np.asarray(table.labels[0], dtype=object)
    documents = ["" if code != code else str(levels[int(code)]) for code in batch.X[:, 0].tolist()]
    made = CountVectorizer() if vectorizer is None else vectorizer
    try:
        X = made.fit_transform(documents)
    except ValueError as error:
        raise InputError(
            f"The column {text!r} of {table.path} has no words ({error}), but texts are needed; name the column that "
            "holds the documents."
        ) from error
    terms = [str(term) for term in made.get_feature_names_out()]
    others = [name for name in names if name != text]
    opened = _made(table, batch, X, terms, _notes(text, len(documents), len(terms), others))
    opened.others = tuple(others)
    return opened


def _made(table: Table, batch: Any, X: Any, terms: list[str], told: tuple[str, ...]) -> DocumentTable:
    beside: dict[str, Any] = {}
    called: Mapping[str, str | None] = {"target": table.target, "weight": table.weight}
    given = {"target": batch.y, "weight": batch.weight}
    # A word may be called as a column is.
    free = {role: None if name is None else free_name(name, terms) for role, name in called.items()}
    for role, name in free.items():
        if name is not None:
            beside[name] = np.asarray(given[role])
    source = ArraySource(str(table.path), X, terms, beside)
    if free["target"] is not None and table.classes is not None:
        source.labels[free["target"]] = np.asarray(table.classes)
    roles = choose_roles(
        source.features,
        source.extra,
        source.where,
        target=free["target"],
        weight=free["weight"],
        columns=None,
        drop=(),
        categorical_features=None,
        task=table.task,
    )
    made = DocumentTable(source, roles)
    made.told = (*told, *table.notes)
    return made


def _notes(text: str, n_documents: int, n_terms: int, others: list[str]) -> tuple[str, ...]:
    words = f"The features are the {n_terms:,} words of the column {text!r} in {n_documents:,} documents"
    if not others:
        return (f"{words}.",)
    shown = ", ".join(others[:TOLD]) + (f" and {len(others) - TOLD} more" if len(others) > TOLD else "")
    return (f"{words}; other columns were left out: {shown}.",)
