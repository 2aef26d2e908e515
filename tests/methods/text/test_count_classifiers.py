"""PoissonNB, Rocchio and TextValues against plain loops and the facts of chapters 13, 14 and 16."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from scipy.stats import poisson
from sklearn.feature_extraction.text import TfidfTransformer

import fewer
from fewer.core.records.errors import InputError
from oracles import text_search as oracle

FORMS = [np.asarray, scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array]


def problem(seed):
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(2, 30)), int(rng.integers(1, 8)), int(rng.integers(2, 5))
    X = rng.poisson(rng.gamma(0.5, 2, d), (n, d)) * (rng.random((n, d)) < 0.7)
    y = np.concatenate([[0, 1], rng.integers(0, k, n)])[:n]
    return X.astype(float), y


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(12))
def test_poisson_agrees_with_loops(form, seed):
    X, y = problem(seed)
    alpha, beta = (0.1, 25.0) if seed % 2 else (1.5, 0.3)
    made = fewer.PoissonNB(alpha, beta).fit(form(X), y)
    wanted = np.array([oracle.poisson_scores(X.tolist(), y.tolist(), row, alpha, beta) for row in X.tolist()])
    # Factorials are the same in every class.
    got = made.predict_joint_log_proba(form(X))
    np.testing.assert_allclose(got - got[:, :1], wanted - wanted[:, :1], rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(made.predict(form(X)), made.classes_[got.argmax(axis=1)])
    np.testing.assert_allclose(made.predict_proba(form(X)).sum(axis=1), 1.0)


def test_poisson_is_the_bayes_rule_as_rows_grow():
    rng = np.random.default_rng(0)
    means = np.array([[1.0, 3.0, 0.5], [2.0, 1.0, 0.5]])
    y = (rng.random(20_000) < 0.3).astype(int)
    X = rng.poisson(means[y])
    new = rng.poisson(2.0, (200, 3))
    right = np.log([0.7, 0.3]) + poisson.logpmf(new[:, None, :], means).sum(axis=2)
    right = np.exp(right - np.logaddexp.reduce(right, axis=1, keepdims=True))
    np.testing.assert_allclose(fewer.PoissonNB().fit(X, y).predict_proba(new), right, atol=0.05)


def test_without_prior_means_are_those_of_the_rows():
    X, y = problem(3)
    made = fewer.PoissonNB(1e-12, 1e12).fit(X, y)
    np.testing.assert_allclose(made.means_, [X[y == c].mean(axis=0) for c in made.classes_], atol=1e-9)


def test_expected_counts_are_not_dropped():
    """Without the sum of the means a term that is absent would say nothing."""
    X, y = [[5, 1], [5, 1], [0, 1], [0, 1]], [0, 0, 1, 1]
    assert fewer.PoissonNB().fit(X, y).predict([[0, 1]]).tolist() == [1]


def test_the_three_documents_of_the_catalogue():
    made = fewer.Rocchio().fit([[1, 0], [1, 0], [0, 1]], [0, 0, 1])
    np.testing.assert_allclose(made.prototypes_, [[16, -4], [-4, 16]])
    cosines = made._votes(np.array([[2, 1]]) / np.sqrt(5))
    np.testing.assert_allclose(cosines, [[0.7592566, 0.2169305]], atol=5e-8)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(12))
def test_rocchio_agrees_with_loops(form, seed):
    X, y = problem(seed)
    beta, gamma = (16.0, 4.0) if seed % 2 else (1.0, 0.0)
    made = fewer.Rocchio(beta, gamma).fit(form(X), y)
    for row, got, said in zip(X.tolist(), made._votes(made._rows(form(X))), made.predict(form(X))):
        prototypes, cosines = oracle.rocchio_cosines(X.tolist(), y.tolist(), row, beta, gamma)
        np.testing.assert_allclose(made.prototypes_, prototypes, rtol=1e-9, atol=1e-12)
        if cosines is None:
            assert said == oracle.majority(y.tolist())
        else:
            np.testing.assert_allclose(got, cosines, rtol=1e-9, atol=1e-12)


def test_rocchio_options_and_scales():
    X, y = problem(5)
    made = fewer.Rocchio(nonnegative=True).fit(X, y)
    np.testing.assert_array_equal(made.prototypes_, np.maximum(fewer.Rocchio().fit(X, y).prototypes_, 0))
    for scale in (1e-200, 1e200):
        again = fewer.Rocchio().fit(scale * X, y)
        np.testing.assert_allclose(again.prototypes_, fewer.Rocchio().fit(X, y).prototypes_, rtol=1e-12)
        np.testing.assert_array_equal(again.predict(scale * X), fewer.Rocchio().fit(X, y).predict(X))
    two = fewer.Rocchio().fit(X, y > 0)
    votes = two._votes(X)
    np.testing.assert_allclose(two.decision_function(X), votes[:, 1] - votes[:, 0])


def test_an_empty_document_goes_to_the_most_frequent_class():
    made = fewer.Rocchio().fit(scipy.sparse.csr_array([[1, 0], [0, 1], [0, 2]]), ["a", "b", "b"])
    assert made.predict(scipy.sparse.csr_array((1, 2))).tolist() == ["b"]


def test_values_of_the_catalogue():
    X = np.zeros((1800, 2))
    X[:17, 0], X[:, 1] = 3, 2
    made = fewer.TextValues(unit_rows=False).fit_transform(X)
    assert made[0, 0] == pytest.approx(13.81717676, abs=5e-9)
    assert (made[:, 1] == 0).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(6))
def test_values_agree_with_loops(form, seed):
    X, _ = problem(seed)

    def dense(Z):
        return Z.toarray() if scipy.sparse.issparse(Z) else Z

    given = form(X)
    before = dense(given).copy()
    wanted = oracle.tfidf(X.tolist())
    np.testing.assert_allclose(dense(fewer.TextValues(unit_rows=False).fit_transform(given)), wanted, atol=1e-12)
    np.testing.assert_array_equal(
        dense(fewer.TextValues("binary", unit_rows=False).fit_transform(given)), (X > 0).astype(float)
    )
    np.testing.assert_array_equal(dense(fewer.TextValues("tf", unit_rows=False).fit_transform(given)), X)
    lengths = np.sqrt((dense(fewer.TextValues().fit_transform(given)) ** 2).sum(axis=1))
    np.testing.assert_allclose(lengths, ((wanted != 0).any(axis=1)).astype(float))
    # scikit-learn adds 1 to every weight.
    theirs = TfidfTransformer(norm=None).fit(X)
    np.testing.assert_allclose(fewer.TextValues().fit(given).idf_, theirs.idf_ - 1, atol=1e-12)
    np.testing.assert_array_equal(dense(given), before)


@pytest.mark.parametrize("name", ["PoissonNB", "TextValues"])
def test_negative_counts_are_refused(name):
    made = getattr(fewer, name)()
    with pytest.raises(InputError, match="Negative values.*counts"):
        made.fit([[1.0, -1.0], [0.0, 1.0]], [0, 1])
    made.fit([[1.0, 1.0], [0.0, 1.0]], [0, 1])
    with pytest.raises(InputError, match="Negative values"):
        (made.predict if name == "PoissonNB" else made.transform)(scipy.sparse.csr_array([[0.0, -2.0]]))
