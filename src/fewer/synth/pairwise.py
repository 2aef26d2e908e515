"""Pairs of rows that labels say belong together, or apart."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.target_kinds import label_numbers
from fewer.synth.checks import counts, generator


def sample_pairwise_constraints(
    y: Any, n_pairs: int = 500, fraction: float = 0.5, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Draw pairs of rows at random from a random part of the data: together if their labels are equal, else apart.

    The protocol of Tang and Zhong (2008, section 15.4): the pairs come from half of the rows, and the clusters
    of all rows are evaluated, on average over 20 draws. Here no pair is drawn twice.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels; rows with -1 or a missing value are in no pair.
    n_pairs : int, default=500
        How many different pairs are drawn.
    fraction : float, default=0.5
        Part of the rows that pairs come from, rounded up.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    must, cannot : ndarray of int, shape (n, 2)
        Row numbers of pairs that belong together, and of those that do not, the smaller first.

    Examples
    --------
    >>> must, cannot = sample_pairwise_constraints([0, 0, 1, 1], 6, fraction=1.0, random_state=0)
    >>> sorted(must.tolist()), len(cannot)
    ([[0, 1], [2, 3]], 4)
    """
    where = "sample_pairwise_constraints"
    codes = label_numbers(where, y)
    counts(where, 0, n_pairs=n_pairs)
    if not isinstance(fraction, Real) or not 0 < fraction <= 1:
        raise InputError(
            f"{where} got fraction={fraction!r}, but takes a part of the rows, above 0 and up to 1; give 0.5."
        )
    rng = generator(where, random_state)
    known = np.flatnonzero(codes >= 0)
    some = np.sort(rng.choice(known, int(np.ceil(fraction * len(known))), replace=False)) if len(known) else known
    possible = len(some) * (len(some) - 1) // 2
    if n_pairs > possible:
        raise InputError(
            f"{where} got n_pairs={n_pairs}, but {len(some)} rows make {possible} different pairs; lower n_pairs or "
            "raise fraction."
        )
    code = rng.choice(possible, n_pairs, replace=False)
    # Pair number code is (i, j) with i < j and code = j (j - 1) / 2 + i.
    j = ((1 + np.sqrt(1 + 8 * code.astype(np.float64))) / 2).astype(np.int64)
    j -= j * (j - 1) // 2 > code
    j += (j + 1) * j // 2 <= code
    pairs = some[np.column_stack([code - j * (j - 1) // 2, j])]
    same = codes[pairs[:, 0]] == codes[pairs[:, 1]]
    return pairs[same], pairs[~same]
