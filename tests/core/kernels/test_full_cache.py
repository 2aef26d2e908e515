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


def test_folders_that_can_be_written_nowhere_are_one_warning(tmp_path):
    # Files stand where folders would have to be made, which no rights overcome.
    for name in ("__pycache__", "home"):
        (tmp_path / name).write_text("")
    (tmp_path / "loops.py").write_text(LOOPS)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    for name in ("NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR"):
        environment.pop(name, None)
    environment |= {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home" / "cache")}
    script = SCRIPT.replace("import loops\n", "").replace(
        '"always")\n    assert', '"always")\n    import loops\n    assert'
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.count("cannot be kept in any folder") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["__pycache__", "home", "loops.py"]


def test_a_damaged_cache_is_compiled_again(tmp_path):
    cache = tmp_path / "cache"
    assert run(tmp_path, cache).strip() == "[]"
    for path in cache.rglob("*.nb[ic]"):
        path.write_bytes(path.read_bytes()[:50])
    run(tmp_path, cache)
