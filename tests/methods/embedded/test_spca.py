"""SPCA against slow turns, the closed form without a 1-norm penalty, and the published loadings of pitprops."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from fewer.core.records.errors import FewerError
from fewer.measures import adjusted_variance, eigengenes, truncate_loadings
from fewer.methods.embedded._sparse_components import Components
from oracles import sparse_svm as oracle


def correlated(n=40, d=7, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)


@pytest.mark.parametrize("l2", [1e-3, 1.0, 100.0])
def test_without_l1_the_first_loading_is_shrunk(l2):
    """beta = D11^2 / (D11^2 + l2) v1, for any l2."""
    X = correlated()
    X = X - X.mean(axis=0)
    _, d, vt = np.linalg.svd(X, full_matrices=False)
    beta = Components(X, l2, np.zeros(1), None).solve(1, 1e-12, 500).beta[:, 0]
    np.testing.assert_allclose(np.abs(beta), d[0] ** 2 / (d[0] ** 2 + l2) * np.abs(vt[0]), atol=1e-10)
    plain = eigengenes(X, 2)
    made = fewer.SPCA(None, l1=0.0, l2=l2).fit(X)
    np.testing.assert_allclose(made.components_.T, plain.loadings, atol=1e-6)
    np.testing.assert_allclose(made.explained_variance_ratio_, plain.explained, atol=1e-9)
    np.testing.assert_allclose(made.project(X), plain.scores, atol=1e-4)


@pytest.mark.parametrize("n_components", [1, 2])
def test_turns_agree_with_elastic_nets_of_rows(n_components):
    X = correlated(15, 5, seed=n_components)
    for l1, l2 in ((3.0, 2.0), (15.0, 5.0)):
        found = fewer.SPCA(None, n_components=n_components, l1=l1, l2=l2, tol=1e-6, max_iter=2000).fit(X)
        wanted = oracle.sparse_components(X, n_components, l1, l2, 1e-6, 2000)
        np.testing.assert_allclose(np.abs(found.components_.T), np.abs(wanted), atol=1e-5)


def test_pitprops_as_published(shared_data):
    """Zou, Hastie and Tibshirani (2006), table 3: loadings, their numbers, and adjusted variance in percent."""
    gram = shared_data("pitprops")["X"]
    penalties = [0.06, 0.16, 0.1, 0.5, 0.5, 0.5]
    found = fewer.SPCA(None, n_components=6, l1=penalties, input="gram").fit(gram)
    assert (found.components_ != 0).sum(axis=1).tolist() == [7, 4, 4, 1, 1, 1]
    np.testing.assert_allclose(100 * found.explained_variance_ratio_, [28.0, 14.0, 13.3, 7.4, 6.8, 6.2], atol=0.06)
    first = [0.477, 0.476, 0, 0, -0.177, 0, 0.250, 0.344, 0.416, 0.400, 0, 0, 0]
    second = [0, 0, 0.785, 0.620, 0, 0, 0, -0.021, 0, 0, 0, 0.013, 0]
    third = [0, 0, 0, 0, 0.640, 0.589, 0.492, 0, 0, 0, 0, 0, -0.015]
    np.testing.assert_allclose(found.components_[:3], [first, second, third], atol=0.0016)
    assert found.components_[3:].argmax(axis=1).tolist() == [10, 11, 12]
    sizes = fewer.SPCA(None, n_components=6, n_nonzero=[7, 4, 4, 1, 1, 1], input="gram").fit(gram)
    assert (sizes.components_ != 0).sum(axis=1).tolist() == [7, 4, 4, 1, 1, 1]
    # Six ordinary components explain 87 percent, these 75.8.
    assert sizes.explained_variance_ratio_.sum() < np.linalg.eigvalsh(gram)[-6:].sum() / 13


def test_products_give_what_rows_give():
    X = correlated(seed=5)
    centred = X - X.mean(axis=0)
    for l2 in (0.5, np.inf):
        rows = fewer.SPCA(3, n_nonzero=3, l2=l2).fit(X)
        gram = fewer.SPCA(3, n_nonzero=3, l2=l2, input="gram").fit(centred.T @ centred)
        np.testing.assert_allclose(rows.components_, gram.components_, atol=1e-6)
        np.testing.assert_allclose(rows.explained_variance_ratio_, gram.explained_variance_ratio_, atol=1e-8)
    scaled = fewer.SPCA(3, n_nonzero=3, standardize=True).fit(X)
    correlations = fewer.SPCA(3, n_nonzero=3, input="gram").fit(np.corrcoef(X.T))
    # The penalty is a part of the largest eigenvalue, so that the number of rows does not matter.
    np.testing.assert_allclose(scaled.components_, correlations.components_, atol=1e-7)


@pytest.mark.parametrize("unit", [1e-100, 1e-8, 1e8, 1e100])
def test_units_do_not_matter(unit):
    X = correlated(seed=8)
    for params in ({}, {"l2": np.inf}, {"n_nonzero": 2}):
        one, other = fewer.SPCA(3, **params).fit(X), fewer.SPCA(3, **params).fit(X * unit)
        np.testing.assert_array_equal(one.selection_.indices, other.selection_.indices)
        np.testing.assert_allclose(one.components_, other.components_, atol=1e-9)
    # Given penalties have the units of squares.
    one, other = (fewer.SPCA(None, l1=5.0 * u**2, l2=0.1 * u**2).fit(X * u) for u in (1.0, unit))
    np.testing.assert_allclose(one.components_, other.components_, atol=1e-9)


def test_infinite_l2_thresholds():
    """One turn: beta = S(X'X alpha, l1 / 2); a finite but large l2 comes near."""
    X = correlated(20, 60, seed=6)
    for params in ({"l1": 2000.0}, {"n_nonzero": 9}):
        limit = fewer.SPCA(None, n_components=1, l2=np.inf, **params).fit(X)
        near = fewer.SPCA(None, n_components=1, l2=1e9, **params).fit(X)
        np.testing.assert_allclose(limit.components_, near.components_, atol=1e-3)
    assert (limit.components_ != 0).sum() == 9
    plain = eigengenes(X, 1)
    assert limit.explained_variance_ratio_[0] <= plain.explained[0]


def test_too_large_a_penalty_leaves_nothing():
    X = correlated()
    found = fewer.SPCA(3, l1=1e9).fit(X)
    assert not found.components_.any()
    assert len(found.selection_) == 0
    assert found.explained_variance_ratio_.tolist() == [0.0, 0.0]


def test_the_variance_is_adjusted_for_components_before():
    X = correlated(seed=7)
    X = X - X.mean(axis=0)
    v = eigengenes(X, 1).loadings
    np.testing.assert_allclose(adjusted_variance(X, np.hstack([v, v]))[1], 0.0, atol=1e-12)
    one = adjusted_variance(X, np.eye(7)[:, :1])[0]
    assert one == pytest.approx((X[:, 0] ** 2).sum() / (X**2).sum())


def test_eigengenes_and_truncated_loadings():
    X = correlated(12, 30, seed=8)
    found = eigengenes(X, 5)
    np.testing.assert_allclose(found.loadings.T @ found.loadings, np.eye(5), atol=1e-12)
    np.testing.assert_allclose((X - X.mean(axis=0)) @ found.loadings, found.scores, atol=1e-10)
    values = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    np.testing.assert_allclose(found.explained, values[:5] / values.sum(), atol=1e-12)
    assert (found.loadings.max(axis=0) >= -found.loadings.min(axis=0)).all()
    cut = truncate_loadings(found.loadings, 0.2)
    assert ((cut == 0) == (np.abs(found.loadings) < 0.2)).all()
    assert (np.abs(cut) > 0.2).any()
    with pytest.raises(FewerError, match="n_components=99"):
        eigengenes(X, 99)


@pytest.mark.parametrize(
    ("params", "X", "words"),
    [
        ({"l2": -1.0}, np.eye(4), "l2"),
        ({"l2": 0}, np.eye(4), "above 0"),
        ({"input": "gram"}, np.ones((3, 4)), "not symmetric"),
        ({"input": "gram"}, np.array([[0.0, 1.0], [1.0, 0.0]]), "negative eigenvalue"),
        ({"l1": [1.0, 2.0, 3.0]}, np.eye(4), "3 values of l1"),
        ({"l1": [-1.0, 2.0]}, np.eye(4), "numbers of at least 0"),
        ({"l1": [np.nan, 2.0]}, np.eye(4), "numbers of at least 0"),
        ({"n_nonzero": [0, 2]}, np.eye(4), "whole numbers of at least 1"),
        ({"n_nonzero": [1.5, 2]}, np.eye(4), "whole numbers of at least 1"),
        ({}, np.random.default_rng(0).normal(size=(4, 5001)), "at most 5000 columns"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(params, X, words):
    with pytest.raises(ValueError, match=words) as caught:
        fewer.SPCA(**params).fit(X)
    assert ". " not in str(caught.value)
