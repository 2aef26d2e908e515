"""TermLikelihood against urns, all divisions of few documents, and planted topics."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
import scipy.sparse

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.term_clusters import climb_terms, first_labels
from fewer.core.clustering.term_groups import term_groups
from fewer.core.kernels.term_moves import _rise
from fewer.core.measures.text_likelihood import integrated_likelihood, term_evidence
from fewer.core.records.errors import InputError
from oracles import mixtures as oracle


def topics(n, seed, n_terms=20, n_topics=3):
    """Documents of topics, each with three terms of its own."""
    rng = np.random.default_rng(seed)
    rates = np.full((n_topics, n_terms), 2.0)
    for k in range(n_topics):
        rates[k, 3 * k : 3 * k + 3] += 5
    topic = rng.integers(0, n_topics, n)
    return rng.poisson(rates[topic]), topic


def summed(X, labels):
    k = max(labels) + 1
    counts = np.array([X[np.asarray(labels) == j].sum(axis=0) for j in range(k)])
    return counts, np.bincount(labels, minlength=k)


def test_the_likelihood_is_that_of_drawing_token_by_token(rng):
    for _ in range(20):
        X = rng.poisson(1.5, (6, 4))
        labels = rng.integers(0, 3, 6)
        labels[:3] = [0, 1, 2]
        useful, prior = rng.random(4) < 0.5, float(rng.choice([0.5, 1.0, 2.0]))
        counts, sizes = summed(X, labels)
        found = integrated_likelihood(counts, sizes, useful, prior=prior, noise_prior=prior, size_prior=prior)
        assert found == pytest.approx(oracle.document_likelihood(X.tolist(), labels, useful, prior), rel=1e-10)
        order = rng.permutation(3)
        again = integrated_likelihood(
            counts[order], sizes[order], useful, prior=prior, noise_prior=prior, size_prior=prior
        )
        assert again == pytest.approx(found, rel=1e-12)


def test_evidence_is_what_moving_a_term_changes(rng):
    counts, sizes = rng.poisson(4, (3, 6)), np.array([2, 3, 4])
    for useful in (rng.random(6) < 0.5, np.zeros(6, bool), np.ones(6, bool)):
        found = term_evidence(counts, useful)
        for t in range(6):
            inside, outside = useful.copy(), useful.copy()
            inside[t], outside[t] = True, False
            gain = integrated_likelihood(counts, sizes, inside) - integrated_likelihood(counts, sizes, outside)
            assert found[t] == pytest.approx(gain, rel=1e-9, abs=1e-9)


def test_few_whole_tokens_take_the_log_gamma_of_others():
    for before in (1e-300, 0.5, 1.0, 7.25, 1e12, 1e200):
        for more in (0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 4.0, 30.0):
            wanted = math.lgamma(before + more) - math.lgamma(before)
            assert _rise(before, more) == pytest.approx(wanted, rel=1e-9, abs=1e-9 * abs(math.lgamma(before)))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"counts": [[1, -2]]}, "from 0"),
        ({"counts": [[1, np.nan]]}, "from 0"),
        ({"counts": [1, 2]}, "clusters by terms"),
        ({"useful": [True]}, "one entry per term"),
        ({"useful": ["a", "b"]}, "True and False"),
        ({"sizes": [1, 2]}, "one number from 0 per cluster"),
        ({"sizes": [-3]}, "one number from 0 per cluster"),
        ({"prior": 0.0}, "prior=0.0"),
        ({"split_prior": (0.0, 1.0)}, "split_prior=0.0"),
    ],
)
def test_what_is_no_count_and_no_prior_is_refused(changed, words):
    given = {"counts": [[1, 2]], "sizes": [1], "useful": [True, False], **changed}
    with pytest.raises(InputError, match=words):
        integrated_likelihood(**given)
    if not set(changed) & {"sizes", "split_prior"}:
        with pytest.raises(InputError, match=words):
            term_evidence(**{name: value for name, value in given.items() if name != "sizes"})


def test_of_one_cluster_only_the_priors_tell_useful_terms_from_noise(rng):
    """With the beta prior that the Dirichlet prior of all terms implies, all divisions are equally likely."""
    counts = rng.poisson(5, (1, 5))
    values = []
    for mask in range(1, 31):
        useful = np.array([bool(mask & 2**t) for t in range(5)])
        split = (float(useful.sum()), float((~useful).sum()))
        values.append(integrated_likelihood(counts, [7], useful, split_prior=split))
    np.testing.assert_allclose(values, values[0], rtol=1e-12)


def test_sweeps_never_lower_it_and_end_where_no_single_move_helps():
    for seed in range(8 * EXAMPLES):
        rng = np.random.default_rng(seed)
        X = rng.poisson(rng.gamma(0.7, 2.0, (3, 7))[rng.integers(0, 3, 15)])
        found = climb_terms(scipy.sparse.csr_array(X.astype(float)), rng.integers(0, 4, 15), np.ones(7, bool))
        assert (np.diff([*found.history, found.value]) >= -1e-8).all()
        value = oracle.document_likelihood(X.tolist(), found.labels, found.useful)
        assert found.value == pytest.approx(value, rel=1e-9)
        k = len(found)
        for t in range(7):
            flipped = found.useful.copy()
            flipped[t] = not flipped[t] and X[:, t].sum() > 0
            assert oracle.document_likelihood(X.tolist(), found.labels, flipped) <= value + 1e-6
        for i in range(15):
            for c in range(k):
                moved = found.labels.copy()
                moved[i] = c
                if len(set(moved.tolist())) == k:
                    assert oracle.document_likelihood(X.tolist(), moved, found.useful) <= value + 1e-6


def test_groups_of_terms_lose_less_and_less_and_are_found_if_planted():
    for seed in range(10 * EXAMPLES):
        rng = np.random.default_rng(seed)
        counts = rng.poisson(rng.gamma(0.5, 3.0, (4, 12))).astype(float)
        groups, losses = term_groups(counts, int(rng.integers(1, 6)))
        assert (np.diff(losses) <= 1e-12).all()
        mass, total = counts.sum(axis=0) / counts.sum(), 0.0
        for g in range(groups.max() + 1):
            centre = counts[:, groups == g].sum(axis=1) / counts[:, groups == g].sum()
            for t in np.flatnonzero(groups == g):
                p = counts[:, t] / counts[:, t].sum()
                total += mass[t] * sum(a * np.log(a / b) for a, b in zip(p, centre) if a > 0)
        assert losses[-1] == pytest.approx(total, abs=1e-9)
        assert ((groups == -1) == (counts.sum(axis=0) == 0)).all()
    planted = np.array([[9, 9, 9, 0, 0, 5, 5, 0], [0, 0, 0, 9, 9, 5, 5, 0]])
    groups, _ = term_groups(planted, 3)
    assert groups[0] == groups[1] == groups[2] != groups[3] == groups[4] != groups[5] == groups[6]


def test_it_finds_the_best_of_all_divisions_of_few_documents():
    X = np.array([[6, 0, 2], [5, 1, 2], [7, 0, 1], [0, 6, 2], [1, 7, 2], [0, 5, 1]])
    value, labels, useful = oracle.best_documents(X.tolist(), 3)
    found = fewer.TermLikelihood(None, max_clusters=3, random_state=0).fit(X)
    assert found.log_likelihood_ == pytest.approx(value, rel=1e-10)
    assert len(set(labels)) == found.n_clusters_ == 2
    assert np.flatnonzero(useful).tolist() == sorted(found.selection_.indices.tolist())


def test_planted_topics_are_found_and_noise_is_not_divided():
    for seed in range(3):
        X, topic = topics(150, seed)
        found = fewer.TermLikelihood(None, max_clusters=6, random_state=0).fit(X)
        assert found.n_clusters_ == 3
        assert set(range(9)) <= set(found.selection_.indices.tolist())
        assert len(found.selection_) <= 11
        assert all(len(set(found.labels_[topic == k].tolist())) <= 2 for k in range(3))
        noise = np.random.default_rng(seed).poisson(2.0, (80, 8))
        nothing = fewer.TermLikelihood(random_state=0).fit(noise)
        assert nothing.n_clusters_ == 1
        assert len(nothing.selection_) == 0
        assert "one cluster" in str(nothing.selection_.reason(0))


def test_sparse_counts_give_the_same_and_are_never_made_dense():
    X, _ = topics(60, 0)
    dense = fewer.TermLikelihood(max_clusters=4, random_state=0).fit(X)
    sparse = fewer.TermLikelihood(max_clusters=4, random_state=0).fit(scipy.sparse.csc_matrix(X))
    np.testing.assert_array_equal(sparse.scores_, dense.scores_)
    np.testing.assert_array_equal(sparse.labels_, dense.labels_)
    rng = np.random.default_rng(0)
    wide = scipy.sparse.random_array(
        (3000, 20_000), density=0.0005, random_state=rng, data_sampler=lambda size: np.ones(size)
    )
    made = fewer.TermLikelihood(max_clusters=2, n_starts=1, max_iter=2, random_state=0)
    tracemalloc.start()
    made.fit(wide.tocsr())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3000 * 20_000 * 8 / 10


def test_scores_tables_and_reasons_tell_the_evidence():
    X, _ = topics(100, 1)
    found = fewer.TermLikelihood(4, max_clusters=5, random_state=0).fit(X)
    kept = found.selection_.indices
    assert len(kept) == 4
    assert (np.diff(found.scores_[kept]) <= 0).all()
    for j in range(X.shape[1]):
        kind = found.selection_.reason(j).kind
        assert kind == ("kept" if j in kept else "irrelevant" if found.scores_[j] <= 0 else "not reached")
    curve = found.selection_.tables["likelihoods"].columns
    assert curve["clusters"][int(np.argmax(curve["log-likelihood"]))] == found.n_clusters_
    assert sum(found.selection_.tables["clusters"].columns["documents"]) == 100


def test_degenerate_counts_are_answered(rng):
    with pytest.raises(ValueError, match="1 sample"):
        fewer.TermLikelihood().fit(np.ones((1, 2)))
    X, _ = topics(40, 0)
    empty = np.column_stack([X, np.zeros(40)])
    found = fewer.TermLikelihood(None, max_clusters=4, random_state=0).fit(empty)
    assert found.selection_.reason(20).kind == "irrelevant"
    for rows in (np.zeros((4, 3)), np.ones((2, 3)), np.ones((5, 2)), np.repeat(X[:2], 6, axis=0), X[:3], X * 1e-150):
        assert np.isfinite(fewer.TermLikelihood(random_state=0).fit(rows).scores_).all()
    with pytest.raises(InputError, match="Negative values"):
        fewer.TermLikelihood().fit(-X)
    with pytest.raises(InputError, match="tokens"):
        fewer.TermLikelihood().fit(X * 1e12)
    assert len(set(first_labels(scipy.sparse.csr_array((3, 2)), 2, rng).tolist())) == 1
