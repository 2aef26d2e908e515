"""Bayes errors, moments and redundancies that follow from the definitions."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score

from fewer.core.records.errors import ParameterError
from fewer.synth import (
    make_anticorrelated,
    make_polynomial,
    make_ringnorm,
    make_two_clusters_irrelevant,
    make_twonorm,
    make_waveform,
    make_waveform40,
    make_weston_linear,
    make_weston_nonlinear,
)


def test_twonorm_has_the_bayes_error_of_its_definition():
    s = make_twonorm(40_000, random_state=0)
    assert s.y.sum() == 20_000
    wrong = ((s.X.sum(axis=1) > 0) != s.y).mean()
    assert abs(wrong - norm.cdf(-2)) < 0.003
    more = make_twonorm(100, n_irrelevant=50, random_state=0)
    assert more.X.shape == (100, 70)
    assert more.irrelevant == tuple(range(20, 70))


def test_ringnorm_has_the_bayes_error_of_its_definition():
    s = make_ringnorm(40_000, random_state=0)
    shift = 2 / np.sqrt(20)
    log_wide = -0.5 * (s.X**2).sum(axis=1) / 4 - 20 * np.log(2)
    log_narrow = -0.5 * ((s.X - shift) ** 2).sum(axis=1)
    wrong = ((log_narrow > log_wide) != s.y).mean()
    assert abs(wrong - 0.0125) < 0.0025
    np.testing.assert_allclose(s.X[s.y == 0].var(axis=0), 4, atol=0.2)
    np.testing.assert_allclose(s.X[s.y == 1].mean(axis=0), shift, atol=0.05)


def test_waveform_has_its_known_bayes_error():
    s = make_waveform(3000, random_state=0)
    t = np.arange(1, 22)
    h = [np.maximum(6 - np.abs(t - c), 0) for c in (7, 15, 11)]
    grid = (np.arange(40) + 0.5) / 40
    likelihoods = []
    for a, b in [(0, 1), (0, 2), (1, 2)]:
        centres = grid[:, None] * h[a] + (1 - grid[:, None]) * h[b]
        distances = (s.X**2).sum(1)[:, None] - 2 * s.X @ centres.T + (centres**2).sum(1)
        likelihoods.append(np.exp(-0.5 * distances).mean(axis=1))
    wrong = (np.argmax(likelihoods, axis=0) != s.y).mean()
    assert abs(wrong - 0.14) < 0.02


def test_waveform_means_and_irrelevant_ends():
    s = make_waveform(30_000, random_state=1)
    t = np.arange(1, 22)
    h = [np.maximum(6 - np.abs(t - c), 0) for c in (7, 15, 11)]
    for c, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        np.testing.assert_allclose(s.X[s.y == c].mean(axis=0), (h[a] + h[b]) / 2, atol=0.1)
    assert s.irrelevant == (0, 20)
    np.testing.assert_allclose(s.X[:, [0, 20]].var(axis=0), 1, atol=0.05)


def test_waveform_with_noise_and_with_two_classes():
    s = make_waveform40(600, random_state=0)
    assert s.X.shape == (600, 40)
    assert s.irrelevant == (0, *range(20, 40))
    assert make_waveform40.__defaults__[0] == 5000
    three, two = make_waveform(90, random_state=0), make_waveform(90, binary=True, random_state=0)
    np.testing.assert_array_equal(two.y, three.y > 0)
    np.testing.assert_array_equal(two.X, three.X)


def test_polynomial_copies_are_multiples():
    s = make_polynomial(80, 30, 4, degree=2, n_copies=3, random_state=0)
    assert len(s.redundant) == 12
    assert len(s.irrelevant) == 30 - 16
    for j, source in s.redundant.items():
        factors = s.X[:, j] / s.X[:, source]
        np.testing.assert_allclose(factors, factors[0])
        assert 1 <= abs(factors[0]) <= 2
    assert s.y.sum() == 40
    assert np.abs(s.X[:, 16:]).max() <= 1


def test_polynomial_of_degree_one_is_linear_in_the_relevant_features():
    s = make_polynomial(300, 20, 5, degree=1, random_state=3)
    model = LogisticRegression(C=1e8, max_iter=10_000).fit(s.X[:, :5], s.y)
    assert model.score(s.X[:, :5], s.y) == 1.0


def test_polynomial_noise_is_a_variance_and_a_share_of_labels():
    clean = make_polynomial(4000, 10, 3, n_copies=1, noise=0.0, random_state=4)
    dirty = make_polynomial(4000, 10, 3, n_copies=1, noise=0.05, random_state=4)
    assert abs((dirty.X - clean.X).var() - 0.05) < 0.003
    assert (dirty.y != clean.y).sum() == 200


def test_polynomial_needs_room_for_its_copies():
    with pytest.raises(ParameterError, match="need 15"):
        make_polynomial(n_features=14, n_relevant=5, n_copies=2)


@pytest.mark.parametrize("ratio", [0.4, 0.6])
def test_anticorrelated_features_separate_only_together(ratio):
    s = make_anticorrelated(20_000, sigma=2.0, distance=2.0 * ratio, n_irrelevant=2, random_state=0)
    assert np.bincount(s.y).tolist() == [20_000, 20_000]
    np.testing.assert_array_equal(s.X[:, 0] + s.X[:, 1] > 0, s.y)
    q = ratio**2 / 8
    assert abs(np.corrcoef(s.X[:, 0], s.X[:, 1])[0, 1] + (1 - q) / (1 + q)) < 0.005
    for j in (0, 1):
        accuracy = ((s.X[:, j] > 0) == s.y).mean()
        assert abs(accuracy - norm.cdf(ratio / np.sqrt(8))) < 0.01
        assert abs(s.X[s.y == 0, j].std() - 2.0) < 0.05
    sums = s.X[:, 0] + s.X[:, 1]
    np.testing.assert_allclose(np.abs(sums) / np.sqrt(2), ratio, rtol=1e-9)


def test_anticorrelation_matches_the_text():
    # Quevedo et al. (2007), section 5.2: above 0.95 for distances below 0.42 sigma, falling towards 0.92.
    for ratio, low, high in [(0.42, 0.95, 0.97), (0.58, 0.90, 0.925)]:
        s = make_anticorrelated(20_000, distance=ratio, random_state=1)
        assert low < -np.corrcoef(s.X.T)[0, 1] < high


def test_weston_linear_moments():
    s = make_weston_linear(40_000, n_irrelevant=3, random_state=0)
    sign = 2 * s.y - 1
    products = (s.X * sign[:, None]).mean(axis=0)
    np.testing.assert_allclose(products[:6], [0.7, 1.4, 2.1, 0.3, 0.6, 0.9], atol=0.05)
    np.testing.assert_allclose(s.X[:, 6:].std(axis=0), 20, atol=0.5)
    # Either the first or the last three features carry the class, never both.
    assert abs((s.X[:, 2] * s.X[:, 5]).mean()) < 0.1
    assert make_weston_linear(20, random_state=0).X.shape == (20, 202)


def test_weston_nonlinear_classes_have_equal_means_and_differ_in_correlation():
    s = make_weston_nonlinear(40_000, n_irrelevant=1, random_state=0)
    for c in (0, 1):
        np.testing.assert_allclose(s.X[s.y == c, :2].mean(axis=0), 0, atol=0.1)
    covariances = [np.cov(s.X[s.y == c, :2].T)[0, 1] for c in (0, 1)]
    np.testing.assert_allclose(covariances, [0.75 * 3, -9], atol=0.2)
    np.testing.assert_allclose(s.X[s.y == 0, 0].var(), 1 + 0.75**2, atol=0.05)
    assert make_weston_nonlinear(20, random_state=0).X.shape == (20, 52)


def test_two_means_finds_the_clusters_only_without_the_irrelevant_feature():
    # Liu and Motoda (2008), figure 1.1.
    s = make_two_clusters_irrelevant(random_state=0)

    def agreement(columns):
        found = KMeans(2, n_init=5, random_state=0).fit_predict(s.X[:, columns])
        return adjusted_rand_score(s.y, found)

    assert agreement([0]) == 1.0
    assert agreement([0, 1]) < 0.1
    assert s.task == "none"
