"""Terms of raw documents in two passes: count all, store the best (book ch. 13, section 13.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.measures.term_scores import term_scores
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.rounding import steady
from fewer.core.summaries.fold_counts import FoldCounts


@dataclass(frozen=True)
class StoredTerms:
    """The terms that were kept, the documents as counts of these, and their counts by fold and class."""

    terms: tuple[str, ...]
    X: Any
    counts: FoldCounts


def survivors(counts: FoldCounts, n_terms: int, score: str = "bns", **options: Any) -> np.ndarray:
    """Return the terms that are among the best of some training part, ascending.

    No test fold has a say in what its own training part keeps: each part judges by its own documents, and the union is
    stored.
    """
    found: set[int] = set()
    alive = counts.inside(range(counts.n_folds)).holding > 1
    for training in counts.trainings():
        scores = steady(term_scores(training, score, **options))
        order = np.argsort(-scores, kind="stable")
        found.update(order[alive[order]][:n_terms].tolist())
    return np.array(sorted(found), dtype=np.int64)


def two_passes(
    documents: Sequence[str],
    y: Any,
    folds: Any,
    *,
    n_terms: int = 100_000,
    score: str = "bns",
    vectorizer: Any = None,
    batch_size: int = 1000,
    **options: Any,
) -> StoredTerms:
    """Count all terms by fold and class in a first pass, and store only the best in a second.

    Between the passes a term costs one small counter per fold and class, and no entry of a matrix, so that millions of
    phrases and character n-grams can be looked at. Terms of a single document are dropped.

    Parameters
    ----------
    documents : sequence of str
        The documents, read twice.
    y : array-like of shape (n_documents,) or (n_documents, n_labels)
        Class numbers from 0, or 0 and 1 for every label.
    folds : array-like of int of shape (n_documents,)
        The fold of every document, from 0.
    n_terms : int, default=100_000
        How many terms every training part keeps; what is stored is their union.
    score : str, default="bns"
        A name of `TERM_SCORES`.
    vectorizer : CountVectorizer, optional
        What finds the terms of a document; words in lower case by default.
    batch_size : int, default=1000
        Documents that are counted at once.
    **options
        Options of the score.

    Returns
    -------
    StoredTerms
        ``terms`` in alphabetical order, ``X`` and ``counts``.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    if n_terms < 1 or batch_size < 1:
        raise ParameterError(
            f"two_passes got n_terms={n_terms!r} and batch_size={batch_size!r}, but takes whole numbers from 1; pass "
            "such."
        )
    labels, parts = np.asarray(y), np.asarray(folds)
    if not len(documents) == len(labels) == len(parts) > 0:
        raise InputError(
            f"two_passes got {len(documents)} documents, {len(labels)} entries of y and {len(parts)} folds, but takes "
            "one of each per document; pass such."
        )
    made = CountVectorizer() if vectorizer is None else vectorizer
    analyze, vocabulary = made.build_analyzer(), dict[str, int]()

    def counted() -> Iterator[tuple[Any, Any, Any]]:
        for start, some in zip(range(0, len(documents), batch_size), _batches(documents, batch_size)):
            here = slice(start, start + len(some))
            yield presence_rows(map(analyze, some), vocabulary), labels[here], parts[here]

    counts = FoldCounts.from_batches(counted())
    known, best = list(vocabulary), survivors(counts, n_terms, score, **options)
    order = best[np.argsort(np.array([known[j] for j in best]), kind="stable")] if len(best) else best
    terms = tuple(known[j] for j in order)
    if not terms:
        raise InputError(
            "two_passes found no term that is in two documents, but stores at least one; pass documents with words."
        )
    place = {term: j for j, term in enumerate(terms)}
    X = scipy.sparse.vstack(
        [count_rows(map(analyze, some), place) for some in _batches(documents, batch_size)], format="csr"
    )
    return StoredTerms(terms, X, FoldCounts(counts.documents[:, :, order], counts.sizes, counts.several))


def _batches(documents: Sequence[str], size: int) -> Iterator[list[str]]:
    given = iter(documents)
    while some := list(islice(given, size)):
        yield some


def presence_rows(documents: Iterable[Iterable[str]], vocabulary: dict[str, int]) -> Any:
    """Return which terms documents hold; new terms are added to the vocabulary."""
    indices, ends = list[int](), [0]
    for terms in documents:
        indices += sorted({vocabulary.setdefault(term, len(vocabulary)) for term in terms})
        ends.append(len(indices))
    shape = (len(ends) - 1, len(vocabulary))
    return scipy.sparse.csr_matrix((np.ones(len(indices), np.uint8), indices, ends), shape=shape)


def count_rows(documents: Iterable[Iterable[str]], place: dict[str, int]) -> Any:
    """Return how often documents hold the terms that have a place."""
    indices, data, ends = list[int](), list[int](), [0]
    for terms in documents:
        times: dict[int, int] = {}
        for term in terms:
            if term in place:
                times[place[term]] = times.get(place[term], 0) + 1
        indices += sorted(times)
        data += [times[j] for j in sorted(times)]
        ends.append(len(indices))
    return scipy.sparse.csr_matrix((np.array(data, np.int64), indices, ends), shape=(len(ends) - 1, len(place)))
