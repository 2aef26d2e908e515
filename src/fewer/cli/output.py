"""Files that a command writes: all of them or none."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from fewer.core.records.errors import FileError, ParameterError
from fewer.core.records.whole_files import is_special, write_all

Write = Callable[[Path], None]
Reasons = Annotated[
    Path | None,
    typer.Option(
        "--reasons", metavar="CSV", readable=False, help="Write why each feature was kept or dropped: .csv, .tsv."
    ),
]


def check_outputs(paths: Sequence[Path | None], inputs: Sequence[Path]) -> None:
    """Raise before any work starts when a file could not be written, or would replace an input or another output.

    Parameters
    ----------
    paths : list of Path or None
        Files to be written.
    inputs : list of Path
        Files that are read.
    """
    wanted = [path for path in paths if path is not None]
    for number, path in enumerate(wanted):
        for other in inputs:
            if _same(path, other):
                raise ParameterError(f"{path} is the input, which is never overwritten; write to another file.")
        if any(_same(path, other) for other in wanted[:number]):
            raise ParameterError(f"{path} was given for two outputs, but each needs a file of its own; rename one.")
        if is_special(path) and not path.is_dir():
            # Devices and pipes are written to; their folder is left as it is.
            continue
        if Path(os.path.realpath(path)).is_symlink():
            raise FileError(
                f"{path} cannot be written because its links lead in a circle; delete it or choose another."
            )
        folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
        if not folder.exists():
            raise FileError(f"{path} cannot be written because there is no folder {folder}; make it or choose another.")
        if not folder.is_dir():
            raise FileError(f"{path} cannot be written because {folder} is not a folder; choose another place.")
        if path.is_dir():
            raise FileError(f"{path} is a folder, but a file name is needed; add one.")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise FileError(
                f"{path} cannot be written because {folder} may not be changed by this user; choose another."
            )


def _same(path: Path, other: Path) -> bool:
    # Not resolve(), which raises where links lead in a circle.
    return os.path.realpath(path) == os.path.realpath(other) or (
        path.exists() and other.exists() and path.samefile(other)
    )


def write_outputs(outputs: Sequence[tuple[Path, Write]]) -> None:
    """Write files beside their places first and move them there when all are complete.

    Parameters
    ----------
    outputs : list of (Path, function)
        Each file, and the function that writes it to the path it is called with.
    """
    write_all(outputs, hear_no_more)


def hear_no_more() -> None:
    """Do not heed Ctrl-C any more: all is written, and to be interrupted would say that nothing was.

    One that came a moment before is still heard here, and takes the files back.
    """
    # Only the main thread hears signals.
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
