"""Counting loops over sparse rows: documents that hold a term, and how often, by label."""

from __future__ import annotations

from fewer.core.kernels._jit import kernel


@kernel
def count_by_terms(indptr, indices, label_ends, labels, weight, start, stop, out):
    """Add to out[c, j - start] the weight of every document with term j and label c; the matrix is kept by terms.

    Document i has the labels ``labels[label_ends[i]:label_ends[i + 1]]``, none or several.
    """
    for j in range(start, stop):
        for at in range(indptr[j], indptr[j + 1]):
            i = indices[at]
            for k in range(label_ends[i], label_ends[i + 1]):
                out[labels[k], j - start] += weight[i]


@kernel
def sum_by_terms(indptr, indices, data, label_ends, labels, weight, start, stop, out):
    """Add to out[c, j - start] the weighted counts of term j in the documents of label c; kept by terms."""
    for j in range(start, stop):
        for at in range(indptr[j], indptr[j + 1]):
            i = indices[at]
            for k in range(label_ends[i], label_ends[i + 1]):
                out[labels[k], j - start] += weight[i] * data[at]


@kernel
def count_by_documents(indptr, indices, label_ends, labels, weight, out):
    """Add to out[c, j] the weight of every document with term j and label c; the matrix is kept by documents.

    No document may hold a term twice; counters are as wide as the caller proves to be enough.
    """
    for i in range(indptr.shape[0] - 1):
        for k in range(label_ends[i], label_ends[i + 1]):
            counters = out[labels[k]]
            for at in range(indptr[i], indptr[i + 1]):
                counters[indices[at]] += weight[i]


@kernel
def sum_by_documents(indptr, indices, data, label_ends, labels, weight, out):
    """Add to out[c, j] the weighted counts of term j in the documents of label c; kept by documents."""
    for i in range(indptr.shape[0] - 1):
        for k in range(label_ends[i], label_ends[i + 1]):
            counters = out[labels[k]]
            for at in range(indptr[i], indptr[i + 1]):
                counters[indices[at]] += weight[i] * data[at]


@kernel
def count_dense(X, label_ends, labels, weight, start, stop, documents, occurrences):
    """Like `count_by_documents` and `sum_by_documents`, for the features start..stop of dense rows."""
    for i in range(X.shape[0]):
        for k in range(label_ends[i], label_ends[i + 1]):
            c = labels[k]
            for j in range(start, stop):
                if X[i, j] != 0:
                    documents[c, j - start] += weight[i]
                    occurrences[c, j - start] += weight[i] * X[i, j]
