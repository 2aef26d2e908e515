"""The one place that knows how loops are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

JIT_DISABLED = bool(numba.config.DISABLE_JIT)
# Without nnan and ninf, so that missing and infinite values keep their meaning.
FAST_FLAGS = {"reassoc", "nsz", "contract", "arcp"}


def _compile(function: Callable[..., Any], **flags: Any) -> Callable[..., Any]:
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **flags)(function)
    except RuntimeError:
        # No cache directory is writable: compile again in every process rather than fail.
        return numba.njit(nogil=True, error_model="numpy", **flags)(function)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a serial loop that releases the GIL and is cached on disk."""
    # Said outright: numba hands the flags of a caller down to callees that set none, and caches the result.
    return _compile(function, fastmath=False)


def fast_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop with float reductions, which may be reordered to use SIMD lanes."""
    return _compile(function, fastmath=FAST_FLAGS)
