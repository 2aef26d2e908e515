"""Whoever listens to progress may ask for an end: what was done until then is kept, and the reasons say so."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import fewer
from fewer.core.records.errors import SearchWarning
from fewer.core.runners import progress

MADE = {
    "MRMR": fewer.MRMR(4),
    "GaussianMRMR": fewer.GaussianMRMR(4),
    "CFS": fewer.CFS(),
    "Consistency": fewer.Consistency(),
    "GramSchmidtRanker": fewer.GramSchmidtRanker(4),
    "GSRelief": fewer.GSRelief(4),
    "RankOrderElimination": fewer.RankOrderElimination(2),
    "RFE": fewer.RFE(LogisticRegression(), n_features_to_select=2),
    "DistanceEntropy": fewer.DistanceEntropy(4),
    "DistanceEntropy of a range": fewer.DistanceEntropy((3, 5)),
    "DistanceEntropy with clusters": fewer.DistanceEntropy((2, 5), clusterer=2),
    "DistanceEntropy backward": fewer.DistanceEntropy(2, direction="backward"),
    "DistanceEntropy backward, best": fewer.DistanceEntropy(direction="backward"),
    "SequentialSelector": fewer.SequentialSelector(n_features_to_select=4),
}


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 6))
    return X, (X[:, 0] + X[:, 1] + 0.5 * X[:, 2] > 0).astype(int)


@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize("name", MADE)
def test_the_reasons_say_that_it_was_asked_for(name, steps, data):
    seen = []

    def enough(what, done, total):
        seen.append(what)
        return done >= steps

    with progress.listen(enough), warnings.catch_warnings():
        warnings.simplefilter("ignore", SearchWarning)
        found = MADE[name].fit(*data).selection_
    assert seen
    assert len(found)
    said = str(found.meta.get("stopped") or found.reasons.rule)
    assert "a callback asked" in said or "interrupted" in said, said
    assert f"{len(found)} of" not in found.reasons.rule


def test_a_stopped_entropy_keeps_what_it_has(data):
    X, _ = data
    with progress.listen(lambda what, done, total: done >= 2):
        found = fewer.DistanceEntropy(4).fit(X).selection_
    assert found.indices.tolist() == fewer.DistanceEntropy(2).fit(X).selection_.indices.tolist()
    with (
        progress.listen(lambda what, done, total: done >= 2),
        pytest.warns(SearchWarning, match="interrupted with 4 features left"),
    ):
        found = fewer.DistanceEntropy(2, direction="backward").fit(X).selection_
    whole = fewer.DistanceEntropy(4, direction="backward").fit(X).selection_
    assert sorted(found.indices.tolist()) == sorted(whole.indices.tolist())


def test_a_stopped_elimination_does_not_say_the_size_that_folds_chose(data):
    made = fewer.RFE(LogisticRegression(), n_features_to_select=(1, 2), cv=2)
    whole = made.fit(*data).selection_
    with (
        progress.listen(lambda what, done, total: what == "dropping features" and done >= 2),
        pytest.warns(SearchWarning, match="interrupted with 4 features left"),
    ):
        found = made.fit(*data).selection_
    assert len(found) == 4
    assert found.reasons.rule == "the elimination was interrupted"
    assert "value" in whole.meta
    assert "value" not in found.meta
