"""The kernels for CUDA devices in numba's simulator, and what is said where there is no device."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fewer
from fewer.core.kernels.device import cuda_compiling
from fewer.core.records.errors import ParameterError, RequirementError

ROOT = Path(__file__).parents[3]
# The quickest of tests/device that together reach every kernel; `make test-device` runs all on a device.
QUICK = "simulated"


def test_kernels_in_the_simulator():
    """In a process of its own, because numba decides when it is imported."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/device", "-m", QUICK],
        cwd=ROOT,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "passed" in done.stdout


def test_no_device_is_said_in_one_sentence(monkeypatch):
    monkeypatch.setattr(cuda_compiling, "why_no_device", lambda: "there is none")
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(RequirementError, match="needs an NVIDIA GPU .* but there is none; use"):
        fewer.select(X, X[:, 0] > 0, "FTest", runner="cuda")


def test_unknown_runners_are_refused():
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(ParameterError, match="'cuda' is the one"):
        fewer.select(X, X[:, 0] > 0, "FTest", runner="tpu")
    with pytest.raises(ParameterError, match="takes a client"), fewer.use("tpu"):
        pass


def test_the_command_line_refuses_unknown_devices(tmp_path):
    from fewer.cli.input import Input

    with pytest.raises(ParameterError, match="--device tpu was given"):
        Input(tmp_path / "rows.csv", device="tpu").placed()
