"""How large an object with arrays is: a cluster moves what is small to what is large, and asks the objects."""

from __future__ import annotations

from typing import Any


class Sized:
    """Tells `sys.getsizeof`, and so Dask, how many bytes the arrays in an object take.

    Without that a block of rows would pass for a few bytes, and be moved to whichever worker is free.
    """

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + sum(map(array_bytes, vars(self).values()))


def array_bytes(value: Any) -> int:
    """Return the bytes of an array or of a sparse matrix, 0 for anything else."""
    if hasattr(value, "indptr"):
        return sum(int(part.nbytes) for part in (value.data, value.indices, value.indptr))
    return int(getattr(value, "nbytes", 0))
