"""Workers that are killed, and schedulers: the same result or one sentence, and never a wait without end."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pytest

import fewer
from fewer.core.records.errors import ClusterError
from fewer.core.runners import cluster, lost_workers

pytestmark = pytest.mark.dask


@pytest.fixture
def own_cluster():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield client


def kill_worker(client):
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)


def test_a_killed_worker_changes_nothing(own_cluster, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    folds, kill_before, fold = [], set(), cluster.DaskRunner.fold

    def counted(self, summary, blocks):
        folds.append(summary)
        if len(folds) in kill_before:
            kill_worker(own_cluster)
            time.sleep(0.2)
        return fold(self, summary, blocks)

    monkeypatch.setattr(cluster.DaskRunner, "fold", counted)
    for method, at in (("MRMR", 2), ("Chi2", 1)):
        data = np.abs(X) if method == "Chi2" else X
        expected = fewer.get(method)(3).fit(data, y).selection_
        folds.clear()
        kill_before.clear()
        kill_before.add(at)
        with fewer.use(own_cluster):
            found = fewer.get(method)(3).fit(data, y).selection_
        assert found.indices.tolist() == expected.indices.tolist()
        np.testing.assert_allclose(found.scores, expected.scores)


def test_a_cluster_without_workers_or_scheduler_is_one_sentence(own_cluster, monkeypatch):
    monkeypatch.setattr(lost_workers, "WAIT", 0.5)
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    own_cluster.retire_workers()
    with pytest.raises(ClusterError, match="has had no worker"), fewer.use(own_cluster):
        fewer.MRMR(2).fit(X, y)
    own_cluster.cluster.close()
    with pytest.raises(ClusterError, match="does not answer"), fewer.use(own_cluster):
        fewer.MRMR(2).fit(X, y)
