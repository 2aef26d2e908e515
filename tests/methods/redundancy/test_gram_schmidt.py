"""Orthogonal forward regression against least squares at every step, and its random probe against random probes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression

from fewer.methods.redundancy.gram_schmidt import GramSchmidtRanker, probe_risks
from oracles.orthogonal import forward_regression, r_squared, residual


@pytest.mark.parametrize("seed", range(10))
def test_order_and_gains_equal_those_of_least_squares(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 60)), int(rng.integers(2, 12))
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 1000 * rng.normal(size=d)
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    got = GramSchmidtRanker(None).fit(X, y).selection_
    order, gains = forward_regression(X, y, d)
    assert got.indices.tolist() == order
    np.testing.assert_allclose(got.trace.values, gains, rtol=1e-6, atol=1e-10)
    np.testing.assert_allclose(got.scores[order], gains, rtol=1e-6, atol=1e-10)


def test_gains_add_up_to_r_squared_also_of_many_nearly_dependent_columns(rng):
    X = np.vander(np.linspace(1, 2, 60), 9)[:, :-1]
    y = rng.normal(size=60)
    got = GramSchmidtRanker(None).fit(X, y).selection_
    np.testing.assert_allclose(sum(got.trace.values), r_squared(X / X.std(axis=0), y, got.indices), rtol=1e-4)
    X, y = load_diabetes(return_X_y=True)
    got = GramSchmidtRanker(5).fit(X, y).selection_
    X5 = X[:, got.indices]
    np.testing.assert_allclose(sum(got.trace.values), LinearRegression().fit(X5, y).score(X5, y))


@pytest.mark.parametrize(("n_features", "spanned"), [(1, {5: 0}), (2, {5: 0, 6: 1}), (None, {5: 0, 6: 1})])
def test_spanned_features_are_redundant_to_the_feature_they_lie_along(rng, n_features, spanned):
    X = rng.normal(size=(80, 5))
    y = X @ [9.0, 5.0, 3.0, 0.1, 0.1] + rng.normal(size=80)
    X = np.column_stack([X, X[:, 0], -2 * X[:, 1], np.full(80, 3.0)])
    got = GramSchmidtRanker(n_features).fit(X, y).selection_
    assert len(got) == (n_features or 5)
    assert got.reasons.related == {j: (to,) for j, to in spanned.items()}
    assert list(got.reasons.amount.values()) == pytest.approx([1] * len(spanned), abs=1e-9)
    assert got.reason(7).kind == "irrelevant"


def test_combinations_of_chosen_features_are_redundant(rng):
    X = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 9)) + 1e-9 * rng.normal(size=(60, 9))
    y = X[:, 0] + rng.normal(size=60)
    got = GramSchmidtRanker(None).fit(X, y).selection_
    assert len(got) == 4
    assert [got.reason(j).kind for j in sorted(set(range(9)) - set(got.indices.tolist()))] == ["redundant"] * 5
    assert set().union(*got.reasons.related.values()) <= set(got.indices.tolist())


def test_a_rule_that_goes_back_leaves_redundancy_to_what_is_kept(rng):
    X = rng.normal(size=(60, 6))
    y = X @ [3.0, 2.0, 1.0, 0.5, 0.2, 0.1]
    X = np.column_stack([X, X[:, 0], X[:, 1]])
    got = GramSchmidtRanker("patience:3").fit(X, y).selection_
    assert got.indices.tolist() == [0]
    assert got.reasons.related == {6: (0,)}
    assert got.reason(7).kind == "not reached"


def test_the_search_ends_when_all_is_explained(rng):
    X = rng.normal(size=(30, 6))
    got = GramSchmidtRanker(None).fit(X, X[:, 2] - 2 * X[:, 4]).selection_
    assert set(got.indices) == {2, 4}
    assert "explain all" in str(got.reason(0))
    many = GramSchmidtRanker(None).fit(rng.normal(size=(8, 30)), rng.normal(size=8)).selection_
    assert len(many) == 7
    flat = GramSchmidtRanker(None).fit(X, np.ones(30)).selection_
    assert len(flat) == 0


def test_of_equal_columns_the_lower_number_wins_at_every_place(rng):
    for d in range(2, 40):
        X = rng.normal(size=(33, 1)) @ np.ones((1, d))
        assert GramSchmidtRanker(1).fit(X, rng.normal(size=33)).selection_.indices.tolist() == [0]


def simulated(X, y, chosen, n_probes, rng):
    """Fractions of random probes that rank better at each step, and at some step so far."""
    probes, target = rng.normal(size=(len(y), n_probes)), y - y.mean()
    probes -= probes.mean(axis=0)
    ever, at_step, so_far = np.zeros(n_probes, bool), [], []
    basis = []
    for j in chosen:
        direction = residual(X[:, j], basis)
        direction /= np.linalg.norm(direction)
        cos2 = (direction @ target) ** 2 / (target @ target)
        better = (target @ probes) ** 2 / ((probes**2).sum(axis=0) * (target @ target)) > cos2
        ever |= better
        at_step.append(better.mean())
        so_far.append(ever.mean())
        probes -= np.outer(direction, direction @ probes)
        target = target - (direction @ target) * direction
        basis.append(X[:, j])
    return np.array(at_step), np.array(so_far)


@pytest.mark.parametrize("n", [8, 15, 40])
def test_the_risk_is_that_of_random_probes(n):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 6))
    y = X @ [0.8, 0.6, 0.4, 0.0, 0.0, 0.0] + rng.normal(size=n)
    got = GramSchmidtRanker(None).fit(X, y).selection_
    risks = got.columns["probe_risk"][got.indices]
    np.testing.assert_allclose(risks, probe_risks(got.trace.values, n))
    at_step, so_far = simulated(X, y, got.indices, 40_000, rng)
    each = 1 - (1 - risks) / (1 - np.concatenate([[0], risks[:-1]]))
    noise = 5 * np.sqrt(at_step * (1 - at_step) / 40_000) + 1e-4
    assert (np.abs(each - at_step) < noise).all()
    # Probes that do well at one step do well at the next, so that adding up overstates.
    assert (so_far <= risks + noise).all()
    assert (so_far >= each - noise).all()


def test_the_first_risk_is_the_p_value_of_the_correlation(rng):
    x, y = rng.normal(size=(2, 25))
    r = scipy.stats.pearsonr(x, y)
    assert probe_risks([r.statistic**2], 25)[0] == pytest.approx(r.pvalue)
    assert probe_risks([0.3, 0.7], 3).tolist() == [probe_risks([0.3], 3)[0], 1.0]


@pytest.mark.parametrize("risk", [0.01, 0.1, 0.5])
def test_the_probe_stops_before_the_risk_is_exceeded(risk):
    X, y = load_diabetes(return_X_y=True)
    free, bound = GramSchmidtRanker(None).fit(X, y).selection_, GramSchmidtRanker(None, probe=risk).fit(X, y).selection_
    risks = probe_risks(free.trace.values, len(y))
    n = int((risks <= risk).sum())
    assert bound.indices.tolist() == free.indices[:n].tolist()
    first_out = bound.reason(int(free.indices[n]))
    assert first_out.kind == "irrelevant"
    assert first_out.score < first_out.threshold
    gains = list(free.trace.values[:n])
    assert probe_risks([*gains, first_out.threshold], len(y))[-1] == pytest.approx(risk)


def test_few_noise_features_pass_the_probe():
    kept = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(100, 3))
        kept.append(len(GramSchmidtRanker(probe=0.05).fit(X, rng.normal(size=100)).selection_))
    # The best of three noise features beats a single probe with probability 0.95 about one time in seven.
    assert np.mean(np.array(kept) > 0) < 0.35


def test_two_text_classes_are_numbers(rng):
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    text, numbers = GramSchmidtRanker(2).fit(X, np.array(["a", "b"])[y]), GramSchmidtRanker(2).fit(X, y)
    np.testing.assert_array_equal(text.scores_, numbers.scores_)


def test_bad_risks_are_refused(rng):
    for bad in (0, 1, -0.1, "x"):
        with pytest.raises(ValueError, match="probe"):
            GramSchmidtRanker(probe=bad).fit(rng.normal(size=(9, 2)), rng.normal(size=9))
