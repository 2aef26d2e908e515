"""Fits that go to a cluster or to a backend of joblib: all of them, with the data sent once, and the same result."""

from __future__ import annotations

import os
import threading
from collections import Counter
from functools import wraps

import joblib
import numpy as np
import pytest
from joblib.parallel import BACKENDS, register_parallel_backend
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import fewer
from fewer.core.criteria import sent_fits
from fewer.core.criteria.cross_validated import CrossValidated
from fewer.core.records.errors import InputError
from fewer.core.runners import elsewhere, joblib_place, workers
from fewer.core.runners.elsewhere import portions
from fewer.core.runners.joblib_place import JoblibPlace, Packed, named_place, unpacked
from fewer.core.runners.workers import Workers

TREE = DecisionTreeClassifier(random_state=0)
FITTED = {
    "SequentialSelector": {"estimator": TREE, "n_features_to_select": 2, "cv": 3},
    "GeneticSelector": {"estimator": TREE, "population": 4, "generations": 1, "cv": 3, "random_state": 0},
    "AnnealingSelector": {"estimator": TREE, "max_evaluations": 5, "cv": 3, "random_state": 0},
    "OrderedFS": {"estimator": TREE, "cv": 3},
    "RFE": {"estimator": TREE, "n_features_to_select": "best", "cv": 3},
    "FromModel": {"estimator": TREE, "importance": "permutation", "cv": 3, "n_repeats": 2},
    "StabilitySelection": {"n_pairs": 3, "random_state": 0},
    "Shadow": {"max_iter": 5, "n_trees": 4, "random_state": 0},
    "PermutationTest": {"n_permutations": 4, "n_trees": 4, "random_state": 0},
}


def rows(n=90, d=6):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, d))
    return X, (X[:, 1] + X[:, 4] > 0).astype(int)


class CountingBackend(BACKENDS["threading"]):
    """Threads that count what is given to them, as a backend that somebody else has made."""

    given = 0

    def submit(self, func, callback=None):
        type(self).given += 1
        return super().submit(func, callback)


@pytest.fixture(autouse=True, scope="module")
def counting_backend():
    register_parallel_backend("counting", CountingBackend)
    yield
    del BACKENDS["counting"]


@pytest.fixture
def sent(monkeypatch, threads_cluster):
    """Counts what is scattered to the workers and submitted to them."""
    found = Counter()
    for name in ("scatter", "submit"):
        own = getattr(type(threads_cluster), name)

        def counted(*args, own=own, name=name, **kwargs):
            found[name] += 1
            return own(*args, **kwargs)

        monkeypatch.setattr(threads_cluster, name, counted.__get__(threads_cluster))
    return found


@pytest.mark.dask
@pytest.mark.parametrize("name", FITTED)
def test_fits_go_to_the_workers_and_the_data_once(threads_cluster, sent, monkeypatch, name):
    X, y = rows()
    here = fewer.get(name)(**FITTED[name]).fit(X, y).selection_
    main, fit = threading.current_thread(), type(TREE).fit
    fitted_here = []

    # scikit-learn 1.7 makes no scorer for a tree whose fit does not name check_input.
    @wraps(fit)
    def noted(*args, **kwargs):
        fitted_here.append(threading.current_thread() is main)
        return fit(*args, **kwargs)

    monkeypatch.setattr(type(TREE), "fit", noted)
    with fewer.use(threads_cluster):
        there = fewer.get(name)(**FITTED[name]).fit(X, y).selection_
    assert there.indices.tolist() == here.indices.tolist()
    np.testing.assert_array_equal(there.scores, here.scores)
    assert sent["submit"] >= 3
    # Shadow has new shadows in every round; what OrderedFS scores has its own columns in every fold.
    most = {"Shadow": sent["submit"] - 1, "OrderedFS": 3}.get(name, 1)
    assert 1 <= sent["scatter"] <= most
    if name.endswith("Selector") or name == "OrderedFS":
        # That of a subset without any feature is no fit of the estimator.
        assert fitted_here
        assert not any(fitted_here)


@pytest.mark.dask
def test_comparisons_go_to_the_workers(threads_cluster, sent):
    X, y = rows()
    asked = {"sizes": [1, 2], "cv": 3, "estimators": "naive Bayes", "naive": False}
    here = fewer.compare(X, y, ["FTest", "Pearson"], **asked)
    with fewer.use(threads_cluster):
        there = fewer.compare(X, y, ["FTest", "Pearson"], **asked)
    np.testing.assert_array_equal(there.scores, here.scores)
    assert sent["scatter"] == 1
    assert sent["submit"] >= 4


@pytest.mark.dask
def test_an_estimator_may_have_threads_of_its_own(threads_cluster):
    X, y = rows()
    for n_jobs in (1, 2, -1):
        model = RandomForestClassifier(4, random_state=0, n_jobs=n_jobs)
        made = fewer.SequentialSelector(model, 1, cv=2)
        with fewer.use(threads_cluster):
            there = made.fit(X, y).selection_
        assert there.indices.tolist() == made.fit(X, y).selection_.indices.tolist()


@pytest.mark.dask
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_failures_elsewhere_are_those_of_here(threads_cluster):
    X, y = rows()
    broken = DecisionTreeClassifier(max_depth=-1)
    words = "could not be fitted on any of 3 folds"
    with fewer.use(threads_cluster), pytest.raises(InputError, match=words):
        fewer.SequentialSelector(broken, 1, cv=3).fit(X, y)
    with joblib.parallel_config(backend="counting"), pytest.raises(InputError, match=words):
        fewer.SequentialSelector(broken, 1, cv=3).fit(X, y)


class Odd(Exception):
    """Cannot be sent, because of what it holds."""

    def __init__(self, words):
        super().__init__(words)
        self.lock = threading.Lock()


def test_errors_of_odd_classes_keep_their_words():
    error = sent_fits.portable(Odd("this and that"))
    assert str(error) == "Odd: this and that"
    known = ValueError("plain")
    assert sent_fits.portable(known) is known


@pytest.mark.parametrize("backend", ["counting", "loky"])
@pytest.mark.parametrize("name", ["SequentialSelector", "StabilitySelection"])
def test_a_backend_of_joblib_gives_the_same(backend, name):
    X, y = rows()
    here = fewer.get(name)(**FITTED[name]).fit(X, y).selection_
    CountingBackend.given = 0
    with joblib.parallel_config(backend=backend, n_jobs=2):
        there = fewer.get(name)(**FITTED[name]).fit(X, y).selection_
    assert there.indices.tolist() == here.indices.tolist()
    np.testing.assert_array_equal(there.scores, here.scores)
    assert (CountingBackend.given > 2) == (backend == "counting")


@pytest.mark.dask
def test_the_dask_backend_of_joblib_gives_the_same(threads_cluster):
    X, y = rows()
    here = fewer.SequentialSelector(**FITTED["SequentialSelector"]).fit(X, y).selection_
    with threads_cluster.as_current(), joblib.parallel_config(backend="dask"):
        assert named_place().slots == 2
        there = fewer.SequentialSelector(**FITTED["SequentialSelector"]).fit(X, y).selection_
        compared = fewer.compare(X, y, ["FTest"], sizes=[1], cv=2, estimators="naive Bayes", naive=False)
    assert there.indices.tolist() == here.indices.tolist()
    own = fewer.compare(X, y, ["FTest"], sizes=[1], cv=2, estimators="naive Bayes", naive=False)
    np.testing.assert_array_equal(compared.scores, own.scores)


def test_only_a_backend_that_is_named_is_used():
    assert named_place() is None
    with joblib.parallel_config(n_jobs=2):
        assert named_place() is None
    for backend in ("threading", "sequential"):
        with joblib.parallel_config(backend=backend):
            assert named_place() is None
    with joblib.parallel_config(backend="counting", n_jobs=3):
        assert named_place().slots == 3
        assert named_place(2).slots == 2


@pytest.mark.dask
def test_a_client_comes_before_a_backend(threads_cluster):
    with joblib.parallel_config(backend="counting"), fewer.use(threads_cluster):
        assert isinstance(elsewhere.elsewhere(), Workers)
    with joblib.parallel_config(backend="counting"):
        assert isinstance(elsewhere.elsewhere(), JoblibPlace)


def where_it_lies(shared, number):
    """Say whether the data are mapped from a file, and which process works."""
    base, mapped = shared, False
    while base is not None:
        mapped |= isinstance(base, np.memmap)
        base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
    return mapped, float(shared.sum()), os.getpid()


def test_processes_map_the_data_instead_of_copying_them():
    data = np.arange(400_000.0)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        found = [value for _, value in JoblibPlace().each(where_it_lies, data, range(8))]
    assert len(found) == 8
    assert all(mapped and total == data.sum() for mapped, total, _ in found)
    assert os.getpid() not in {process for _, _, process in found}


def test_what_is_packed_is_what_is_unpacked():
    thing = {"a": np.arange(6.0).reshape(2, 3), "b": ["words", np.zeros(0)], "f": lambda x: x + 1}
    packed = Packed.of(thing)
    again = unpacked(packed.data, packed.places, packed.name)
    np.testing.assert_array_equal(again["a"], thing["a"])
    assert again["a"].ctypes.data % joblib_place.ALIGNED == packed.data.ctypes.data % joblib_place.ALIGNED
    assert again["b"][0] == "words"
    assert again["f"](1) == 2
    # Once in a process, however many portions of work come.
    assert unpacked(packed.data, packed.places, packed.name) is again
    for _ in range(joblib_place.KEPT):
        other = Packed.of([0])
        unpacked(other.data, other.places, other.name)
    assert packed.name not in joblib_place._unpacked


def test_portions_are_all_items_in_order():
    assert [list(p) for p in portions(range(5), 1)] == [[0, 1], [2, 3], [4]]
    assert [list(p) for p in portions(range(3), 8)] == [[0], [1], [2]]
    assert portions([], 2) == []


def test_what_is_known_of_an_object_goes_with_it():
    known, thing = elsewhere.KnownOf(), TREE.__class__()
    assert known.get(thing) is None
    assert known.note(thing, 5) == 5
    assert known.get(thing) == 5
    del thing
    assert not known._known
    assert known.note([1], 6) == 6
    assert not known._known
    assert workers._SENT is not joblib_place._PACKED


def test_a_fold_that_is_given_up_here_is_scored_elsewhere():
    """Bounds need to know the best of all: elsewhere every value is exact, and the best one the same."""
    X, y = rows()
    plain = fewer.SequentialSelector(TREE, 2, cv=3).fit(X, y).selection_
    given_up = fewer.Selector(CrossValidated(TREE, "accuracy", 3, give_up=True), "sequential", 2)
    with joblib.parallel_config(backend="counting", n_jobs=2):
        found = given_up.fit(X, y).selection_
    assert found.indices.tolist() == plain.indices.tolist()
