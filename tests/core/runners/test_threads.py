"""A pool of threads that takes items from one queue, with the caller among them."""

from __future__ import annotations

import threading
import time

import pytest

from fewer.core.runners.threads import ThreadRunner


@pytest.fixture(params=[1, 2, 3])
def run(request):
    runner = ThreadRunner(request.param)
    yield runner
    runner.close()


def test_results_come_in_the_order_of_the_ranges(run):
    def slow_at_first(start, stop):
        time.sleep(0.002 * (5 - start // 2))
        return start, stop

    assert run.scan(slow_at_first, 9, 2) == [(0, 2), (2, 4), (4, 6), (6, 8), (8, 9)]


def test_every_range_is_worked_on_once_and_never_by_too_many(run):
    seen, threads = [], set()

    def work(start, stop):
        threads.add(threading.get_ident())
        seen.extend(range(start, stop))

    for _ in range(50):
        seen.clear()
        run.scan(work, 100, 7)
        assert sorted(seen) == list(range(100))
    assert len(threads) <= run.n_threads


@pytest.mark.parametrize("bad", [0, 3, 9])
def test_an_error_reaches_the_caller_and_nothing_new_is_begun(run, bad):
    begun = []

    def work(start, stop):
        begun.append(start)
        if start == bad:
            raise ValueError("this one")
        time.sleep(0.001)

    with pytest.raises(ValueError, match="this one"):
        run.scan(work, 1000, 1)
    assert len(begun) <= bad + 1 + 2 * run.n_threads
    # The pool is none the worse for it.
    assert run.scan(lambda start, stop: start, 3, 1) == [0, 1, 2]


def test_work_may_call_for_work(run):
    """Threads that wait for others inside do not wait for ever."""

    def outer(start, stop):
        return sum(run.scan(lambda a, b: a, 4, 1)) + start

    assert run.scan(outer, 6, 1) == [6 + k for k in range(6)]
