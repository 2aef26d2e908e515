"""Repeated fits: in order, once each, from a journal where it has them."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.records.errors import FileError
from fewer.core.runners import progress
from fewer.core.runners.fits import FitJournal, run_fits
from fewer.core.runners.threads import ThreadRunner


class Work:
    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, number: int) -> np.ndarray:
        self.asked.append(number)
        return np.random.default_rng(number).normal(size=(2, 3))


@pytest.mark.parametrize("threads", [1, 3])
def test_results_in_order_whatever_the_threads(threads):
    with ThreadRunner(threads) as run:
        found = run_fits(run, Work(), range(2, 40), what="fitting")
    for number, values in zip(range(2, 40), found, strict=True):
        assert np.array_equal(values, np.random.default_rng(number).normal(size=(2, 3)))


def test_a_journal_spares_what_is_done(tmp_path):
    path, facts = tmp_path / "fits", {"data": "a"}

    class Killed(Work):
        def __call__(self, number: int) -> np.ndarray:
            if number == 9:
                raise KeyboardInterrupt
            return super().__call__(number)

    with ThreadRunner(1) as run:
        with pytest.raises(KeyboardInterrupt):
            run_fits(run, Killed(), range(12), what="fitting", journal=FitJournal(path, facts))
        work = Work()
        found = run_fits(run, work, range(12), what="fitting", journal=FitJournal(path, facts))
        assert work.asked == [8, 9, 10, 11]
        assert all(np.array_equal(a, b) for a, b in zip(found, map(Work(), range(12)), strict=True))
        again = Work()
        run_fits(run, again, range(12), what="fitting", journal=FitJournal(path, facts))
        assert again.asked == []
    with pytest.raises(FileError, match="other work"):
        FitJournal(path, {"data": "b"})


def test_missing_numbers_survive_the_journal(tmp_path):
    journal = FitJournal(tmp_path / "fits", {})
    journal.add(3, np.array([np.nan, np.inf, 0.1]))
    known = FitJournal(tmp_path / "fits", {}).known
    assert np.array_equal(known[3], [np.nan, np.inf, 0.1], equal_nan=True)


def test_progress_is_told():
    told = []
    with ThreadRunner(1) as run, progress.listen(lambda *words: told.append(words)):
        run_fits(run, Work(), range(3), what="fitting")
    assert told == [("fitting", done, 3) for done in range(4)]


def test_dask_gives_the_same():
    distributed = pytest.importorskip("distributed")
    import fewer

    with (
        distributed.LocalCluster(1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        fewer.use(client),
        ThreadRunner(1) as run,
    ):
        found = run_fits(run, Work(), range(5), what="fitting")
    assert all(np.array_equal(a, b) for a, b in zip(found, map(Work(), range(5)), strict=True))
