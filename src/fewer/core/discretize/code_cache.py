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
from fewer.core.views.packed import MOST_LEVELS, PackingBlocks, ends_of
from fewer.core.views.view import View

WORDS = "making codes"
# What a row takes beside its codes: its class, and a term of the logarithms of all counts.
ROW_BYTES = 16


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
    if not fits:
        view = _as_bits(view)
    view = _resumable(view)
    if view.kind == "codes" and fits:
        return replace(view, run=run.threads, blocks=[_together(view, dtype)], _memo={})
    if _bits_fit(view):
        return replace(view, blocks=HeldBlocks(view), _memo={})
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


def _as_bits(view: View) -> View:
    """Return codes of few levels as bits, packed when they are read; others, and rows with weights, as they are."""
    run, levels = view.run, np.asarray(view.n_levels)
    weighted = view.weights is not None
    if view.kind != "codes" or weighted or not run.packs or levels.max(initial=1) > MOST_LEVELS:  # type: ignore[attr-defined]
        return view
    blocks = PackingBlocks(view.blocks, levels, view.n_rows, run.budget.batch, run)
    return replace(view, blocks=blocks, _memo={})


def _bits_fit(view: View) -> bool:
    """Return whether codes are packed, and may be held in memory so."""
    budget = view.run.budget
    beside = 0 if budget.total is None else ROW_BYTES * view.n_rows
    return _are_bits(view) and _size_of(view) + beside <= budget.bits


def _are_bits(view: View) -> bool:
    return isinstance(view.blocks, PackingBlocks) or getattr(view.blocks, "packed", False)


def _size_of(view: View, n_bytes: int = 1) -> int:
    """Return about how many bytes what is kept takes, of so many bytes a value unless it is packed."""
    if _are_bits(view):
        return int(ends_of(np.asarray(view.n_levels))[-1]) * view.n_rows // 8
    return n_bytes * view.n_rows * view.n_features


def ahead(view: View) -> Iterator[Any]:
    """Yield the row blocks of a view, read ahead where its runner does so."""
    return view.run.ahead(view.blocks) if isinstance(view.run, StreamRunner) else iter(view.blocks)


def _resumable(view: View, n_bytes: int = 1, what: str = "codes") -> View:
    """Return the same rows in the folder of work that is kept, written there if they are not yet; else as they are."""
    work = view.run.kept  # type: ignore[attr-defined]
    key = None if work is None else work.key(what, identity(view.blocks))
    if key is None:
        return view
    kept = KeptBlocks(work, key, view.n_rows, _size_of(view, n_bytes), _are_bits(view))
    if key not in work:
        rows = 0
        with work.writing(key) as file:
            for block in ahead(view):
                file.write(block)
                rows += block.n_rows
                progress.report(f"making {what}", rows, view.n_rows)
    return replace(view, blocks=kept, _memo={})


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
        size = in_words(_size_of(view, n_bytes))
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
    packed: bool = False
    kept = True

    @property
    def identity(self) -> Any:
        """What these rows are, for work that is kept."""
        return ("kept", self.key)

    def __iter__(self) -> Iterator[Any]:
        return self.work.answers(self.key)


class HeldBlocks:
    """Row blocks of bits in memory; what is made of one when asked goes with the pass over it."""

    kept = True

    def __init__(self, view: View) -> None:
        self.n_rows, self._blocks = view.n_rows, []
        self.identity = identity(view.blocks)
        rows = 0
        for block in ahead(view):
            self._blocks.append(block)
            rows += block.n_rows
            progress.report(WORDS, rows, view.n_rows)
        self.n_bytes = sum(block.planes_of_places.nbytes for block in self._blocks)

    def __iter__(self) -> Iterator[Any]:
        return (block.plain() for block in self._blocks)


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
        self.n_bytes = _size_of(view, n_bytes)
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
