"""That loops are being compiled is said once, and only if they are."""

from __future__ import annotations

import os
import subprocess
import sys

LOOPS = """
from fewer.core.kernels._jit import kernel
@kernel
def add(x):
    return x + 1
@kernel
def twice(x):
    return 2 * x
"""
SCRIPT = """
from fewer.core.records.first_use import tell_first_use
tell_first_use(lambda: print("compiling"))
import loops
assert [loops.add(1.0), loops.twice(2.0)] == [2.0, 4.0]
"""


def test_first_use_is_told_once(tmp_path):
    (tmp_path / "loops.py").write_text(LOOPS)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path}
    environment.pop("NUMBA_DISABLE_JIT", None)
    told = [
        subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=True)
        for _ in range(2)
    ]
    assert [run.stdout for run in told] == ["compiling\n", ""]
