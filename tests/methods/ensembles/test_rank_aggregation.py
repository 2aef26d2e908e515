"""Several rankings, one order: against counting by hand, all orders and direct integration."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.stats
from sklearn.datasets import load_wine

import fewer
from fewer.core.estimators.whole_methods import list_ranks
from fewer.core.measures import rank_lists
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from oracles import aggregation as oracle

WINE = load_wine(return_X_y=True)


def lists(rng, most=7):
    """Random lists with ties and, in some, features that are left out."""
    n, p = rng.integers(1, most), rng.integers(1, most)
    ranks = np.array([scipy.stats.rankdata(rng.integers(0, rng.choice([3, 1000]), p)) for _ in range(n)])
    for row in ranks:
        if p > 1 and rng.random() < 0.3:
            places = scipy.stats.rankdata(row, method="ordinal")
            row[:] = np.where(places > rng.integers(1, p), np.nan, places)
    return ranks, rng.integers(1, 4, n)


def test_borda_median_and_kemeny_are_those_of_the_definitions(rng):
    optimal = 0
    for _ in range(80):
        ranks, weights = lists(rng)
        np.testing.assert_allclose(rank_lists.borda_points(ranks, weights), oracle.borda(ranks, weights), atol=1e-12)
        np.testing.assert_allclose(rank_lists.median_points(ranks, weights), oracle.median(ranks, weights), atol=1e-12)
        found, best = rank_lists.kemeny(ranks, weights), oracle.best_disagreement(ranks, weights)
        assert sorted(found.order.tolist()) == list(range(ranks.shape[1]))
        assert found.disagreement == pytest.approx(oracle.disagreement(found.order, ranks, weights))
        assert found.bound == pytest.approx(oracle.minority(ranks, weights))
        assert found.bound <= best + 1e-9 <= found.disagreement + 2e-9
        optimal += found.disagreement <= best + 1e-9
    # A local search may miss the optimum; it rarely does.
    assert optimal >= 78


def test_seven_features_and_a_cycle():
    """Three lists in a circle: every order contradicts a third of the pairs more than the bound says."""
    ranks = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]], dtype=float)
    found = rank_lists.kemeny(ranks)
    assert (found.disagreement, found.bound) == (4.0, 3.0)
    rng = np.random.default_rng(3)
    ranks = np.array([rng.permutation(7) + 1.0 for _ in range(5)])
    assert rank_lists.kemeny(ranks).disagreement == oracle.best_disagreement(ranks, [1] * 5)


def test_kemeny_of_equal_lists_is_the_list(rng):
    order = rng.permutation(150)
    ranks = np.empty((4, 150))
    ranks[:, order] = np.arange(1, 151)
    found = rank_lists.kemeny(ranks)
    assert found.disagreement == found.bound == 0
    np.testing.assert_array_equal(found.order, order)


def test_rho_and_its_chance_are_those_of_direct_integration(rng):
    for _ in range(40):
        ranks, _ = lists(rng)
        n = len(ranks)
        rho, pvalue = rank_lists.robust_ranks(ranks)
        np.testing.assert_allclose(rho, oracle.rho(ranks), rtol=1e-9)
        np.testing.assert_allclose(pvalue, [oracle.chance(r, n) for r in rho], rtol=1e-6, atol=1e-13)
        assert (pvalue <= n * rho + 1e-12).all()
        assert (pvalue >= rho - 1e-12).all()


def test_chances_of_random_lists_are_uniform_and_small_ones_keep_their_digits():
    rng = np.random.default_rng(0)
    ranks = np.array([rng.permutation(4000) + 1.0 for _ in range(6)])
    pvalue = rank_lists.robust_ranks(ranks)[1]
    assert scipy.stats.kstest(pvalue, "uniform").pvalue > 0.01
    # First in each of six lists of 4,000: rho is (1 / 4000)^6, and so is its chance, nearly.
    ranks[:, 0] = 1.0
    rho, pvalue = rank_lists.robust_ranks(ranks)
    assert rho[0] == pytest.approx(4000.0**-6, rel=1e-9)
    assert rho[0] <= pvalue[0] <= 6 * rho[0]


def test_many_lists_take_the_bound(rng):
    ranks = np.array([rng.permutation(12) + 1.0 for _ in range(31)])
    rho, pvalue = rank_lists.robust_ranks(ranks)
    np.testing.assert_allclose(pvalue, np.minimum(31 * rho, 1))


@pytest.mark.parametrize("aggregation", ["borda", "median", "kemeny", "rra"])
def test_the_selector_aggregates_what_its_parts_rank(aggregation):
    X, y = WINE
    names = ["FTest", "JMI", "GiniGain"]
    found = fewer.RankAggregation(4, selectors=names, aggregation=aggregation).fit(X, y).selection_
    ranks = np.array([fewer.get(name)(13).fit(X, y).selection_.ranking for name in names], dtype=float)
    for name, row in zip(names, ranks):
        np.testing.assert_array_equal(found.columns[f"rank_by_{name}"], row)
    wanted = {
        "borda": lambda: oracle.borda(ranks, [1, 1, 1]),
        "median": lambda: oracle.median(ranks, [1, 1, 1]),
        "rra": lambda: -np.log(oracle.rho(ranks)),
    }
    if aggregation == "kemeny":
        table = found.tables["kemeny"].columns
        assert table["disagreement"] == [oracle.disagreement(found.order, ranks, [1, 1, 1])]
        assert table["least possible"] == [oracle.minority(ranks, [1, 1, 1])]
    else:
        np.testing.assert_allclose(found.scores, wanted[aggregation](), rtol=1e-9)
    shown = found.tables["ranks"].named(found.feature_names)
    assert shown["feature"] == [found.feature_names[j] for j in found.order]
    assert shown["JMI"] == ranks[1][found.order].tolist()
    assert "the 4 best were asked for" in str(found.reason(0))
    again = Selection.from_json(found.to_json())
    assert again.tables["ranks"].columns == found.tables["ranks"].columns


def test_weights_of_the_selectors():
    X, y = WINE
    alone = fewer.RankAggregation(None, selectors=["FTest", "ReliefF"], selector_weights=[1e9, 1]).fit(X, y).selection_
    np.testing.assert_array_equal(alone.order, fewer.FTest(None).fit(X, y).selection_.order)
    same = fewer.RankAggregation(None, selectors=["FTest", "FTest", "ReliefF"]).fit(X, y)
    twice = fewer.RankAggregation(None, selectors=["FTest", "ReliefF"], selector_weights=[2, 1]).fit(X, y)
    np.testing.assert_allclose(same.scores_, twice.scores_)
    assert {"rank_by_FTest_1", "rank_by_FTest_2"} <= set(same.selection_.columns)


def test_partial_lists_and_ties():
    """A rule leaves features out, whose places are shared; equal scores share theirs."""
    X, y = WINE
    X = np.column_stack([X, X[:, 6]])
    part = fewer.FTest("threshold:100")
    found = fewer.RankAggregation(None, selectors=[part, "GiniGain"]).fit(X, y).selection_
    kept = part.fit(X, y).selection_
    ranks = found.columns["rank_by_FTest"]
    assert np.isnan(ranks).sum() == 14 - len(kept)
    assert ranks[6] == ranks[13]
    gini = found.columns["rank_by_GiniGain"]
    np.testing.assert_allclose(found.scores, oracle.borda([ranks, gini], [1, 1]))
    rra = fewer.RankAggregation(None, selectors=[part, "GiniGain"], aggregation="rra").fit(X, y).selection_
    np.testing.assert_allclose(rra.columns["rho"], oracle.rho([ranks, gini]))


@pytest.mark.parametrize("resampling", ["bootstrap", "half"])
def test_samples_are_drawn_class_by_class_and_reproduce(resampling):
    X, y = WINE
    made = fewer.RankAggregation(3, selectors=["FTest"], resampling=resampling, n_repeats=6, random_state=1)
    first, again = made.fit(X, y).selection_, made.fit(X, y).selection_
    np.testing.assert_array_equal(first.scores, again.scores)
    two = made.set_params(n_jobs=2).fit(X, y).selection_
    np.testing.assert_array_equal(first.scores, two.scores)
    other = made.set_params(random_state=2).fit(X, y).selection_
    assert not np.array_equal(first.scores, other.scores)
    seen = []

    class Sizes(fewer.FTest):
        def _select(self, data, parts):
            seen.append(np.bincount(data.whole().y).tolist())
            return super()._select(data, parts)

    fewer.RankAggregation(3, selectors=[Sizes()], resampling=resampling, n_repeats=3).fit(X, y)
    whole = np.bincount(y)
    assert seen == [(whole if resampling == "bootstrap" else (whole + 1) // 2).tolist()] * 3
    columns = first.tables["ranks"].columns
    assert {"best by FTest", "mean by FTest", "worst by FTest", "ranked by FTest"} <= set(columns)


def test_a_checkpoint_is_gone_on_from(tmp_path, monkeypatch):
    X, y = WINE
    path = tmp_path / "lists"
    made = fewer.RankAggregation(3, selectors=["FTest", "GiniGain"], resampling="half", n_repeats=3)
    made.set_params(checkpoint=path, random_state=0)
    first = made.fit(X, y).selection_
    calls = []
    fit_view = fewer.FTest.fit_view
    monkeypatch.setattr(fewer.FTest, "fit_view", lambda self, data: calls.append(1) or fit_view(self, data))
    np.testing.assert_array_equal(made.fit(X, y).scores_, first.scores)
    assert not calls
    made.set_params(n_repeats=5, aggregation="median").fit(X, y)
    assert len(calls) == 2
    with pytest.raises(ValueError, match="checkpoint"):
        made.set_params(random_state=7).fit(X, y)


def test_scores_that_differ_by_rounding_share_their_rank(rng):
    """Mirrored columns have equal scores on paper; of which the sums round otherwise does not matter."""
    scores = np.array([0.3, 0.9, 0.1 + 0.2, np.inf, 0.5, 0.3 * (1 - 1e-15), -np.inf])
    reasons = Reasons.of_kept(7, np.arange(7), NOT_REACHED)
    order = np.array([3, 1, 4, 0, 2, 5, 6])
    found = list_ranks(fewer.FTest(7), Selection.build(order, order, reasons, scores))
    assert found.tolist() == [5.0, 2.0, 5.0, 1.0, 3.0, 5.0, 7.0]
    X = rng.normal(size=(60, 5))
    X = np.column_stack([X, 3 * X + 1, X @ np.diag([0.1, 0.7, 1.3, 7.0, 11.0])])
    y = X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=60)
    made = fewer.RankAggregation(selectors=["Pearson", "Spearman"])
    whole, turned = made.fit(X, y).selection_, made.fit(X[:, ::-1], y).selection_
    np.testing.assert_array_equal(whole.columns["rank_by_Pearson"][:5], whole.columns["rank_by_Pearson"][5:10])
    np.testing.assert_array_equal(whole.scores, turned.scores[::-1])


def test_numbers_and_json(rng):
    X = rng.normal(size=(80, 6))
    y = X[:, 2] - X[:, 4] + 0.3 * rng.normal(size=80)
    found = fewer.RankAggregation(2).fit(X, y).selection_
    assert set(found.indices) == {2, 4}
    assert "rank_by_RReliefF" in found.columns
    json.loads(found.to_json())


def test_targets_and_data_are_those_that_all_parts_take():
    made = fewer.RankAggregation(selectors=["InformationGain", "GiniGain"])
    assert made._tags_in_use().handles_nan
    assert made._tags_in_use().handles_nominal
    assert fewer.RankAggregation(selectors=["FTest", "Pearson"])._tags_in_use().task == "classification"
    assert not fewer.RankAggregation(selectors=["InformationGain", "FTest"])._tags_in_use().handles_nan


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"selectors": []}, "takes a list of names"),
        ({"selectors": "FTest"}, "takes a list of names"),
        ({"selectors": [fewer.FTest]}, "takes a list of names"),
        ({"selectors": ["FTets"]}, "no method named 'FTets'"),
        ({"selector_weights": [1, 2]}, "one number above 0 for each of the 3 selectors"),
        ({"selector_weights": [1, 2, 0]}, "one number above 0"),
        ({"selector_weights": [1, 2, 3], "aggregation": "rra"}, "knows no weights"),
        ({"n_features_to_select": "fdr:0.1"}, "needs p-values"),
        ({"n_features_to_select": "probes:0.1"}, "needs probes"),
        # Constant columns and their knockoffs have equal scores, of which a list would put the feature first.
        ({"n_features_to_select": "knockoffs:0.2"}, "needs knockoffs, but RankAggregation offers nothing"),
    ],
)
def test_what_does_not_fit_is_refused(params, words):
    with pytest.raises(ValueError, match=words):
        fewer.RankAggregation(**params).fit(*WINE)


def test_too_many_pairs_are_refused(rng):
    with pytest.raises(ValueError, match="at most 3000"):
        fewer.RankAggregation(aggregation="kemeny").fit(rng.normal(size=(6, 3001)), [0, 1] * 3)


def test_a_cluster_ranks_the_same(cluster):
    X, y = WINE
    made = fewer.RankAggregation(3, selectors=["FTest", "ReliefF"], resampling="half", n_repeats=2, random_state=0)
    here = made.fit(X, y).scores_
    with fewer.use(cluster):
        np.testing.assert_array_equal(made.fit(X, y).scores_, here)
