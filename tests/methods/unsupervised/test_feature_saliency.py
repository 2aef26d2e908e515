"""FeatureSaliency against plain loops, the toy data of its paper, and degenerate data."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering import salient_mixture as engine
from fewer.core.clustering.saliency_ends import decided, end_gains
from fewer.core.clustering.salient_components import salient_components
from fewer.core.clustering.standard_columns import standard_columns
from fewer.methods.unsupervised.feature_saliency import _lengths
from oracles import mixtures as oracle


def toy(n, seed, n_noise=4):
    """Four Gaussians in two features, and noise (Law et al. 2004)."""
    rng = np.random.default_rng(seed)
    centres = np.array([(0, 3), (1, 9), (6, 4), (7, 10)])[rng.integers(0, 4, n)]
    return np.hstack([centres + rng.normal(size=(n, 2)), rng.normal(size=(n, n_noise))])


def first_model(Z, rng, k):
    model = engine.SalientMixture.at(Z[rng.permutation(len(Z))[:k]])
    return engine.replace(model, saliency=rng.uniform(0.2, 0.8, Z.shape[1]))


@pytest.mark.parametrize("mml", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_every_step_agrees_with_plain_loops(mml, seed):
    rng = np.random.default_rng(seed)
    Z, _ = standard_columns(toy(60, seed, 1))
    model = first_model(Z, rng, 3)
    for _ in range(3):
        likelihood, wanted = oracle.saliency_step(Z, model, mml, engine.FLOOR)
        found = engine.climb_salient(Z, model, mml=mml, tol=-np.inf, max_iter=1)
        here = engine.climb_salient(Z, model, mml=mml, max_iter=0)
        assert here.log_likelihood == pytest.approx(likelihood, rel=1e-10)
        for name, values in wanted.items():
            np.testing.assert_allclose(getattr(found.model, name), values, rtol=1e-7, atol=1e-10, err_msg=name)
        model = found.model


def test_plain_likelihood_never_falls_and_messages_never_grow_unless_something_is_dropped():
    for seed in range(20 * EXAMPLES):
        rng = np.random.default_rng(seed)
        n, d, k = int(rng.integers(3, 80)), int(rng.integers(1, 6)), int(rng.integers(1, 6))
        Z, constant = standard_columns(rng.normal(size=(n, d)).round(int(rng.integers(0, 3))))
        Z = np.ascontiguousarray(Z[:, ~constant])
        if not Z.shape[1]:
            continue
        model = first_model(Z, rng, min(k, n))
        plain = engine.climb_salient(Z, model, mml=False, tol=-np.inf, max_iter=40)
        lengths = [value for _, _, value in plain.history]
        assert (np.diff(lengths) <= 1e-8 * (1 + np.abs(lengths[1:]))).all()
        priced = engine.climb_salient(Z, model, tol=-np.inf, max_iter=40).history
        for before, after in zip(priced, priced[1:]):
            cannot_pay = n <= Z.shape[1] * after[0] or n <= after[0] + 1
            if before[:2] == after[:2] and not cannot_pay:
                assert after[2] <= before[2] + 1e-8 * (1 + abs(before[2]))


def test_the_toy_data_of_the_paper():
    """500 rows, four noise features: the shortest message has four components, and noise next to no saliency."""
    for seed in range(2):
        found = fewer.FeatureSaliency(random_state=0).fit(toy(500, seed))
        assert found.n_clusters_ == 4
        assert (found.saliencies_[:2] > 0.9).all()
        assert (found.saliencies_[2:] < 0.1).all()
        assert set(found.selection_.indices[:2].tolist()) == {0, 1}
        lengths = found.selection_.tables["lengths"].columns
        assert lengths["components"][int(np.argmin(lengths["message length"]))] == 4


def test_message_length_is_that_of_its_definition(rng):
    Z, _ = standard_columns(toy(100, 0, 1))
    fit = engine.climb_salient(Z, first_model(Z, rng, 2), max_iter=3)
    model, n = engine.replace(fit.model, saliency=np.array([1.0, 0.4, 0.0])), 100
    k, d = model.means.shape
    wanted = 50.0 + (k + d) / 2 * np.log(n)
    wanted += sum(np.log(n * a * r) for a in model.weights for r in model.saliency if r > 0)
    wanted += sum(np.log(n * (1 - r)) for r in model.saliency if r < 1)
    assert engine.message_length(-50.0, n, model) == pytest.approx(wanted)


def at_end(Z, fit, j, end):
    """Return the message length with one saliency at an end, and the parameters that follow from the memberships."""
    model, w = fit.model, fit.memberships
    parts = {
        name: np.array(getattr(model, name))
        for name in ("means", "variances", "noise_mean", "noise_variance", "saliency")
    }
    parts["saliency"][j] = end
    if end == 0:
        parts["noise_mean"][j], parts["noise_variance"][j] = Z[:, j].mean(), Z[:, j].var()
    else:
        for k in range(len(model)):
            mean = w[:, k] @ Z[:, j] / w[:, k].sum()
            parts["means"][k, j] = mean
            parts["variances"][k, j] = max(w[:, k] @ (Z[:, j] - mean) ** 2 / w[:, k].sum(), engine.FLOOR)
    return engine.climb_salient(Z, engine.replace(model, **parts), max_iter=0).message_length


def test_what_a_saliency_gains_at_its_ends_is_what_the_message_loses():
    for seed in range(10 * EXAMPLES):
        rng = np.random.default_rng(seed)
        Z, _ = standard_columns(toy(int(rng.integers(20, 200)), seed, int(rng.integers(1, 5))))
        fit = engine.climb_salient(Z, first_model(Z, rng, int(rng.integers(1, 5))), max_iter=int(rng.integers(1, 20)))
        gains, _ = end_gains(Z, fit, engine.FLOOR)
        for j, rho in enumerate(fit.model.saliency):
            for end in (0, 1):
                if 0 < rho < 1:
                    wanted = fit.message_length - at_end(Z, fit, j, end)
                    assert gains[end, j] == pytest.approx(wanted, rel=1e-8, abs=1e-7)
                else:
                    assert gains[end, j] == -np.inf
        better = decided(Z, fit, floor=engine.FLOOR)
        assert better.message_length <= fit.message_length
        assert (end_gains(Z, better, engine.FLOOR)[0] < 1e-5).all()


def test_noise_in_many_rows_has_no_saliency():
    """A climb ends long before it comes down, and a smaller tolerance takes ten times as long."""
    X = toy(2000, 0, 10)
    Z, _ = standard_columns(X)
    slow = engine.climb_salient(Z, engine.SalientMixture.at(Z[[0, 3, 4, 7]]))
    assert (slow.model.saliency[2:] > 0).any()
    found = fewer.FeatureSaliency(max_clusters=5, n_starts=2, random_state=0).fit(X)
    assert found.n_clusters_ == 4
    assert (found.saliencies_[:2] > 0.9).all()
    assert (found.saliencies_[2:] < 0.02).all()
    assert (found.saliencies_[2:] == 0).sum() >= 8


def test_of_one_component_only_features_of_two_kinds_of_values_are_kept(rng):
    plain = rng.normal(size=(300, 4))
    outlier = np.vstack([plain, np.full((1, 4), 1e6)])
    for X in (plain, outlier):
        found = fewer.FeatureSaliency("threshold:0.5", n_starts=2, random_state=0).fit(X)
        assert found.n_clusters_ == 1
        assert len(found.selection_) == 0
        assert (found.saliencies_ < 0.2).all()
        assert "one component, so that" in str(found.selection_.reason(0))
    plain[:, 2] += 6 * rng.integers(0, 2, 300)
    assert fewer.FeatureSaliency("threshold:0.3", random_state=0).fit(plain).selection_.indices.tolist() == [2]


def test_rounding_makes_no_components():
    X = np.round(toy(200, 0, 2))
    assert fewer.FeatureSaliency(n_starts=2, random_state=0).fit(X).n_clusters_ == 4


def test_given_means_make_it_follow_permutations(rng):
    Z, _ = standard_columns(toy(120, 1, 2))
    means, columns, clusters = Z[:6], rng.permutation(4), rng.permutation(6)
    found, _ = salient_components(Z, means)
    again, _ = salient_components(np.ascontiguousarray(Z[:, columns]), means[clusters][:, columns])
    np.testing.assert_allclose(again.model.saliency, found.model.saliency[columns], atol=1e-6)
    assert again.message_length == pytest.approx(found.message_length, rel=1e-8)


def test_the_seed_decides_and_reasons_are_true():
    X = toy(200, 3)
    found = fewer.FeatureSaliency(None, random_state=1).fit(X)
    again = fewer.FeatureSaliency(None, random_state=1, n_jobs=3).fit(X)
    assert again.message_length_ == found.message_length_
    components = found.selection_.tables["lengths"].columns["components"]
    assert components == sorted(set(components))
    np.testing.assert_array_equal(found.saliencies_, again.saliencies_)
    for j in range(6):
        reason = found.selection_.reason(j)
        assert (reason.kind == "kept") == (found.saliencies_[j] > 0)
        assert reason.kind == "kept" or "saliency" in str(reason)
    assert sum(found.selection_.tables["clusters"].columns["rows"]) == 200


def test_degenerate_data_are_answered(rng):
    with pytest.raises(ValueError, match="1 sample"):
        fewer.FeatureSaliency().fit(np.ones((1, 2)))
    X = toy(80, 0, 1)
    found = fewer.FeatureSaliency(random_state=0).fit(np.column_stack([X, np.full(80, 7.0)]))
    assert found.saliencies_[3] == 0
    assert "constant" in str(found.selection_.reason(3))
    for rows in (np.ones((6, 2)), np.ones((2, 3))):
        assert len(fewer.FeatureSaliency().fit(rows).selection_) == 0
    for rows in (X[:2], X[:4], np.repeat(X[:3], 4, axis=0)):
        assert np.isfinite(fewer.FeatureSaliency(random_state=0).fit(rows).saliencies_).all()
    plain = fewer.FeatureSaliency(random_state=0).fit((X * 2**10).round()).saliencies_
    for rows in (1e9 + (X * 2**10).round(), (X * 2**10).round() * 2.0**-600, (X * 2**10).round() * 2.0**600):
        np.testing.assert_allclose(fewer.FeatureSaliency(random_state=0).fit(rows).saliencies_, plain, atol=1e-6)


def test_too_few_iterations_are_told():
    with pytest.warns(UserWarning, match="raise max_iter"):
        found = fewer.FeatureSaliency(max_iter=2, tol=0.0, random_state=0).fit(toy(60, 0))
    assert found.n_iter_ == 2


def test_of_a_number_of_components_the_shortest_message_is_shown():
    Z, _ = standard_columns(toy(60, 0))
    fits = [engine.climb_salient(Z, engine.SalientMixture.at(Z[:2]), max_iter=m) for m in (1, 30, 3)]
    shown = _lengths(fits).columns
    assert shown["components"] == [2]
    assert shown["message length"] == [min(fit.message_length for fit in fits)]
