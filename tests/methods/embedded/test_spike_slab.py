"""Inclusion probabilities against all models, their integrals, and what is said of chains."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import fewer
from fewer.core.kernels import latent
from fewer.core.kernels._jit import kernel
from fewer.core.records.errors import InputError, MixingWarning, ParameterError
from fewer.methods.embedded import _posterior
from fewer.methods.embedded._convergence import hits_agreement, lengths_of, series_agreement
from oracles import gibbs as oracle

LONG = {"n_sweeps": 8000, "burn_in": 300, "random_state": 0}


def assert_within_error(made, want):
    """Five standard errors, and what so few draws may miss of very rare or very common features."""
    error = np.sqrt(want * (1 - want) / made.ess_)
    np.testing.assert_array_less(np.abs(made.inclusion_ - want), 5 * error + 2e-3)


def numbers(seed, n, p):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ (np.eye(p) + 0.4 * rng.normal(size=(p, p)))
    X = X * rng.uniform(0.1, 30, p) + rng.normal(size=p)
    signal = oracle.standard(X)[:, :2] @ [0.7, -0.5]
    return X, signal + rng.normal(size=n)


@pytest.mark.parametrize("products", [True, False])
@pytest.mark.parametrize(("n", "p"), [(30, 5), (25, 10), (6, 9)])
def test_linear_models_equal_all_subsets(n, p, products, monkeypatch):
    X, y = numbers(n + p, n, p)
    monkeypatch.setattr(_posterior, "MOST_PRODUCTS", 10_000 if products else 0)
    made = fewer.SpikeSlab(2, inclusion=0.3, slab=0.8, **LONG).fit(X, 1e3 * y + 5)
    assert_within_error(made, oracle.linear_inclusion(X, y, 0.8, oracle.bernoulli(np.full(p, 0.3))))


def test_priors_by_feature_and_by_size():
    X, y = numbers(3, 25, 6)
    chances = np.array([0.1, 0.5, 0.9, 0.3, 0.0, 1.0])
    made = fewer.SpikeSlab(2, inclusion=chances, **LONG).fit(X, y)
    with np.errstate(divide="ignore"):
        want = oracle.linear_inclusion(X, y, 1.0, oracle.bernoulli(chances))
    assert_within_error(made, want)
    assert made.inclusion_[4:].tolist() == [0.0, 1.0]
    made = fewer.SpikeSlab(2, inclusion="uniform", **LONG).fit(X, y)
    assert_within_error(made, oracle.linear_inclusion(X, y, 1.0, oracle.uniform_size))


def test_copies_share_their_probability_as_all_subsets_say():
    X, y = numbers(5, 40, 3)
    X = np.column_stack([X, X[:, 0]])
    made = fewer.SpikeSlab(2, inclusion=0.5, **LONG).fit(X, y)
    assert_within_error(made, oracle.linear_inclusion(X, y, 1.0, oracle.bernoulli(np.full(4, 0.5))))


@pytest.mark.parametrize("link", ["probit", "logistic"])
@pytest.mark.parametrize(("n", "p"), [(40, 3), (24, 4)])
def test_models_of_classes_equal_numerical_integration(link, n, p):
    X, y = numbers(n * p, n, p)
    labels = np.where(y > 0.2, "yes", "no")
    made = fewer.SpikeSlab(2, model=link, inclusion=0.4, **LONG).fit(X, labels)
    new = X[:5] + 0.3
    prior = oracle.bernoulli(np.full(p, 0.4))
    want, said = oracle.class_posterior(X, labels == "yes", link, 1.0, prior, new, n_nodes=7)
    assert_within_error(made, want)
    finer, _ = oracle.class_posterior(X, labels == "yes", link, 1.0, prior, n_nodes=5)
    np.testing.assert_allclose(finer, want, atol=2e-3)
    many = fewer.SpikeSlab(2, model=link, inclusion=0.4, **LONG, n_draws=4000).fit(X, labels)
    np.testing.assert_allclose(many.predict_proba(new)[:, 1], said, atol=0.02)
    assert many.predict(new).tolist() == np.where(said > 0.5, "yes", "no").tolist()


@pytest.mark.parametrize("link", ["probit", "logistic"])
def test_the_intercept_of_a_rare_class_has_a_wide_prior(link):
    X, _ = numbers(5, 40, 2)
    rare = np.arange(40) == 3
    made = fewer.SpikeSlab(2, model=link, inclusion=0.4, **LONG, n_draws=4000).fit(X, rare)
    want, said = oracle.class_posterior(X, rare, link, 1.0, oracle.bernoulli(np.full(2, 0.4)), X[4:9])
    assert_within_error(made, want)
    np.testing.assert_allclose(made.predict_proba(X[4:9])[:, 1], said, atol=0.006)


def test_averages_over_the_posterior_are_not_predictions_at_mean_parameters():
    X, y = numbers(1, 20, 3)
    made = fewer.SpikeSlab(2, model="logistic", **LONG, n_draws=4000).fit(X, y > 0)
    far = X[:3] * 4
    at_mean = 1 / (1 + np.exp(-(far @ made.coef_ + made.intercept_)))
    averaged = made.predict_proba(far)[:, 1]
    assert np.abs(averaged - at_mean).max() > 0.02


def test_voting_gibbs_has_the_prior_of_sizes_and_votes():
    X, y = numbers(7, 30, 4)
    made = fewer.VotingGibbs(2, **LONG, n_draws=4000).fit(X, (y > 0).astype(int))
    want, said = oracle.class_posterior(X, y > 0, "logistic", 1.0, oracle.uniform_size, X[:6], n_nodes=7)
    assert_within_error(made, want)
    votes = made.predict_proba(X[:6])[:, 1]
    # A vote is a draw of the class, so that the fraction has the same mean and the spread of 4000 coins.
    np.testing.assert_allclose(votes, said, atol=0.045)
    assert set(np.unique(votes * 4000 % 1).round(6)) <= {0.0, 1.0}
    one_by_one = np.array([made.predict_proba(row[None])[0, 1] for row in X[:6]])
    np.testing.assert_array_equal(one_by_one, votes)


def test_polya_gamma_numbers_have_the_moments_of_the_literature():
    @kernel
    def many(tilt, n, rng):
        out = np.empty(n)
        for i in range(n):
            out[i] = latent.polya_gamma(tilt, rng)
        return out

    rng = np.random.default_rng(0)
    for tilt in (1e-3, 1.0, 3.3, 12.0, 80.0):
        found = many(tilt, 40_000, rng)
        mean = np.tanh(tilt / 2) / (2 * tilt)
        variance = (np.sinh(tilt) - tilt) / (4 * tilt**3 * np.cosh(tilt / 2) ** 2)
        assert abs(found.mean() - mean) < 4.5 * np.sqrt(variance / 40_000)
        assert found.var() == pytest.approx(variance, rel=0.06)
        # The Laplace transform: E exp(-t w) = cosh(c / 2) / cosh(sqrt(c^2 / 4 + t / 2)).
        t = 1 / mean
        want = np.cosh(tilt / 2) / np.cosh(np.sqrt(tilt**2 / 4 + t / 2))
        values = np.exp(-t * found)
        assert abs(values.mean() - want) < 4.5 * values.std() / 200


def test_agreement_of_chains_is_measured():
    rng = np.random.default_rng(0)
    lengths = lengths_of(2000, 20)
    assert lengths.sum() == 2000

    def counted(z):
        return z.reshape(len(z), 20, 100, -1).sum(axis=2)

    alike = (rng.random((4, 2000, 3)) < [0.3, 0.01, 0.0]).astype(float)
    rhat, ess = hits_agreement(counted(alike), lengths)
    assert (rhat < 1.01).all()
    assert (ess > 4000).all()
    apart = (rng.random((4, 2000, 1)) < np.array([0.2, 0.2, 0.2, 0.6])[:, None, None]).astype(float)
    rhat, ess = hits_agreement(counted(apart), lengths)
    assert rhat[0] > 1.05
    assert ess[0] < 600
    stuck = np.zeros((2, 2000, 1))
    stuck[1] = 1
    assert hits_agreement(counted(stuck), lengths)[0].tolist() == [np.inf]
    # A chain that keeps its value with probability 0.9 has (1 + 0.8) / (1 - 0.8) = 9 draws for one.
    keeps = np.cumsum(rng.random((4, 2000)) < 0.1, axis=1) % 2
    _, ess = hits_agreement(counted(keeps[:, :, None].astype(float)), lengths)
    rhat, by_series = series_agreement(keeps.astype(float))
    assert 8000 / 9 / 1.6 < ess[0] < 8000 / 9 * 1.6
    assert 8000 / 9 / 1.4 < by_series < 8000 / 9 * 1.4
    assert rhat < 1.05
    assert series_agreement(np.ones((2, 40))) == (1.0, 80.0)


def test_chains_that_do_not_mix_are_said_in_one_sentence():
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    X = np.column_stack([x, x + 1e-3 * rng.normal(size=400), rng.normal(size=(400, 3))])
    y = x + 0.1 * rng.normal(size=400)
    with pytest.warns(MixingWarning, match=r"SpikeSlab: The chains do not agree on \d of 5 features") as said:
        made = fewer.SpikeSlab(2, inclusion=0.05, n_sweeps=60, burn_in=10, random_state=0).fit(X, y)
    assert len(said) == 1
    assert made.rhat_[:2].max() > 1.1
    assert any("do not agree" in note for note in made.selection_.meta["data"]["notes"])
    assert fewer.Selection.from_json(made.selection_.to_json()).to_json() == made.selection_.to_json()
    with warnings.catch_warnings():
        warnings.simplefilter("error", MixingWarning)
        fewer.SpikeSlab(2, random_state=0).fit(X[:, 1:], y)


def test_predictions_of_numbers_are_posterior_means_in_the_units_of_the_data():
    X, y = numbers(2, 60, 4)
    made = fewer.SpikeSlab("threshold:0.5", inclusion=1.0, slab=1e8, **LONG).fit(X, 100 * y)
    # With all features in and no shrinkage these are least squares.
    whole = np.linalg.lstsq(np.column_stack([np.ones(60), X]), 100 * y, rcond=None)[0]
    error = made.selection_.columns["sd"] / np.sqrt(8000)
    np.testing.assert_array_less(np.abs(made.coef_ - whole[1:]), 6 * error)
    assert made.score(X, 100 * y) == pytest.approx(
        1 - np.var(y - np.column_stack([np.ones(60), X]) @ whole / 100) / np.var(y), abs=1e-3
    )
    assert not hasattr(made, "predict_proba")
    classes = made.fit(X, y > 0)
    assert classes.predict_proba(X).shape == (60, 2)
    assert not hasattr(classes.fit(X, y), "classes_")


def test_one_chain_more_features_than_rows_and_many_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 300))
    y = 3 * X[:, 7] - 2 * X[:, 100] + 0.3 * rng.normal(size=40)
    made = fewer.SpikeSlab("threshold:0.5", n_chains=1, n_sweeps=500, random_state=0).fit(X, y)
    assert made.selection_.indices.tolist()[:2] == [7, 100]
    assert len(made.selection_) < 6
    probability = made.selection_.tables["sizes"].columns["probability"]
    assert sum(probability) == pytest.approx(1)


def test_bad_input_is_refused_in_one_sentence():
    X, y = numbers(0, 20, 3)
    with pytest.raises(InputError, match="needs a target that varies"):
        fewer.SpikeSlab(2, model="linear").fit(X, np.full(20, 2.5))
    with pytest.raises(ParameterError, match="inclusion with 2 values"):
        fewer.SpikeSlab(2, inclusion=[0.1, 0.2]).fit(X, y)
    with pytest.raises(ParameterError, match="from 0 to 1"):
        fewer.SpikeSlab(2, inclusion=[0.1, 0.2, 3.0]).fit(X, y)
    with pytest.raises(InputError, match="two classes"):
        fewer.SpikeSlab(2).fit(X, np.arange(20) % 3)
    assert fewer.SpikeSlab(2, model="linear", n_sweeps=500, random_state=0).fit(X, np.arange(20) % 3).model_ == "linear"
    with pytest.raises(InputError, match="one class"):
        fewer.VotingGibbs(2).fit(X, np.ones(20))
    X[:, 1] = 0.1
    found = fewer.SpikeSlab("threshold:0.01", n_sweeps=500, random_state=0).fit(X, y)
    assert found.inclusion_[1] == 0
    assert "one level" in str(found.selection_.reason(1))


@pytest.mark.filterwarnings("ignore::fewer.core.records.errors.TargetWarning")
@pytest.mark.filterwarnings("ignore::fewer.core.records.errors.MixingWarning")
def test_units_of_the_target_do_not_matter_and_too_large_ones_are_refused():
    X, y = numbers(1, 30, 4)
    options = {"n_sweeps": 200, "burn_in": 50, "random_state": 0}
    plain = fewer.SpikeSlab(2, **options).fit(X, y)
    for unit in (1e-100, 1e100):
        made = fewer.SpikeSlab(2, **options).fit(X, unit * y)
        np.testing.assert_allclose(made.inclusion_, plain.inclusion_, rtol=1e-6)
        for name in ("R-hat", "effective draws"):
            column = made.selection_.tables["convergence"].columns[name]
            np.testing.assert_allclose(column, plain.selection_.tables["convergence"].columns[name], rtol=1e-6)
    for unit in (1e-300, 1e300):
        with pytest.raises(InputError, match="The target varies"):
            fewer.SpikeSlab(2, **options).fit(X, unit * y)


@pytest.mark.filterwarnings("ignore::fewer.core.records.errors.MixingWarning")
def test_the_mean_of_a_flat_intercept_is_known():
    X, y = numbers(2, 30, 4)
    made = fewer.SpikeSlab(2, n_sweeps=200, random_state=0).fit(X, y)
    assert made.predict(X.mean(axis=0)[None])[0] == pytest.approx(y.mean(), abs=1e-12)


def test_coefficients_that_drift_because_classes_are_separated_are_said():
    X = np.random.default_rng(2).normal(size=(60, 10))
    y = X[:, 1] > 0
    options = {"model": "probit", "n_sweeps": 500, "random_state": 0}
    with pytest.warns(
        MixingWarning, match=r"agree on the features, but not on the log likelihood .* slab below 1e\+08"
    ):
        made = fewer.SpikeSlab(2, slab=1e8, **options).fit(X, y)
    assert made.rhat_.max() < 1.1
    assert any("log likelihood" in note for note in made.selection_.meta["data"]["notes"])
