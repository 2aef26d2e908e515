"""What every test may use."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

# Several processes of tests share the cores: libraries that start a thread per core in each would wait for each other.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings

sys.path.insert(0, str(Path(__file__).parent))

# Whoever starts the tests in the background may have told them to ignore Ctrl-C, which the tests of it then would, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
CTRL_C = signal.getsignal(signal.SIGINT)

# How many times as many examples as usual: 1 for `make test`, more for `make test-deep`.
EXAMPLES = int(os.environ.get("FEWER_EXAMPLES", "1"))
# The first call of a kernel compiles it, so single examples may be slow.
settings.register_profile(
    "fewer", deadline=None, max_examples=20 * EXAMPLES, suppress_health_check=[HealthCheck.too_slow]
)
# Where it only matters whether a test fails, as for mutants, the smallest failing example need not be found.
settings.register_profile("any failure", settings.get_profile("fewer"), phases=(Phase.explicit, Phase.generate))
settings.load_profile("fewer")

SHARED_DATA = Path(__file__).parents[1] / ".." / "shared" / "data"


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item):
    """Find the test that leaves Ctrl-C unheard: the tests of interruptions after it would wait for one in vain."""
    handler = signal.getsignal(signal.SIGINT)
    blocked = hasattr(signal, "pthread_sigmask") and signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    if handler is CTRL_C and not blocked:
        return
    signal.signal(signal.SIGINT, CTRL_C)
    if blocked:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    pytest.fail(f"{item.nodeid} left SIGINT {'blocked' if blocked else f'with {handler}'}", pytrace=False)


def pytest_collection_modifyitems(items):
    """Let tests that set their own number of examples follow, too: half of it in `make test`, many times it deep."""
    for item in items:
        function = getattr(item, "function", None)
        own = getattr(function, "_hypothesis_internal_use_settings", None)
        if own is None or own.max_examples == settings.default.max_examples or hasattr(function, "_examples_scaled"):
            continue
        wanted = own.max_examples * EXAMPLES if EXAMPLES > 1 else max(10, own.max_examples // 2)
        function._hypothesis_internal_use_settings = settings(own, max_examples=wanted)
        function._examples_scaled = True


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def cluster():
    """A cluster of two processes, started once for all tests that need one."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        # Not the one that dask takes by itself: other tests have no cluster.
        Client(local, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def threads_cluster():
    """A cluster whose workers are threads of this process, for what needs no second process; it starts at once."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
        ) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def small_disk(tmp_path):
    """A disk of its own that holds 64 KiB, or skip where none can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def shared_data():
    """Load a real data set by name, or skip where the folder is absent."""

    def load(name: str):
        path = SHARED_DATA / f"{name}.npz"
        if not path.exists():
            pytest.skip("the folder of real data is absent")
        return np.load(path)

    return load
