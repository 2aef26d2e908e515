"""Classes with fewer rows than there are folds."""

from __future__ import annotations

import numpy as np


def dealt_rows(k: int, y: np.ndarray) -> tuple[np.ndarray, str]:
    """Return which rows are dealt to k folds, all but those that are alone in their class; and what is rare in words.

    A class with a single row cannot be both trained on and tested, and without it some rows might be of one class only.
    """
    labels, place, counts = np.unique(y, return_inverse=True, return_counts=True)
    dealt = counts[place.reshape(-1)] > 1
    if dealt.sum() < k:
        return np.ones(len(y), dtype=bool), ""
    some, alone = labels[(counts > 1) & (counts < k)], labels[counts == 1]
    words = f"; {_classes(some)} fewer rows than folds, spread over some of the folds" if len(some) else ""
    return dealt, words + (f"; {_classes(alone)} one row, trained on and never tested" if len(alone) else "")


def _classes(labels: np.ndarray) -> str:
    names = ", ".join(map(str, labels[:3])) + (f" and {len(labels) - 3} more" if len(labels) > 3 else "")
    return f"the class {names} has" if len(labels) == 1 else f"the classes {names} have"
