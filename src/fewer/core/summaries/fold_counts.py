"""Counts per fold: the scores of all training parts of a cross-validation from one pass over the documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.kernels import term_documents
from fewer.core.records.errors import InputError
from fewer.core.records.sized import Sized
from fewer.core.summaries.counted_terms import are_labels, highest, listed_labels, tidied
from fewer.core.summaries.term_counts import TermCounts, told


@dataclass(frozen=True)
class FoldCounts(Sized):
    """Documents by fold, class and term (book ch. 13, section 13.4).

    Attributes
    ----------
    documents : ndarray of unsigned int of shape (n_folds, n_classes, n_terms)
        Documents of the fold and the class that hold the term; where documents have several labels, one more line
        per fold counts all its documents. A counter never exceeds the number of documents of its fold and class, and
        the type is the smallest that holds the largest of these numbers: it cannot overflow.
    sizes : ndarray of int of shape (n_folds, n_classes)
        Documents of the fold and the class, with the same further line.
    several : bool
        Whether documents may have several labels.

    Examples
    --------
    >>> import scipy.sparse
    >>> X = scipy.sparse.csr_matrix([[1, 0], [2, 1], [0, 1], [0, 3]])
    >>> counts = FoldCounts.of(X, [0, 0, 1, 1], [0, 1, 0, 1])
    >>> counts.training(0).documents.tolist(), counts.documents.dtype.name
    ([[1, 1], [0, 1]], 'uint8')
    """

    documents: np.ndarray
    sizes: np.ndarray
    several: bool = False

    @classmethod
    def of(cls, X: Any, y: Any, folds: Any, n_folds: int | None = None, n_classes: int | None = None) -> FoldCounts:
        """Count the documents of a sparse matrix in one pass.

        Parameters
        ----------
        X : sparse matrix of shape (n_documents, n_terms)
            Counts or weights; what is stored and not 0 is present.
        y : array-like of shape (n_documents,) or (n_documents, n_labels)
            Class numbers from 0, or 0 and 1 for every label.
        folds : array-like of int of shape (n_documents,)
            The fold of every document, from 0.
        n_folds, n_classes : int, optional
            How many there are, where not all occur.
        """
        return cls.from_batches([(X, y, folds)], n_folds, n_classes)

    @classmethod
    def from_batches(
        cls, batches: Iterable[tuple[Any, Any, Any]], n_folds: int | None = None, n_classes: int | None = None
    ) -> FoldCounts:
        """Count batches of documents one after another; later batches may have more terms, never fewer."""
        kept = None
        for X, y, folds in batches:
            one = _counted(cls, X, np.asarray(y), np.asarray(folds), n_folds, n_classes)
            kept = one if kept is None else kept._with(one)
        if kept is None:
            raise InputError("FoldCounts.from_batches got no batch, but counts at least one; pass the documents.")
        return kept

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return len(self.documents)

    @property
    def n_terms(self) -> int:
        """Number of terms."""
        return int(self.documents.shape[2])

    def inside(self, folds: Collection[int]) -> TermCounts:
        """Return the counts of the documents of some folds."""
        which = sorted(set(folds))
        if not set(which) <= set(range(self.n_folds)):
            raise InputError(
                f"FoldCounts.inside got the folds {list(folds)}, but knows 0 to {self.n_folds - 1}; pass such numbers."
            )
        # Fold by fold: a sum over an axis would widen all counters at once.
        documents = np.zeros(self.documents.shape[1:], np.int64)
        for fold in which:
            documents += self.documents[fold]
        return told(documents, self.sizes[which].sum(axis=0), None, self.several)

    def training(self, fold: int) -> TermCounts:
        """Return the counts of all documents but those of one fold."""
        if not 0 <= fold < self.n_folds:
            raise InputError(f"FoldCounts.training got fold={fold}, but knows 0 to {self.n_folds - 1}; pass such one.")
        return self.inside([other for other in range(self.n_folds) if other != fold])

    def trainings(self) -> Iterator[TermCounts]:
        """Return the counts of the training part of every fold, one after another; the sum is made once."""
        whole = self.inside(range(self.n_folds))
        return (whole - self.inside([fold]) for fold in range(self.n_folds))

    def _with(self, other: FoldCounts) -> FoldCounts:
        """Return the counts of both; what one lacks is 0 there, and counters grow where they must."""
        lines = (self.documents.shape[1], other.documents.shape[1])
        if self.several != other.several or (self.several and lines[0] != lines[1]):
            # The last line counts all documents where they have several labels, and would be added to that of a label.
            kinds = [f"{n - 1} labels" if one.several else "classes" for one, n in zip((self, other), lines)]
            raise InputError(
                f"FoldCounts.from_batches got batches with {kinds[0]} and with {kinds[1]}, but adds up batches of the "
                "same labels; give every batch the same columns of y."
            )
        shape = np.maximum(self.documents.shape, other.documents.shape)
        sizes = np.zeros(shape[:2], np.int64)
        for part in (self, other):
            sizes[: part.sizes.shape[0], : part.sizes.shape[1]] += part.sizes
        documents = np.zeros(shape, narrowest(sizes))
        for part in (self, other):
            f, c, n = part.documents.shape
            documents[:f, :c, :n] += part.documents
        return FoldCounts(documents, sizes, self.several)


def narrowest(sizes: np.ndarray) -> np.dtype:
    """Return the smallest unsigned type that holds the largest of these numbers."""
    return np.min_scalar_type(int(np.max(sizes, initial=0)))


def _counted(
    cls: type[FoldCounts], X: Any, y: np.ndarray, folds: np.ndarray, n_folds: int | None, n_classes: int | None
) -> FoldCounts:
    matrix = tidied(scipy.sparse.csr_matrix(X))
    several = y.ndim == 2
    _check_lengths(matrix, y, folds)
    n_labels = y.shape[1] if several else max(n_classes or 0, highest(y) + 1)
    n_parts = max(n_folds or 0, highest(folds) + 1)
    ends, labels = listed_labels(y, several, n_labels)
    lines = n_labels + several
    cells = np.repeat(folds.astype(np.int64), np.diff(ends)) * lines + labels
    sizes = np.bincount(cells, minlength=n_parts * lines)
    documents = np.zeros((n_parts * lines, matrix.shape[1]), narrowest(sizes))
    ones = np.ones(matrix.shape[0], np.uint8)
    term_documents.count_by_documents(matrix.indptr, matrix.indices, ends, cells, ones, documents)
    return cls(documents.reshape(n_parts, lines, -1), sizes.reshape(n_parts, lines), several)


def _check_lengths(matrix: Any, y: np.ndarray, folds: np.ndarray) -> None:
    whole = are_labels(y) and folds.dtype.kind in "biu"
    if not whole or len(y) != matrix.shape[0] or folds.shape != y.shape[:1] or folds.min(initial=0) < 0:
        raise InputError(
            f"FoldCounts got {matrix.shape[0]} documents, y of shape {y.shape} and type {y.dtype} and folds of shape "
            f"{folds.shape} and type {folds.dtype}, but takes one class number and one fold number from 0 per "
            "document; pass such."
        )
