"""Koller and Sahami's filter against an elimination that computes everything again, in exact arithmetic."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from fewer.core.discretize.named import as_discretizer
from fewer.core.measures import as_counts, information_gain
from fewer.core.records.errors import InputError, RequirementError
from fewer.methods.redundancy import _blanket_elimination, _similarity
from fewer.methods.redundancy.markov_blanket import MarkovBlanketFilter
from oracles import blankets as oracle


def awkward_codes(rng, n, d):
    """Whole numbers with copies, copies in other units, a constant, and ties."""
    X = rng.integers(0, rng.integers(2, 5), (n, d))
    X[:, d // 2] = X[:, 0]
    if d > 4:
        X[:, 4] = 2 * X[:, 1] + 1
    if d > 5:
        X[:, 5] = 3
    return X, rng.integers(0, 3, n)


def slowly(X, y, k, blanket, codes=None):
    codes = X if codes is None else codes
    columns, values = [c.tolist() for c in codes.T], [c.tolist() for c in X.T]
    if blanket == "correlation":
        return oracle.eliminate(columns, y.tolist(), lambda i, j: oracle.absolute_correlation(values[i], values[j]), k)
    return oracle.eliminate(columns, y.tolist(), lambda i, j: oracle.exact_information(columns[i], columns[j]), k)


@pytest.mark.parametrize("blanket", ["correlation", "information"])
@pytest.mark.parametrize("k", [0, 1, 2, 3])
@pytest.mark.parametrize("listed", [1, 64])
def test_same_elimination_as_computing_everything_anew(k, blanket, listed, monkeypatch):
    monkeypatch.setattr(_blanket_elimination, "LISTED", listed)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = awkward_codes(rng, int(rng.integers(2, 30)), int(rng.integers(1, 9)))
        y[:2] = [0, 1]
        expected = slowly(X, y, k, blanket)
        got = MarkovBlanketFilter(1, k=k, blanket=blanket, discretizer=None).fit(X, y).selection_
        assert got.order[::-1].tolist() == [j for j, _, _ in expected]
        deltas = [np.log(float(delta)) / len(y) for _, delta, _ in expected]
        np.testing.assert_allclose(got.columns["delta"][got.order[::-1]], deltas, atol=1e-12)
        np.testing.assert_allclose(got.scores[got.order[::-1]], np.maximum.accumulate(deltas), atol=1e-12)
        # Backwards: what leaves later may be what makes a feature redundant, if it leads to the kept one itself.
        sound = {expected[-1][0]}
        for j, delta, members in expected[-2::-1]:
            reason = got.reason(j)
            own = oracle.exact_information(X[:, j].tolist(), y.tolist())
            dof = max((len(set(X[:, j])) - 1) * (len(set(y)) - 1), 1)
            tells = delta == 1 or 2 * np.log(float(own)) >= chi2.isf(0.05, dof)
            if own > 1 and delta**2 <= own and tells and sound.issuperset(members):
                sound.add(j)
                assert set(reason.related) == {f"x{m}" for m in members}
                assert reason.amount == pytest.approx(np.log(float(own / delta)) / len(y), abs=1e-12)
            # A number of features makes none of the others irrelevant.
            assert reason.kind == ("redundant" if j in sound else "not reached")


@pytest.mark.parametrize("discretizer", ["sigma", "quantile"])
def test_blankets_come_from_the_values_and_deltas_from_the_levels(rng, discretizer):
    X = rng.normal(size=(40, 8)) @ (np.eye(8) + 0.7 * (rng.random((8, 8)) < 0.3))
    y = (X[:, 0] + X[:, 3] > 0).astype(int)
    codes = as_discretizer(discretizer, 3).fit_transform(X)
    expected = slowly(X, y, 2, "correlation", codes)
    got = MarkovBlanketFilter(3, k=2, discretizer=discretizer, bins=3).fit(X, y).selection_
    assert got.order[::-1].tolist() == [j for j, _, _ in expected]


def test_without_blankets_it_ranks_by_information_gain(rng):
    """K = 0 is the ranking by mutual information from the bottom (book ch. 4)."""
    X, y = awkward_codes(rng, 60, 12)
    got = MarkovBlanketFilter(5, k=0, discretizer=None).fit(X, y).selection_
    gains = information_gain(
        as_counts([[np.bincount(y[X[:, j] == a], minlength=3) for a in range(10)] for j in range(12)])
    )
    np.testing.assert_allclose(got.scores, gains, atol=1e-12)
    assert got.order.tolist() == np.argsort(-np.round(gains, 12), kind="stable").tolist()


def test_a_copy_tells_nothing_beyond_its_twin(rng):
    """An exact copy has delta 0 with k >= 1 (book ch. 4 and 8), and the higher number leaves."""
    X, y = rng.normal(size=(80, 5)), rng.integers(0, 2, 80)
    X[:, 1] += 3 * y
    X = np.column_stack([X, -2 * X[:, 1] + 7, X[:, 1]])
    got = MarkovBlanketFilter(5, k=1, bins=4).fit(X, y).selection_
    for copy in (5, 6):
        assert got.columns["delta"][copy] == 0.0
        assert got.reason(copy).kind == "redundant"
    assert got.reason(6).related == ("x1",)
    assert 1 in got.indices


def test_ties_are_exact_whatever_the_order_of_the_rows(rng):
    X, y = awkward_codes(rng, 60, 14)
    first = MarkovBlanketFilter(4, k=2, discretizer=None).fit(X, y).selection_
    for _ in range(5):
        order = rng.permutation(60)
        again = MarkovBlanketFilter(4, k=2, discretizer=None, n_jobs=2).fit(X[order], y[order]).selection_
        np.testing.assert_array_equal(again.order, first.order)
        np.testing.assert_array_equal(again.scores, first.scores)


def test_only_blankets_that_lost_a_member_are_looked_at_again(rng):
    d = 200
    X, y = rng.normal(size=(30, d)), rng.integers(0, 2, 30)
    trace = MarkovBlanketFilter(1, k=1, bins=3).fit(X, y).selection_.trace
    assert trace[0].evaluations == d
    assert trace.evaluations < 4 * d


def test_lists_are_made_again_when_all_their_features_have_gone(rng, monkeypatch):
    monkeypatch.setattr(_blanket_elimination, "LISTED", 2)
    listed = []
    original = _blanket_elimination._Blankets._list
    monkeypatch.setattr(
        _blanket_elimination._Blankets, "_list", lambda self, some: listed.append(len(some)) or original(self, some)
    )
    X, y = rng.normal(size=(30, 60)), rng.integers(0, 2, 30)
    short = MarkovBlanketFilter(1, bins=3).fit(X, y).selection_
    assert len(listed) > 1
    monkeypatch.setattr(_blanket_elimination, "LISTED", 64)
    np.testing.assert_array_equal(MarkovBlanketFilter(1, bins=3).fit(X, y).selection_.order, short.order)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8])
def test_correlations_in_chunks_are_those_of_numpy(rng, monkeypatch, dtype):
    X = (rng.normal(size=(57, 9)) * 20 + 100).astype(dtype)
    X[:, 3] = X[:, 1]
    X[:, 5] = 17
    kept = _similarity.AbsoluteCorrelation(X).rows(np.arange(9))
    monkeypatch.setattr(_similarity, "CHUNK_BYTES", 8 * 9 * 10)
    chunked = _similarity.AbsoluteCorrelation(X).rows(np.array([3, 1, 5]))
    with np.errstate(invalid="ignore"):
        expected = np.nan_to_num(np.abs(np.corrcoef(X.T.astype(float))))
    np.testing.assert_allclose(kept * _similarity.CORRELATION_STEP, expected, atol=1e-8)
    np.testing.assert_allclose(chunked, kept[[3, 1, 5]], atol=1)


def test_the_last_feature_left_is_the_first_of_the_order(rng):
    X, y = rng.normal(size=(40, 6)), rng.integers(0, 2, 40)
    X[:, 2] += 4 * y
    got = MarkovBlanketFilter(1, bins=3).fit(X, y).selection_
    assert got.indices.tolist() == [2]
    assert len(got.trace) == 5
    assert got.scores[2] == got.scores.max()


def test_a_strong_feature_beyond_the_number_is_not_irrelevant(rng):
    """Independent signals: p of the third is tiny, yet it was irrelevant with score = needed as two were asked for."""
    X = rng.integers(0, 2, (600, 4))
    y = X[:, 0] + 2 * X[:, 1] + 4 * X[:, 2]
    got = MarkovBlanketFilter(2, k=1, blanket="information", discretizer=None).fit(X, y).selection_
    left = min({0, 1, 2} - set(got.indices.tolist()))
    assert got.reason(left).kind == "not reached"
    assert "needed" not in str(got.reason(left))
    low = MarkovBlanketFilter("threshold:0.3", k=1, blanket="information", discretizer=None).fit(X, y).selection_
    assert sorted(low.indices.tolist()) == [0, 1, 2]
    assert low.reason(3).kind in ("irrelevant", "redundant")


def test_a_threshold_keeps_what_may_not_be_lost(rng):
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 2, 60)
    X[:, 2] += 3 * y
    every = MarkovBlanketFilter(None, bins=3).fit(X, y).selection_
    needed = float(np.sort(every.scores)[4])
    some = MarkovBlanketFilter(f"threshold:{needed!r}", bins=3).fit(X, y).selection_
    assert set(some.indices) == set(np.flatnonzero(every.scores >= needed))
    assert every.indices.tolist() == every.order.tolist()
    assert len(every.trace) == 0


def test_nominal_columns_and_missing_values_need_information(rng):
    frame = pd.DataFrame({"a": rng.normal(size=50), "b": rng.choice(["u", "v", "w"], 50), "c": rng.normal(size=50)})
    y = (frame["b"] == "u").to_numpy()
    with pytest.raises(InputError, match="nominal"):
        MarkovBlanketFilter().fit(frame, y)
    frame.loc[::5, "a"] = np.nan
    got = MarkovBlanketFilter(1, blanket="information", bins=3).fit(frame, y).selection_
    assert got.kept_names == ["b"]


def test_values_beyond_all_squares_are_refused(rng):
    X, y = rng.normal(size=(20, 3)), rng.integers(0, 2, 20)
    X[:, 1] *= 1e200
    with pytest.raises(InputError, match="Column 1"):
        MarkovBlanketFilter().fit(X, y)


def test_rules_that_need_p_values_are_refused(rng):
    with pytest.raises(RequirementError, match="MarkovBlanketFilter"):
        MarkovBlanketFilter("fdr:0.05").fit(rng.normal(size=(20, 3)), rng.integers(0, 2, 20))


def test_leukemia_keeps_one_of_the_known_genes(shared_data):
    """Zyxin (X95735) and its like lead every list of these data (Golub et al. 1999)."""
    z = shared_data("leukemia_golub")
    got = MarkovBlanketFilter(50, discretizer="sigma").fit(z["X"], z["y"]).selection_
    names = z["feature_names"][got.indices].tolist()
    assert len(names) == 50
    assert {"X95735_at", "M23197_at", "M27891_at", "M84526_at", "U22376_cds2_s_at"} & set(names)
