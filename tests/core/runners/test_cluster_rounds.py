"""What a cluster is asked: one round per step, and summaries of the size that the cost model has for them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import fewer

pytestmark = pytest.mark.dask
PATH = Path(__file__).parents[3] / "benchmarks" / "cluster.py"


@pytest.fixture(scope="module")
def bench():
    """The committed benchmark, whose model the tests hold the code to."""
    if not PATH.exists():
        pytest.skip("the benchmarks are not here")
    spec = importlib.util.spec_from_file_location("cluster_benchmark", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize("size", [(2_000, 12), (2_000, 24), (6_000, 24)])
@pytest.mark.parametrize("method", ["FTest", "InformationGain", "MRMR", "JMI", "CMIM", "RankOrderElimination"])
def test_summaries_are_as_large_as_the_model_says(bench, method, size):
    import dask.array as da

    X, y = bench.rows(*size)
    data = da.from_array(X, chunks=(size[0] // 4, -1)), da.from_array(y, chunks=size[0] // 4)
    with bench.Rounds() as seen:
        found = bench.selector(method).fit(*data).selection_
    assert found.indices.tolist() == bench.selector(method).fit(X, y).selection_.indices.tolist()
    # Messages have a few words beside their numbers, which weigh more where features are few.
    assert 1 - bench.WITHIN <= bench.check_rounds(method, *size, seen.sizes) <= 1 + bench.WITHIN + 600 / (40 * size[1])


@pytest.mark.parametrize("kept", [1, 3, 6])
@pytest.mark.parametrize("method", ["MRMR", "JMI", "CMIM"])
def test_one_more_feature_is_one_more_round(bench, method, kept):
    import dask.array as da

    X, y = bench.rows(1_000, 12)
    with bench.Rounds() as seen:
        fewer.get(method)(kept).fit(da.from_array(X, chunks=(250, -1)), da.from_array(y, chunks=250))
    # CMIM asks for features only as long as they could still win.
    steps = [size for name, size in seen.sizes if name == "PairCounts"]
    assert len(steps) <= kept
    assert len(steps) >= (0 if method == "CMIM" else kept - 1)
    assert len(seen.sizes) <= kept + 3


def test_rows_stay_on_the_workers(bench, threads_cluster, monkeypatch):
    """Nothing but summaries comes to the client: no rows, no levels of rows, no list with an entry per row."""
    import dask.array as da

    n = 20_000
    X, y = bench.rows(n, 12)
    held = threads_cluster.persist([da.from_array(X, chunks=(n // 4, -1)), da.from_array(y, chunks=n // 4)])
    came, own = [], type(threads_cluster)._gather

    async def noted(self, *args, **kwargs):
        found = await own(self, *args, **kwargs)
        came.append(found)
        return found

    monkeypatch.setattr(type(threads_cluster), "_gather", noted)
    with fewer.use(threads_cluster):
        fewer.MRMR(3, discretizer="uniform").fit(*held)
    assert came
    assert max(np.size(part) for part in arrays_in(came)) < n / 4


def arrays_in(thing):
    """Yield all arrays inside lists, dictionaries and objects."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, dict):
        for one in thing.values():
            yield from arrays_in(one)
    elif isinstance(thing, (list, tuple)):
        for one in thing:
            yield from arrays_in(one)
    elif hasattr(thing, "__dict__"):
        yield from arrays_in(vars(thing))
