"""Targets of several columns: each scored alone, then put together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import fewer
from common.cases import NAMES, tags_of
from fewer.core.records.errors import InputError, RequirementError

RNG = np.random.default_rng(1)
X = RNG.normal(size=(80, 6))
NUMBERS = np.column_stack([X[:, 0] + RNG.normal(size=80), 3 * X[:, 1] + RNG.normal(size=80)])
LABELS = (NUMBERS > 0).astype(int)
TAKING = [n for n in NAMES if {"several labels", "several numbers"} & set(tags_of(n).targets)]
TAKING = [n for n in TAKING if fewer.registry.entry(n).family == "univariate" and n != "ScoreSelector"]


@pytest.mark.parametrize("name", TAKING)
def test_scores_of_one_target_are_put_together_by_their_mean(name):
    made = fewer.get(name)(n_features_to_select=2)
    Y = NUMBERS if "several numbers" in tags_of(name).targets else LABELS
    single = [fewer.get(name)(n_features_to_select=None).fit(X, y).selection_ for y in Y.T]
    found = made.fit(X, pd.DataFrame(Y, columns=["u", "v"])).selection_
    np.testing.assert_array_equal(found.scores, np.mean([one.scores for one in single], axis=0))
    np.testing.assert_array_equal(found.columns["score of v"], single[1].scores)
    assert set(found.indices.tolist()) == {0, 1}
    assert found.tables["targets"].columns["target"] == ["u", "v"]
    around = fewer.AcrossTargets(fewer.get(name)(n_features_to_select=2)).fit(X, Y).selection_
    np.testing.assert_array_equal(around.scores, found.scores)
    if "pvalue" in found.columns:
        smallest = np.min([one.columns["pvalue"] for one in single], axis=0)
        np.testing.assert_array_equal(found.columns["pvalue"], np.minimum(2 * smallest, 1.0))


@pytest.mark.parametrize("how", ["mean", "max", "min", "rank"])
def test_aggregates(how):
    single = np.array([fewer.RReliefF(None).fit(X, y).scores_ for y in NUMBERS.T])
    ranks = np.array(
        [scipy.stats.rankdata(fewer.RReliefF(None).fit(X, y).selection_.ranking * -1.0) for y in NUMBERS.T]
    )
    expected = ranks.mean(axis=0) if how == "rank" else getattr(np, how)(single, axis=0)
    found = fewer.AcrossTargets(fewer.RReliefF(2), aggregate=how).fit(X, NUMBERS)
    np.testing.assert_allclose(found.scores_, expected)
    again = fewer.select(X, NUMBERS, "RReliefF", n_features_to_select=2, aggregate=how)
    assert again.indices.tolist() == found.selection_.indices.tolist()


def test_constant_targets_are_left_out_and_searches_have_ranks_only():
    more = np.column_stack([NUMBERS, np.ones(80)])
    np.testing.assert_array_equal(fewer.Pearson().fit(X, more).scores_, fewer.Pearson().fit(X, NUMBERS).scores_)
    with pytest.raises(InputError, match="all 2 columns of y are constant"):
        fewer.Pearson().fit(X, np.full((80, 2), 3.0))
    with pytest.raises(RequirementError, match="pass aggregate='rank'"):
        fewer.AcrossTargets(fewer.JMI(2)).fit(X, LABELS)
    assert len(fewer.AcrossTargets(fewer.JMI(2), aggregate="rank").fit(X, LABELS).selection_) == 2


def test_files_with_several_targets_and_with_events(tmp_path):
    path = tmp_path / "t.csv"
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(u=NUMBERS[:, 0], v=NUMBERS[:, 1], ev=1, t=np.exp(-X[:, 2]))
    frame.to_csv(path, index=False)
    table = fewer.open_table(path, ["u", "v"], drop=["ev", "t"])
    found = fewer.Pearson(2).fit(table.load()).selection_
    np.testing.assert_allclose(found.scores, fewer.Pearson(2).fit(X, NUMBERS).scores_)
    table = fewer.open_table(path, event="ev", time="t", drop=["u", "v"])
    assert fewer.CoxScore(1).fit(table.load()).selection_.kept_names == ["c"]


def test_equal_columns_share_their_ranks(rng):
    X = rng.normal(size=(40, 5))
    X[:, 3] = X[:, 1]
    Y = np.column_stack([X[:, 1] + rng.normal(size=40), X[:, 0] + rng.normal(size=40)])
    found = fewer.AcrossTargets(fewer.Pearson(2), aggregate="rank").fit(X, Y).selection_
    single = [fewer.Pearson().fit(X, y).scores_ for y in Y.T]
    expected = np.mean([scipy.stats.rankdata(np.round(one, 12)) for one in single], axis=0)
    np.testing.assert_allclose(found.scores, expected)
    assert found.scores[1] == found.scores[3]
