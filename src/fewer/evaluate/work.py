"""The units of a comparison done one after another or in several processes, until an interruption."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs

from fewer.core.runners import progress
from fewer.core.runners.elsewhere import elsewhere
from fewer.core.runners.interruption import deaf_children, noticed_interrupt, watch_parent
from fewer.evaluate.checkpoint import UnitJournal
from fewer.evaluate.fold_units import ALL_ROWS, Plan, fold_units
from fewer.evaluate.nesting import inner_work


class Interrupted(KeyboardInterrupt):
    """The user stopped a comparison; the message says what was kept."""


def work(
    passes: Sequence[tuple[Plan, list[tuple[str, int]]]], kept: UnitJournal, n_jobs: int | None, later: int = 0
) -> None:
    """Do the units of all passes that are not done yet: those of the comparison itself, then those without leaks.

    ``later`` units are known to follow, but not yet which.
    """
    total, stop = sum(len(units) for _, units in passes) + later, threading.Event()
    try:
        with noticed_interrupt(stop):
            progress.report("comparing methods", sum(map(len, kept.passes)), total)
            for number, (plan, units) in enumerate(passes):
                missing = [one for one in units if one not in kept.passes[number]]
                for unit in _units(plan, missing, n_jobs):
                    # A method may answer an interruption with the best so far, which is no finished unit.
                    if stop.is_set():
                        raise KeyboardInterrupt
                    kept.add(unit, number)
                    progress.report("comparing methods", sum(map(len, kept.passes)), total)
    except KeyboardInterrupt as error:
        where = (
            f"are kept in {kept.path}: the same call goes on from there"
            if kept.path
            else ("are lost; pass checkpoint='file' to be able to go on")
        )
        what = "The comparison was interrupted"
        if len(kept.done) == len(passes[0][1]):
            what = (
                "The comparison was finished, but interrupted while it was repeated without columns that may be leaks"
            )
        raise Interrupted(
            f"{what}; {sum(map(len, kept.passes))} of {total} units were finished and {where}."
        ) from error


def _units(plan: Plan, missing: list[tuple[str, int]], n_jobs: int | None) -> Iterator[dict[str, Any]]:
    """Do units fold by fold, in this process, in several, or on a cluster."""
    tasks: dict[int, list[str]] = {}
    for label, fold in missing:
        tasks.setdefault(fold, []).append(label)
    place = elsewhere(n_jobs)
    workers = effective_n_jobs(n_jobs) if place is None else place.slots
    if place is None and workers == 1:
        for fold, labels in tasks.items():
            yield from _of_fold(plan, fold, labels)
        return
    cut = _pieces(tasks, workers)
    if place is not None:
        for _, units in place.each(_listed, plan, cut):
            yield from units
        return
    run = Parallel(n_jobs=workers, return_as="generator_unordered", initializer=watch_parent, initargs=(os.getpid(),))
    with deaf_children():
        done = run(delayed(_listed)(plan, piece) for piece in cut)
    for units in done:
        yield from units


def _pieces(tasks: dict[int, list[str]], workers: int) -> list[tuple[int, list[str]]]:
    """Cut the work so that no worker is idle: whole folds share most; few folds, and all rows, are cut into parts."""
    few, cut = max(1, -(-3 * workers // max(1, len(tasks)))), []
    for fold, labels in tasks.items():
        parts = 3 * workers if fold == ALL_ROWS else few
        cut += [(fold, labels[i::parts]) for i in range(parts) if labels[i::parts]]
    return cut


def _listed(plan: Plan, piece: tuple[int, list[str]]) -> list[dict[str, Any]]:
    return list(_of_fold(plan, *piece))


def _of_fold(plan: Plan, fold: int, labels: list[str]) -> Iterator[dict[str, Any]]:
    return fold_units(plan, fold, labels) if fold >= ALL_ROWS else inner_work(plan, fold, labels)
