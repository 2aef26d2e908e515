"""Workers that are killed, and schedulers: the same result or one sentence, and never a wait without end."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import fewer
from common.examples import EXAMPLES
from fewer.core.records.errors import ClusterError
from fewer.core.runners import cluster, lost_workers
from fewer.core.runners.lost_workers import wait_for_workers
from fewer.core.runners.workers import Workers

pytestmark = pytest.mark.dask


@pytest.fixture(scope="module")
def own_cluster():
    """One cluster for all tests here; the last one ends it."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield client


def kill_worker(client):
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    time.sleep(0.2)


KILLED = [("MRMR", 2), ("Chi2", 1), ("RankOrderElimination", 1)]


# One method here, all in `make test-deep`.
@pytest.mark.parametrize(("method", "at"), KILLED if EXAMPLES > 1 else KILLED[:1])
def test_a_killed_worker_changes_nothing(own_cluster, monkeypatch, method, at):
    X = np.random.default_rng(0).normal(size=(400, 8))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    folds, fold = [], cluster.DaskRunner.fold

    def counted(self, summary, blocks):
        folds.append(summary)
        if len(folds) == at:
            kill_worker(own_cluster)
        return fold(self, summary, blocks)

    X = np.abs(X) if method == "Chi2" else X
    expected = fewer.get(method)(3).fit(X, y).selection_
    monkeypatch.setattr(cluster.DaskRunner, "fold", counted)
    with fewer.use(own_cluster):
        found = fewer.get(method)(3).fit(X, y).selection_
    assert len(folds) >= at
    assert found.indices.tolist() == expected.indices.tolist()
    np.testing.assert_allclose(found.scores, expected.scores)


class DyingTree(DecisionTreeClassifier):
    """Kills the worker that fits it, once, at a number of fits that the test draws."""

    # scikit-learn 1.7 makes no scorer for a tree whose fit does not name check_input.
    def fit(self, X, y, sample_weight=None, check_input=True):
        left = Path(self.get_params()["class_weight"] or "")
        # Whoever renames the file has the last fit: it is done again by another worker.
        for one in sorted(left.glob("fit*"))[:1]:
            with suppress(FileNotFoundError):
                one.rename(one.with_name(f"done{one.name}"))
                if one.name.endswith("last"):
                    os.kill(os.getpid(), signal.SIGKILL)
        self.class_weight, kept = None, self.class_weight
        try:
            return super().fit(X, y, sample_weight, check_input)
        finally:
            self.class_weight = kept


MOMENTS = 1 if EXAMPLES == 1 else 5
MADE = {
    "SequentialSelector": {"n_features_to_select": 2, "cv": 3},
    "RFE": {"n_features_to_select": "best", "cv": 4},
    "FromModel": {"importance": "permutation", "cv": 6},
}


@pytest.mark.parametrize("moment", range(MOMENTS))
@pytest.mark.parametrize("method", MADE if EXAMPLES > 1 else ["SequentialSelector"])
def test_a_worker_that_is_killed_in_a_fit_changes_nothing(own_cluster, tmp_path, method, moment):
    rng = np.random.default_rng(moment)
    X = rng.normal(size=(80, 6))
    y = (X[:, 2] + X[:, 4] > 0).astype(int)
    made = fewer.get(method)
    expected = made(DyingTree(random_state=0), **MADE[method]).fit(X, y).selection_
    at = int(rng.integers(1, 4))
    for number in range(at):
        (tmp_path / f"fit{number}{'last' if number == at - 1 else ''}").touch()
    with fewer.use(own_cluster):
        found = made(DyingTree(random_state=0, class_weight=str(tmp_path)), **MADE[method]).fit(X, y).selection_
    assert len(list(tmp_path.glob("done*"))) == at
    assert found.indices.tolist() == expected.indices.tolist()
    np.testing.assert_array_equal(found.scores, expected.scores)


@pytest.mark.skipif(EXAMPLES == 1, reason="in make test-deep")
@pytest.mark.parametrize("moment", range(8))
@pytest.mark.parametrize("method", ["MRMR", "RankOrderElimination", "PermutationTest"])
def test_a_worker_that_is_killed_at_a_random_moment_changes_nothing(own_cluster, method, moment):
    X = np.random.default_rng(0).normal(size=(3000, 30))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    more = {"n_permutations": 20, "random_state": 0} if method == "PermutationTest" else {"n_features_to_select": 8}
    expected = fewer.get(method)(**more).fit(X, y).selection_
    wait_for_workers(own_cluster)
    begin = time.monotonic()
    with fewer.use(own_cluster):
        fewer.get(method)(**more).fit(X, y)
        lasts = time.monotonic() - begin
        killer = threading.Timer(float(np.random.default_rng(moment).uniform(0, lasts)), kill_worker, [own_cluster])
        killer.start()
        found = fewer.get(method)(**more).fit(X, y).selection_
    killer.join()
    assert found.indices.tolist() == expected.indices.tolist()
    np.testing.assert_allclose(found.scores, expected.scores)


def test_a_cluster_without_workers_or_scheduler_is_one_sentence(own_cluster, monkeypatch):
    da = pytest.importorskip("dask.array")
    monkeypatch.setattr(lost_workers, "WAIT", 0.5)
    monkeypatch.setattr(lost_workers, "LOOK", 0.2)
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    with pytest.raises(ClusterError, match="has had no worker"), fewer.use(own_cluster):
        # Workers go in the middle of a round of fits, as soon as one of them is done.
        for _ in Workers(own_cluster).each(_slow, [], range(20)):
            own_cluster.cluster.scale(0)
    with pytest.raises(ClusterError, match="has had no worker"), fewer.use(own_cluster):
        fewer.MRMR(2).fit(X, y)
    collections = [da.from_array(X, chunks=(20, 3)), da.from_array(y, chunks=20)]
    with pytest.raises(ClusterError, match="has had no worker"):
        in_time(own_cluster, *collections)
    own_cluster.cluster.close()
    with pytest.raises(ClusterError, match="does not answer"), fewer.use(own_cluster):
        fewer.MRMR(2).fit(X, y)
    with pytest.raises(ClusterError, match="does not answer"):
        in_time(own_cluster, *collections)


def in_time(client, X, y):
    """Fit on the cluster, and fail if that takes more than half a minute."""
    raised = []

    def fit():
        try:
            with fewer.use(client):
                fewer.MRMR(2).fit(X, y)
        except ClusterError as error:
            raised.append(error)

    thread = threading.Thread(target=fit, daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    raise raised[0]


def _slow(shared, number):
    time.sleep(0.3)
    return np.array([float(number)])


class Busy:
    """A client whose scheduler takes so many seconds to answer."""

    status = "running"

    def __init__(self, seconds):
        self.seconds, self.scheduler = seconds, self

    def identity(self):
        return {"workers": {"one": {"nthreads": 2}}}

    def sync(self, function, callback_timeout):
        if callback_timeout < self.seconds:
            raise TimeoutError
        return function()


def test_a_scheduler_that_is_busy_is_waited_for_longer_than_one_that_is_looked_for():
    assert lost_workers.n_threads(Busy(25)) == 2
    with pytest.raises(ClusterError, match="does not answer"):
        lost_workers.n_threads(Busy(40))


class Reconnecting(Busy):
    """A client that finds its scheduler again after so many looks."""

    def __init__(self, looks):
        super().__init__(0)
        self.looks = looks

    @property
    def status(self):
        self.looks -= 1
        return "connecting" if self.looks >= 0 else "running"


def test_a_scheduler_that_is_found_again_is_waited_for(monkeypatch):
    monkeypatch.setattr(lost_workers, "PAUSE", 0.0)
    assert lost_workers.n_threads(Reconnecting(5)) == 2
    monkeypatch.setattr(lost_workers, "LOOK", 0.0)
    with pytest.raises(ClusterError, match="does not answer"):
        lost_workers.n_threads(Reconnecting(10**9))


class JustDone:
    """A future that is done in the moment in which somebody gives up waiting."""

    def __init__(self, result):
        self.given, self.patient = result, 0

    def result(self, timeout=None):
        self.patient += 1
        if self.patient == 1 or isinstance(self.given, TimeoutError):
            raise TimeoutError if self.patient == 1 else self.given
        return self.given

    def done(self):
        return True


def test_what_is_done_in_the_last_moment_is_taken():
    assert lost_workers.result_of(None, JustDone(3)) == 3
    with pytest.raises(TimeoutError, match="of the work"):
        lost_workers.result_of(None, JustDone(TimeoutError("of the work")))


class GoneWorkers:
    """A client whose chosen workers have gone so many times."""

    def __init__(self, losses):
        self.losses = losses

    def scatter(self, things, hash=True):
        from distributed.comm import CommClosedError

        self.losses -= 1
        if self.losses >= 0:
            raise [CommClosedError("closed"), OSError("refused"), KeyError("tcp://gone")][self.losses % 3]
        return list(things)


def test_rows_go_to_others_when_a_chosen_worker_has_just_gone(monkeypatch):
    for module in (lost_workers, cluster):
        monkeypatch.setattr(module, "wait_for_workers", lambda client: None)
    monkeypatch.setattr(lost_workers, "LOOK", 0.0)
    assert lost_workers.scattered(GoneWorkers(lost_workers.TRIES - 1), [1, 2]) == [1, 2]
    runner = cluster.DaskRunner(GoneWorkers(2))
    assert len(runner.scatter(["a", "b"])) == 2
    with pytest.raises(ClusterError, match="lost its workers 4 times while rows were sent"):
        cluster.DaskRunner(GoneWorkers(99)).scatter(["a"])
