"""npz archives of numpy arrays."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from fewer.core.reading.io.matrices import ArraySource, free_name
from fewer.core.reading.io.stored_array import StoredArray
from fewer.core.reading.io.unpacked import refuse_endless
from fewer.core.records.errors import FileError, said

# Up to so many bytes an array that stays on disk is held against its checksum, which needs a pass of its own; an array
# that is larger is read in batches, pass by pass, and damage of single bytes in it goes unseen.
MOST_CHECKED = 2**30
PIECE = 2**20
_SPARSE = ("X_data", "X_indices", "X_indptr", "X_shape")


def open_npz(path: Path) -> ArraySource:
    """Open an archive with ``X`` (or its CSR parts ``X_data``, ...) and perhaps ``y`` and ``feature_names``.

    Every other array with one entry per row can be named as target or weight. ``class_names`` name the
    numbers in ``y``; ``nominal`` marks nominal features, whose level names may stand in the JSON text
    ``meta`` under ``categories``. An uncompressed ``X`` stays on disk and is read as needed.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            # No more than this is unpacked: what an entry says of its size is where its reader stops.
            size = sum(entry.file_size for entry in packed.infolist() if entry.compress_type != zipfile.ZIP_STORED)
        refuse_endless(path, size, "save it without compression")
        with np.load(path, allow_pickle=False) as archive:
            X = _matrix(path, archive)
            small = {name: archive[name] for name in archive.files if name != "X" and name not in _SPARSE}
    except FileError:
        raise
    except Exception as error:
        # Damaged archives make their readers raise whatever they meet: zlib.error, KeyError, struct.error, MemoryError.
        raise FileError(
            f"{path} could not be read as npz ({said(error)}), but a complete archive of plain arrays is needed; "
            "make it again, without objects."
        ) from error
    features = _feature_names(small, X.shape[1], path)
    beside = {
        name: values
        for name, values in small.items()
        if values.ndim == 1 and len(values) == X.shape[0] and name not in ("feature_names", "class_names", "nominal")
    }
    beside = {free_name(name, features): values for name, values in beside.items()}
    source = ArraySource(str(path), X, features, beside)
    _declare(source, small)
    return source


def _matrix(path: Path, archive: Any) -> Any:
    names = set(archive.files)
    if names.issuperset(_SPARSE):
        data, indices, indptr, shape = (archive[name] for name in _SPARSE)
        made = sp.csr_matrix((data, indices, indptr), shape=tuple(shape.tolist()))
        made.check_format(full_check=True)
        if made.dtype.kind not in "fiub":
            raise FileError(
                f"{path} could not be read as npz (X_data holds {made.dtype}), but numbers are needed; make it again."
            )
        return made
    if "X" not in names:
        raise FileError(
            f"{path} holds the arrays {', '.join(archive.files[:6])}, but an array X (or "
            f"{', '.join(_SPARSE)}) is needed; save the table under that name."
        )
    X = _stored(path, "X.npy")
    X = archive["X"] if X is None else X
    if X.ndim != 2 or X.dtype.kind not in "fiub" or X.shape[1] == 0:
        raise FileError(
            f"{path} holds an array X of shape {X.shape} and type {X.dtype}, but rows x features of numbers "
            "are needed; save it so."
        )
    return X


def _stored(path: Path, member: str) -> StoredArray | None:
    """Return an uncompressed array of the archive, to be read in pieces; None if it is compressed."""
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(member)
    if info.compress_type != zipfile.ZIP_STORED:
        return None
    with open(path, "rb") as file:
        # The array follows a local header of 30 bytes, the name and an extra field.
        file.seek(info.header_offset + 26)
        file.seek(info.header_offset + 30 + sum(np.frombuffer(file.read(4), "<u2").tolist()))
        if info.file_size <= MOST_CHECKED:
            _check_sum(path, file, info)
        version = np.lib.format.read_magic(file)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read_header(file)
        if dtype.hasobject or 0 in shape or len(shape) != 2 or dtype.itemsize == 0:
            return None
        found = StoredArray(path, file.tell(), dtype, shape, bool(fortran))
    if min(shape) < 0 or found.start + found.nbytes > path.stat().st_size:
        raise FileError(
            f"{path} could not be read as npz (it is shorter than the shape {shape} of {member}), but a complete "
            "archive is needed; make it again."
        )
    return found


def _check_sum(path: Path, file: BinaryIO, info: zipfile.ZipInfo) -> None:
    """Raise if the bytes that follow are not those that were stored; the place in the file stays."""
    begin, found, left = file.tell(), 0, info.file_size
    while left and (piece := file.read(min(PIECE, left))):
        found, left = zlib.crc32(piece, found), left - len(piece)
    if left or found != info.CRC:
        raise FileError(
            f"{path} could not be read as npz (the bytes of {info.filename} do not fit their checksum), but a complete "
            "archive is needed; copy or make it again."
        )
    file.seek(begin)


def _feature_names(arrays: Mapping[str, np.ndarray], width: int, path: Path) -> list[str]:
    if "feature_names" not in arrays:
        return [f"x{j}" for j in range(width)]
    names = [str(name) for name in arrays["feature_names"].ravel().tolist()]
    if len(names) != width:
        raise FileError(
            f"{path} holds {len(names)} feature_names for the {width} columns of X, but one per column is "
            "needed; save them together."
        )
    return names


def _declare(source: ArraySource, arrays: Mapping[str, np.ndarray]) -> None:
    """Tell the source which columns are nominal and what the levels are called."""
    y = free_name("y", source.features)
    if "y" in arrays and y not in source.beside:
        raise FileError(
            f"{source.where} holds y of shape {arrays['y'].shape} for {source.n_rows} rows of X, but one "
            "value per row is needed; save them together."
        )
    source.default_target = y if "y" in arrays else None
    for name, values in source.beside.items():
        # y with class_names, and in the same way y3 with class_names3.
        classes = arrays.get("class_names" + name.rstrip("_").removeprefix("y"))
        if name.startswith("y") and classes is not None and values.dtype.kind in "fiub":
            source.labels[name] = classes.astype(object)
    mask = arrays.get("nominal")
    if mask is not None and mask.shape == (len(source.features),):
        source.nominal = frozenset(name for name, nominal in zip(source.features, mask.tolist()) if nominal)
        for name, levels in _categories(arrays).items():
            if name in source.nominal:
                source.labels[name] = np.array([*map(str, levels), None], dtype=object)[:-1]


def _categories(arrays: Mapping[str, np.ndarray]) -> dict[str, list[Any]]:
    try:
        found = json.loads(str(arrays["meta"])).get("categories", {})
    except (KeyError, ValueError, AttributeError, RecursionError):
        return {}
    return (
        {name: levels for name, levels in found.items() if isinstance(levels, list)} if isinstance(found, dict) else {}
    )
