"""One pass over documents: which terms they hold, by class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.kernels import term_documents
from fewer.core.records.errors import InputError
from fewer.core.summaries.summary import Summary
from fewer.core.summaries.term_counts import TermCounts, told


@dataclass(frozen=True)
class CountedTerms(Summary[TermCounts]):
    """Documents of every class that hold a feature, and the sums of its values there if asked for.

    ``several`` says that documents have any number of labels, one column of 0 and 1 each, instead of one class.
    """

    n_classes: int
    several: bool = False
    occurrences: bool = False
    words = "counting documents"

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its results."""
        return 24 * (self.n_classes + 1)

    def tile(self, block: Any, start: int, stop: int) -> TermCounts:
        """Count features ``start`` to ``stop``."""
        X = block.X
        refuse_no_amounts(X[:, start:stop] if block.kind == "dense" else X.data[X.indptr[start] : X.indptr[stop]])
        ends, labels = listed_labels(block.y, self.several, self.n_classes)
        weight = np.ones(block.n_rows, np.int64) if block.weight is None else block.weight
        documents = np.zeros((self.n_classes + self.several, stop - start), weight.dtype)
        wanted = self.occurrences or block.kind == "dense"
        times = np.zeros(documents.shape if wanted else (0, 0))
        if block.kind == "dense":
            term_documents.count_dense(X, ends, labels, weight, start, stop, documents, times)
        else:
            term_documents.count_by_terms(X.indptr, X.indices, ends, labels, weight, start, stop, documents)
            if self.occurrences:
                term_documents.sum_by_terms(X.indptr, X.indices, X.data, ends, labels, weight, start, stop, times)
        sizes = np.zeros((documents.shape[0], 1), weight.dtype)
        np.add.at(sizes[:, 0], labels, np.repeat(weight, np.diff(ends)))
        return told(documents, sizes[:, 0], times if self.occurrences else None, self.several)

    def join(self, parts: list[TermCounts]) -> TermCounts:
        """Put the features side by side."""
        if len(parts) == 1:
            return parts[0]
        tables: dict[str, Any] = {
            name: np.hstack([getattr(part, name) for part in parts]) for name in ("documents", "holding")
        }
        if self.occurrences:
            for name in ("occurrences", "all_occurrences"):
                tables[name] = np.hstack([getattr(part, name) for part in parts])
        return replace(parts[0], **tables)

    def merge(self, first: TermCounts, second: TermCounts) -> TermCounts:
        """Add two sets of documents."""
        return first + second


def refuse_no_amounts(values: np.ndarray) -> None:
    """Raise if values are no amounts: negative numbers, NaN or infinity."""
    if not values.size:
        return
    low, high = values.min(), values.max()
    if low >= 0 and high < np.inf:
        return
    wrong = "NaN or infinity" if low != low or high == np.inf else f"{low:.6g} (Negative values in data)"
    raise InputError(
        f"Scores of terms got {wrong}, but take counts and weights of terms from 0 on; drop such columns, or choose a "
        "method for numbers, such as FTest."
    )


def listed_labels(y: np.ndarray, several: bool, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where the labels of every document end, and the labels one after another.

    Of several labels every document has one more, the last, which counts all documents.
    """
    y = np.asarray(y)
    if not several:
        return np.arange(len(y) + 1), y.astype(np.int64)
    marks = np.hstack([y != 0, np.ones((len(y), 1), bool)])
    assert marks.shape[1] == n_classes + 1
    return np.concatenate([[0], np.cumsum(marks.sum(axis=1))]).astype(np.int64), np.nonzero(marks)[1]


def count_terms(X: Any, y: Any, *, occurrences: bool = False, n_classes: int | None = None) -> TermCounts:
    """Count the documents of a sparse matrix by class and term in one pass; nothing is densified.

    Parameters
    ----------
    X : sparse matrix of shape (n_documents, n_terms)
        Counts or weights from 0; what is not 0 is present.
    y : array-like of shape (n_documents,) or (n_documents, n_labels)
        Class numbers from 0, or 0 and 1 for every label of documents that may have several.
    occurrences : bool, default=False
        Whether to add up the counts, too.
    n_classes : int, optional
        How many classes there are, where not all occur.
    """
    matrix, labels = scipy.sparse.csr_matrix(X), np.asarray(y)
    if not are_labels(labels) or len(labels) != matrix.shape[0]:
        raise InputError(
            f"count_terms got {matrix.shape[0]} documents and y of shape {labels.shape} and type {labels.dtype}, but "
            "takes one class number from 0 per document, or 0 and 1 per label; pass such."
        )
    matrix, several = tidied(matrix), labels.ndim == 2
    n = labels.shape[1] if several else max(n_classes or 0, highest(labels) + 1)
    ends, listed = listed_labels(labels, several, n)
    documents, ones = np.zeros((n + several, matrix.shape[1]), np.int64), np.ones(matrix.shape[0], np.int64)
    term_documents.count_by_documents(matrix.indptr, matrix.indices, ends, listed, ones, documents)
    times = np.zeros(documents.shape) if occurrences else None
    if times is not None:
        term_documents.sum_by_documents(matrix.indptr, matrix.indices, matrix.data, ends, listed, ones, times)
    return told(documents, np.bincount(listed, minlength=n + several), times, several)


def are_labels(y: np.ndarray) -> bool:
    """Return whether y holds a class number from 0 per document, or 0 and 1 per label."""
    whole = y.dtype.kind in "biu" and y.ndim in (1, 2) and y.min(initial=0) >= 0
    return bool(whole and (y.ndim == 1 or y.max(initial=0) <= 1))


def highest(numbers: np.ndarray) -> int:
    """Return the largest of some whole numbers from 0, -1 if there are none."""
    return int(numbers.max()) if numbers.size else -1


def tidied(matrix: Any) -> Any:
    """Return a matrix by documents in which none holds a term twice, and no zeros are stored; refuse no amounts."""
    refuse_no_amounts(matrix.data)
    if matrix.has_canonical_format and (matrix.data != 0).all():
        return matrix
    matrix = matrix.copy()
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix
