"""The Relief family on the workers of a cluster: the scores of memory, and only sums come back."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

import fewer
from fewer.core.runners import cluster as dask_runner

pytestmark = pytest.mark.dask

METHODS = {
    "SURF": {},
    "SURFStar": {},
    "MultiSURF": {},
    "MultiSURFStar": {},
    "Relief": {},
    "ReliefF": {"n_samples": 50, "random_state": 3, "ties": "average"},
    "RReliefF": {"neighbor_weights": "exponential"},
}


def problem(rng, kind, name):
    X = rng.integers(0, 3, (131, 70)).astype(float)
    if kind == "mixed":
        X[:, 60:] = rng.normal(size=(131, 10))
        X[rng.random(X.shape) < 0.05] = np.nan
    if kind == "numbers":
        X = rng.normal(size=(131, 70))
    y = rng.integers(0, 2 if name == "Relief" else 3, 131)
    return X, rng.normal(size=131) if name == "RReliefF" else y


def in_parts(X, y):
    da = pytest.importorskip("dask.array")
    return da.from_array(X, chunks=(29, X.shape[1])), da.from_array(y, chunks=29)


@pytest.mark.parametrize("kind", ["levels", "mixed", "numbers"])
@pytest.mark.parametrize("name", METHODS)
def test_workers_find_the_scores_of_memory(rng, cluster, monkeypatch, kind, name):
    X, y = problem(rng, kind, name)
    made = getattr(fewer, name)(5, **METHODS[name])
    expected = made.fit(X, y).selection_
    monkeypatch.setattr("fewer.methods.relief._relief.gathered", None)
    # Weights are kept in single precision beside distances that are, in memory alone.
    close = 1e-6 if kind == "numbers" else 1e-12
    with fewer.use(cluster):
        for given in ((X, y), in_parts(X, y)):
            found = made.fit(*given).selection_
            np.testing.assert_allclose(found.scores, expected.scores, atol=close, rtol=0)
            assert found.meta["runner"] == "dask"
            assert found.indices.tolist() == expected.indices.tolist()


def test_rows_stay_on_the_workers_and_sums_come_back(rng, cluster, monkeypatch):
    X, y = problem(rng, "levels", "MultiSURF")
    sizes, result_of = [], dask_runner.result_of

    def looked_at(client, future):
        found = result_of(client, future)
        # Before rows are compared, facts about the parts come back.
        if isinstance(found, tuple):
            sizes.append(sum(np.asarray(part).size for part in found))
        return found

    monkeypatch.setattr(dask_runner, "result_of", looked_at)
    with fewer.use(cluster):
        fewer.MultiSURFStar(5).fit(*in_parts(X, y))
    # Every thread returns a sum per feature and a balance.
    assert sizes[-2:] == [71, 71]
    assert max(sizes) < X.size / 10


def test_rules_that_shuffle_rows_and_trees_gather_them(rng, cluster):
    X, y = problem(rng, "numbers", "ReliefF")
    for made in (fewer.ReliefF("probes:0.2"), fewer.ReliefF(5, n_samples=20, sampling="kdtree", random_state=0)):
        expected = made.fit(X, y).selection_
        with fewer.use(cluster):
            found = made.fit(*in_parts(X, y)).selection_
        np.testing.assert_array_equal(found.scores, expected.scores)
        assert found.indices.tolist() == expected.indices.tolist()


# Once in the only round, with rows that went with the worker; once in the second of two rounds.
@pytest.mark.parametrize(("name", "at"), [("ReliefF", 1), ("SURF", 3)])
def test_a_worker_killed_while_rows_are_compared_changes_nothing(rng, monkeypatch, name, at):
    from distributed import Client, LocalCluster

    X, y = problem(rng, "levels", name)
    made, result_of = getattr(fewer, name)(5), dask_runner.result_of
    expected = made.fit(X, y).selection_
    asked = []

    def killing(client, future):
        asked.append(future)
        if len(asked) == at:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        return result_of(client, future)

    monkeypatch.setattr(dask_runner, "result_of", killing)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        Client(local, set_as_default=False) as client,
        fewer.use(client),
    ):
        found = made.fit(X, y).selection_
    assert len(asked) >= at
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-12, rtol=0)
    assert found.indices.tolist() == expected.indices.tolist()


def test_more_threads_than_rows_that_ask(rng, cluster):
    X, y = problem(rng, "levels", "ReliefF")
    made = fewer.ReliefF(5, n_samples=1, random_state=0)
    expected = made.fit(X, y).scores_
    with fewer.use(cluster):
        np.testing.assert_allclose(made.fit(X, y).scores_, expected, atol=1e-12, rtol=0)
