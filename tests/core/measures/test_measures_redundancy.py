"""Redundancy of terms: the facts of book ch. 16 and plain loops over sets of rows."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from fewer.core.measures import information_gain
from fewer.core.measures.covers import find_covers
from fewer.core.measures.redundancy import (
    correlated_sets,
    inclusion,
    pair_information,
    phi_redundancy,
    redundancy_matrix,
    redundant_by_matrix,
    redundant_by_tree,
    row_maxima,
    term_class_information,
    tree_parents,
)
from oracles import terms as oracle

TERMS = ("rec", "hockei", "motorcycl", "bike", "nhl", "playoff")
REC, HOCKEI, MOTORCYCL, BIKE, NHL, PLAYOFF = range(6)
# Table 16.2(a), above the diagonal.
PHI = {
    (REC, HOCKEI): 0.4448, (REC, MOTORCYCL): 0.4415, (REC, BIKE): 0.2866, (REC, NHL): 0.2078, (REC, PLAYOFF): 0.2059,
    (HOCKEI, NHL): 0.4555, (HOCKEI, PLAYOFF): 0.4300, (MOTORCYCL, BIKE): 0.5886, (NHL, PLAYOFF): 0.1754,
}  # fmt: skip
# Table 16.2(b), rows as printed.
COVER = np.array([
    [1, 0.2221, 0.2255, 0.1162, 0.0669, 0.0680],
    [0.9951, 1, 0, 0, 0.2998, 0.2883],
    [0.9903, 0, 1, 0.4911, 0, 0],
    [0.9906, 0, 0.9530, 1, 0, 0],
    [0.9945, 0.9945, 0, 0, 1, 0.2623],
    [1, 0.9459, 0, 0, 0.2595, 1],
])  # fmt: skip
# Table 16.2(c).
PRODUCT = np.array([
    [0, 0.0988, 0.0995, 0.0333, 0.0139, 0.0140],
    [0.4426, 0, 0, 0, 0.1366, 0.1240],
    [0.4372, 0, 0, 0.2891, 0, 0],
    [0.2839, 0, 0.5609, 0, 0, 0],
    [0.2067, 0.4530, 0, 0, 0, 0.0460],
    [0.2059, 0.4067, 0, 0, 0.0455, 0],
])  # fmt: skip
# Document counts that reproduce table 16.2(b) to all printed digits.
SINGLE = [2719, 607, 619, 319, 183, 185]
TOGETHER = {
    (REC, HOCKEI): 604, (REC, MOTORCYCL): 613, (REC, BIKE): 316, (REC, NHL): 182, (REC, PLAYOFF): 185,
    (HOCKEI, NHL): 182, (HOCKEI, PLAYOFF): 175, (MOTORCYCL, BIKE): 304, (NHL, PLAYOFF): 48,
}  # fmt: skip
EDGES = {(REC, HOCKEI), (REC, MOTORCYCL), (MOTORCYCL, BIKE), (HOCKEI, NHL), (HOCKEI, PLAYOFF)}


def symmetric(upper, diagonal):
    out = np.diag(np.asarray(diagonal, dtype=float))
    for (i, j), value in upper.items():
        out[i, j] = out[j, i] = value
    return out


def edges_of(parents):
    return {(int(p), i) for i, p in enumerate(parents) if p >= 0}


def kinds(matrix):
    return [np.asarray(matrix), scipy.sparse.csr_array(matrix), scipy.sparse.csc_matrix(matrix)]


def dense(matrix):
    return matrix.toarray() if scipy.sparse.issparse(matrix) else np.asarray(matrix)


class TestTable162:
    def test_inclusion_matrix(self):
        for counts in kinds(symmetric(TOGETHER, SINGLE)):
            np.testing.assert_array_equal(np.round(dense(inclusion(counts)), 4), COVER)

    def test_the_more_frequent_term_is_the_more_inclusive(self):
        """Inc(i, j) < Inc(j, i), that is cover[j, i] < cover[i, j], iff n(j) > n(i), for terms that overlap."""
        cover = inclusion(symmetric(TOGETHER, SINGLE))
        for i, j in TOGETHER:
            assert (cover[j, i] < cover[i, j]) == (SINGLE[j] > SINGLE[i])

    def test_product_and_kept_maxima(self):
        for phi, cover in zip(kinds(symmetric(PHI, np.ones(6))), kinds(COVER)):
            product = redundancy_matrix(phi, cover)
            np.testing.assert_allclose(dense(product), PRODUCT, atol=6e-5)
            best, value = row_maxima(product)
            assert best.tolist() == [MOTORCYCL, REC, REC, MOTORCYCL, HOCKEI, HOCKEI]
            np.testing.assert_allclose(value, [0.0995, 0.4426, 0.4372, 0.5609, 0.4530, 0.4067], atol=6e-5)

    def test_redundant_terms(self):
        best, value = row_maxima(PRODUCT)
        assert np.flatnonzero(redundant_by_matrix(best)).tolist() == [BIKE, NHL, PLAYOFF]
        parents = tree_parents(best, value)
        assert edges_of(parents) == EDGES
        assert np.flatnonzero(redundant_by_tree(parents)).tolist() == [BIKE, NHL, PLAYOFF]

    def test_the_other_orientation_would_mark_other_terms(self):
        """With eq. 16.15 taken literally for R the example would mark rec and playoff."""
        literal = redundancy_matrix(symmetric(PHI, np.ones(6)), COVER.T)
        assert np.flatnonzero(redundant_by_matrix(row_maxima(literal)[0])).tolist() == [REC, PLAYOFF]

    def test_all_terms_are_one_set(self):
        for cover in kinds(COVER):
            assert set(correlated_sets(cover, 0.5)) == {0}
        # Above 0.9951 only playoff, all of whose documents have rec, is near to another term.
        assert correlated_sets(COVER, 0.999).tolist() == [0, 1, 2, 3, 4, 0]


# The example of 16 documents in 4 classes: g, h, h2, m, m2, u.
DOCUMENTS = [{0, 1, 2, 3, 4, 5, 6, 8}, {0, 1, 2}, {0, 1}, {4, 5, 6}, {5, 7}, {9, 10, 11, 12}]
G, H, H2, M, M2, U = range(6)
LABELS = np.repeat(range(4), 4)


def pair_counts(terms, y, sparse=False):
    present = np.array([[i in t for t in terms] for i in range(len(y))], dtype=np.int64)
    parts = [present[y == c].T @ present[y == c] for c in np.unique(y)]
    return [scipy.sparse.csr_array(part) for part in parts] if sparse else np.array(parts)


def all_matrices(terms, y, sparse=False, tau=None):
    sizes = np.bincount(y)
    pairs = pair_counts(terms, y, sparse)
    phi = phi_redundancy(pair_information(pairs, sizes))
    cover = inclusion(sum(pairs[1:], pairs[0]))
    sets = None if tau is None else correlated_sets(cover, tau)
    return phi, cover, redundancy_matrix(phi, cover, sets)


def gains(terms, y):
    tables = np.array([[np.bincount(y[[i not in t for i in range(len(y))]], minlength=y.max() + 1),
                        np.bincount(y[sorted(t)], minlength=y.max() + 1)] for t in terms])  # fmt: skip
    return information_gain(tables)


@pytest.mark.parametrize("sparse", [False, True])
class TestSixteenDocuments:
    def test_information_and_phi(self, sparse):
        sizes, pairs = np.bincount(LABELS), pair_counts(DOCUMENTS, LABELS, sparse)
        phi = dense(pair_information(pairs, sizes))
        alone = [0.2059898, 0.25993019, 0.1732868, 0.25993019, 0.1732868, 0.2059898]
        np.testing.assert_allclose(phi.diagonal(), alone, atol=5e-8)
        expected = symmetric(
            {
                (G, H): 1.1233252,
                (G, M): 1.1233252,
                (G, H2): 0.91719119,
                (G, M2): 0.45859559,
                (H, H2): 0.81649658,
                (M, M2): 0.40824829,
            },
            np.ones(6),
        )
        np.testing.assert_allclose(dense(all_matrices(DOCUMENTS, LABELS, sparse)[0]), expected, atol=5e-8)

    def test_tree(self, sparse):
        scores = gains(DOCUMENTS, LABELS)
        best, value = row_maxima(all_matrices(DOCUMENTS, LABELS, sparse, tau=0.5)[2], scores)
        parents = tree_parents(best, value, scores)
        assert edges_of(parents) == {(G, H), (G, H2), (G, M), (G, M2)}
        assert np.flatnonzero(redundant_by_tree(parents)).tolist() == [H, H2, M, M2]

    def test_the_literal_matrix_rule_keeps_h_and_would_mark_u(self, sparse):
        best, _ = row_maxima(all_matrices(DOCUMENTS, LABELS, sparse)[2], gains(DOCUMENTS, LABELS))
        nobodys_cover = [t for t in range(6) if t not in best]
        assert nobodys_cover == [H2, M, M2, U]
        assert np.flatnonzero(redundant_by_matrix(best)).tolist() == [H2, M, M2]

    def test_the_whole_way(self, sparse):
        scores = gains(DOCUMENTS, LABELS)
        covers = find_covers(pair_counts(DOCUMENTS, LABELS, sparse), np.bincount(LABELS), scores)
        assert np.flatnonzero(covers.redundant()).tolist() == [H, H2, M, M2]
        assert np.flatnonzero(covers.redundant("matrix")).tolist() == [H2, M, M2]


def test_phi_may_exceed_one():
    """The counterexample to the upper bound of eq. 16.10."""
    y = np.array([0, 0, 0, 1, 1, 1])
    terms = [{0, 1, 3}, {0, 1, 4}]
    information = pair_information(pair_counts(terms, y), np.bincount(y))
    np.testing.assert_allclose(information.diagonal(), 0.0283165061, atol=5e-11)
    assert information[0, 1] == pytest.approx(0.2310490602, abs=5e-11)
    assert phi_redundancy(information)[0, 1] == pytest.approx(8.1595186604, abs=5e-10)
    assert phi_redundancy(information, clip=True).tolist() == [[1, 1], [1, 1]]


def test_presence_and_absence_add_up_to_information_gain(rng):
    tables = rng.integers(0, 20, (30, 2, 4))
    sizes = np.array([7, 9, 4, 12])
    tables[:, 0] = rng.integers(0, sizes + 1, (30, 4))
    tables[:, 1] = sizes - tables[:, 0]
    both = term_class_information(tables[:, 0], sizes) + term_class_information(tables[:, 1], sizes)
    np.testing.assert_allclose(both, information_gain(tables), atol=1e-12)


@st.composite
def documents(draw):
    n, m = draw(st.integers(2, 12)), draw(st.integers(1, 6))
    y = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    _, y = np.unique(y, return_inverse=True)
    return [set(draw(st.lists(st.integers(0, n - 1)))) for _ in range(m)], y


@given(documents(), st.booleans(), st.sampled_from([0.3, 0.5, 0.9]))
def test_everything_agrees_with_loops_over_sets(case, sparse, tau):
    terms, y = case
    phi, cover, redundancy = all_matrices(terms, y, sparse, tau)
    slow_phi, slow_cover, slow_redundancy = oracle.matrices(terms, y.tolist())
    sets = oracle.components(slow_cover, tau)
    for i in range(len(terms)):
        slow_phi[i][i] = float(slow_phi[i][i] > 0)
        for j in range(len(terms)):
            if sets[i] != sets[j]:
                slow_redundancy[i][j] = 0.0
    np.testing.assert_allclose(dense(phi), slow_phi, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(dense(cover), slow_cover, rtol=1e-12)
    np.testing.assert_allclose(dense(redundancy), slow_redundancy, rtol=1e-9, atol=1e-9)
    assert (dense(phi) >= 0).all()
    scores = np.round(gains(terms, y), 12)
    best, value = row_maxima(redundancy, scores)
    assert best.tolist() == oracle.best_covers(dense(redundancy).tolist(), scores.tolist())
    parents = tree_parents(best, value, scores)
    assert edges_of(parents) == oracle.tree_edges(dense(redundancy).tolist(), best.tolist(), scores.tolist())
    # A redundant term always has a cover that stays.
    assert not redundant_by_tree(parents)[best[redundant_by_tree(parents)]].any()
    assert not redundant_by_matrix(best)[best[redundant_by_matrix(best)]].any()


def test_identical_terms_have_phi_one_and_disjoint_terms_zero(rng):
    y = rng.integers(0, 3, 50)
    t = set(np.flatnonzero(rng.random(50) < 0.3).tolist())
    phi = all_matrices([t, set(t), set(range(50)) - t], y)[0]
    assert phi[0, 1] == 1.0
    assert phi[0, 2] == 0.0


@pytest.mark.parametrize("n_copies", [2, 3, 5])
def test_of_duplicates_the_tree_keeps_the_first(rng, n_copies):
    y = np.repeat([0, 1], 10)
    t = set(np.flatnonzero(rng.random(20) < 0.4).tolist())
    for sparse in (False, True):
        covers = find_covers(pair_counts([t] * n_copies, y, sparse), np.bincount(y))
        assert np.flatnonzero(~covers.redundant()).tolist() == [0]
        # Two terms that are each other's best cover survive the rule of the matrix.
        assert np.flatnonzero(~covers.redundant("matrix")).tolist() == [0, 1]
    higher = find_covers(pair_counts([t] * n_copies, y), np.bincount(y), scores=np.arange(n_copies))
    assert np.flatnonzero(~higher.redundant()).tolist() == [n_copies - 1]


def test_a_mutual_pair_hangs_below_the_more_frequent_term():
    y = np.repeat([0, 1], 4)
    for terms, parent in (([{0, 1, 2}, {0, 1}], 0), ([{0, 1}, {0, 1, 2}], 1)):
        assert find_covers(pair_counts(terms, y), np.bincount(y)).parents[parent] == -1


def test_best_covers_form_no_longer_cycles(rng):
    """R(i, j) n(i) is symmetric, so the best covers of a set meet in one pair (2,000 random matrices)."""
    for _ in range(2000):
        m = int(rng.integers(2, 9))
        w = np.triu(rng.random((m, m)) * (rng.random((m, m)) < 0.6), 1)
        redundancy = (w + w.T) / rng.random(m)[:, None]
        best, value = row_maxima(redundancy)
        # Two steps from a term that is its own cover's cover lead back to it, from all others to such a pair.
        at = np.arange(m)
        for _ in range(m):
            at = np.where(best[at] >= 0, best[at], at)
        assert all(best[i] < 0 or best[best[i]] == i for i in at)
        # Each of these sets becomes one tree.
        tied = np.flatnonzero(best >= 0)
        graph = scipy.sparse.coo_array((np.ones(len(tied)), (tied, best[tied])), shape=(m, m))
        n_sets = connected_components(graph, directed=False)[0]
        assert (tree_parents(best, value) < 0).sum() == n_sets


def test_a_matrix_with_a_longer_cycle_still_gives_a_tree():
    best, value = np.array([1, 2, 0, 1]), np.array([0.5, 0.5, 0.5, 0.4])
    assert tree_parents(best, value, [1.0, 3.0, 2.0, 0.0]).tolist() == [1, -1, 0, 1]


def test_terms_that_no_document_has():
    y = np.repeat([0, 1], 3)
    for sparse in (False, True):
        phi, cover, redundancy = all_matrices([set(), {0, 1}, set(range(6))], y, sparse)
        for matrix in (phi, cover, redundancy):
            assert np.isfinite(dense(matrix)).all()
            assert (dense(matrix)[0] == 0).all()
        # What every document has tells nothing and covers nothing.
        assert dense(redundancy)[1, 2] == 0.0
