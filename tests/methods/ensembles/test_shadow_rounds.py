"""Shadow's decisions against the oracle, and against BorutaPy where it is installed, on recorded importances."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from fewer.methods.ensembles._shadow_rounds import CONFIRMED, REJECTED, TENTATIVE, ShadowRecord, decided, shadow_columns
from oracles import shadows

WORDS = {"confirmed": CONFIRMED, "tentative": TENTATIVE, "rejected": REJECTED}


class Recorded(BaseEstimator):
    """Importances of rounds and columns, recorded once; columns tell by their value which feature they are."""

    def __init__(self, seed=0, n_estimators=1, random_state=None):
        self.seed, self.n_estimators, self.random_state = seed, n_estimators, random_state
        rng = np.random.default_rng(seed)
        self.n_features = int(rng.integers(1, 15))
        self.perc = float(rng.choice([100, 100, 90, 60]))
        self.alpha = float(rng.choice([0.05, 0.2, 0.01]))
        self.two_step = bool(rng.integers(2))
        self.max_rounds = int(rng.choice([12, 30, 60]))
        strength = rng.normal(scale=1.5, size=self.n_features)
        # Some histories hold ties, of features with each other and with the shadows.
        digits = int(rng.choice([0, 1, 9]))
        self.real = (strength + rng.normal(size=(60, self.n_features)) + 2).round(digits)
        self.shadow = rng.normal(size=(60, 8 * self.n_features)).round(digits) + 1
        self.round = 0

    def importances(self, number, left):
        columns = shadow_columns(len(left))
        copy = np.arange(len(columns)) // len(left)
        return self.real[number, left], self.shadow[number, np.asarray(left)[columns] + copy * self.n_features]

    def fit(self, X, y):
        numbers = X[0].astype(int).tolist()
        left = sorted(set(numbers))
        assert numbers == [*left, *np.asarray(left)[shadow_columns(len(left))]]
        self.feature_importances_ = np.concatenate(self.importances(self.round, left))
        self.round += 1
        return self


def record_of(made):
    record = ShadowRecord.of(made.n_features, made.perc, made.alpha, made.two_step)
    while not record.settled and len(record.lines) < made.max_rounds:
        record.add(*made.importances(len(record.lines), record.left))
    return record


@pytest.mark.parametrize("seed", range(100))
def test_decisions_are_those_of_the_oracle(seed):
    made = Recorded(seed)
    record = record_of(made)
    decision, hits, history, lines = shadows.shadow(
        made.importances, made.n_features, made.max_rounds, made.perc, made.alpha, made.two_step
    )
    assert record.decisions.tolist() == [WORDS[word] for word in decision]
    assert record.hits.tolist() == hits
    np.testing.assert_allclose(record.lines, lines, rtol=1e-12)
    assert [np.flatnonzero(~np.isnan(row)).tolist() for row in record.history] == [sorted(row) for row in history]
    likely, ranks = shadows.shadow_ranks(decision, history, lines)
    assert set(np.flatnonzero(record.likely).tolist()) == likely
    np.testing.assert_allclose(record.ranks, ranks)


@pytest.mark.filterwarnings("ignore")
def test_decisions_are_those_of_boruta_py():
    boruta = pytest.importorskip("boruta")
    for seed in range(100):
        same_as_boruta_py(boruta, seed)


def same_as_boruta_py(boruta, seed):
    made = Recorded(seed)
    record = record_of(Recorded(seed))
    # It counts rounds from 1 and stops before the last.
    theirs = boruta.BorutaPy(
        made, 1, perc=made.perc, alpha=made.alpha, two_step=made.two_step, max_iter=made.max_rounds + 1
    ).fit(np.tile(np.arange(float(made.n_features)), (4, 1)), np.array([0, 1, 0, 1]))
    assert made.round == len(record.lines)
    if ((record.decisions == CONFIRMED) | record.likely).all():
        # It then keeps the tentative ones, too.
        assert theirs.support_.all()
    else:
        assert theirs.support_.tolist() == (record.decisions == CONFIRMED).tolist()
    assert theirs.support_weak_.tolist() == record.likely.tolist()
    # It cuts half ranks.
    assert theirs.ranking_.tolist() == np.floor(record.ranks).astype(int).tolist()
    np.testing.assert_array_equal(theirs.importance_history_[1:], np.array(record.history))


def test_the_first_decision_takes_eight_rounds_in_two_steps():
    """2^-7 is above 0.05 / 7, and 2^-8 below 0.05 / 8: of one feature, or of several that all win or all lose."""
    for n in (1, 3, 50):
        for hits, verdict in ((0, REJECTED), (None, CONFIRMED)):
            found = [decided(np.zeros(n, int), np.full(n, r if hits is None else hits), r, 0.05, True) for r in (7, 8)]
            assert (found[0] == TENTATIVE).all()
            assert (found[1] == verdict).all()


def test_one_step_divides_by_all_features_whoever_has_left():
    before = np.array([REJECTED] * 9 + [TENTATIVE])
    hits = np.array([0] * 9 + [7])
    # 2^-7 is above 0.05 / 10 and below 0.1 / 10.
    assert decided(before, hits, 7, 0.05, False)[-1] == TENTATIVE
    assert decided(before, hits, 7, 0.1, False)[-1] == CONFIRMED


def test_settled_features_stay_settled():
    before = np.array([CONFIRMED, REJECTED])
    assert decided(before, np.array([0, 30]), 30, 0.05, True).tolist() == before.tolist()


@pytest.mark.parametrize(("n", "wanted"), [(1, 8), (2, 8), (3, 6), (4, 8), (5, 5), (7, 7)])
def test_there_are_at_least_five_shadows(n, wanted):
    columns = shadow_columns(n)
    assert len(columns) == wanted
    assert np.bincount(columns).tolist() == [wanted // n] * n
