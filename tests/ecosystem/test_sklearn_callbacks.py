"""Callbacks of scikit-learn are told of progress, and asked whether it is enough."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import fewer
from fewer.core.records.errors import SearchWarning

callbacks = pytest.importorskip("sklearn.callback")


class Recorder:
    """Writes down what it is told, and asks for an end after so many steps of one kind of work."""

    def __init__(self, what="", after=10**9):
        self.what, self.after = what, after
        self.begun, self.ended, self.life = [], [], []

    def setup(self, estimator, context):
        self.life.append("setup")

    def teardown(self, estimator, context):
        self.life.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.begun.append((context.task_name, context.max_subtasks))

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.ended.append(context.task_name)
        if context.task_name == "fit":
            self.fitted = fitted_estimator
        inside = context.parent is not None and context.parent.task_name == self.what
        self.after -= inside
        return inside and self.after <= 0


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 8))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def test_steps_are_tasks_of_their_kind_of_work(data):
    told = Recorder()
    made = fewer.MRMR(3).set_callbacks(told).fit(*data)
    assert told.life == ["setup", "teardown"]
    assert told.begun[:2] == [("fit", None), ("choosing features", 8)]
    assert told.ended == ["step"] * 3 + ["choosing features", "fit"]
    assert told.fitted.selection_.indices.tolist() == made.selection_.indices.tolist()
    # Nothing is left of it, and a copy has the callbacks, as with scikit-learn's own.
    assert not hasattr(made, "_callback_fit_ctx")
    assert clone(made).fit(*data).selection_.indices.tolist() == made.selection_.indices.tolist()
    assert told.life == ["setup", "teardown"] * 2


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (fewer.MRMR(6), "choosing features"),
        (fewer.SequentialSelector(), "evaluating subsets"),
        (fewer.Shadow(max_iter=8, n_trees=5, random_state=0), "rounds of shadows"),
    ],
)
def test_a_callback_ends_a_search_with_the_best_so_far(made, what, data):
    told = Recorder(what, 2)
    found = made.set_callbacks(told).fit(*data).selection_
    assert told.life == ["setup", "teardown"]
    assert told.after <= 0
    if what == "choosing features":
        assert found.indices.tolist() == fewer.MRMR(2).fit(*data).selection_.indices.tolist()
        assert "a callback asked for it" in found.reasons.rule
    if what == "evaluating subsets":
        assert found.meta["stopped"] == "a callback asked to stop it"
    if what == "rounds of shadows":
        assert made.n_iter_ == 2


def test_a_callback_ends_an_elimination(data):
    told = Recorder("dropping features", 3)
    model = fewer.RFE(n_features_to_select=2, random_state=0).set_callbacks(told)
    with pytest.warns(SearchWarning, match="interrupted with 5 features left"):
        model.fit(*data)


def test_callbacks_are_torn_down_when_a_fit_fails(data):
    told = Recorder()
    with pytest.raises(ValueError):
        fewer.MRMR(3).set_callbacks(told).fit(data[0] * np.nan, data[1][:-1])
    assert told.life == ["setup", "teardown"]


def test_many_steps_are_few_tasks(data):
    from fewer.core.runners import progress

    class Long(fewer.FTest):
        def _select(self, data, parts):
            for done in range(1, 50_001):
                progress.report("counting", done, None)
            for done in range(0, 50_001, 500):
                progress.report("reading", done, 50_000)
            return super()._select(data, parts)

    told = Recorder()
    Long(2).set_callbacks(told).fit(*data)
    assert 1000 < told.ended.count("step") < 3000
    assert dict(told.begun)["reading"] is None


def test_own_listeners_hear_as_before(data):
    from fewer.core.runners import progress

    heard = []
    with progress.listen(lambda what, done, total: heard.append(done)):
        fewer.MRMR(3).set_callbacks(Recorder()).fit(*data)
    assert heard == [1, 2, 3]


def test_the_progress_bar_of_scikit_learn_runs(data, capfd):
    pytest.importorskip("rich")
    fewer.MRMR(3).set_callbacks(callbacks.ProgressBar()).fit(*data)
    assert "choosing features" in capfd.readouterr().out
