"""Documents made ready for clustering: stop words, stems, terms of middling frequency, tf.idf."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.reading.porter import stem
from fewer.core.records.errors import InputError


def clustering_terms(
    counts: Any,
    names: Sequence[str],
    most_documents: float,
    *,
    fewest_documents: int = 3,
    stop_words: Collection[str] | None = None,
    stems: bool = True,
    unit_rows: bool = False,
) -> tuple[Any, np.ndarray]:
    """Return documents as tf.idf of the terms that are left, and these terms (book, section 10.6.1).

    Stop words are dropped, the others stemmed by Porter's rules, terms of equal stem added up; terms in fewer than
    ``fewest_documents`` or more than ``most_documents`` documents are dropped. A count is multiplied by ln(n / m), m
    being the number of documents with the term. The source takes the average number of documents per class as the upper
    bound, which knows of the classes.

    Parameters
    ----------
    counts : sparse matrix of shape (n_documents, n_words)
        How often words occur.
    names : sequence of str
        The words, in lower case.
    most_documents : float
        Terms in more documents than that are dropped.
    fewest_documents : int, default=3
        Terms in fewer documents than that are dropped.
    stop_words : collection of str, optional
        Words that are dropped first; None for scikit-learn's list of English.
    stems : bool, default=True
        Whether words are stemmed.
    unit_rows : bool, default=False
        Whether rows are divided by their lengths.

    Returns
    -------
    X : csr_array of shape (n_documents, n_terms)
        tf.idf.
    terms : ndarray of str
        The terms.

    Examples
    --------
    >>> X, terms = clustering_terms([[1, 2, 0, 1], [0, 1, 1, 1], [0, 0, 0, 1]], ["ball", "balls", "star", "the"], 2,
    ...                             fewest_documents=1)
    >>> terms.tolist(), X.toarray().round(2).tolist()
    (['ball', 'star'], [[1.22, 0.0], [0.41, 1.1], [0.0, 0.0]])
    """
    table = scipy.sparse.csr_array(counts).astype(np.float64)
    if table.shape[1] != len(names):
        raise InputError(
            f"clustering_terms got {table.shape[1]} columns and {len(names)} names, but needs a name per column; pass "
            "the words of the columns."
        )
    if stop_words is None:
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        stop_words = ENGLISH_STOP_WORDS
    here = np.flatnonzero(np.diff(table.tocsc().indptr) > 0)
    left = np.array([j for j in here.tolist() if names[j] not in stop_words], dtype=np.int64)
    called = np.array([stem(str(names[j])) if stems else str(names[j]) for j in left.tolist()], dtype=str)
    terms, place = np.unique(called, return_inverse=True)
    put = scipy.sparse.csr_array((np.ones(len(left)), (left, place)), shape=(table.shape[1], len(terms)))
    joined = scipy.sparse.csc_array(table @ put)
    documents = np.diff(joined.indptr)
    kept = np.flatnonzero((documents >= fewest_documents) & (documents <= most_documents))
    weights = np.log(table.shape[0] / documents[kept])
    X = scipy.sparse.csr_array(joined[:, kept] @ scipy.sparse.diags_array(weights))
    if unit_rows:
        lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
        X = scipy.sparse.csr_array(scipy.sparse.diags_array(1.0 / np.where(lengths > 0, lengths, 1.0)) @ X)
    return X, terms[kept]
