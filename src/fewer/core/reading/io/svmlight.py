"""svmlight (libsvm) files, read in parts of the file."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from fewer.core.reading.io.encoder import refuse_change
from fewer.core.reading.io.matrices import MatrixSource, Slice
from fewer.core.records.errors import FileError, InputError

_PART_BYTES = 8 * 2**20
_ANY_WIDTH = 2**31 - 1


class SvmlightSource(MatrixSource):
    """A sparse table of ``label place:value ...`` lines; the label is the target, named ``y``.

    Places count from 1 unless a place 0 occurs, as scikit-learn's reader decides it.
    """

    kind = "sparse"

    def __init__(self, path: Path) -> None:
        self._path, self.where = path, str(path)
        n_rows = stored = 0
        first, last = _ANY_WIDTH, -1
        for X, _ in self._parts():
            n_rows += X.shape[0]
            stored += X.nnz
            if X.nnz:
                first, last = min(first, int(X.indices.min())), max(last, int(X.indices.max()))
        if n_rows == 0 or last < 0:
            what = "no rows" if n_rows == 0 else "no values beside the target"
            raise InputError(f"{path} has {what}, but lines 'label place:value ...' are needed; check the file.")
        self._base = min(first, 1)
        super().__init__(self.where, [f"x{j}" for j in range(last + 1 - self._base)], ["y"])
        self.n_rows, self._stored, self.default_target = n_rows, stored, "y"

    def row_bytes(self, n_features: int) -> float:
        """Return about how many bytes a row of a batch takes."""
        return 12.0 * self._stored / self.n_rows if self.n_rows else 12.0

    def slices(self) -> Iterator[Slice]:
        """Read one part of the file after another."""
        for X, y in self._parts():
            places, shape = X.indices - self._base, (X.shape[0], len(self.features))
            # Nobody else looks whether they lie inside the matrix.
            if places.min(initial=0) < 0 or places.max(initial=0) >= shape[1]:
                refuse_change(self.where)
            yield sp.csr_matrix((X.data, places, X.indptr), shape=shape), {"y": y}

    def _parts(self) -> Iterator[tuple[Any, np.ndarray]]:
        from sklearn.datasets import load_svmlight_file

        with open(self._path, "rb") as file:
            while lines := file.read(_PART_BYTES) + file.readline():
                try:
                    X, y = load_svmlight_file(BytesIO(lines), n_features=_ANY_WIDTH, zero_based=True)
                except (ValueError, UnicodeDecodeError) as error:
                    raise FileError(
                        f"{self.where} could not be read as svmlight ({error}), but lines 'label place:value ...' "
                        "with numbers and rising places are needed; correct the file."
                    ) from error
                if X.shape[0]:
                    yield X, y
