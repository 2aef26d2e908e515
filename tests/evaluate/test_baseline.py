"""Random subsets in a comparison, against the scores of the same subsets one by one."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.stop import Threshold
from fewer.evaluate.baseline import random_band
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.curves import error_curve
from fewer.synth import make_planted

SIZES = [1, 2, 5]
DATA = make_planted(90, 3, n_redundant=0, n_duplicates=0, n_constant=0, n_noise=6, random_state=0)


@pytest.fixture(scope="module")
def found() -> Comparison:
    lot = fewer.RandomRanking(n_subsets=7, random_state=3)
    return fewer.compare(DATA.X, DATA.y, {"lot": lot, "FTest": "FTest"}, [GaussianNB()], SIZES, cv=splits(), keep="all")


def splits():
    rows = np.arange(90)
    return [(rows[rows % 3 != f], rows[rows % 3 == f]) for f in range(3)]


def test_each_subset_is_scored_on_all_folds(found):
    drawn = fewer.RandomRanking(n_subsets=7, random_state=3).draw(DATA.n_features, 5)
    scores = np.zeros((7, len(SIZES), 3))
    for i, s, f in np.ndindex(*scores.shape):
        (train, test), columns = splits()[f], drawn[i, : SIZES[s]]
        model = clone(GaussianNB()).fit(DATA.X[train][:, columns], DATA.y[train])
        scores[i, s, f] = model.score(DATA.X[test][:, columns], DATA.y[test])
    np.testing.assert_allclose(found.random["lot"][:, 0], scores.mean(axis=2))
    np.testing.assert_allclose(found.scores[0, 0], scores.mean(axis=0))
    band = random_band(found)
    np.testing.assert_allclose(band.mean, scores.mean(axis=(0, 2)))
    np.testing.assert_allclose(band.deviation, scores.mean(axis=2).std(axis=0, ddof=1))
    np.testing.assert_allclose(band.low, np.quantile(scores.mean(axis=2), 0.05, axis=0))
    np.testing.assert_allclose(band.high, np.quantile(scores.mean(axis=2), 0.95, axis=0))
    assert (band.method, band.n_subsets, band.sizes) == ("lot", 7, tuple(SIZES))
    curve = found.curve("lot")
    assert curve.n_subsets == 7
    np.testing.assert_array_equal(curve.low, band.low)
    np.testing.assert_array_equal(curve.high, band.high)
    assert found.curve("FTest").n_subsets == 0


def test_a_baseline_is_no_candidate(found):
    assert found.contenders.tolist() == [False, True]
    assert found.best().method == found.best().best_method == "FTest"
    assert np.isnan(found.naive[0]).all()
    assert np.isfinite(found.naive[1]).all()
    assert {row["method"] for row in found.bias()} == {"FTest"}
    alone = fewer.compare(DATA.X, DATA.y, ["FTest"], [GaussianNB()], SIZES, cv=splits(), keep="all")
    assert found.best().sentence == alone.best().sentence
    assert found.best().honest == alone.best().honest
    rows = {row["feature"]: (row["frequency"], row["mean_rank"]) for row in found.consensus().to_dict("records")}
    assert rows == {r["feature"]: (r["frequency"], r["mean_rank"]) for r in alone.consensus().to_dict("records")}
    assert found.ranks().methods == ("lot", "FTest")


def test_it_may_win_only_where_nothing_else_is_compared():
    lots = {"a": fewer.RandomRanking(n_subsets=2), "b": fewer.RandomRanking(n_subsets=2)}
    found = fewer.compare(DATA.X, DATA.y, lots, [GaussianNB()], [1, 2], cv=3)
    assert found.contenders.tolist() == [True, True]
    assert found.best().method in lots
    assert not np.array_equal(found.random["a"], found.random["b"]), "labels have their own seeds"
    assert random_band(found, method="b").method == "b"


def test_folds_draw_their_own_order_and_share_the_subsets(found):
    """The baseline is as unstable as chance, also with a seed of its own; on all rows this seed decides."""
    lot = fewer.RandomRanking(n_subsets=3)
    free = fewer.compare(DATA.X, DATA.y, [lot], [GaussianNB()], [3], cv=splits())
    for one in (free, found):
        assert len({tuple(order.tolist()) for order in one.orders[0]}) == 3
    assert found.stability("lot", 2).value < 0.7
    own = fewer.RandomRanking(5, random_state=3).fit(DATA.X, DATA.y).selection_
    assert found.selections["lot"].indices.tolist() == own.indices.tolist()


class FailsOnOne(GaussianNB):
    """Cannot learn from one certain feature alone."""

    def __init__(self, feature=0):
        super().__init__()
        self.feature = feature

    def fit(self, X, y):
        if X.shape[1] == 1 and np.isin(X[0, 0], DATA.X[:, self.feature]):
            raise ValueError("this feature is too much")
        return super().fit(X, y)


def test_a_subset_that_fails_is_left_out_of_the_band():
    call = {"sizes": [1, 2], "cv": splits(), "naive": False}
    lot = fewer.RandomRanking(n_subsets=12, random_state=0)
    alone = lot.draw(DATA.n_features, 2)[:, 0]
    failed = alone == alone[0]
    models = (GaussianNB(), FailsOnOne(int(alone[0])))
    good, bad = (fewer.compare(DATA.X, DATA.y, [lot], [one], **call) for one in models)
    assert 0 < failed.sum() < 12
    scores = good.random["RandomRanking"][:, 0]
    np.testing.assert_array_equal(np.isnan(bad.random["RandomRanking"][:, 0, 0]), failed)
    assert np.isfinite(bad.scores).all()
    band, kept = random_band(bad), scores[~failed, 0]
    np.testing.assert_allclose(band.mean, [kept.mean(), scores[:, 1].mean()])
    np.testing.assert_allclose(band.deviation, [kept.std(ddof=1), scores[:, 1].std(ddof=1)])
    np.testing.assert_allclose([band.low[0], band.high[0]], np.quantile(kept, [0.05, 0.95]))
    assert "too much" in bad.failures[0].words
    assert "empty" not in str(bad.meta["notes"])


def test_the_command_can_be_run():
    lot = fewer.RandomRanking(n_subsets=3)
    found = fewer.compare(DATA.X, DATA.y, [lot, "FTest"], ["naive Bayes", GaussianNB(var_smoothing=0.1)], [1], cv=3)
    names = {"fewer": fewer, "GaussianNB": GaussianNB, "X": DATA.X, "y": DATA.y}
    again = eval(found.meta["command"], names)
    assert again.to_json(timings=False) == found.to_json(timings=False)
    assert "methods={'RandomRanking': fewer.RandomRanking(n_subsets=3), 'FTest': 'FTest'}" in found.meta["command"]


def test_it_survives_json_processes_and_interruptions(found, tmp_path):
    again = Comparison.from_json(found.to_json())
    np.testing.assert_array_equal(again.random["lot"], found.random["lot"])
    assert again.to_json() == found.to_json()
    lot = fewer.RandomRanking(n_subsets=3)
    call = {"methods": [lot, "FTest"], "estimators": [GaussianNB()], "sizes": [1, 3], "cv": splits()}
    one = fewer.compare(DATA.X, DATA.y, **call, checkpoint=tmp_path / "kept")
    kept = fewer.compare(DATA.X, DATA.y, **call, checkpoint=tmp_path / "kept")
    two = fewer.compare(DATA.X, DATA.y, **call, n_jobs=2)
    assert one.to_json(timings=False) == kept.to_json(timings=False) == two.to_json(timings=False)


def test_comparisons_written_before_can_be_read(found):
    data = fewer.compare(DATA.X, DATA.y, ["FTest"], [GaussianNB()], [1], cv=3).to_dict()
    del data["random"]
    assert Comparison.from_dict(data).random == {}


def test_numbers_as_target():
    y, n = DATA.X[:, 0], DATA.n_features
    curve = error_curve(DATA.X, y, fewer.RandomRanking(n_subsets=4), "ridge", [1, 2, n], cv=3)
    assert curve.n_subsets == 4
    assert curve.kept.tolist() == [1, 2, n]
    assert (curve.low <= curve.high).all()
    # Of all features there is one subset.
    assert curve.low[-1] == pytest.approx(curve.high[-1]) == pytest.approx(curve.mean[-1])


@pytest.mark.parametrize("rule", ["gap", "threshold:0.6", Threshold(0.5)])
def test_a_rule_of_its_own_is_refused(rule):
    """It would keep another number of random features on every fold, whose scores have no common mean."""
    with pytest.raises(ParameterError, match="RandomRanking with the rule .* of the same sizes on all folds; leave"):
        fewer.compare(DATA.X, DATA.y, ["FTest", fewer.RandomRanking(rule)], [GaussianNB()], [1], cv=3)
    for size in (3, 0.5, None, "3"):
        found = fewer.compare(DATA.X, DATA.y, [fewer.RandomRanking(size, n_subsets=2)], [GaussianNB()], [1, 2], cv=3)
        assert found.kept[0].tolist() == [[1] * 3, [2] * 3]


def test_what_is_not_there_is_said(found):
    plain = fewer.compare(DATA.X, DATA.y, ["FTest"], [GaussianNB()], [1], cv=3)
    with pytest.raises(InputError, match="no random subsets; add 'RandomRanking'"):
        random_band(plain)
    with pytest.raises(ParameterError, match="'FTest', but has lot"):
        random_band(found, method="FTest")
    with pytest.raises(ParameterError, match="'tree', but has GaussianNB"):
        random_band(found, "tree")


def test_a_baseline_alone_among_failures_is_no_headline():
    X, y = DATA.X, np.arange(90) % 3
    with pytest.raises(InputError, match=r"but RandomRanking, which looks at no data, failed, the first \(TTest\)"):
        fewer.compare(X, y, ["TTest", "RandomRanking"], "naive Bayes", [1], cv=3, naive=False)
