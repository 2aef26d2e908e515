"""Shadow on data: what it finds, with which models, what it says, and that it goes on where it was stopped."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

import fewer
from fewer.core.records.errors import FewerError, InputError, ParameterError
from fewer.core.runners import progress
from fewer.core.runners.threads import ThreadRunner
from fewer.methods.ensembles._half_samples import HalfSamples
from fewer.methods.ensembles._importance_fits import ForestFit, ForestSize, ModelFit, seed_of
from fewer.methods.ensembles._shadow_rounds import shadow_columns
from fewer.report import page
from oracles import shadows

SMALL = {"max_iter": 20, "n_trees": 40, "random_state": 0}


def problem(n=150, p=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (X[:, 2] + X[:, 5] > 0).astype(int)


class Replayed(ClassifierMixin, BaseEstimator):
    """Importances by round and feature: the least value of a column says which feature it is, shuffled or not."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        left = X.min(axis=0).astype(int)
        number = {seed_of(0, r): r for r in range(40)}[self.seed]
        n = len(set(left.tolist()))
        self.feature_importances_ = np.concatenate(importances(number, left[:n].tolist()))
        self.n_features_in_ = X.shape[1]
        return self

    @property
    def seed(self):
        # The seed of the round, of which `seeded` makes that of the estimator.
        made = {int(np.random.default_rng(seed_of(0, r)).integers(2**31 - 1, size=1)[0]): r for r in range(40)}
        return seed_of(0, made[self.random_state])


RNG = np.random.default_rng(3)
STRENGTH = np.array([3.0, 0.2, -2.0, 1.1, 0.9, -3.0, 1.0])
REAL = np.exp(STRENGTH + RNG.normal(size=(40, 7)))
FALSE = np.exp(RNG.normal(size=(40, 60)))


def importances(number, left):
    columns = np.asarray(left)[shadow_columns(len(left))]
    return REAL[number, left], FALSE[number, columns + 7 * (np.arange(len(columns)) // len(left))]


@pytest.mark.parametrize(("perc", "two_step", "max_iter"), [(100, True, 40), (80, True, 25), (100, False, 12)])
def test_the_whole_run_decides_as_the_oracle(perc, two_step, max_iter):
    X = np.arange(7.0) + np.linspace(0, 0.9, 10)[:, None]
    found = fewer.Shadow(
        estimator=Replayed(), perc=perc, two_step=two_step, max_iter=max_iter, alpha=0.1, random_state=0
    ).fit(X, np.arange(10) % 2)
    decision, hits, history, _ = shadows.shadow(importances, 7, max_iter, perc, 0.1, two_step)
    table = found.selection_.tables["decisions"].columns
    assert dict(zip(table["feature"], table["decision"])) == dict(enumerate(decision))
    assert found.selection_.columns["hits"].tolist() == hits
    assert found.n_iter_ == len(history)
    assert set(found.selection_.indices.tolist()) == {j for j, word in enumerate(decision) if word == "confirmed"}


@pytest.mark.parametrize(
    "estimator", [None, ExtraTreesClassifier(20, max_depth=4, random_state=1), LogisticRegression(C=0.1)]
)
def test_relevant_features_are_confirmed_by_any_model(estimator):
    X, y = problem()
    found = fewer.Shadow(estimator=estimator, **SMALL).fit(X, y).selection_
    assert set(found.order[:2].tolist()) == {2, 5}
    assert {2, 5} <= set(found.indices.tolist())
    # A linear model finds the same noise in the same rows, round after round.
    assert len(found) <= (3 if not isinstance(estimator, LogisticRegression) else 5)
    again = fewer.Shadow(estimator=estimator, **SMALL).fit(X, y).selection_
    np.testing.assert_array_equal(again.scores, found.scores)


def test_numbers_weights_missing_values_and_nominal_columns():
    X, y = problem()
    target = X[:, 2] * 2 + X[:, 5] ** 2 + 0.1 * X[:, 0]
    assert {2, 5} <= set(fewer.Shadow(**SMALL).fit(X, target).selection_.indices.tolist())
    by_forest = fewer.Shadow(estimator=RandomForestRegressor(20, max_depth=4), **SMALL).fit(X, target)
    assert 2 in by_forest.selection_.indices
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    frame["c"] = pd.cut(frame["c"], 4, labels=["w", "x", "y", "z"])
    frame.loc[::9, "f"] = np.nan
    weight = np.where(np.arange(len(y)) % 3 == 0, 0.5, 2.0)
    assert {"c", "f"} <= set(fewer.Shadow(**SMALL).fit(frame, y, sample_weight=weight).selection_.kept_names)
    with pytest.raises(FewerError, match="nominal"):
        fewer.Shadow(estimator=LogisticRegression(), **SMALL).fit(frame, y)


def test_one_round_is_one_round_and_advice_can_be_followed():
    X, y = problem()
    found = fewer.Shadow(max_iter=1, n_trees=8, random_state=0).fit(X, y).selection_
    assert "of 1 round" in str(found.reason(0))
    assert "1 rounds" not in str(found.reason(0))
    # A model that reports no importances is asked by permutation on rows that it was not fitted on.
    assert fewer.Shadow(estimator=KNeighborsClassifier(), **SMALL).fit(X, y).n_iter_ > 0


@pytest.mark.parametrize("numbers", [True, False])
def test_a_nominal_column_with_many_levels_hides_no_feature(numbers):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    X[:, 5] = rng.integers(0, 100, 200)
    y = X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=200)
    made = fewer.Shadow(categorical_features=[5], max_iter=30, random_state=0).fit(X, y if numbers else y > 0)
    assert sorted(made.selection_.indices.tolist()) == [0, 1]


def test_reasons_tables_and_the_picture_of_the_history():
    X, y = problem()
    found = fewer.Shadow(**SMALL).fit(X, y).selection_
    kept, dropped = found.reason(2), found.reason(0)
    assert kept.kind == "kept"
    assert "confirmed" in str(kept)
    assert dropped.kind == "irrelevant"
    assert dropped.measured < dropped.needed
    assert "rejected" in str(dropped)
    history = found.tables["history"]
    assert history.kind == "lines"
    assert history.columns["feature"][0] == -1
    assert len(history.columns) == 1 + found.meta["rounds"]
    shown = page.render(found)
    assert shown.count('class="curve thin kept"') == len(found)
    assert shown.count('class="curve thin compared"') == 1
    assert "Importances by round" in shown


def test_what_becomes_of_tentative_features():
    X = np.arange(7.0) + np.linspace(0, 0.9, 10)[:, None]
    y, made = np.arange(10) % 2, {"estimator": Replayed(), "max_iter": 9, "random_state": 0}
    kept = {how: set(fewer.Shadow(tentative=how, **made).fit(X, y).selection_.indices) for how in TENTATIVE}
    decision = shadows.shadow(importances, 7, 9)[0]
    assert "tentative" in decision
    assert kept["drop"] == {j for j in range(7) if decision[j] == "confirmed"}
    assert kept["keep"] == {j for j in range(7) if decision[j] != "rejected"}
    assert kept["drop"] <= kept["likely"] <= kept["keep"]


TENTATIVE = ("drop", "likely", "keep")


def test_a_number_keeps_that_many_in_the_order_of_the_ranks():
    X, y = problem()
    found = fewer.Shadow(**SMALL).fit(X, y).selection_
    four = fewer.Shadow(4, **SMALL).fit(X, y).selection_
    assert four.indices.tolist() == found.order[:4].tolist()
    assert four.reason(four.indices[3]).kind == "kept"


def test_equal_columns_share_their_fate_and_constant_ones_take_no_part():
    X, y = problem()
    X = np.column_stack([X, X[:, 2], np.ones(len(X))])
    found = fewer.Shadow(**SMALL).fit(X, y).selection_
    assert found.scores[2] == found.scores[8]
    assert (2 in found.indices) == (8 in found.indices)
    assert found.reason(9).kind == "irrelevant"
    assert "constant" in found.reason(9).note
    without = fewer.Shadow(**SMALL).fit(X[:, :9], y).selection_
    np.testing.assert_array_equal(found.scores[:9], without.scores)


def test_a_run_that_was_stopped_goes_on(tmp_path):
    X, y = problem()
    path, made = tmp_path / "rounds", {**SMALL, "checkpoint": tmp_path / "rounds"}
    fewer.Shadow(**{**made, "max_iter": 4}).fit(X, y)
    first = path.read_bytes()
    whole = fewer.Shadow(**made).fit(X, y).selection_
    assert path.read_bytes().startswith(first)
    straight = fewer.Shadow(**SMALL).fit(X, y).selection_
    np.testing.assert_array_equal(whole.scores, straight.scores)
    before = path.read_bytes()
    fewer.Shadow(**{**made, "n_jobs": 2}).fit(X, y)
    assert path.read_bytes() == before
    with pytest.raises(FewerError, match="other work"):
        fewer.Shadow(**{**made, "alpha": 0.01}).fit(X, y)
    with pytest.raises(FewerError, match="random_state=None"):
        fewer.Shadow(**{**made, "random_state": None}).fit(X, y)


def test_progress_counts_rounds():
    told = []
    X, y = problem()
    with progress.listen(lambda what, done, total: told.append((what, done, total))):
        fewer.Shadow(**SMALL).fit(X, y)
    rounds = [done for what, done, total in told if what == "rounds of shadows" and total == 20]
    assert rounds == sorted(rounds)
    assert rounds[-1] == 20


def test_what_cannot_be_done_is_said_in_one_sentence():
    X, y = problem()
    refused = [
        (lambda: fewer.Shadow(**SMALL).fit(np.ones((30, 3)), y[:30]), InputError, "all 3 columns of X are constant"),
        (lambda: fewer.Shadow(**SMALL).fit(X, np.zeros(len(X), int)), InputError, "one class"),
        (lambda: fewer.Shadow(estimator=LogisticRegression, **SMALL).fit(X, y), ParameterError, "estimator"),
        (lambda: fewer.Shadow(estimator=LogisticRegression(C=-1), **SMALL).fit(X, y), InputError, "could not be fit"),
    ]
    for act, kind, words in refused:
        with pytest.raises(kind, match=words) as caught:
            act()
        assert "\n" not in str(caught.value)


def test_work_can_be_sent_to_other_processes():
    """What runs on a cluster is pickled: fits of the forest, of estimators, and of halves of the rows."""
    X, y = problem()
    made = fewer.Shadow()
    data = made._read(X, y, None, ThreadRunner(2), made.check())
    works = [
        ForestFit.of(data, ForestSize(16)).part,
        ModelFit.of(data, LogisticRegression()).part,
        HalfSamples.of(data, None, 2, 0),
        HalfSamples.of(data, fewer.FTest(), 2, 0),
    ]
    for work in works:
        given = (3, 0) if work is not works[2] and work is not works[3] else (0,)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(work))(*given), work(*given))
