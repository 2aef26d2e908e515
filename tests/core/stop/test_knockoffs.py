"""Knockoffs: what they are, where they cut, and how many false discoveries they let through."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
import scipy.stats
from sklearn.covariance import ledoit_wolf

import fewer
from fewer.core.records.ranking import Ranking
from fewer.core.stop import Count, FixedKnockoffs, Knockoffs, as_stop
from fewer.core.stop.rule import Beside
from fewer.core.views import knockoffs as made
from oracles import knockoffs as oracle

PAIR = pytest.mark.parametrize("rule", [Knockoffs, FixedKnockoffs])


def correlated(rng, n, p, rho=0.5):
    R = rho ** np.abs(np.subtract.outer(np.arange(p), np.arange(p)))
    return rng.standard_normal((n, p)) @ np.linalg.cholesky(R).T


def test_threshold_is_found_as_by_trying_all(rng):
    for _ in range(300):
        W = rng.integers(-3, 8, rng.integers(0, 40)).astype(float) * rng.choice([0.1, 1.0])
        fdr = rng.choice([0.05, 0.1, 0.2, 0.5])
        assert Knockoffs(fdr).threshold(W) == oracle.threshold(W, fdr)


def test_ten_are_kept_or_none():
    assert Knockoffs(0.1).threshold(np.ones(9)) == np.inf
    assert Knockoffs(0.1).threshold(np.ones(10)) == 1.0
    assert Knockoffs(0.1).threshold(np.r_[np.ones(19), -1.0]) == np.inf
    assert Knockoffs(0.1).threshold(np.r_[np.ones(20), -1.0]) == 1.0


def test_gaussian_knockoffs_have_the_conditional_law_of_the_joint_one(rng):
    """Coefficients and noise are those of the joint covariance."""
    X = correlated(rng, 40_000, 4)
    K = made.gaussian_knockoffs(X, rng)
    R = np.corrcoef(X.T)
    s = made.equicorrelated(R)
    assert s == pytest.approx(min(1.0, 2 * np.linalg.eigvalsh(R)[0]), rel=1e-5)
    assert np.abs(np.cov(np.hstack([X, K]).T) - oracle.joint(R, s)).max() < 0.03
    coefficients, noise = oracle.conditional(R, s)
    found = np.linalg.lstsq(X - X.mean(0), K - K.mean(0), rcond=None)[0]
    assert np.abs(found - coefficients).max() < 0.03
    assert np.abs(np.cov((K - X @ found).T) - noise).max() < 0.03


def test_gaussian_knockoffs_shrink_few_rows(rng):
    """Twice as many columns as rows: the sample covariance is singular, that of Ledoit and Wolf is not."""
    X = correlated(rng, 30, 60)
    Z = (X - X.mean(0)) / X.std(0)
    R = ledoit_wolf(Z, assume_centered=True)[0]
    assert np.linalg.eigvalsh(R)[0] > 0.01
    K = made.gaussian_knockoffs(X, rng)
    assert np.isfinite(K).all()
    assert not np.allclose(K, X, atol=0.1)


def test_fixed_knockoffs_have_the_same_products(rng):
    X = correlated(rng, 60, 12) * 10.0 ** np.arange(-6, 6) + 5.0
    K = made.fixed_knockoffs(X, rng)
    Z = np.hstack([X, K])
    Z = Z - Z.mean(0)
    Z = Z / np.sqrt((Z**2).sum(0))
    G = Z.T @ Z
    np.testing.assert_allclose(G, oracle.joint(G[:12, :12], made.equicorrelated(G[:12, :12])), atol=1e-8)
    np.testing.assert_allclose(K.mean(0), X.mean(0), rtol=1e-9)


@pytest.mark.parametrize("make", [made.gaussian_knockoffs, made.fixed_knockoffs])
def test_constant_and_copied_columns(make, rng):
    X = rng.normal(size=(50, 5))
    X[:, 1] = 7.0
    before = X.copy()
    K = make(X, rng)
    np.testing.assert_array_equal(X, before)
    np.testing.assert_array_equal(K[:, 1], 7.0)
    assert np.abs(K[:, 0] - X[:, 0]).max() > 0.1
    assert np.array_equal(make(np.ones((9, 3)), rng), np.ones((9, 3)))
    # A copy has no room: all knockoffs are the features themselves, and nothing is kept.
    twice = np.column_stack([X[:, 0], X[:, 0], X[:, 2]])
    np.testing.assert_array_equal(make(twice, rng), twice)
    assert len(fewer.Pearson("knockoffs:0.5").fit(twice, X[:, 0]).selection_) == 0


@PAIR
def test_knockoffs_are_columns_beside_the_others(rule, rng):
    """The rule compares what a fit to the columns and their knockoffs, joined by hand, says of both."""
    X = rng.normal(size=(200, 20))
    y = X[:, :8].sum(axis=1) + 0.3 * rng.normal(size=200)
    found = fewer.Pearson(rule(0.3, seed=4)).fit(X, y).selection_
    make = made.fixed_knockoffs if rule is FixedKnockoffs else made.gaussian_knockoffs
    both = np.hstack([X, make(X, np.random.default_rng((made.SALT, 4)))])
    scores = fewer.Pearson(None).fit(both, y).scores_
    W = scores[:20] - scores[20:]
    np.testing.assert_allclose(found.columns["above_knockoff"], W, atol=1e-12)
    assert set(found.indices) == set(np.flatnonzero(oracle.threshold(W, 0.3) <= W))
    np.testing.assert_array_equal(found.scores, fewer.Pearson(None).fit(X, y).scores_)
    assert len(found) > 3


@pytest.mark.parametrize("name", ["FTest", "InformationGain", "ReliefF", "OrdEval", "KruskalWallis", "OReliefF"])
def test_other_rankings_score_knockoffs_too(name, rng):
    X = correlated(rng, 300, 14)
    y = (X[:, :8].sum(axis=1) > 0).astype(int)
    found = fewer.get(name)("knockoffs:0.4").fit(X, y).selection_
    W = found.columns["above_knockoff"]
    assert set(found.indices) == set(np.flatnonzero(oracle.threshold(W, 0.4) <= W))
    dropped = int(np.flatnonzero(~found.support)[0])
    assert found.reason(dropped).kind == "irrelevant"
    assert found.reason(dropped).quantity == "score less that of the knockoff"


def test_nothing_kept_is_said(rng):
    X, y = rng.normal(size=(60, 12)), rng.normal(size=60)
    found = fewer.Pearson("knockoffs:0.1").fit(X, y).selection_
    assert len(found) == 0
    assert "x3 is not reached" in str(found.reason(3))
    assert "no difference from the knockoffs" in str(found.reason(3))


def test_joined_with_a_number_both_hold(rng):
    X = rng.normal(size=(600, 30))
    y = X[:, :12].sum(axis=1) + rng.normal(size=600)
    alone = fewer.Pearson("knockoffs:0.2").fit(X, y).selection_
    found = fewer.Pearson(Count(3) | Knockoffs(0.2)).fit(X, y).selection_
    assert len(alone) > 5
    assert found.indices.tolist() == alone.indices[:3].tolist()
    with_probes = fewer.Pearson("knockoffs:0.2|probes:0.05").fit(X, y).selection_
    assert set(with_probes.indices) == set(alone.indices) & set(
        fewer.Pearson("probes:0.05").fit(X, y).selection_.indices
    )


def test_texts():
    assert as_stop("knockoffs:0.1") == Knockoffs(0.1)
    assert as_stop("knockoffs:0.2,seed=3") == Knockoffs(0.2, 3)
    assert as_stop(str(FixedKnockoffs(0.2, 5))) == FixedKnockoffs(0.2, 5)
    for wrong in ("knockoffs:1", "knockoffs:0.1,seed=-1", "knockoffs:0.1,seed=0.5"):
        with pytest.raises(ValueError, match="Knockoffs got"):
            as_stop(wrong)


def test_refusals(rng):
    X, y = rng.normal(size=(40, 6)), rng.integers(0, 2, 40)
    weight = rng.integers(1, 4, 40)
    refused = [
        ("rule on knockoffs and sparse columns", lambda: fewer.FTest("knockoffs").fit(scipy.sparse.csr_matrix(X), y)),
        ("and weights", lambda: fewer.FTest("knockoffs").fit(X, y, sample_weight=weight)),
        (
            "and nominal columns",
            lambda: fewer.InformationGain("knockoffs", categorical_features=[0]).fit(X.round(), y),
        ),
        (
            "and missing values",
            lambda: fewer.InformationGain("knockoffs").fit(np.where(X > 1, np.nan, X), y),
        ),
        ("more than two rows per column", lambda: fewer.Pearson("fixed_knockoffs").fit(X[:12], X[:12, 0])),
        ("fixed knockoffs and classes", lambda: fewer.Pearson("fixed_knockoffs").fit(X, y)),
        ("fixed knockoffs and classes", lambda: fewer.Pearson("fixed_knockoffs").fit(X, np.array(["a", "b"])[y])),
        ("needs fixed knockoffs, but FTest offers", lambda: fewer.FTest("fixed_knockoffs").fit(X, y)),
        ("needs a ranking of the features, but JMI offers", lambda: fewer.JMI("knockoffs").fit(X, y)),
        ("needs knockoffs, but MixtureOverlap offers", lambda: fewer.MixtureOverlap("knockoffs").fit(X)),
        ("but got a ranking alone", lambda: Knockoffs().cut(Ranking(np.ones(3)))),
    ]
    for words, run in refused:
        with pytest.raises(ValueError, match=words):
            run()


def test_a_ranking_without_knockoffs_refuses_the_rule():
    with pytest.raises(ValueError, match="scores no artificial features"):
        from fewer.core.search import top_ranked

        top_ranked(lambda: Ranking(np.ones(3)), Knockoffs())


def test_what_differs_by_rounding_is_no_win():
    own = np.linspace(0.1, 0.9, 12)
    beside = Beside(lambda n: np.zeros((n, 12)), lambda fixed, seed: (own, own * (1 - 1e-14)))
    cut = Knockoffs(0.1).cut_beside(Ranking(own), beside)
    assert not cut.kept.any()
    assert not cut.columns["above_knockoff"].any()


def test_beside_serves_rules_that_want_nothing():
    beside = Beside(lambda n: np.zeros((n, 3)), lambda fixed, seed: (np.ones(3), np.zeros(3)))
    ranking = Ranking(np.array([3.0, 2.0, 1.0]))
    assert Count(2).cut_beside(ranking, beside).kept.tolist() == [True, True, False]
    assert Knockoffs(0.4).cut_beside(ranking, beside).kept.all()


@PAIR
def test_false_discoveries_stay_below_the_promise(rule):
    """Thirty sets here; 200 and other designs in the study. The bound is that of 30 means of at most 1."""
    fractions, found = [], 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = correlated(rng, 300, 40, 0.3)
        truth = rng.choice(40, 14, replace=False)
        y = X[:, truth] @ rng.choice([-0.6, 0.6], 14) + rng.normal(size=300)
        kept = fewer.Pearson(rule(0.2)).fit(X, y).selection_.indices
        fractions.append(np.mean(~np.isin(kept, truth)) if len(kept) else 0.0)
        found += len(kept) > 0
    assert np.mean(fractions) <= 0.2 + 2.5 * np.std(fractions) / np.sqrt(30)
    assert found > 5
