"""Mixtures of products against the printed equations, naive Bayes and exact sums."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB

from common.examples import EXAMPLES
from fewer.core.clustering.product_mixture import ClassMixtures, ProductMixture, fit_product_mixture
from fewer.core.records.errors import InputError
from oracles import mixtures as oracle


def data(rng, n=40, levels=(2, 3, 4), missing=0.2):
    codes = np.column_stack([rng.integers(0, v, n) for v in levels])
    codes[rng.random(codes.shape) < missing] = -1
    return codes, np.array(levels)


def test_one_component_is_where_the_printed_equations_end(rng):
    codes, levels = data(rng)
    found = fit_product_mixture(codes, levels)
    start = [[np.full(v, 1.0 / v) for v in levels]]
    _, printed = oracle.product_steps(codes, levels, np.ones(1), start, 1.0, 200)
    for f, v in enumerate(levels):
        seen = codes[:, f] >= 0
        closed = (np.bincount(codes[seen, f], minlength=v) + 1.0) / (seen.sum() + v)
        np.testing.assert_allclose(found.levels[0, f, :v], closed, rtol=1e-12)
        np.testing.assert_allclose(printed[0][f], closed, rtol=1e-9)
    assert len(found.history) == 3


def test_without_missing_levels_steps_are_the_printed_ones(rng):
    codes, levels = data(rng, missing=0.0)
    start = np.zeros((2, 3, 4))
    for f, v in enumerate(levels):
        start[:, f, :v] = rng.dirichlet(np.ones(v), 2)
    found = fit_product_mixture(codes, levels, 2, start=start, tol=-np.inf, max_iter=5)
    parts = [[start[m, f, :v] for f, v in enumerate(levels)] for m in range(2)]
    weights, printed = oracle.product_steps(codes, levels, np.full(2, 0.5), parts, 1.0, 5)
    assert len(found.history) == 6
    np.testing.assert_allclose(found.weights, weights, rtol=1e-9)
    for m in range(2):
        for f, v in enumerate(levels):
            np.testing.assert_allclose(found.levels[m, f, :v], printed[m][f], rtol=1e-9)


def test_it_is_naive_bayes_of_scikit_learn(rng):
    codes, levels = data(rng, 60, missing=0.0)
    classes = rng.integers(0, 3, 60)
    found = ClassMixtures.of(codes, classes, 3, levels)
    other = CategoricalNB(alpha=1.0, min_categories=levels).fit(codes, classes)
    for f, v in enumerate(levels):
        mine = np.array([mixture.levels[0, f, :v] for mixture in found.mixtures])
        np.testing.assert_allclose(mine, np.exp(other.feature_log_prob_[f]), rtol=1e-12)
    np.testing.assert_allclose(found.priors, (np.bincount(classes) + 1) / 63)


def test_what_is_maximised_never_falls_and_all_sums_are_one():
    for seed in range(30 * EXAMPLES):
        rng = np.random.default_rng(seed)
        codes, levels = data(rng, int(rng.integers(1, 30)), missing=float(rng.random()))
        found = fit_product_mixture(codes, levels, int(rng.integers(1, 4)), laplace=float(seed % 3) / 2, rng=seed)
        assert (np.diff(found.history) >= -1e-9).all()
        np.testing.assert_allclose(found.weights.sum(), 1.0)
        np.testing.assert_allclose(found.levels.sum(axis=2), 1.0)
        np.testing.assert_allclose(found.memberships(codes).sum(axis=1), 1.0)


def test_missing_levels_are_those_of_all_ways_to_fill_them(rng):
    levels = np.array([2, 3])
    theta = np.zeros((2, 2, 3))
    theta[:, 0, :2], theta[:, 1] = rng.dirichlet(np.ones(2), 2), rng.dirichlet(np.ones(3), 2)
    model = ProductMixture(np.array([0.3, 0.7]), theta, np.empty(0))
    row = np.array([[1, -1]])
    joint = [sum(model.weights[m] * theta[m, 0, 1] * theta[m, 1, x] for m in range(2)) for x in range(3)]
    np.testing.assert_allclose(model.missing_levels(row, 1)[0], np.array(joint) / sum(joint))
    np.testing.assert_allclose(np.exp(model.log_likelihood(row)), sum(joint))
    np.testing.assert_allclose(model.memberships(np.array([[-1, -1]])), [[0.3, 0.7]])
    one = fit_product_mixture(np.array([[0, 0], [1, 2]]), levels)
    np.testing.assert_allclose(one.missing_levels(np.array([[0, -1], [1, -1]]), 1)[0], one.levels[0, 1])


def test_relevance_is_mutual_information_and_jumps_as_in_the_chapter():
    """One value observed of a feature, two classes: the information goes from 0 to 0.0143626 (section 5.5.1)."""
    classes, nothing = np.repeat([0, 1], 100), np.full((200, 1), -1)
    before = ClassMixtures.of(nothing, classes, 2, np.array([2]))
    nothing[0, 0] = 1
    after = ClassMixtures.of(nothing, classes, 2, np.array([2]))
    assert before.relevance()[0] == pytest.approx(0.0, abs=1e-15)
    assert after.relevance()[0] == pytest.approx(0.0143626, abs=5e-8)


def test_degenerate_rows_and_wrong_numbers(rng):
    levels = np.array([2, 1])
    for codes in (np.empty((0, 2), int), np.full((3, 2), -1), np.zeros((5, 2), int)):
        for k in (1, 3):
            found = fit_product_mixture(codes, levels, k)
            np.testing.assert_allclose(found.levels.sum(axis=2), 1.0)
    for wrong in ([[2, 0]], [[0, -2]]):
        with pytest.raises(InputError, match="level numbers"):
            fit_product_mixture(np.array(wrong), levels)


def test_components_that_differ_are_found(rng):
    state = rng.integers(0, 2, 400)
    codes = (rng.random((400, 5)) < np.where(state, 0.9, 0.1)[:, None]).astype(int)
    found = fit_product_mixture(codes, np.full(5, 2), 2, rng=1)
    guess = found.memberships(codes).argmax(axis=1)
    assert max((guess == state).mean(), (guess != state).mean()) > 0.95
