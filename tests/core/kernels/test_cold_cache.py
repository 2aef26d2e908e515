"""Processes and threads that compile the same loops at once, into an empty folder or one that cannot be written to."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from common.examples import EXAMPLES

SCRIPT = """
import sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import fewer
X = np.random.default_rng(0).normal(size=(60, 5))
y = (X[:, 0] > 0).astype(int)
with ThreadPoolExecutor(8) as pool:
    found = pool.map(lambda _: tuple(fewer.ConstantFilter().fit(X, y).selection_.scores.tolist()), range(8))
scores = set(found)
print(len(scores), sorted(scores))
"""


pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")


# Compiling takes long: `make test-machine` has a place where nothing can be kept, and `make test-deep` all of this.
@pytest.mark.parametrize("place", ["empty", "nowhere"][: min(EXAMPLES, 2)])
def test_many_compile_at_once_and_agree(tmp_path, place):
    # A folder below a file can be made by nobody, not even by root.
    (tmp_path / "file").write_text("")
    folder = tmp_path / "cache" if place == "empty" else tmp_path / "file" / "below"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    # A race; where nothing can be kept there is none.
    all_ = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(1 if place == "nowhere" else 2 if EXAMPLES == 1 else 4)
    ]
    said = [one.communicate(timeout=300) for one in all_]
    assert [one.returncode for one in all_] == [0] * len(all_), said
    assert len({out for out, _ in said}) == 1
    assert said[0][0].startswith("1 ")
