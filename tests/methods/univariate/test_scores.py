"""Every named score against an independent computation on scikit-learn's data and on random data."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.feature_selection import f_classif, f_regression
from sklearn.metrics import mutual_info_score, roc_auc_score

import fewer
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import WeightWarning
from oracles import measures as oracle
from oracles.discretise import equal_frequency_edges

IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def quantile_codes(x, bins=10):
    """Plain definition of the edges; a value goes left of an equal edge."""
    return np.searchsorted(equal_frequency_edges(x, bins), x, side="left")


def tables(X, y):
    out = []
    for j in range(X.shape[1]):
        codes, classes = quantile_codes(X[:, j]), np.unique(y)
        table = np.array([[np.sum((codes == a) & (y == c)) for c in classes] for a in range(codes.max() + 1)])
        out.append(table)
    return out


@pytest.mark.parametrize("data", [IRIS, CANCER], ids=["iris", "cancer"])
@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("InformationGain", oracle.information_gain),
        ("GainRatio", oracle.gain_ratio),
        ("DistanceGain", oracle.distance_gain),
        ("SymmetricalUncertainty", oracle.symmetrical_uncertainty),
        ("GiniGain", oracle.gini_gain),
        ("MDLScore", oracle.mdl_score),
        ("MyopicRelief", oracle.myopic_relief),
        ("Chi2", lambda t: scipy.stats.chi2_contingency(t[t.sum(axis=1) > 0], correction=False)[0]),
    ],
)
def test_scores_of_codes(data, name, measure):
    X, y = data
    got = fewer.get(name)(2).fit(X, y)
    np.testing.assert_allclose(got.scores_, [measure(t) for t in tables(X, y)], rtol=1e-9, atol=1e-12)


def test_information_gain_is_mutual_information_and_has_the_p_value_of_the_chi2_test():
    X, y = CANCER
    selection = fewer.InformationGain(2).fit(X, y).selection_
    for j in range(4):
        codes = quantile_codes(X[:, j])
        assert selection.scores[j] == pytest.approx(mutual_info_score(codes, y))
        table = np.array([[np.sum((codes == a) & (y == c)) for c in range(2)] for a in range(codes.max() + 1)])
        _, p, _, _ = scipy.stats.chi2_contingency(table, correction=False)
        assert selection.columns["pvalue"][j] == pytest.approx(p, rel=1e-6)


@pytest.mark.parametrize("data", [IRIS, CANCER], ids=["iris", "cancer"])
def test_f_test_is_that_of_scikit_learn(data):
    got = fewer.FTest(2).fit(*data)
    statistic, p = f_classif(*data)
    np.testing.assert_allclose(got.scores_, statistic, rtol=1e-9)
    np.testing.assert_allclose(got.selection_.columns["pvalue"], p, rtol=1e-6, atol=1e-300)
    assert got.selection_.indices[0] == np.argmax(statistic)


@pytest.mark.parametrize(("name", "equal"), [("TTest", True), ("WelchTest", False)])
def test_t_tests_are_those_of_scipy(name, equal):
    X, y = CANCER
    expected = scipy.stats.ttest_ind(X[y == 1], X[y == 0], equal_var=equal)
    got = fewer.get(name)(2).fit(X, y).selection_
    np.testing.assert_allclose(got.columns["statistic"], expected.statistic, rtol=1e-9)
    np.testing.assert_allclose(got.scores, np.abs(expected.statistic), rtol=1e-9)
    np.testing.assert_allclose(got.columns["pvalue"], expected.pvalue, rtol=1e-5, atol=1e-300)


def test_signal_to_noise_and_fisher_score_follow_their_formulas():
    X, y = CANCER
    a, b = X[y == 1], X[y == 0]
    golub = (a.mean(0) - b.mean(0)) / (a.std(0, ddof=1) + b.std(0, ddof=1))
    np.testing.assert_allclose(fewer.SignalToNoise(2).fit(X, y).scores_, np.abs(golub), rtol=1e-9)
    X, y = IRIS
    parts = [X[y == c] for c in range(3)]
    between = sum(len(p) * (p.mean(0) - X.mean(0)) ** 2 for p in parts)
    within = sum(len(p) * p.var(0) for p in parts)
    np.testing.assert_allclose(fewer.FisherScore(2).fit(X, y).scores_, between / within, rtol=1e-9)


def test_pearson_is_that_of_scikit_learn():
    X, y = DIABETES
    got = fewer.Pearson(2).fit(X, y).selection_
    _, p = f_regression(X, y)
    np.testing.assert_allclose(got.columns["pvalue"], p, rtol=1e-6)
    np.testing.assert_allclose(got.columns["correlation"], [np.corrcoef(x, y)[0, 1] for x in X.T], rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_rank_correlations_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (50, 7)).astype(float), rng.integers(0, 9, 50).astype(float)
    X[:, 0] += y
    for name, function in (("Spearman", scipy.stats.spearmanr), ("Kendall", scipy.stats.kendalltau)):
        got = fewer.get(name)(2).fit(X, y).selection_
        extra = {"method": "asymptotic"} if name == "Kendall" else {}
        expected = [function(x, y, **extra) for x in X.T]
        np.testing.assert_allclose(got.columns["correlation"], [e.statistic for e in expected], rtol=1e-9)
        np.testing.assert_allclose(got.columns["pvalue"], [e.pvalue for e in expected], rtol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_rank_tests_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 9, (120, 5)).astype(float), rng.integers(0, 3, 120)
    X[:, 2] += y
    got = fewer.KruskalWallis(2).fit(X, y).selection_
    expected = [scipy.stats.kruskal(*(x[y == c] for c in range(3))) for x in X.T]
    np.testing.assert_allclose(got.scores, [e.statistic for e in expected], rtol=1e-9)
    np.testing.assert_allclose(got.columns["pvalue"], [e.pvalue for e in expected], rtol=1e-6)
    binary = (y > 0).astype(int)
    got = fewer.RankSum(2).fit(X, binary).selection_
    expected = [scipy.stats.mannwhitneyu(x[binary == 1], x[binary == 0], method="asymptotic") for x in X.T]
    np.testing.assert_allclose(got.columns["pvalue"], [e.pvalue for e in expected], rtol=1e-6)
    auc = fewer.FeatureAUC(2).fit(X, binary).selection_
    np.testing.assert_allclose(auc.columns["auc"], [roc_auc_score(binary, x) for x in X.T])
    # Book ch. 19: AUC = U / (n1 n0).
    sizes = (binary == 1).sum() * (binary == 0).sum()
    np.testing.assert_allclose(auc.columns["auc"], [e.statistic / sizes for e in expected])


def test_auc_of_more_classes_is_the_weighted_mean_against_the_rest():
    X, y = IRIS
    expected = []
    for x in X.T:
        areas = [roc_auc_score(y == c, x) for c in range(3)]
        expected.append(np.mean([max(a, 1 - a) for a in areas]))
    np.testing.assert_allclose(fewer.FeatureAUC(2).fit(X, y).scores_, expected)


def test_variance_reduction_is_twice_the_gini_gain_for_a_binary_target():
    X, y = CANCER
    reduction = fewer.VarianceReduction(2).fit(X, y.astype(float)).scores_
    np.testing.assert_allclose(2 * reduction, fewer.GiniGain(2).fit(X, y).scores_, rtol=1e-9)


def test_variance_reduction_has_the_p_value_of_the_f_test():
    X, y = DIABETES
    got = fewer.VarianceReduction(2).fit(X, y).selection_
    for j in range(X.shape[1]):
        codes = quantile_codes(X[:, j])
        expected = scipy.stats.f_oneway(*(y[codes == a] for a in np.unique(codes)))
        assert got.columns["pvalue"][j] == pytest.approx(expected.pvalue, rel=1e-6)


def test_mixture_overlap_prefers_separate_states(rng):
    n = 400
    state = rng.integers(0, 2, n)
    X = np.column_stack([rng.normal(size=n), rng.normal(size=n) + 8 * state, rng.normal(size=n) + 4 * state])
    got = fewer.MixtureOverlap(2).fit(X).selection_
    assert got.indices.tolist() == [1, 2]
    # Two unit Gaussians 4 apart with equal weights overlap by Phi(-2).
    assert got.columns["overlap"][2] == pytest.approx(scipy.stats.norm.cdf(-2), abs=0.02)
    assert got.columns["overlap"][0] == 0.5


def test_information_gain_of_the_microarray_text():
    """paper-microarray: 47/25 classes, split 36 (20/16) and 36 (27/9): 0.0304 bits."""
    x = np.repeat([0, 0, 1, 1], [20, 16, 27, 9])
    y = np.repeat([0, 1, 0, 1], [20, 16, 27, 9])
    got = fewer.InformationGain(1, discretizer=None).fit(x[:, None], y)
    assert got.scores_[0] / np.log(2) == pytest.approx(0.0304, abs=5e-5)


def test_probes_keep_the_planted_features():
    data = fewer.synth.make_planted(n_samples=400, random_state=0) if hasattr(fewer.synth, "make_planted") else None
    assert data is not None
    got = fewer.InformationGain("probes:0.02", categorical_features=None).fit(data.X, data.y)
    kept = set(got.selection_.indices.tolist())
    assert set(data.relevant) <= kept
    assert got.selection_.reason(int(got.selection_.order[-1])).kind == "irrelevant"


def test_scores_by_name_or_function_agree():
    X, y = IRIS
    by_name = fewer.ScoreSelector("FTest", 2).fit(X, y)
    by_function = fewer.ScoreSelector(f_classif, "fdr:0.05").fit(X, y)
    np.testing.assert_allclose(by_function.scores_, by_name.scores_)
    assert len(by_function.selection_) == 4
    with pytest.raises(ValueError, match="Did you mean InformationGain"):
        fewer.ScoreSelector("InformatonGain").fit(X, y)
    with pytest.raises(ValueError, match="takes none"):
        fewer.ScoreSelector("KruskalWallis").fit(X, y, sample_weight=np.ones(150))


@pytest.mark.parametrize("name", ["InformationGain", "SymmetricalUncertainty", "Chi2", "GiniGain"])
def test_identifiers_are_not_significant(name):
    """With about one row per level the G-test calls every text column significant; the p-value must not."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 200, (200, 100)), rng.integers(0, 2, 200)
    X[:, 0] = np.arange(200)
    assert len(fewer.get(name)("fdr:0.05", discretizer=None).fit(X, y).selection_) <= 5


def test_significance_rules_need_p_values():
    X, y = IRIS
    with pytest.raises(ValueError, match="p-values"):
        fewer.MDLScore("fdr:0.05").fit(X, y)


@pytest.mark.parametrize("name", ["FTest", "SignalToNoise", "Pearson"])
def test_huge_values_are_refused_with_the_column(name):
    X, y = CANCER
    bad = X.copy()
    bad[:, 4] *= 1e300
    with pytest.raises(ValueError, match="Column 4 .*squares overflow"):
        fewer.get(name)().fit(bad, y)


@pytest.mark.parametrize("name", ["FTest", "TTest", "WelchTest", "SignalToNoise", "FisherScore", "GaussianMRMR"])
def test_a_column_whose_squares_underflow_is_refused(name):
    """Noise of 1e-200 was kept with an infinite score and p = 0."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = np.column_stack([y + rng.normal(size=200), 1e-200 * rng.normal(size=200)])
    with pytest.raises(ValueError, match="Column 1 .*underflow"):
        fewer.get(name)().fit(X, y)
    with pytest.raises(ValueError, match="Column 'x1' .*underflow"):
        fewer.get(name)().fit(ArrayTable(X, y, batch_rows=30))
    # Small, but in range; and a constant is one, however small.
    X = np.column_stack([X[:, 0], X[:, 1] * 1e80, np.full(200, 1e-200)])
    assert fewer.get(name)(1).fit(X, y).selection_.indices.tolist() == [0]


def test_small_differences_of_a_large_target_count():
    """Means of the levels were rounded to the last digit of the target, by up to 2 %, and otherwise on streams."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    t = (8 * (X[:, 0] + rng.normal(size=300))).round()
    plain = fewer.VarianceReduction(1).fit(X, t).scores_
    far = fewer.VarianceReduction(1).fit(X, 2.0**30 + t * 2.0**-22)
    np.testing.assert_allclose(far.scores_ * 2.0**44, plain, rtol=1e-10)
    streamed = fewer.VarianceReduction(1).fit(ArrayTable(X, 2.0**30 + t * 2.0**-22, batch_rows=50, task="regression"))
    np.testing.assert_allclose(streamed.scores_, far.scores_, rtol=1e-10)


def test_perfect_separation_is_infinite_and_survives_json():
    X = np.array([[0.0, 1], [0, 2], [1, 3], [1, 1]])
    got = fewer.FTest(1).fit(X, [0, 0, 1, 1]).selection_
    assert got.scores[0] == np.inf
    assert fewer.Selection.from_json(got.to_json()).scores[0] == np.inf


@pytest.mark.parametrize("name", ["MDLScore", "InformationGain", "GiniGain"])
@pytest.mark.parametrize("missing", [False, True])
def test_a_threshold_never_keeps_a_constant(rng, name, missing):
    """The description of the classes is as long with a constant as without, a score of 0."""
    y = np.tile([0, 1], 60)
    X = np.column_stack([np.full(120, np.nan if missing else 4.0), rng.normal(size=(120, 3)), y + rng.normal(size=120)])
    got = fewer.get(name)("threshold:0").fit(X, y).selection_
    assert got.scores[0] == 0
    assert 0 not in got.indices
    assert 4 in got.indices
    assert got.reason(0).kind == "irrelevant"
    assert "one level in all rows" in str(got.reason(0))
    assert len(fewer.get(name)(None).fit(X, y).selection_) == 5


MOMENT_SCORES = ["FTest", "TTest", "WelchTest", "SignalToNoise", "FisherScore", "Pearson", "GaussianMRMR"]
ESTIMATES = ["FTest", "TTest", "WelchTest", "SignalToNoise"]


@pytest.mark.parametrize("total", [1.0, 1e-9, 1.999])
@pytest.mark.parametrize("name", MOMENT_SCORES)
def test_weights_that_add_up_to_little_rank_as_none(name, total):
    X, y = CANCER
    weight = np.full(len(y), total / len(y))
    expected = getattr(fewer, name)(5).fit(X, y).selection_
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        got = getattr(fewer, name)(5).fit(X, y, weight).selection_
    assert got.indices.tolist() == expected.indices.tolist()
    assert np.isfinite(got.scores).all()
    said = [str(w.message) for w in seen if w.category is WeightWarning]
    assert len(said) == (name in ESTIMATES)
    assert all("add up to" in text and text.endswith("the number of rows, 569, or more.") for text in said)
    if name in ("FTest", "TTest", "WelchTest"):
        assert got.columns["pvalue"].tolist() == [1.0] * X.shape[1]


@pytest.mark.parametrize("name", ["WelchTest", "SignalToNoise"])
def test_one_light_class_does_not_make_features_equal(name):
    X, y = CANCER
    with pytest.warns(WeightWarning, match="add up to 1.43 in a class, but the variance of a class takes 2"):
        got = getattr(fewer, name)(4).fit(X, y, np.where(y == 1, 0.004, 1.0)).selection_
    assert np.isfinite(got.scores).all()
    assert len(np.unique(got.scores)) == X.shape[1]
    # A feature that the classes determine is still the best.
    X = np.column_stack([X, y])
    with pytest.warns(WeightWarning):
        assert getattr(fewer, name)(1).fit(X, y, np.where(y == 1, 0.004, 1.0)).selection_.indices.tolist() == [30]


@pytest.mark.parametrize("scheme", ["difference", "quotient"])
def test_gaussian_mrmr_by_f_with_light_weights(scheme):
    X, y = CANCER
    light = fewer.GaussianMRMR(3, relevance="f", scheme=scheme)
    with pytest.warns(WeightWarning, match="add up to 1, but a variance within 2 groups takes more than 2"):
        got = light.fit(X, y, np.full(len(y), 1 / len(y))).selection_
    assert got.indices[0] == 27
    if scheme == "quotient":
        # A quotient does not depend on the scale of F.
        expected = fewer.GaussianMRMR(3, relevance="f", scheme=scheme).fit(X, y).selection_
        assert got.indices.tolist() == expected.indices.tolist()


@pytest.mark.parametrize("rule", ["fdr:0.05", "fwer:0.05", "p:0.01", "3|by:0.05"])
def test_p_values_with_weights_that_do_not_count_rows(rule):
    X, y = CANCER
    balanced = len(y) / (2 * np.bincount(y))[y]
    for made in (
        fewer.FTest(rule),
        fewer.InformationGain(rule),
        fewer.ScoreSelector("Chi2", n_features_to_select=rule),
    ):
        name = type(made).__name__
        with pytest.warns(WeightWarning, match=f"^{name} decides by p-values.* pass 'probes:0.05', which holds"):
            made.fit(X, y, balanced)
        with pytest.warns(WeightWarning, match=f"^{name} decides by p-values"):
            made.fit(ArrayTable(X, y, balanced, batch_rows=100))
    with warnings.catch_warnings():
        warnings.simplefilter("error", WeightWarning)
        fewer.FTest(rule).fit(X, y)
        fewer.FTest(rule).fit(X, y, np.full(len(y), 2))
        for other in (5, "gap", "probes:0.05", "threshold:1"):
            fewer.FTest(other).fit(X, y, balanced)
