"""Codes of a streamed table, kept for methods that ask for them again and again: the file is then read no more."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from tempfile import SpooledTemporaryFile, TemporaryFile, gettempdir
from typing import Any

import numpy as np

from fewer.core.discretize.cuts import code_type
from fewer.core.records.errors import FileError
from fewer.core.runners import progress
from fewer.core.runners.kept_work import KeptWork
from fewer.core.runners.memory import in_words
from fewer.core.runners.stream import StreamRunner, identity
from fewer.core.views.blocks import CodesBlock
from fewer.core.views.view import View

WORDS = "making codes"


def keep_codes(view: View) -> View:
    """Return the codes of a streamed table, read once, if its runner keeps them; other views as they are.

    Up to what the runner has for them they are held in memory, as those of an array would be. Beyond that they lie in
    a temporary file, as large as they are, which goes when the runner is closed, and are read from it batch by batch.
    """
    run = view.run
    if not isinstance(run, StreamRunner) or not run.keeps:
        return view
    dtype = np.dtype(code_type(int(np.max(np.asarray(view.n_levels), initial=1))))
    fits = dtype.itemsize * view.n_rows * view.n_features <= run.budget.codes
    view = _resumable(view)
    if view.kind == "codes" and fits:
        return replace(view, run=run.threads, blocks=[_together(view, dtype)], _memo={})
    if isinstance(view.blocks, KeptBlocks):
        return view
    # How much sparse codes take shows only on the way; 0 would stand for no limit.
    spooled = partial(SpooledTemporaryFile, max(1, run.budget.codes))
    opened: Any = TemporaryFile if view.kind == "codes" else spooled
    with _told(view):
        file = run.opened.enter_context(opened())
    return replace(view, blocks=FileBlocks(file, view), _memo={})


def keep_numbers(view: View) -> View:
    """Return the rows of a streamed table, read once, in a temporary file if its runner keeps any; others as they are.

    Up to what the runner has for them that file is held in memory.
    """
    run = view.run
    if not isinstance(run, StreamRunner) or not run.keeps:
        return view
    view = _resumable(view, 8, "numbers")
    if isinstance(view.blocks, KeptBlocks):
        return view
    opened: Any = partial(SpooledTemporaryFile, max(1, run.budget.codes))
    with _told(view, 8, "numbers"):
        file = run.opened.enter_context(opened())
    return replace(view, blocks=FileBlocks(file, view, 8, "numbers"), _memo={})


def ahead(view: View) -> Iterator[Any]:
    """Yield the row blocks of a view, read ahead where its runner does so."""
    return view.run.ahead(view.blocks) if isinstance(view.run, StreamRunner) else iter(view.blocks)


def _resumable(view: View, n_bytes: int = 1, what: str = "codes") -> View:
    """Return the same rows in the folder of work that is kept, written there if they are not yet; else as they are."""
    work = view.run.kept  # type: ignore[attr-defined]
    key = None if work is None else work.key(what, identity(view.blocks))
    if key is None:
        return view
    if key not in work:
        rows = 0
        with work.writing(key) as file:
            for block in ahead(view):
                file.write(block)
                rows += block.n_rows
                progress.report(f"making {what}", rows, view.n_rows)
    return replace(view, blocks=KeptBlocks(work, key, view.n_rows, n_bytes * view.n_rows * view.n_features), _memo={})


def _folder() -> str:
    try:
        return gettempdir()
    except OSError:
        # No folder that can be written to.
        return "a temporary folder"


@contextmanager
def _told(view: View, n_bytes: int = 1, what: str = "codes") -> Iterator[None]:
    """Say of an error of the temporary file what was to be kept there."""
    try:
        yield
    except OSError as error:
        size = in_words(n_bytes * view.n_rows * view.n_features)
        raise FileError(
            f"The {what} of {view.n_rows:,} rows and {view.n_features:,} features could not be kept in "
            f"{_folder()} ({error}), but about {size} are needed there; "
            "name another folder by the variable TMPDIR, or give more memory by open_table(..., cache_bytes=)."
        ) from error


def _together(view: View, dtype: np.dtype) -> CodesBlock:
    """Put all row blocks below each other in arrays made once, so that codes are never held twice."""
    rows, top = np.empty((view.n_rows, view.n_features), dtype), 0
    beside: dict[str, Any] = {"y": None, "weight": None}
    for block in ahead(view):
        bottom = top + block.n_rows
        rows[top:bottom] = block.rows
        for name in beside:
            values = getattr(block, name)
            if values is not None:
                beside[name] = np.empty(view.n_rows, values.dtype) if beside[name] is None else beside[name]
                beside[name][top:bottom] = values
        top = bottom
        progress.report(WORDS, top, view.n_rows)
    return CodesBlock(rows, np.asarray(view.n_levels), **beside)


@dataclass(frozen=True, eq=False)
class KeptBlocks:
    """Row blocks in the folder of work that is kept."""

    work: KeptWork
    key: str
    n_rows: int
    n_bytes: int
    kept = True

    @property
    def identity(self) -> Any:
        """What these rows are, for work that is kept."""
        return ("kept", self.key)

    def __iter__(self) -> Iterator[Any]:
        return self.work.answers(self.key)


class FileBlocks:
    """Row blocks in a file that has no name, so that nothing of it is left behind, also after errors.

    Attributes
    ----------
    kept : bool
        Says to runners that the same rows come again and again.
    n_bytes : int
        About how many bytes they are.
    """

    kept = True

    def __init__(self, file: Any, view: View, n_bytes: int = 1, what: str = "codes") -> None:
        self._file, self._places, self.n_rows = file, [0], view.n_rows
        self.n_bytes = n_bytes * view.n_rows * view.n_features
        rows = 0
        for block in ahead(view):
            with _told(view, n_bytes, what):
                pickle.dump(block, file, protocol=5)
                self._places.append(file.tell())
            rows += block.n_rows
            progress.report(f"making {what}", rows, view.n_rows)

    def __iter__(self) -> Iterator[Any]:
        for place in self._places[:-1]:
            self._file.seek(place)
            yield pickle.load(self._file)
