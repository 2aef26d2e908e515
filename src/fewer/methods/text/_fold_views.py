"""What the training rows of every fold say about terms, from as few passes over the data as there can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fewer.core.measures.term_scores import TERM_SCORES, term_scores
from fewer.core.records.errors import ParameterError, closest
from fewer.core.summaries.counted_terms import count_terms
from fewer.core.summaries.fold_counts import FoldCounts
from fewer.core.summaries.term_counts import TermCounts
from fewer.core.views.row_splits import Splits

# Scores that need to know how often a term occurs, beside in which documents.
BY_OCCURRENCES = ("pip_poisson",)


def known_score(where: str, name: Any) -> str:
    """Return the name of a score of terms; raise if there is none."""
    if not isinstance(name, str) or name not in TERM_SCORES:
        hint = closest(name, TERM_SCORES) if isinstance(name, str) else ""
        raise ParameterError(
            f"{where} got the score {name!r}, but knows {', '.join(sorted(TERM_SCORES))}; pass one of these.{hint}"
        )
    return name


def folds_of(splits: Splits, n_rows: int) -> np.ndarray | None:
    """Return the fold that every row is tested in, None if training rows are not all rows but those of the fold.

    A row that is never tested, because its class has no other, has a fold number behind all others.
    """
    folds = np.full(n_rows, len(splits), dtype=np.int64)
    for fold, (train, test) in enumerate(zip(splits.train, splits.test)):
        if len(train) + len(test) != n_rows or (folds[test] != len(splits)).any():
            return None
        folds[test] = fold
    return folds


def training_counts(X: Any, y: np.ndarray, splits: Splits, n_classes: int, occurrences: bool) -> Iterator[TermCounts]:
    """Return the counts of the training rows of every fold, one after another.

    Where folds share no rows all come from one pass over the documents, else from one per fold.

    Parameters
    ----------
    X : csr_array of shape (n_documents, n_terms)
        Counts.
    y : ndarray of int
        Class numbers.
    splits : Splits
        Training and test rows.
    n_classes : int
        Number of classes.
    occurrences : bool
        Whether to add up how often terms occur.
    """
    folds = folds_of(splits, X.shape[0])
    if folds is not None and not occurrences:
        counted = FoldCounts.of(X, y, folds, len(splits) + 1, n_classes)
        whole = counted.inside(range(counted.n_folds))
        yield from (whole - counted.inside([fold]) for fold in range(len(splits)))
        return
    for train in splits.train:
        yield count_terms(X[train], y[train], occurrences=occurrences, n_classes=n_classes)


def ranked(counts: TermCounts, score: str, min_df: int, seen: np.ndarray | None = None) -> np.ndarray:
    """Return the terms in at least ``min_df`` documents, best first; of equal ones the lower number.

    Scores that differ by rounding alone are equal, so that the order does not depend on what other terms there are.
    Of ``seen`` terms alone, if they are given.
    """
    values = np.nan_to_num(term_scores(counts, score), nan=-np.inf, posinf=np.inf, neginf=-np.inf)
    order = np.argsort(-_without_rounding(values), kind="stable")
    wanted = counts.holding >= min_df
    return order[(wanted if seen is None else wanted & seen)[order]]


def _without_rounding(values: np.ndarray) -> np.ndarray:
    """Return values to twelve digits; what is nothing beside the largest is 0."""
    finite = np.abs(values[np.isfinite(values)])
    part, power = np.frexp(values)
    kept = np.ldexp(np.round(part * 2.0**40) / 2.0**40, power)
    return np.where(np.abs(values) <= 1e-14 * finite.max(initial=0.0), 0.0, kept)
