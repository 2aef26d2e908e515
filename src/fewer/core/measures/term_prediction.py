"""How well a single term predicts the class (book ch. 16, section 16.2.1), from counts alone."""

from __future__ import annotations

import numpy as np

from fewer.core.measures._cells import exclusive
from fewer.core.measures._tables import ratio
from fewer.core.records.errors import ParameterError
from fewer.core.summaries.fold_counts import FoldCounts
from fewer.core.summaries.term_counts import TermCounts

MEASURES = ("accuracy", "macro_f1")


def single_term_prediction(
    counts: TermCounts | FoldCounts, *, measure: str = "accuracy", beta: float = 16.0, gamma: float = 4.0
) -> np.ndarray:
    """Return how well a Rocchio classifier that sees one term alone predicts the class, for every term.

    With one term of presence and absence the classifier predicts two classes at most: documents with the term get the
    class with the largest ``beta`` P(term | class) - ``gamma`` P(term | others), of equal ones the first, and documents
    without it, whose vector is 0, the most frequent class. So all predictions follow from `TermCounts`; of `FoldCounts`
    each fold is predicted from the others.

    Parameters
    ----------
    counts : TermCounts or FoldCounts
        Documents by class and term; classes exclude each other.
    measure : {"accuracy", "macro_f1"}, default="accuracy"
        What is returned; "macro_f1" is the mean over the classes.
    beta, gamma : float, default=16.0 and 4.0
        Weights of the documents of the class and of the others.
    """
    if measure not in MEASURES or not 0 < beta < np.inf or not 0 <= gamma < np.inf:
        raise ParameterError(
            f"single_term_prediction got measure={measure!r}, beta={beta!r} and gamma={gamma!r}, but takes "
            "'accuracy' or 'macro_f1', beta above 0 and gamma from 0; pass such."
        )
    if isinstance(counts, FoldCounts):
        folds = [counts.inside([fold]) for fold in range(counts.n_folds)]
        confused = sum(_confusion(train, test, beta, gamma) for train, test in zip(counts.trainings(), folds))
        return _measured(counts.inside(range(counts.n_folds)), np.asarray(confused), measure)
    return _measured(counts, _confusion(counts, counts, beta, gamma), measure)


def _confusion(train: TermCounts, test: TermCounts, beta: float, gamma: float) -> np.ndarray:
    """Return right and all predictions of every class, (2, n_classes, n_terms)."""
    exclusive("single_term_prediction", train)
    a, _, c, _ = train.each_class()
    size = train.sizes.astype(np.float64)[:, None]
    # Close to rounding the first class wins, whatever the order of the additions.
    pull = np.round(beta * ratio(a, size) - gamma * ratio(c, train.n_documents - size), 12)
    pull[train.sizes == 0] = -np.inf
    chosen, fallback = pull.argmax(axis=0), int(np.argmax(train.sizes))
    out, terms = np.zeros((2, train.n_classes, train.n_terms)), np.arange(train.n_terms)
    out[0, chosen, terms] = test.documents[chosen, terms]
    out[1, chosen, terms] = test.holding
    out[0, fallback] += test.sizes[fallback] - test.documents[fallback]
    out[1, fallback] += test.n_documents - test.holding
    return out


def _measured(counts: TermCounts, confused: np.ndarray, measure: str) -> np.ndarray:
    right, said = confused
    if measure == "accuracy":
        return ratio(right.sum(axis=0), float(counts.n_documents))
    return ratio(2.0 * right, said + counts.sizes[:, None]).mean(axis=0)
