"""Tests of kernels for CUDA devices: on a device by ``make test-device``, in numba's simulator without one."""

from __future__ import annotations

import pytest

from fewer.core.kernels.device.cuda_compiling import SIMULATED, why_no_device


def pytest_collection_modifyitems(items):
    missing = why_no_device()
    for item in items:
        if missing and "device" in item.path.parts:
            item.add_marker(pytest.mark.skip(reason=missing))


@pytest.fixture(scope="session")
def size():
    """How many times as many rows a device gets as the simulator, which is slow."""
    return 1 if SIMULATED else 40
