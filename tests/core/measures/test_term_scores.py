"""Scores of terms against verified numbers, plain loops, exact fractions and integrals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.feature_selection import chi2 as sklearn_chi2
from sklearn.feature_selection import mutual_info_classif

from fewer import measures as m
from fewer.core.measures.term_scores import TERM_SCORES
from oracles import term_truths as truth

TABLES = {
    "T1": (40, 10, 20, 130),
    "T2": (10, 40, 0, 1750),
    "T3": (10, 40, 350, 1400),
    "T4": (50, 0, 0, 150),
    "T5": (0, 50, 60, 1690),
    "T6": (5, 15, 8, 72),
}
COLUMNS = [np.array(cells) for cells in zip(*TABLES.values())]
# The verified vectors of the catalogue of the chapters, T1 to T6.
VERIFIED = {
    "ig": [0.1912578457, 0.02048978776, 0, 0.5623351446, 0.0009552693461, 0.01385329865],
    "chi2": [79.36507937, 351.9553073, 0, 200, 1.773399015, 3.183023873],
    "bns": [1.95239285, 2.448905498, 0, 6.581053463, 1.469293616, 0.6070618153],
    "bns count": [1.95239285, 3.016449206, 0, 6.08686865, 1.056928623, 0.6070618153],
    "odds_ratio": [25.69829072, 4407.982544, 1.00726547, 752001, 0.05613066712, 3.006377238],
    "odds Forman": [26, 437.5, 1, 7500, 0.5633333333, 3],
    "accuracy": [20, 10, -340, 50, -60, -3],
    "balanced_accuracy": [0.6666666667, 0.2, 0, 1, 0.03428571429, 0.15],
    "f1": [0.7272727273, 0.3333333333, 0.04878048780, 1, 0, 0.3030303030],
    "odds_numerator": [0.6933333333, 0.2, 0.16, 1, 0, 0.225],
    "power": [0.4886255144, 0.67232, 0, 1, -0.1600696397, 0.3531853125],
    "probability_ratio": [6, np.inf, 1, np.inf, 0, 2.5],
    "pip": [34.29890656, 35.11172965, -4.360158513, 114.1944321, -0.3313302078, -2.339784222],
}
FUNCTIONS = {
    "ig": m.term_information,
    "chi2": m.term_chi2,
    "bns": m.bns,
    "bns count": lambda *cells: m.bns(*cells, backoff="count"),
    "odds_ratio": m.odds_ratio,
    "odds Forman": lambda *cells: m.odds_ratio(*cells, add=0),
    "accuracy": m.accuracy_gain,
    "balanced_accuracy": m.balanced_accuracy_gain,
    "f1": m.term_f1,
    "odds_numerator": m.odds_numerator,
    "power": m.power,
    "probability_ratio": lambda *cells: m.probability_ratio(*cells, xi=0),
    "pip": m.presence_factor,
}
SIDES = [Fraction(1, 10), Fraction(1, 10), Fraction(1, 5)], [Fraction(1, 25), Fraction(1, 25), Fraction(2, 25)]
THREE = m.TermCounts(np.array([[12], [3], [5]]), np.array([20, 30, 50]), np.array([20]), 100)
cell = st.integers(0, 40)


@pytest.mark.parametrize("name", VERIFIED)
def test_scores_are_the_verified_ones(name):
    np.testing.assert_allclose(FUNCTIONS[name](*COLUMNS), VERIFIED[name], rtol=1e-8, atol=1e-15)


@pytest.mark.parametrize(
    ("name", "each", "weighted"),
    [
        ("chi2", [25, 2.678571429, 6.25], 8.928571429),
        ("bns", [1.534898669, 0.584410130, 0.757151050], 0.8608782994),
        ("odds_ratio", [13.29690596, 0.3552146, 0.26285958], 2.897375361),
        ("pip", [6.8806940015, -2.2757057003, -0.6561078038], 0.3653731883),
        ("word_frequency", [12, 3, 5], 5.8),
    ],
)
def test_three_classes(name, each, weighted):
    np.testing.assert_allclose(m.class_scores(THREE, name).ravel(), each, rtol=1e-7)
    np.testing.assert_allclose(m.term_scores(THREE, name, aggregate="weighted"), weighted, rtol=1e-8)
    assert m.term_scores(THREE, name, aggregate="max") == m.class_scores(THREE, name).max()


def test_three_classes_at_once():
    assert m.term_scores(THREE, "ig")[0] == pytest.approx(0.1057337114, abs=1e-10)
    assert m.term_scores(THREE, "chi2", aggregate="joint")[0] == pytest.approx(25.0, abs=1e-12)
    assert m.term_scores(THREE, "nig", denominator="presence")[0] == pytest.approx(0.3284802433, abs=1e-10)
    assert m.term_scores(THREE, "nig")[0] == pytest.approx(0.2112973608, abs=1e-10)
    assert m.term_scores(THREE, "document_frequency")[0] == 20
    probability = m.inclusion_probability(m.class_scores(THREE, "pip"))
    np.testing.assert_allclose(probability.ravel(), [0.9989736238, 0.0931550904, 0.3416144806], rtol=1e-9)
    assert m.aggregate_scores(probability, THREE.sizes, 100)[0] == pytest.approx(0.3985484922, abs=1e-10)
    odds = m.mean_inclusion_odds(m.class_scores(THREE, "pip"), THREE.sizes)
    assert 1 / (1 + np.exp(-odds[0])) == pytest.approx(0.3985484922, abs=1e-10)


@given(cell, cell, cell, cell)
def test_scores_agree_with_plain_formulas(a, b, c, d):
    if 0 in (a + b, c + d, a + c, b + d):
        by_formula = truth.others_of_two_sides(a, b, c, d) if a + b and c + d else {}
        for name, score in FUNCTIONS.items():
            if name != "pip":
                zero = 1.0 if name.startswith("odds") and name != "odds_numerator" else 0.0
                assert score(a, b, c, d) == pytest.approx(by_formula.get(name, zero)), name
        return
    assert m.term_information(a, b, c, d) == pytest.approx(truth.information_bits(a, b, c, d) * np.log(2), abs=1e-13)
    assert m.term_chi2(a, b, c, d) == pytest.approx(truth.chi2_by_cells(a, b, c, d), rel=1e-12, abs=1e-12)
    assert m.bns(a, b, c, d) == pytest.approx(truth.bns_by_quantiles(a, b, c, d, eps=0.0005), abs=1e-9)
    backed = truth.bns_by_quantiles(a, b, c, d, xi=0.1)
    assert m.bns(a, b, c, d, backoff="count") == pytest.approx(backed, abs=1e-9)
    for name, value in truth.others(a, b, c, d).items():
        if name == "forman_odds":
            assert m.odds_ratio(a, b, c, d, add=0) == pytest.approx(value)
        elif name == "probability_ratio":
            assert m.probability_ratio(a, b, c, d, xi=0) == pytest.approx(value)
        else:
            assert FUNCTIONS[name](a, b, c, d) == pytest.approx(value, rel=1e-12, abs=1e-14), name


@given(cell, cell, cell, cell)
def test_symmetries(a, b, c, d):
    for score in (m.bns, m.term_information, m.term_chi2, m.balanced_accuracy_gain):
        assert score(a, b, c, d) == pytest.approx(score(c, d, a, b), abs=1e-12)
        assert score(a, b, c, d) == pytest.approx(score(b, a, d, c), abs=1e-12)
    assert m.presence_factor(a, b, c, d) == pytest.approx(m.presence_factor(c, d, a, b), abs=1e-9)


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=2, max_size=5))
def test_chi2_equals_scipy_and_its_relation_to_scikit_learn(pairs):
    inside, outside = (np.array(v) for v in zip(*pairs))
    counts = m.TermCounts(inside[:, None], inside + outside, inside[None].sum(axis=1), int((inside + outside).sum()))
    found = m.term_scores(counts, "chi2", aggregate="joint")[0]
    share = counts.sizes / counts.n_documents
    assert ((1 - share) @ m.class_scores(counts, "chi2"))[0] == pytest.approx(found, abs=1e-10)
    if not inside.any():
        assert found == 0
        return
    assert found == pytest.approx(chi2_contingency(np.stack([inside, outside]), correction=False).statistic, abs=1e-9)
    y = np.repeat(np.arange(len(inside)), inside + outside)
    x = np.concatenate([[1] * i + [0] * o for i, o in pairs])
    # Scikit-learn leaves out the documents without the term.
    plain = sklearn_chi2(x[:, None], y)[0][0]
    assert found == pytest.approx(plain * len(y) / (len(y) - x.sum()), abs=1e-9)
    assert m.class_information(counts)[0] == pytest.approx(
        mutual_info_classif(x[:, None], y, discrete_features=True)[0], abs=1e-12
    )


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ((3, 2, 1, 4), 1646108672 / 13570089269),
        ((5, 0, 1, 6), 0.9931263871),
        ((2, 2, 3, 3), 0.0464057312),
        ((0, 0, 0, 0), 0.5),
        ((1, 0, 0, 0), 0.5),
    ],
)
def test_inclusion_by_presence(table, wanted):
    apart, common = truth.evidences(*table, *SIDES)
    found = m.inclusion_probability(m.presence_factor(*table))
    assert found == pytest.approx(float(apart / (apart + common)), rel=1e-12) == pytest.approx(wanted, rel=1e-9)


@given(st.lists(st.tuples(*[st.integers(0, 12)] * 4), min_size=1, max_size=4))
def test_inclusion_is_the_sum_over_all_models(tables):
    found = m.inclusion_probability(m.presence_factor(*map(np.array, zip(*tables))))
    np.testing.assert_allclose(found, truth.inclusion_by_enumeration(tables, *SIDES), rtol=1e-9)


def test_enumeration_of_three_terms_gives_the_verified_numbers():
    tables = [(3, 2, 1, 4), (5, 0, 1, 4), (2, 3, 2, 3)]
    found = m.inclusion_probability(m.presence_factor(*map(np.array, zip(*tables))))
    np.testing.assert_allclose(found, [0.12130419, 0.97562623, 0.04627947], atol=1e-8)
    assert m.inclusion_probability(m.presence_factor(3, 2, 1, 4, alphas=(1, 1, 1), betas=(1, 1, 1))) == pytest.approx(
        77 / 137
    )


def test_inclusion_of_independent_tables_falls_with_the_root_of_their_number():
    found = [m.inclusion_probability(m.presence_factor(*(s * np.array([2, 8, 6, 24])))) for s in (1, 10, 100, 1000)]
    np.testing.assert_allclose(found, [0.0322466797, 0.0101617538, 0.0032270181, 0.0010224459], rtol=1e-7)


@pytest.mark.parametrize(
    ("given_counts", "by_rates", "by_scales", "by_ones"),
    [
        ((7, 5, 2, 10), 0.0002775352081, 0.7847018548, 0.931795747),
        ((30, 20, 12, 80), 0.5337624515, 0.9999999998, 1 - 4.5e-11),
        ((8, 50, 32, 200), 0.0003525825817, 0.04215112983, 0.1181570287),
        ((0, 20, 5, 80), 0.4254590503, 0.5693576386, 0.1518075102),
        ((3, 4, 6, 8), 2.834770798e-05, 0.07379672559, 0.3544244781),
    ],
)
def test_inclusion_by_counts(given_counts, by_rates, by_scales, by_ones):
    priors = {"scales": (0.04, 0.04, 0.08)}, {}, {"shapes": (1, 1, 1), "scales": (1, 1, 1)}
    for prior, wanted in zip(priors, (by_rates, by_scales, by_ones)):
        factor = m.count_factor(*given_counts, **prior)
        assert m.inclusion_probability(factor) == pytest.approx(wanted, rel=2e-9)
        shapes, scales = prior.get("shapes", (0.1, 0.1, 0.2)), prior.get("scales", (25, 25, 12.5))
        times, n, outside, rest = given_counts
        parts = [(times, n), (outside, rest), (times + outside, n + rest)]
        one, two, both = (
            truth.poisson_evidence_by_integral(*part, shape, scale) for part, shape, scale in zip(parts, shapes, scales)
        )
        assert factor == pytest.approx(np.log(one * two / both), abs=1e-8)


def test_document_counts_in_place_of_occurrences_are_not_taken():
    """The exponents as printed would give 0.00036029 here."""
    assert m.inclusion_probability(m.count_factor(7, 5, 2, 10, scales=(0.04, 0.04, 0.08))) < 0.0003
    assert m.inclusion_probability(m.count_factor(0, 0, 0, 0)) == 0.5


def test_odds_of_strong_terms_do_not_end():
    factors = np.array([[50.0, 60.0, 800.0], [45.0, 90.0, 900.0]])
    assert (m.inclusion_probability(factors) == 1.0).all()
    odds = m.mean_inclusion_odds(factors, [3, 1])
    assert odds[0] < odds[1] < odds[2] < 801
    assert np.isfinite(odds).all()
    np.testing.assert_allclose(m.mean_inclusion_odds(factors[:1], [7], prior_inclusion=0.2), factors[0] + np.log(0.25))


def test_bns_of_rare_events():
    only = [m.bns(x, 50 - x, 0, 1750, backoff="count") for x in (1, 5, 25)]
    np.testing.assert_allclose(only, [1.8043215287, 2.5765188738, 3.8580704394], rtol=1e-9)
    rare = [m.bns(0, 50, c, 1750 - c, backoff="count") for c in (1, 5, 25, 51)]
    np.testing.assert_allclose(rare, [0.3746088767, 0.1144206275, 0.6888119836, 0.9846188806], rtol=1e-8)
    assert m.bns(0, 50, 0, 1750, backoff="count") == 0  # 0.98 by the formula; an unseen term tells nothing
    assert m.bns(10, 1740, 0, 50, backoff="count") == pytest.approx(0.3488476867)


def test_signs_tell_the_side():
    signed = m.signed_by_rates(m.bns(*COLUMNS), *COLUMNS)
    assert np.sign(signed).tolist() == [1, 1, 0, 1, -1, 1]
    assert m.signed_by_rates(-3.0, 0, 50, 60, 1690) == -3.0


@given(st.integers(0, 10_000))
@settings(max_examples=10)
def test_single_terms_predict_as_plain_loops_do(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (30, 4)), rng.integers(0, 3, 30)
    y[:3] = [0, 1, 2]
    found = m.single_term_prediction(m.count_terms(X, y))
    np.testing.assert_allclose(found, [truth.single_term_accuracy(X, y.tolist(), j) for j in range(4)])
    folds = np.arange(30) % 2
    crossed = m.single_term_prediction(m.FoldCounts.of(X, y, folds))
    assert crossed.shape == (4,)
    assert (crossed <= 1).all()


def test_single_term_prediction_across_folds_by_hand():
    X, y, folds = np.array([[1], [1], [0], [0], [0], [1]]), np.array([0, 0, 1, 1, 1, 1]), np.array([0, 1, 0, 1, 0, 1])
    # From the other fold: documents with the term are class 0, others class 1; only the last is wrong.
    assert m.single_term_prediction(m.FoldCounts.of(X, y, folds))[0] == pytest.approx(5 / 6)
    macro = m.single_term_prediction(m.count_terms(X, y), measure="macro_f1")[0]
    assert macro == pytest.approx((2 * 2 / (3 + 2) + 2 * 3 / (3 + 4)) / 2)


@pytest.mark.parametrize("name", TERM_SCORES)
def test_blocks_change_nothing(name, monkeypatch, rng):
    X, y = rng.poisson(0.4, (60, 37)), rng.integers(0, 3, 60)
    counts = m.count_terms(X, y, occurrences=True)
    whole = m.class_scores(counts, name)
    monkeypatch.setattr("fewer.core.measures.term_scores.BLOCK", 12)
    np.testing.assert_array_equal(m.class_scores(counts, name), whole)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: m.bns(1, 2, 3, -1), "negative"),
        (lambda: m.bns(1, 2, 3, 4, backoff="both"), "clip"),
        (lambda: m.power(1, 2, 3, 4, exponent=0), "above 0"),
        (lambda: m.odds_ratio(1, 2, 3, 4, add=-1), "from 0"),
        (lambda: m.probability_ratio(1, 2, 3, 4, xi=-1), "from 0"),
        (lambda: m.presence_factor(1, 2, 3, 4, alphas=(1, 1)), "three numbers"),
        (lambda: m.count_factor(-1, 2, 3, 4), "from 0"),
        (lambda: m.inclusion_probability(0.0, prior_inclusion=1), "between 0 and 1"),
        (lambda: m.normalized_information(0.1, 1, 2, denominator="all"), "presence"),
        (lambda: m.class_scores(THREE, "best"), "names are"),
        (lambda: m.class_scores(THREE, "chi2", eps=1), "takes none"),
        (lambda: m.class_scores(THREE, "pip_poisson"), "occurrences"),
        (lambda: m.term_scores(THREE, "bns", aggregate="joint"), "all classes at once"),
        (lambda: m.aggregate_scores([[1]], [1], 1, "sum"), "weighted"),
        (lambda: m.single_term_prediction(THREE, measure="auc"), "macro_f1"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_terms_in_all_documents_do_not_lead_by_accuracy():
    """Of three equal classes the term of all documents misleads most; one document less must change little."""
    counts = m.TermCounts(np.array([[9, 10, 10], [0, 10, 10], [0, 9, 10]]), np.full(3, 10), np.array([9, 29, 30]), 30)
    found = m.term_scores(counts, "accuracy")
    assert found[0] > found[1] > found[2] == -10
    ratios = m.term_scores(counts, "probability_ratio")
    assert ratios[2] == pytest.approx(1.0) == pytest.approx(ratios[1], abs=0.05)
    assert m.term_scores(counts, "f1")[2] == pytest.approx(0.5)


@pytest.mark.parametrize("scale", [2.0**660, 2.0**-660])
@pytest.mark.parametrize(("name", "aggregate"), [("ig", "joint"), ("ig", "max"), ("nig", None)])
def test_information_does_not_depend_on_the_unit_of_weights(scale, name, aggregate):
    large = m.TermCounts(THREE.documents * scale, THREE.sizes * scale, THREE.holding * scale, 100 * scale)
    expected = m.term_scores(THREE, name, aggregate=aggregate)
    np.testing.assert_allclose(m.term_scores(large, name, aggregate=aggregate), expected, rtol=1e-14)


@pytest.mark.parametrize("scale", [2.0**660, 2.0**-660])
@pytest.mark.parametrize("aggregate", ["joint", "weighted"])
def test_chi2_grows_as_weights_do(scale, aggregate):
    large = m.TermCounts(THREE.documents * scale, THREE.sizes * scale, THREE.holding * scale, 100 * scale)
    expected = m.term_scores(THREE, "chi2", aggregate=aggregate) * scale
    np.testing.assert_allclose(m.term_scores(large, "chi2", aggregate=aggregate), expected, rtol=1e-14)


def test_the_back_off_of_the_probability_ratio_replaces_a_count_of_none_only():
    assert m.probability_ratio(10, 40, 0, 1750) == pytest.approx(0.2 / (0.1 / 1750))
    assert m.probability_ratio(5, 15, 8, 72) == pytest.approx(2.5)
    assert m.probability_ratio(10, 40, 0, 1750, xi=0.5) == pytest.approx(0.2 / (0.5 / 1750))


@pytest.mark.parametrize("how", ["weighted", "mean", "max"])
def test_equal_scores_of_all_classes_make_equal_terms_wherever_they_stand(how):
    rng = np.random.default_rng(0)
    for n_classes in (2, 3, 4, 9, 20):
        column, sizes = rng.random((n_classes, 1)), rng.integers(1, 50, n_classes)
        for n_terms in (1, 2, 7, 33, 130):
            found = m.aggregate_scores(np.repeat(column, n_terms, axis=1), sizes, sizes.sum(), how)
            assert set(found.tolist()) == set(m.aggregate_scores(column, sizes, sizes.sum(), how).tolist())
