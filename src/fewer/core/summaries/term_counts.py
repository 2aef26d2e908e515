"""Documents per class that hold a term: all that scores of terms need, from one pass over sparse counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from fewer.core.records.errors import InputError


class Presence(NamedTuple):
    """Documents of a class, and of others, with and without a term: tables of two by two, as four arrays.

    The catalogue of scores calls them a (``tp``), b (``fn``), c (``fp``) and d (``tn``). Measures take them one by
    one: ``bns(*presence)``.
    """

    tp: np.ndarray
    fn: np.ndarray
    fp: np.ndarray
    tn: np.ndarray


@dataclass(frozen=True)
class TermCounts:
    """How many documents of every class hold a term, and how often.

    Attributes
    ----------
    documents : ndarray of shape (n_classes, n_terms)
        Documents of the class that hold the term; whole numbers unless documents have weights.
    sizes : ndarray of shape (n_classes,)
        Documents of the class.
    holding : ndarray of shape (n_terms,)
        Documents that hold the term, of whatever class.
    n_documents : float
        All documents.
    occurrences : ndarray of shape (n_classes, n_terms), optional
        Counts of the term in the documents of the class, added up.
    all_occurrences : ndarray of shape (n_terms,), optional
        The same of all documents.
    exclusive : bool
        Whether every document has exactly one class.
    """

    documents: np.ndarray
    sizes: np.ndarray
    holding: np.ndarray
    n_documents: float
    occurrences: np.ndarray | None = None
    all_occurrences: np.ndarray | None = None
    exclusive: bool = True

    @property
    def n_classes(self) -> int:
        """Number of classes or labels."""
        return len(self.sizes)

    @property
    def n_terms(self) -> int:
        """Number of terms."""
        return len(self.holding)

    def terms(self, which: slice | np.ndarray) -> TermCounts:
        """Return the same of some terms."""
        times, all_times = self.occurrences, self.all_occurrences
        return replace(
            self,
            documents=self.documents[:, which],
            holding=self.holding[which],
            occurrences=None if times is None else times[:, which],
            all_occurrences=None if all_times is None else all_times[which],
        )

    def each_class(self) -> Presence:
        """Return every class against all other documents; arrays of shape (n_classes, n_terms)."""
        tp = np.asarray(self.documents, dtype=np.float64)
        size = np.asarray(self.sizes, dtype=np.float64)[:, None]
        fp = self.holding - tp
        return Presence(tp, size - tp, fp, (float(self.n_documents) - size) - fp)

    def against(self, these: Sequence[int], those: Sequence[int] | None = None) -> Presence:
        """Return some classes against others, by default against all others; arrays of shape (n_terms,).

        Classes that exclude each other add up, so that no dichotomy needs the data again.
        """
        chosen = sorted(set(these))
        other = sorted(set(range(self.n_classes)) - set(chosen)) if those is None else sorted(set(those))
        known = set(range(self.n_classes))
        if not chosen or not other or set(chosen) & set(other) or not set(chosen) | set(other) <= known:
            raise InputError(
                f"TermCounts.against got the classes {list(these)} and {None if those is None else list(those)}, but "
                f"compares two sets of classes from 0 to {self.n_classes - 1} that share none and are not empty; pass "
                "such numbers."
            )
        if not self.exclusive and (len(chosen) > 1 or those is not None):
            raise InputError(
                f"TermCounts.against got the labels {chosen} and {other} of documents that may have several, whose "
                "counts do not add up; join the labels in y and count again."
            )
        return self.each_class_of(chosen[0]) if not self.exclusive else self._of_sets(chosen, other)

    def each_class_of(self, number: int) -> Presence:
        """Return one class against all other documents; arrays of shape (n_terms,)."""
        one = replace(self, documents=self.documents[[number]], sizes=self.sizes[[number]]).each_class()
        return Presence(*(cells[0] for cells in one))

    def _of_sets(self, these: list[int], those: list[int]) -> Presence:
        tp, fp = (self.documents[which].sum(axis=0).astype(np.float64) for which in (these, those))
        return Presence(tp, self.sizes[these].sum() - tp, fp, self.sizes[those].sum() - fp)

    def __add__(self, other: TermCounts) -> TermCounts:
        return _combined(self, other, 1)

    def __sub__(self, other: TermCounts) -> TermCounts:
        return _combined(self, other, -1)


def _combined(first: TermCounts, second: TermCounts, sign: int) -> TermCounts:
    """Return the counts of two sets of documents together, or of the first without the second."""

    def both(name: str) -> Any:
        one, other = getattr(first, name), getattr(second, name)
        return None if one is None or other is None else one + sign * other

    names = ("documents", "sizes", "holding", "n_documents", "occurrences", "all_occurrences")
    return TermCounts(**{name: both(name) for name in names}, exclusive=first.exclusive and second.exclusive)


def told(documents: np.ndarray, sizes: np.ndarray, times: np.ndarray | None, several: bool) -> TermCounts:
    """Return counters as `TermCounts`; where documents have several labels the last line counts all documents."""
    if several:
        parts: tuple[Any, Any] = (None, None) if times is None else (times[:-1], times[-1])
        return TermCounts(documents[:-1], sizes[:-1], documents[-1], sizes[-1].item(), parts[0], parts[1], False)
    parts = (None, None) if times is None else (times, times.sum(axis=0))
    return TermCounts(documents, sizes, documents.sum(axis=0), sizes.sum().item(), parts[0], parts[1])
