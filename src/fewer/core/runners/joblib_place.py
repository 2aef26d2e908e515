"""A backend of joblib as a place for independent pieces of work, as those of Ray and Spark are."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.parallel import SequentialBackend, ThreadingBackend, get_active_backend

from fewer.core.runners.elsewhere import Call, KnownOf, portions

# Arrays begin at multiples of so many bytes.
ALIGNED = 64
# What so many different calls share is kept by a process that works for them.
KEPT = 2

_PACKED = KnownOf()
_unpacked: OrderedDict[str, Any] = OrderedDict()


def named_place(n_jobs: int | None = None) -> JoblibPlace | None:
    """Return the backend of a ``with joblib.parallel_config(...)`` block around this call, unless it is our threads."""
    backend, _ = get_active_backend()
    # Without a block that names one, joblib makes a new backend each time.
    named = get_active_backend()[0] is backend
    return JoblibPlace(n_jobs) if named and type(backend) not in (ThreadingBackend, SequentialBackend) else None


class JoblibPlace:
    """Gives pieces of work to the backend of joblib that is in use here.

    What is shared is one array of bytes, since that is what backends know how not to copy: processes of this machine
    map it into their memory, and Dask sends it once.

    Parameters
    ----------
    n_jobs : int or None
        For how many workers the backend is asked; None leaves it to the ``with`` block.
    """

    def __init__(self, n_jobs: int | None = None) -> None:
        self.n_jobs = n_jobs

    @property
    def slots(self) -> int:
        """Return the number of workers of the backend."""
        backend, wanted = get_active_backend()
        unset = self.n_jobs is None and wanted is None
        return max(1, effective_n_jobs(backend.default_n_jobs if unset else self.n_jobs))

    def each(self, call: Call, shared: Any, items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the place in ``items`` and ``call(shared, item)``, as portions of them are done."""
        packed = _PACKED.get(shared) or _PACKED.note(shared, Packed.of(shared))
        backend, _ = get_active_backend()
        run = Parallel(self.n_jobs, return_as="generator_unordered" if backend.supports_return_generator else "list")
        numbered = portions(list(enumerate(items)), self.slots)
        for results in run(delayed(_work)(packed.data, packed.places, packed.name, call, some) for some in numbered):
            yield from results


@dataclass(frozen=True, eq=False)
class Packed:
    """An object as one array of bytes; the arrays in it are used where they lie.

    Attributes
    ----------
    data : ndarray of uint8
        The object without its arrays, then these.
    places : tuple of (int, int)
        Where each part begins and ends.
    name : str
        Different for each object.
    """

    data: np.ndarray
    places: tuple[tuple[int, int], ...]
    name: str

    @classmethod
    def of(cls, thing: Any) -> Packed:
        """Pack an object."""
        buffers: list[pickle.PickleBuffer] = []
        head = _dumps()(thing, protocol=5, buffer_callback=buffers.append)
        parts = [memoryview(head), *(buffer.raw() for buffer in buffers)]
        ends = np.cumsum([-(-part.nbytes // ALIGNED) * ALIGNED for part in parts])
        starts = [0, *ends[:-1].tolist()]
        data = np.zeros(int(ends[-1]), np.uint8)
        places = []
        for start, part in zip(starts, parts):
            data[start : start + part.nbytes] = np.frombuffer(part, np.uint8)
            places.append((start, start + part.nbytes))
        return cls(data, tuple(places), uuid4().hex)


def unpacked(data: np.ndarray, places: Sequence[tuple[int, int]], name: str) -> Any:
    """Return the object of a `Packed`; the same one for all work of this process."""
    if name not in _unpacked:
        head, *buffers = (memoryview(data[start:stop]) for start, stop in places)
        _unpacked[name] = pickle.loads(head, buffers=buffers)
        while len(_unpacked) > KEPT:
            _unpacked.popitem(last=False)
    return _unpacked[name]


def _work(
    data: np.ndarray,
    places: Sequence[tuple[int, int]],
    name: str,
    call: Call,
    items: Sequence[tuple[int, Any]],
) -> list[tuple[int, Any]]:
    """Do a portion of the work; what it calls stays in this process, for the portions fill the slots already."""
    shared = unpacked(data, places, name)
    with parallel_config(backend="threading", n_jobs=1):
        return [(at, call(shared, item)) for at, item in items]


def _dumps() -> Any:
    """Return what pickles functions of a notebook, too; joblib brings it along, older versions inside them."""
    try:
        from cloudpickle import dumps
    except ImportError:
        from joblib.externals.cloudpickle import dumps
    return dumps
