"""xi, information value, nearest-neighbour information, distance correlation and HSIC against their entries."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

import fewer
from oracles import small_filters as plain

AWKWARD = ["continuous", "few values", "mostly zero", "large offset", "tiny", "huge"]


def column(kind, n, rng):
    x = rng.normal(size=n)
    return {
        "continuous": x,
        "few values": np.rint(x).clip(-1, 1),
        "mostly zero": np.where(rng.random(n) < 0.7, 0.0, x),
        "large offset": 1e9 + x,
        "tiny": 1e-200 * x,
        "huge": 1e200 * x,
    }[kind]


@pytest.mark.skipif(not hasattr(stats, "chatterjeexi"), reason="scipy has xi from 1.15 on")
@pytest.mark.parametrize("rounded", [False, True])
def test_xi_is_that_of_scipy_where_the_feature_has_no_ties(rng, rounded):
    X, y = rng.normal(size=(60, 5)), rng.normal(size=60)
    y = y + X[:, 0] ** 2
    y = np.rint(y) + 0.5 if rounded else y
    found = fewer.ChatterjeeXi().fit(X, y).selection_
    expected = stats.chatterjeexi(X.T, y, axis=1)
    np.testing.assert_allclose(found.scores, expected.statistic, rtol=1e-12)
    np.testing.assert_allclose(found.columns["pvalue"], expected.pvalue, rtol=1e-9)


def test_xi_is_the_mean_over_all_orders_of_tied_rows(rng):
    X, y = rng.integers(0, 3, (7, 6)).astype(float), rng.integers(0, 4, 7) + 0.5
    X[:, 5] = 1.0
    scores = fewer.ChatterjeeXi().fit(X, y).scores_
    np.testing.assert_allclose(scores, [plain.xi(x, y) for x in X.T], atol=1e-12)
    assert scores[5] == 0.0
    assert fewer.ChatterjeeXi().fit(X, y).selection_.columns["pvalue"][5] == 1.0


def test_facts_of_xi(rng):
    x = rng.normal(size=40)
    score = fewer.ChatterjeeXi().fit(np.exp(x)[:, None], x**3).scores_[0]
    assert score == pytest.approx(38 / 41)
    levels, y = np.array([0.0, 0.0, 1.0, 1.0, 2.0])[:, None], [0.5, 1.5, 1.5, 2.5, 3.5]
    every = [fewer.ChatterjeeXi().fit(levels, order).scores_[0] for order in set(permutations(y))]
    assert np.mean(every) == pytest.approx(0.0, abs=1e-12)
    found = fewer.ChatterjeeXi(pvalues="permutation").fit(np.c_[x, np.sign(x), rng.normal(size=40)], np.abs(x))
    pvalues = found.selection_.columns["pvalue"]
    assert pvalues[0] < 0.005 < pvalues[2]


@pytest.mark.parametrize("kind", AWKWARD)
@pytest.mark.parametrize("classes", [False, True])
def test_near_information_by_plain_loops(rng, kind, classes):
    X = np.column_stack([column(kind, 40, rng) for _ in range(3)])
    y = rng.integers(0, 3, 40) if classes else rng.normal(size=40) + scaled_sign(X[:, 0])
    if classes:
        y[:2] = [7, 8]
    for k in (1, 3, 50):
        scores = fewer.NeighborMutualInformation(n_neighbors=k).fit(X, y).scores_
        expected = [plain.near_information([(x - x.min()) / np.ptp(x)], y, k, classes) for x in X.T]
        np.testing.assert_allclose(scores, expected, atol=1e-9)


@pytest.mark.parametrize("classes", [False, True])
def test_tenths_count_as_whole_numbers_do(rng, classes):
    whole = rng.integers(-20, 21, (60, 3))
    y = rng.integers(0, 3, 60) if classes else rng.integers(-30, 31, 60) + whole[:, 0]
    made = fewer.NeighborMutualInformation()
    given = y.astype(str) if classes else y / 10
    np.testing.assert_allclose(made.fit(whole / 10, given).scores_, made.fit(whole, given).scores_, rtol=1e-12)
    steps = [fewer.JMI(3, information="neighbors").fit(X, given).selection_ for X in (whole, whole / 10)]
    np.testing.assert_allclose(*([step.value for step in found.trace] for found in steps), rtol=1e-9)


def scaled_sign(x):
    return np.sign(x - np.median(x))


def test_near_information_is_that_of_scikit_learn(rng):
    X = rng.normal(size=(300, 4))
    y = X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.normal(size=300)
    scores = fewer.NeighborMutualInformation().fit(X, y).scores_
    np.testing.assert_allclose(scores, mutual_info_regression(X, y, random_state=0), atol=2e-4)
    c = np.digitize(y, [0, 1])
    levels = rng.integers(0, 3, 300)
    X[:, 3] = levels
    scores = fewer.NeighborMutualInformation(categorical_features=[3]).fit(X, c).scores_
    theirs = mutual_info_classif(X, c, discrete_features=[False, False, False, True], random_state=0)
    np.testing.assert_allclose(scores, theirs, atol=2e-4)
    scores = fewer.NeighborMutualInformation(categorical_features=[3]).fit(X, y).scores_
    theirs = mutual_info_regression(X, y, discrete_features=[False, False, False, True], random_state=0)
    np.testing.assert_allclose(scores, theirs, atol=2e-4)


def test_near_information_of_normal_variables_is_near_the_closed_form(rng):
    x, e = rng.normal(size=(2, 3000))
    y = 0.8 * x + 0.6 * e
    score = fewer.NeighborMutualInformation(n_neighbors=5).fit(x[:, None], y).scores_[0]
    assert score == pytest.approx(-0.5 * np.log(1 - 0.64), abs=0.06)


@pytest.mark.parametrize("kind", AWKWARD)
@pytest.mark.parametrize("classes", [False, True])
def test_distance_correlation_by_centred_matrices(rng, kind, classes):
    X = np.column_stack([column(kind, 30, rng) for _ in range(3)])
    y = rng.integers(0, 3, 30) if classes else rng.normal(size=30) + scaled_sign(X[:, 0])
    found = fewer.DistanceCorrelation().fit(X, y).selection_
    with np.errstate(all="ignore"):
        units = [(x - x.min()) / np.ptp(x) for x in X.T]
    np.testing.assert_allclose(found.scores, [plain.distance_correlation(x, y, classes) for x in units], rtol=1e-7)
    corrected = [plain.corrected_correlation(x, y, classes) for x in units]
    np.testing.assert_allclose(found.columns["corrected"], corrected, rtol=1e-6, atol=1e-9)
    expected = stats.chi2.sf(30 * np.array(corrected) + 1, 1)
    np.testing.assert_allclose(found.columns["pvalue"], expected, rtol=1e-5)


@pytest.mark.parametrize("n", [4, 7, 131, 186, 197, 2000])
def test_one_row_that_differs_tells_nothing_of_another(n):
    # The corrected variance of such a column is 0, but not in floating point.
    one = np.eye(n)[:, [0, 1, n - 1]]
    X = np.column_stack([one, 0.1 * one + 7.3, one * 1e9 + 3.0])
    for y in (np.eye(n)[0] * 0.37 + 0.01, np.where(np.eye(n)[0] > 0, "a", "b")):
        found = fewer.DistanceCorrelation(None).fit(X, y).selection_
        assert not found.columns["corrected"].any()
        np.testing.assert_allclose(found.columns["pvalue"], stats.chi2.sf(1.0, 1))


def test_distance_correlation_is_that_of_dcor(rng):
    dcor = pytest.importorskip("dcor")
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    y = y + X[:, 1] ** 2
    found = fewer.DistanceCorrelation().fit(X, y).selection_
    np.testing.assert_allclose(found.scores, [dcor.distance_correlation(x, y) for x in X.T], rtol=1e-9)
    theirs = [dcor.u_distance_correlation_sqr(x, y) for x in X.T]
    np.testing.assert_allclose(found.columns["corrected"], theirs, rtol=1e-9)


def test_facts_of_distance_correlation(rng):
    x = rng.normal(size=50)
    X = np.c_[x, 3 - 2 * x, np.ones(50)]
    np.testing.assert_allclose(fewer.DistanceCorrelation().fit(X, x).scores_, [1, 1, 0], atol=1e-7)
    two = (x + rng.normal(size=50) > 0).astype(int)
    found = fewer.DistanceCorrelation().fit(X[:, :1], two.astype(str)).scores_[0]
    assert found == pytest.approx(plain.distance_correlation(x, two))
    assert fewer.DistanceCorrelation().fit(X[:3], x[:3]).selection_.columns["pvalue"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("kind", AWKWARD)
@pytest.mark.parametrize("classes", [False, True])
def test_hsic_by_traces(rng, kind, classes):
    X = np.column_stack([column(kind, 25, rng) for _ in range(2)])
    y = rng.integers(0, 3, 25) if classes else rng.normal(size=25)
    found = fewer.HSIC().fit(X, y).selection_
    L = (y[:, None] == y).astype(float) if classes else plain.gaussian(y)
    for j in range(2):
        score, mean, variance = plain.hsic(plain.gaussian((X[:, j] - X[:, j].min()) / np.ptp(X[:, j])), L)
        assert found.scores[j] == pytest.approx(score, rel=1e-6)
        expected = stats.gamma.sf(score, mean**2 / variance, scale=variance / mean)
        assert found.columns["pvalue"][j] == pytest.approx(expected, rel=1e-5)


def test_moments_of_hsic_are_those_over_all_orders(rng):
    x, y = rng.standard_cauchy(6), rng.normal(size=6)
    K, L = plain.gaussian(x), plain.gaussian(y)
    every = [plain.hsic(K, L[np.ix_(order, order)])[0] for order in permutations(range(6))]
    _, mean, variance = plain.hsic(K, L)
    np.testing.assert_allclose([mean, variance], [np.mean(every), np.var(every)], rtol=1e-9)


@pytest.mark.parametrize("kind", ["one row", "outliers", "rare"])
def test_pvalues_of_hsic_hold_for_awkward_columns(kind):
    rng, n, runs = np.random.default_rng(5), 60, 400
    columns = {"one row": np.eye(n)[0], "outliers": np.tan(np.linspace(-1.57, 1.57, n)), "rare": np.arange(n) < 3}
    X = rng.permuted(np.tile(columns[kind].astype(float), (runs, 1)), axis=1).T
    for y in (rng.normal(size=n), rng.standard_cauchy(n), np.where(np.arange(n) < 6, "a", "b")):
        pvalues = fewer.HSIC(None).fit(X, y).selection_.columns["pvalue"]
        # A column of one other row has as many p-values as rows.
        assert (pvalues <= 0.01).mean() <= 0.035
        assert (pvalues <= 0.001).mean() <= 0.02


def test_hsic_of_values_many_digits_apart_is_by_their_median(rng):
    x, y = np.exp(40 * rng.normal(size=40)), rng.normal(size=40)
    score, _, _ = plain.hsic(plain.gaussian(x / x.max()), plain.gaussian(y))
    assert fewer.HSIC().fit(x[:, None], y).scores_[0] == pytest.approx(score, rel=1e-9)


def test_hsic_beyond_one_block_is_the_mean_over_rows_dealt_in_turn(rng, monkeypatch):
    from fewer.methods.univariate import _gaussian_blocks, hsic

    monkeypatch.setattr(_gaussian_blocks, "BLOCK_ROWS", 20)
    monkeypatch.setattr(hsic, "BLOCK_ROWS", 20)
    X, y = rng.normal(size=(50, 2)), rng.normal(size=50)
    found = fewer.HSIC().fit(X, y).selection_
    K, L = plain.gaussian(X[:, 1]), plain.gaussian(y)
    parts = np.array([plain.hsic(K[s::3, s::3], L[s::3, s::3]) for s in range(3)])
    score, mean, variance = parts[:, 0].mean(), parts[:, 1].mean(), parts[:, 2].sum() / 9
    assert found.scores[1] == pytest.approx(score)
    expected = stats.gamma.sf(score, mean**2 / variance, scale=variance / mean)
    assert found.columns["pvalue"][1] == pytest.approx(expected)
    with pytest.raises(ValueError, match="permutations are of at most"):
        fewer.HSIC(pvalues="permutation").fit(X, y)


@pytest.mark.parametrize("name", ["ChatterjeeXi", "DistanceCorrelation", "HSIC"])
def test_pvalues_hold_under_independence_and_find_a_square(name):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 400)), rng.normal(size=60)
    X[:, 0] = np.sqrt(np.abs(y)) * rng.choice([-1, 1], 60)
    pvalues = fewer.get(name)().fit(X, y).selection_.columns["pvalue"]
    assert (pvalues[1:] < 0.05).mean() < 0.085
    # xi asks for the other direction: the target is a function of the feature.
    assert pvalues[0] < 0.02
    permuted = fewer.get(name)(pvalues="permutation").fit(X[:, :4], y).selection_.columns["pvalue"]
    assert permuted[0] < 0.02
    np.testing.assert_allclose(permuted[1:], pvalues[1:4], atol=0.25)


def test_information_value_by_counting(rng):
    X = rng.integers(0, 4, (90, 4)).astype(float)
    y = rng.integers(0, 2, 90)
    X[:, 1] = y
    X[rng.random(90) < 0.2, 2] = np.nan
    found = fewer.InformationValue(2, discretizer=None, categorical_features=[0, 1, 2, 3]).fit(X, y).selection_
    texts = [[str(v) for v in x] for x in X.T]
    expected = [
        plain.divergence([v for v, c in zip(x, y) if c == 0], [v for v, c in zip(x, y) if c == 1]) for x in texts
    ]
    np.testing.assert_allclose(found.scores, expected)
    weights = found.tables["weights of evidence"].columns
    first = found.indices[0]
    assert first == 1
    rows = [np.sum(y == 0), np.sum(y == 1)]
    expected = np.log(
        (np.array([0.5, rows[1] + 0.5]) / (rows[1] + 1)) / (np.array([rows[0] + 0.5, 0.5]) / (rows[0] + 1))
    )
    np.testing.assert_allclose(weights["weight of evidence"][:2], expected)
    gaps = fewer.InformationValue(1, discretizer=None).fit([[0], [3], [3], [0], [3]], [0, 1, 1, 0, 0]).selection_
    assert list(gaps.tables["weights of evidence"].columns["level"]) == [0, 3]
    turned = fewer.InformationValue(2, categorical_features=[0, 1, 2, 3]).fit(X, 1 - y).selection_
    np.testing.assert_allclose(turned.scores, found.scores)
    with pytest.raises(ValueError, match="two classes|2 classes"):
        fewer.InformationValue().fit(X[:, :1], rng.integers(0, 3, 90))
