"""Documents by class and term, by fold and by dichotomy, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from fewer.core.measures.term_scores import TERM_SCORES, class_scores
from fewer.core.summaries.counted_terms import count_terms
from fewer.core.summaries.fold_counts import FoldCounts
from oracles import term_truths as truth


def corpus(seed, n=40, d=7, n_classes=3):
    rng = np.random.default_rng(seed)
    X = scipy.sparse.csr_matrix(rng.poisson(0.5, (n, d)))
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    return X, y, rng


def same(first, second):
    for name in ("documents", "sizes", "holding", "n_documents", "occurrences", "all_occurrences"):
        one, other = getattr(first, name), getattr(second, name)
        assert (one is None) == (other is None), name
        if one is not None:
            np.testing.assert_array_equal(one, other, err_msg=name)


@given(st.integers(0, 10_000))
@settings(max_examples=10)
def test_counts_of_classes_and_labels_are_those_of_loops(seed):
    X, y, rng = corpus(seed)
    rows, single = X.toarray().tolist(), [{label} for label in y.tolist()]
    Y = rng.integers(0, 2, (X.shape[0], 3))
    sets = [set(np.flatnonzero(row).tolist()) for row in Y]
    for target, labels in ((y, single), (Y, sets)):
        counts = count_terms(X, target, occurrences=True)
        tables = counts.each_class()
        for k in range(3):
            for j in range(X.shape[1]):
                assert tuple(table[k, j] for table in tables) == truth.cells(rows, labels, j, k)
                times = sum(row[j] for row, mine in zip(rows, labels) if k in mine)
                assert counts.occurrences[k, j] == times
        np.testing.assert_array_equal(counts.all_occurrences, X.toarray().sum(axis=0))
        for k in range(3):
            np.testing.assert_array_equal(counts.each_class_of(k), [table[k] for table in tables])


@given(st.integers(0, 10_000))
@settings(max_examples=10)
def test_dichotomies_of_sets_of_classes_are_those_of_joined_labels(seed):
    X, y, _ = corpus(seed, n_classes=4)
    rows, counts = X.toarray().tolist(), count_terms(X, y)
    for these, those in (([0, 2], None), ([1], [3]), ([3, 0], [1])):
        other = [k for k in range(4) if k not in these] if those is None else those
        here = [i for i in range(len(y)) if y[i] in these or y[i] in other]
        joined = [{"in"} if y[i] in these else {"out"} for i in here]
        found = counts.against(these, those)
        for j in range(X.shape[1]):
            wanted = truth.cells([rows[i] for i in here], joined, j, "in")
            assert tuple(cells[j] for cells in found) == wanted


@given(st.integers(0, 10_000), st.sampled_from([3, 10]))
@settings(max_examples=4)
def test_scores_of_all_training_parts_equal_those_of_their_rows_exactly(seed, n_folds):
    X, y, rng = corpus(seed, n=60)
    folds = rng.permutation(np.arange(60) % n_folds)
    for target in (y, rng.integers(0, 2, (60, 3))):
        counted = FoldCounts.of(X, target, folds)
        for fold, training in enumerate(counted.trainings()):
            rows = folds != fold
            direct = count_terms(X[rows], target[rows], n_classes=3)
            same(training, direct)
            same(counted.training(fold), direct)
            for name in set(TERM_SCORES) - {"pip_poisson"}:
                np.testing.assert_array_equal(class_scores(training, name), class_scores(direct, name), err_msg=name)


def test_batches_count_as_the_whole_does_also_with_new_terms(rng):
    X, y, _ = corpus(0, n=600, n_classes=2)
    folds = np.arange(600) % 2
    whole = FoldCounts.of(X, y, folds)
    narrow = X[:300, :4]
    rest = X.tolil()[300:]
    first = X[:300].tolil()
    first[:, 4:] = 0
    expected = FoldCounts.of(scipy.sparse.vstack([first.tocsr(), rest.tocsr()]), y, folds)
    found = FoldCounts.from_batches([(narrow, y[:300], folds[:300]), (X[300:], y[300:], folds[300:])])
    np.testing.assert_array_equal(found.documents, expected.documents)
    np.testing.assert_array_equal(whole.sizes, found.sizes)
    assert found.documents.dtype == whole.documents.dtype


@pytest.mark.parametrize(("n", "dtype"), [(255, np.uint8), (256, np.uint16), (65536, np.uint32)])
def test_counters_are_as_narrow_as_the_largest_cell_allows_and_never_overflow(n, dtype):
    X = scipy.sparse.csr_matrix(np.ones((n, 1)))
    counted = FoldCounts.of(X, np.zeros(n, int), np.zeros(n, int))
    assert counted.documents.dtype == dtype
    assert counted.documents[0, 0, 0] == n == counted.inside([0]).documents[0, 0]
    halves = FoldCounts.from_batches([(X[: n // 2], np.zeros(n // 2, int), np.zeros(n // 2, int))] * 2)
    assert halves.documents[0, 0, 0] == 2 * (n // 2)


def test_memory_is_that_of_the_book():
    """2 F bytes for each of 300,000 features: 6 MB with ten folds of two classes."""
    rng = np.random.default_rng(0)
    terms, ends = rng.integers(0, 300_000, 5400), np.arange(0, 5401, 3)
    X = scipy.sparse.csr_matrix((np.ones(5400), terms, ends), shape=(1800, 300_000))
    counted = FoldCounts.of(X, np.arange(1800) % 2, np.arange(1800) % 10)
    assert counted.documents.nbytes == 2 * 10 * 300_000 == 6_000_000
    # 20 counters of two bytes for each of 2.6 million features.
    assert 2_600_000 * 20 * np.dtype(np.uint16).itemsize / 2**20 == pytest.approx(99.2, abs=0.05)


def test_terms_stored_twice_or_as_zero_are_counted_once_or_not():
    X = scipy.sparse.csr_matrix((np.array([1, 1, 0, 2]), np.array([0, 0, 1, 1]), np.array([0, 3, 4])), shape=(2, 2))
    given = X.copy()
    counts = count_terms(X, np.array([0, 1]), occurrences=True)
    assert counts.documents.tolist() == [[1, 0], [0, 1]]
    assert counts.occurrences.tolist() == [[2, 0], [0, 2]]
    assert FoldCounts.of(X, np.array([0, 1]), np.array([0, 0])).documents.tolist() == [[[1, 0], [0, 1]]]
    np.testing.assert_array_equal(X.data, given.data)
    assert X.nnz == given.nnz


def _batches(*targets):
    return [(np.eye(2), target, [0, 1]) for target in targets]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda c: c.against([0, 1], [1]), "share none"),
        (lambda c: c.against([]), "not empty"),
        (lambda c: c.against([9]), "from 0 to 2"),
        (lambda c: count_terms(np.eye(3), [0.5, 1, 2]), "class number"),
        (lambda c: count_terms(np.eye(3), [0, 1]), "class number"),
        (lambda c: FoldCounts.of(np.eye(3), [0, 1, 0], [0, 1]), "fold number"),
        (lambda c: FoldCounts.of(np.eye(3), [0, 1, 0], [0, 1, 0]).training(5), "knows 0 to 1"),
        (lambda c: FoldCounts.of(np.eye(3), [0, 1, 0], [0, 1, 0]).inside([5]), "knows 0 to 1"),
        (lambda c: FoldCounts.from_batches([]), "no batch"),
        (lambda c: count_terms(np.eye(3), [[0, 2], [1, 0], [0, 0]]), "0 and 1 per label"),
        (lambda c: count_terms(-np.eye(3), [0, 1, 0]), "Negative values"),
        (lambda c: count_terms(np.diag([1, np.nan, 1]), [0, 1, 0]), "NaN"),
        (lambda c: FoldCounts.of(np.diag([1, np.inf, 1]), [0, 1, 0], [0, 1, 0]), "infinity"),
        (lambda c: FoldCounts.from_batches(_batches([[0, 1]] * 2, [[1, 0, 1]] * 2)), "2 labels and with 3 labels"),
        (lambda c: FoldCounts.from_batches(_batches([[0, 1]] * 2, [0, 1])), "2 labels and with classes"),
        (lambda c: count_terms(np.eye(2), [[0, 1], [1, 1]]).against([0, 1]), "may have several|share none"),
    ],
)
def test_counting_refuses_in_sentences(call, words):
    X, y, _ = corpus(0)
    with pytest.raises(ValueError, match=words):
        call(count_terms(X, y))
