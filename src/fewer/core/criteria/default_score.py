"""The score by which subsets are compared if none was named: one rule for all."""

from __future__ import annotations

from typing import Any

import numpy as np

# A guess of the largest class would be right more often than this: accuracy says little.
UNEVEN = 0.8


def default_score(class_counts: Any) -> tuple[str, str]:
    """Return the name of the score that suits a target, and the reason in words.

    Parameters
    ----------
    class_counts : array-like of shape (n_classes,) or None
        Rows, or weights, of the classes; None for a numeric target.

    Returns
    -------
    name : {"accuracy", "balanced_accuracy", "r2"}
        As scikit-learn knows it.
    words : str
        One sentence that says why.

    Examples
    --------
    >>> default_score([90, 10])[0], default_score([60, 40])[0], default_score(None)[0]
    ('balanced_accuracy', 'accuracy', 'r2')
    >>> print(default_score([90, 10])[1])
    Balanced accuracy, the mean over the classes, because the largest class holds 90 % of the rows, more than 80 %.
    """
    if class_counts is None:
        return "r2", "R squared, because the target is numbers."
    counts = np.asarray(class_counts, dtype=float)
    largest = float(counts.max(initial=0.0) / counts.sum()) if counts.sum() > 0 else 0.0
    if largest > UNEVEN:
        # Rounded down, so that hardly less than all rows is not called all.
        percent = int(np.floor(1000.0 * largest + 1e-9)) / 10.0
        return "balanced_accuracy", (
            f"Balanced accuracy, the mean over the classes, because the largest class holds {percent:g} % of the rows, "
            "more than 80 %."
        )
    return "accuracy", "Accuracy, because no class holds more than 80 % of the rows."
