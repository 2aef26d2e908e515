"""The one place where repeated fits of models run: threads, Dask or joblib, resumable, with progress."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from fewer.core.records.errors import FileError
from fewer.core.records.journal import Journal
from fewer.core.runners import progress
from fewer.core.runners.elsewhere import Place, elsewhere
from fewer.core.runners.runner import Runner

KIND = "fewer fits"


def run_fits(
    run: Runner,
    work: Callable[[int], np.ndarray],
    numbers: range,
    *,
    what: str,
    journal: FitJournal | None = None,
) -> list[np.ndarray]:
    """Call ``work(number)`` for every number, side by side, and return the results in their order.

    With a Dask client in use the calls go to its workers, inside ``joblib.parallel_config`` to the backend that it
    names, otherwise to the threads of the runner. What a journal holds is not done again, and what gets done is added
    to it at once. An error in one call ends the work; what is done is kept.

    Parameters
    ----------
    run : Runner
        Where data in memory are worked on.
    work : callable
        Returns the numbers of one repetition, which depend on nothing but its number, so that the result is the same
        wherever it runs; for Dask and joblib it must be possible to pickle it.
    numbers : range
        The repetitions; several calls with further numbers share one journal.
    what : str
        Told to whoever listens to progress.
    journal : FitJournal, optional
        What earlier runs have done.

    Returns
    -------
    list of ndarray
        One array of float64 per number.
    """
    known = {} if journal is None else journal.known
    todo = [number for number in numbers if number not in known]
    found = {number: known[number] for number in numbers if number in known}
    # One fit alone, as those of an elimination, is done where its data are.
    place = elsewhere(getattr(run, "n_jobs", None)) if len(todo) > 1 else None
    results = _on_threads(run, work, todo) if place is None else _elsewhere(place, work, todo)
    progress.report(what, len(found), len(numbers))
    for number, values in results:
        found[number] = values = np.asarray(values, dtype=np.float64)
        if journal is not None:
            journal.add(number, values)
        progress.report(what, len(found), len(numbers))
    return [found[number] for number in numbers]


class FitJournal:
    """Results of repetitions by number in a checkpoint file.

    Parameters
    ----------
    path : str or path
        The file; made if there is none.
    facts : mapping of str to str
        What must be the same for results to be used again: data, parameters, seed.

    Attributes
    ----------
    known : dict of int to ndarray
        What an earlier run has done.
    """

    def __init__(self, path: Any, facts: Mapping[str, str]) -> None:
        self._journal = Journal(path, KIND, facts)
        self.known: dict[int, np.ndarray] = {}
        for line in self._journal.lines:
            try:
                entry = json.loads(line)
                values = np.array(entry["values"], dtype=np.float64).reshape(entry["shape"])
                self.known[int(entry["fit"])] = values
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
                raise FileError(
                    f"The checkpoint {path} holds a line that is no result of a fit; give another file or delete this "
                    "one."
                ) from error

    def add(self, number: int, values: np.ndarray) -> None:
        """Add a result; once this returns it outlives the process."""
        entry = {"fit": number, "shape": list(values.shape), "values": values.ravel().tolist()}
        self._journal.append([json.dumps(entry)])
        self.known[number] = values


def _on_threads(run: Runner, work: Callable[[int], np.ndarray], todo: list[int]) -> Iterator[tuple[int, np.ndarray]]:
    """Yield results as rounds of them are done, so that an interrupted run has kept most of its work."""
    threads = getattr(run, "n_threads", 1)
    # A few per thread and round: the journal grows steadily, and a slow fit leaves the others little time to wait.
    step = 4 * threads
    for first in range(0, len(todo), step):
        some = todo[first : first + step]
        with _one_thread_each() if threads > 1 and len(some) > 1 else nullcontext():
            results = run.scan(lambda start, stop: [work(some[at]) for at in range(start, stop)], len(some), 1)  # noqa: B023
        yield from zip(some, (values for part in results for values in part), strict=True)


def _one_thread_each() -> AbstractContextManager[Any]:
    """Let the libraries below use one thread per fit, because fits run side by side."""
    return _libraries().limit(limits=1)


@cache
def _libraries() -> ThreadpoolController:
    # Found once: looking for them takes longer than a small fit.
    return ThreadpoolController()


def _elsewhere(place: Place, work: Callable[[int], np.ndarray], todo: list[int]) -> Iterator[tuple[int, np.ndarray]]:
    """Yield results as they are done; what holds the data is sent once."""
    for at, values in place.each(_call, work, todo):
        yield todo[at], values


def _call(work: Callable[[int], np.ndarray], number: int) -> np.ndarray:
    return work(number)
