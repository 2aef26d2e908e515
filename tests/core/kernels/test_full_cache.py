"""Compiled loops that cannot be kept on disk stay in memory."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
SCRIPT = """
import warnings, numpy as np
warnings.simplefilter("always")
from numba import float64
from fewer.core.kernels._jit import kernel
import loops
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert [loops.add(1.0), loops.twice(2.0)] == [2.0, 4.0]
print([str(one.message) for one in caught])
"""
LOOPS = """
from fewer.core.kernels._jit import kernel
@kernel
def add(x):
    return x + 1
@kernel
def twice(x):
    return 2 * x
"""


def run(folder, cache):
    (folder / "loops.py").write_text(LOOPS)
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": path}
    environment.pop("NUMBA_DISABLE_JIT", None)
    return subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=True
    ).stdout


def test_a_full_disk_is_one_warning(small_disk, tmp_path):
    (small_disk / "filler").write_bytes(b"x" * 56 * 1024)
    assert run(tmp_path, small_disk).count("cannot be kept") == 1


def test_a_damaged_cache_is_compiled_again(tmp_path):
    cache = tmp_path / "cache"
    assert run(tmp_path, cache).strip() == "[]"
    for path in cache.rglob("*.nb[ic]"):
        path.write_bytes(path.read_bytes()[:50])
    run(tmp_path, cache)
