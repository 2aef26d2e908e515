"""Three-stage selection of few terms (section 16.3), and the sets with copies and noise (section 16.2.2)."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from sklearn.naive_bayes import BernoulliNB

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.evaluate import injection_experiment, macro_f1, selection_curve_area, weighted_f1
from fewer.measures import count_terms, term_scores
from fewer.synth import make_topics, redundancy_noise_sets

DOCUMENTS = [{0, 1, 2, 3, 4, 5, 6, 8}, {0, 1, 2}, {0, 1}, {4, 5, 6}, {5, 7}, {9, 10, 11, 12}]
X16 = np.array([[float(i in t) for t in DOCUMENTS] for i in range(16)])
Y16 = np.repeat([0, 1, 2, 3], 4)
FORMS = [np.asarray, scipy.sparse.csr_array, scipy.sparse.csc_matrix]


@pytest.mark.parametrize("form", FORMS)
def test_sixteen_documents(form):
    found = fewer.AggressiveTerms(top_fraction=None).fit(form(X16), Y16)
    assert found.selection_.indices.tolist() == [0, 5]
    assert {(p, c) for p, c, _ in found.tree_.edges} == {(0, 1), (0, 2), (0, 3), (0, 4)}
    # Two terms are in two documents only.
    found = fewer.AggressiveTerms(top_fraction=None, min_df=3).fit(form(X16), Y16).selection_
    assert found.indices.tolist() == [0, 5]
    assert str(found.reason(2)).endswith("in fewer than 3 rows.")


def random_terms(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 80)
    X = (rng.random((80, 40)) < rng.beta(1, 4, (3, 40))[y]).astype(float)
    X[:, 30:] = X[:, :10] * (rng.random((80, 10)) < 0.6)
    return X, y


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", ["tree", "matrix"])
@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_redundancy_tree_after_the_first_two_stages(form, rule, seed):
    X, y = random_terms(seed)
    scores = term_scores(count_terms(scipy.sparse.csr_array(X), y), "ig")
    order = [j for j in np.argsort(-scores, kind="stable") if X[:, j].sum() >= 4 and X[:, j].sum() < len(X)]
    top = sorted(order[: max(1, int(np.floor(0.4 * len(order) + 0.5)))])
    wanted = fewer.RedundancyTree(rule=rule).fit(X[:, top], y).selection_
    made = fewer.AggressiveTerms(min_df=4, top_fraction=0.4, rule=rule).fit(form(X), y)
    assert made.selection_.indices.tolist() == [top[j] for j in wanted.indices]
    # A part of the ranking by information gain, in its order.
    assert [j for j in order if j in set(made.selection_.indices)] == made.selection_.indices.tolist()
    np.testing.assert_allclose(made.scores_, scores, atol=1e-12)


def test_protected_terms_are_never_redundant():
    X, y = random_terms(1)
    for protected in (0, 3, 10, 40):
        found = fewer.AggressiveTerms(top_fraction=None, protected=protected).fit(X, y).selection_
        best = np.argsort(-found.scores, kind="stable")[:protected]
        held = X.sum(axis=0)
        assert {int(j) for j in best if 2 <= held[j] < len(X)} <= set(found.indices.tolist())


def test_general_terms_of_topics_are_kept_and_covered_ones_redundant():
    made = make_topics(400, random_state=0)
    found = fewer.AggressiveTerms(top_fraction=0.4, tau=0.9).fit(made.X, made.y).selection_
    assert set(made.relevant) <= set(found.indices.tolist())
    assert not set(made.redundant) & set(found.indices.tolist())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [2, 5, 6, 9])
def test_three_sets(form, n):
    rng = np.random.default_rng(0)
    X, order = rng.poisson(1.0, (30, 9)).astype(float), rng.permutation(9)
    best, redundant, noisy = (
        made.toarray() if scipy.sparse.issparse(made) else made
        for made in redundancy_noise_sets(form(X), order, n, noise=0.0)
    )
    half = n // 2
    np.testing.assert_array_equal(best, X[:, order[:n]])
    np.testing.assert_array_equal(redundant[:, :half], X[:, order[:half]])
    assert best.shape == redundant.shape == noisy.shape == (30, n)
    for j in range(half, n):
        np.testing.assert_array_equal(redundant[:, j], X[:, order[(j - half) % half]])
    np.testing.assert_array_equal(noisy, X[:, [*order[:half], *order[9 - (n - half) :]]])
    # Disjoint as long as there are so many features.
    assert len({*order[:half], *order[9 - (n - half) :]}) == n


@pytest.mark.parametrize("form", FORMS[:2])
def test_copies_differ_by_little(form):
    rng = np.random.default_rng(0)
    X = (rng.random((4000, 4)) < 0.3).astype(float)
    _, copies, _ = redundancy_noise_sets(form(X), np.arange(4), 2, noise=0.01, random_state=1)
    copies = copies.toarray() if scipy.sparse.issparse(copies) else copies
    assert set(np.unique(copies)) == {0.0, 1.0}
    assert 0.005 < (copies[:, 1] != X[:, 0]).mean() < 0.015
    numbers = rng.normal(5.0, 2.0, (4000, 4))
    _, copies, _ = redundancy_noise_sets(numbers, np.arange(4), 2, noise=0.01, random_state=1)
    assert (copies[:, 1] - numbers[:, 0]).std() == pytest.approx(0.02, rel=0.05)


def test_experiment_by_hand():
    made = make_topics(120, random_state=1)
    order = np.argsort(-fewer.InformationGain(None, discretizer=None).fit(made.X > 0, made.y).scores_, kind="stable")
    found = injection_experiment(made.X > 0, made.y, order, BernoulliNB(), sizes=(4, 8), cv=3, noise=0.0)
    assert found["scores"]["best"].shape == (2, 3)
    assert found["best"] == pytest.approx(found["scores"]["best"].mean())
    assert found["redundant / best"] == pytest.approx(found["redundant"] / found["best"])
    assert found["noisy"] < found["best"]


def test_sets_refuse_what_is_no_ranking():
    with pytest.raises(InputError, match="the number of every feature once"):
        redundancy_noise_sets(np.eye(3), [0, 1], 2)
    with pytest.raises(ParameterError, match="n must be a whole number from 2 to 3"):
        redundancy_noise_sets(np.eye(3), [0, 1, 2], 4)


def test_f1_by_hand():
    y, said = np.array([0, 0, 0, 1, 2]), np.array([0, 0, 1, 1, 1])
    per_class = [2 * 2 / (2 + 3), 2 * 1 / (3 + 1), 0.0]
    assert macro_f1(y, said) == pytest.approx(np.mean(per_class))
    assert weighted_f1(y, said) == pytest.approx(np.dot(per_class, [3, 1, 1]) / 5)
    labels, told = np.array([[1, 1], [0, 1], [1, 0]]), np.array([[1, 0], [0, 1], [0, 0]])
    assert macro_f1(labels, told) == pytest.approx(2 / 3)


def test_area_under_a_selection_curve():
    assert selection_curve_area(range(10, 1001), np.ones(991)) == 990
    assert selection_curve_area([10, 20, 50], [0.0, 1.0, 0.5]) == 5 + 22.5
    for sizes, scores in [([1], [1]), ([2, 1], [1, 1]), ([1, 2], [1]), ([1, 1], [1, 1])]:
        with pytest.raises(InputError, match="ascending sizes"):
            selection_curve_area(sizes, scores)
    with pytest.raises(InputError, match="no finite number"):
        selection_curve_area([1, 2], [1, np.nan])


def test_nothing_frequent_enough_is_refused_and_rows_count_by_their_weights():
    X, y = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1]]), [0, 0, 1, 1]
    for options, weight in [({"min_df": 3}, None), ({}, np.full(4, 0.5))]:
        with pytest.raises(ParameterError, match="no term is in so many rows, which count by their weights"):
            fewer.AggressiveTerms(top_fraction=None, **options).fit(X, y, sample_weight=weight)
    few = fewer.AggressiveTerms(top_fraction=None, min_df=3).fit(X, y, sample_weight=[2, 1, 1, 1])
    twice = fewer.AggressiveTerms(top_fraction=None, min_df=3).fit(X[[0, 0, 1, 2, 3]], [0, 0, 0, 1, 1])
    assert few.selection_.indices.tolist() == twice.selection_.indices.tolist() == [0]


def test_an_experiment_needs_sizes():
    with pytest.raises(ParameterError, match="got no sizes"):
        injection_experiment(np.eye(4), [0, 1, 0, 1], [0, 1, 2, 3], BernoulliNB(), sizes=[])
