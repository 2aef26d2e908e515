"""What the caller has set is seen by the threads that work for it."""

from __future__ import annotations

import pytest

from fewer.core.runners import progress
from fewer.core.runners.threads import ThreadRunner


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_heard_from_every_thread(n_jobs):
    heard = []
    run = ThreadRunner(n_jobs)
    with progress.listen(lambda what, done, total: heard.append((what, done, total))):
        run.scan(lambda start, stop: progress.report("working", stop, 10), 10, 2)
    run.close()
    assert sorted(heard) == [("working", k, 10) for k in (2, 4, 6, 8, 10)]
