"""Arrays of other libraries: read as numpy once, and given back as what they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.errors import InputError, said


def is_foreign(X: Any) -> bool:
    """Return whether something is an array of another library, by the array API standard, or a tensor of PyTorch."""
    library = type(X).__module__.split(".")[0]
    if isinstance(X, np.ndarray | np.generic) or scipy.sparse.issparse(X) or library in ("dask", "pandas", "polars"):
        return False
    return hasattr(X, "__array_namespace__") or library == "torch"


def as_numpy(X: Any, name: str) -> Any:
    """Return an array of another library as one of numpy, which may share its memory; anything else as it is."""
    if not is_foreign(X):
        return X
    kind = f"{type(X).__module__.split('.')[0]}.{type(X).__name__}"
    try:
        # A tensor that records its gradient has no numbers to give away.
        return np.asarray(X.detach() if hasattr(X, "detach") else X)
    except Exception as error:
        place = str(getattr(X, "device", "unknown"))
        if "cpu" in place.lower():
            raise InputError(
                f"{name} got a {kind} of {getattr(X, 'dtype', 'numbers')} that numpy cannot read ({said(error)}), but "
                "reads dense arrays of numbers that numpy has; change it first, for a tensor with X.float() or "
                "X.to_dense()."
            ) from error
        raise InputError(
            f"{name} got a {kind} on the device {place}, but reads arrays in the memory of the machine; move it there "
            "first, with X.to('cpu') for a tensor."
        ) from error


def given_back(out: Any, like: Any) -> Any:
    """Return an array of numpy as one of the library of another array, on its device."""
    if type(like).__module__.split(".")[0] == "torch":
        import torch

        return torch.as_tensor(np.ascontiguousarray(out), device=like.device)
    return like.__array_namespace__().asarray(np.ascontiguousarray(out), device=like.device)
