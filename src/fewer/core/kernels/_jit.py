"""The one place that knows how loops are compiled."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numba

from fewer.core.records.first_use import compiling_begins

JIT_DISABLED = bool(numba.config.DISABLE_JIT)
# Without nnan and ninf, so that missing and infinite values keep their meaning.
FAST_FLAGS = {"reassoc", "nsz", "contract", "arcp"}


class _Kept:
    """The cache of one compiled loop, without which it is compiled in memory: a full disk is no reason to fail."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_cache"], name)

    def load_overload(self, *given: Any) -> Any:
        """Return what is kept, or None; what cannot be read, as after a crash, is compiled again."""
        try:
            found = self._cache.load_overload(*given)
        except Exception:
            found = None
        if found is None:
            compiling_begins()
        return found

    def save_overload(self, *given: Any) -> None:
        """Keep what was compiled, if that is possible."""
        try:
            self._cache.save_overload(*given)
        except Exception as error:
            _tell(self._cache.cache_path, error)


_told: list[str] = []


def _tell(place: str, error: Exception) -> None:
    """Warn, once in a process, that compiled loops are not kept."""
    if _told:
        return
    _told.append(place)
    warnings.warn(
        f"Compiled loops cannot be kept in {place} ({error}) and stay in memory, so that every process compiles them "
        "again; free some space there, or name another folder by NUMBA_CACHE_DIR.",
        stacklevel=4,
    )


def _compile(function: Callable[..., Any], **flags: Any) -> Callable[..., Any]:
    # No loop is called from C, so that nothing is compiled for that.
    flags = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **flags}
    try:
        made = numba.njit(cache=True, **flags)(function)
    except RuntimeError as error:
        # No cache directory is writable: compile again in every process rather than fail.
        _tell("any folder", error)
        return numba.njit(**flags)(function)
    if not JIT_DISABLED:
        made._cache = _Kept(made._cache)
    return made


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a serial loop that releases the GIL and is cached on disk."""
    # Said outright: numba hands the flags of a caller down to callees that set none, and caches the result.
    return _compile(function, fastmath=False)


def fast_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop with float reductions, which may be reordered to use SIMD lanes."""
    return _compile(function, fastmath=FAST_FLAGS)
