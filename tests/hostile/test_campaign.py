"""Hostile cases by the hundred: no signal, no raw error, no changed input, no half-written output.

They run in a few long-lived processes, each of which is replaced only after a signal. One case by its number:
``echo 17 | python tests/hostile/hostile_worker.py``.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from pathlib import Path

from common.examples import EXAMPLES

N_CASES = 300 if EXAMPLES == 1 else 200 * EXAMPLES
WORKERS = 2
# Seconds that one case may take, with compiling; a case that takes longer hangs.
LONGEST = 300.0


class Worker:
    """A process that runs cases, and the number of the one at hand."""

    def __init__(self, said):
        script = Path(__file__).with_name("hostile_worker.py")
        path = os.pathsep.join([str(script.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        self.process = subprocess.Popen(
            [sys.executable, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
        )
        self.number, self.begun, self.hangs = None, 0.0, False

    def give(self, number):
        self.number, self.begun = number, time.monotonic()
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()

    def end(self):
        self.process.kill()
        self.process.communicate()


def campaign(numbers, said):
    """Yield number and outcome of every case."""
    waiting, workers, ready = iter(numbers), [], selectors.DefaultSelector()

    def start(worker=None):
        number = next(waiting, None)
        if number is None:
            return
        if worker is None:
            worker = Worker(said)
            workers.append(worker)
            ready.register(worker.process.stdout, selectors.EVENT_READ, worker)
        worker.give(number)

    try:
        for _ in range(WORKERS):
            start()
        while any(worker.number is not None for worker in workers):
            for key, _ in ready.select(timeout=1.0):
                worker, line = key.data, key.fileobj.readline()
                number, worker.number = worker.number, None
                if line:
                    yield tuple(json.loads(line))
                    start(worker)
                else:
                    ready.unregister(key.fileobj)
                    worker.process.wait()
                    yield number, "hangs" if worker.hangs else f"signal {worker.process.returncode}"
                    start()
            for worker in workers:
                if worker.number is not None and time.monotonic() - worker.begun > LONGEST:
                    worker.hangs = True
                    worker.process.kill()
    finally:
        for worker in workers:
            worker.end()


def test_hostile_cases_end_in_a_result_or_a_sentence(tmp_path):
    with open(tmp_path / "said", "w") as said:
        found = dict(campaign(range(N_CASES), said))
    assert len(found) == N_CASES
    bad = {number: words for number, words in sorted(found.items()) if words not in ("read", "sentence")}
    assert not bad, "\n".join(f"{number}: {words}" for number, words in [*bad.items()][:12])
    # Cases that are all refused, or all read, would test little.
    assert min(list(found.values()).count(word) for word in ("read", "sentence")) > N_CASES / 10
