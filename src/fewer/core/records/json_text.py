"""From a result to JSON and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from fewer.core.records.errors import BrokenResult, FileError, said

Made = TypeVar("Made")
# What happens to those who read values that are not what they should be.
WRONG = (BrokenResult, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def written(value: Any) -> str:
    """Return JSON: NaN as null, infinity and unknown objects as their text."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)


def read(
    source: str | Path, what: str, formats: Sequence[int | str], make: Callable[[dict[str, Any]], Made], origin: str
) -> Made:
    """Read JSON text or a file.

    Parameters
    ----------
    source : str or Path
        The text or the file.
    what : {"selection", "comparison", "comparison without target"}
        What is expected.
    formats : sequence of int or str
        Formats that can be read.
    make : callable
        Makes the result of plain values.
    origin : str
        Where such files come from, for messages.
    """
    text = source if isinstance(source, str) and source.lstrip().startswith("{") else _content(Path(source))
    where = "This text" if text is source else str(source)
    try:
        data = json.loads(text)
        if data.get("kind", "selection") != what or data["format"] not in formats:
            raise FileError(
                f"{where} has format {data['format']}, but this version of fewer reads {what}s of format "
                f"{' and '.join(map(str, formats))}; make it again or use the version that wrote it."
            )
        return make(data)
    except FileError:
        raise
    except WRONG as error:
        raise strange(where, what, error, origin) from error


def strange(where: str, what: str, error: BaseException, origin: str) -> FileError:
    """Return the error for a file that is JSON, but no result of ours."""
    return FileError(
        f"{where} is not a {what} written by fewer ({type(error).__name__}: {said(error)}); give a file made by "
        f"{origin}."
    )


def plain(value: Any) -> Any:
    """Replace what JSON cannot hold: NaN by null, numpy scalars by Python's, anything else by its text."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else (None if np.isnan(value) else str(value))
    return value if isinstance(value, (int, str, bool, type(None))) else str(value)


def _content(path: Path) -> str:
    # A device may give letters without end; a pipe that nobody writes to would wait.
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise FileError(f"{path} is a device or a pipe, but a file is needed; save what it gives to one first.")
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise FileError(f"There is no file {path}; check the name.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"The file {path} cannot be read ({error}); check that it is JSON written by fewer.") from error
