"""Distances of class probabilities and diameters of neighbourhoods, with the numbers of chapter 11."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewer.evaluate import robustness_ratio
from fewer.measures import nn_diameter, posterior_distance

# Table 11.1: features, rows, diameter as printed, and as computed.
DIAMETERS = [
    (4, 100, 0.42, 0.4243),
    (4, 1000, 0.23, 0.2386),
    (6, 100, 0.71, 0.7060),
    (6, 1000, 0.48, 0.4810),
    (10, 1000, 0.91, 0.9128),
    (10, 1e4, 0.72, 0.7251),
    (20, 1e4, 1.51, 1.5151),
    (20, 1e6, 1.20, 1.2035),
    (20, 1e10, 0.76, 0.7594),
]
# Table 11.2: error rates of LaMaNNa, RBF-SVM, ADAMENN, Machete, Scythe, DANN, K-NN and C4.5.
ERRORS = [
    [4.0, 11.0, 28.1, 2.6, 3.0, 3.5, 19.3],
    [4.0, 12.0, 26.1, 3.0, 3.1, 3.4, 21.3],
    [3.0, 9.1, 30.7, 3.0, 3.2, 3.1, 20.4],
    [5.0, 21.2, 27.5, 3.4, 3.5, 7.4, 20.4],
    [4.0, 16.3, 27.5, 3.4, 2.7, 5.0, 20.0],
    [6.0, 7.7, 30.1, 3.0, 2.2, 4.0, 22.2],
    [6.0, 12.5, 32.5, 7.8, 2.7, 5.4, 24.2],
    [8.0, 23.1, 38.3, 3.4, 4.1, 9.2, 23.8],
]


@pytest.mark.parametrize(("p", "n", "printed", "computed"), DIAMETERS)
def test_diameters_of_table_11_1(p, n, printed, computed):
    assert_allclose(nn_diameter(p, n), computed, atol=6e-5)
    assert abs(nn_diameter(p, n) - printed) < 0.01


def test_the_ball_of_that_diameter_holds_one_row():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(40000, 3))
    inside = np.linalg.norm(X - 0.5, axis=1) < nn_diameter(3, 400) / 2
    assert abs(inside.mean() * 400 - 1.0) < 0.15


def test_ratios_of_table_11_2():
    found = robustness_ratio(ERRORS)
    medians = [1.129, 1.154, 1.154, 1.591, 1.308, 1.153, 1.623, 1.864]
    largest = [1.429, 1.558, 1.455, 2.753, 2.117, 2.0, 3.0, 3.0]
    assert_allclose(np.median(found, axis=1), medians, atol=6e-4)
    assert_allclose(found.max(axis=1), largest, atol=6e-4)
    assert (found.min(axis=0) == 1).all()


def test_ratios_need_an_error_to_compare_with():
    with pytest.raises(ValueError, match="smallest error of set 1 is 0"):
        robustness_ratio([[0.1, 0.0], [0.2, 0.1]])
    assert_allclose(robustness_ratio([[0.1, 0.0], [0.2, 0.1]], floor=0.05), [[1, 1], [2, 2]])
    for wrong in ([0.1, 0.2], [[-0.1]], [[np.nan]], np.zeros((0, 2))):
        with pytest.raises(ValueError, match="robustness_ratio takes error rates"):
            robustness_ratio(wrong)


@pytest.mark.parametrize("seed", range(20))
def test_identities_of_posterior_distances(seed):
    rng = np.random.default_rng(seed)
    P, Q = rng.dirichlet(np.ones(4), 6), rng.dirichlet(np.ones(4), 6)
    risk, best = posterior_distance(P, Q, "risk"), posterior_distance(P, kind="asymptotic")
    assert_allclose(posterior_distance(P, Q, "squared_risk"), (best - risk) ** 2, atol=1e-15)
    assert_allclose(posterior_distance(P, P, "risk"), best)
    assert_allclose(posterior_distance(np.full(4, 0.25), Q, "squared_risk"), 0.0, atol=1e-30)
    for i in range(6):
        terms = [(Q[i, j] - P[i, j]) ** 2 for j in range(4)]
        assert_allclose(posterior_distance(P[i], Q[i], "chi2"), sum(terms))
        below = [max(P[i, j], 1e-3) for j in range(4)]
        assert_allclose(posterior_distance(P[i], Q[i]), sum(t / b for t, b in zip(terms, below)))


def test_impossible_classes():
    assert_allclose(posterior_distance([1.0, 0.0], [0.5, 0.5]), 0.25 + 250.0)
    assert posterior_distance([1.0, 0.0], [0.5, 0.5], floor=0.0) == np.inf
    assert posterior_distance([1.0, 0.0], [1.0, 0.0], floor=0.0) == 0.0


def test_what_posterior_distance_refuses():
    with pytest.raises(ValueError, match="got kind='cosine', but knows risk"):
        posterior_distance([1.0], [1.0], "cosine")
    with pytest.raises(ValueError, match="got no points"):
        posterior_distance([1.0])
    with pytest.raises(ValueError, match="floor=2"):
        posterior_distance([1.0], [1.0], floor=2)
    with pytest.raises(ValueError, match="at holds others"):
        posterior_distance([0.5, 0.4], [0.5, 0.5])
    with pytest.raises(ValueError, match="2 classes at the query and 1"):
        posterior_distance([0.5, 0.5], [1.0])
    for wrong in ((0, 10), (2, 0), (2, np.nan)):
        with pytest.raises(ValueError, match="nn_diameter got"):
            nn_diameter(*wrong)
