"""Groups of rows and of columns to begin with."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.clustering.bregman_blocks import group_means
from fewer.core.records.rounding import TOLERANCE


def seeded_start(Z: Any, shape: tuple[int, int], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return groups of rows about rows drawn as by k-means++, then of columns by their means in these groups."""
    rows = near_seeds(Z, shape[0], rng)
    return rows, near_seeds(np.ascontiguousarray(group_means(Z, rows, shape[0]).T), shape[1], rng)


def near_seeds(Z: Any, n_groups: int, rng: np.random.Generator) -> np.ndarray:
    """Return the nearest of some rows for every row; each is drawn with chances as its distance, squared, to others."""
    n, sparse = Z.shape[0], scipy.sparse.issparse(Z)
    own = np.asarray((Z * Z).sum(axis=1)).ravel()
    labels, nearest = np.zeros(n, np.int64), np.full(n, np.inf)
    chosen: list[int] = []
    for group in range(n_groups):
        chances = np.where(np.isinf(nearest), 1.0, nearest)
        chances = chances if chances.max() > 0 else np.ones(n)
        chances[chosen] = 0.0
        chances = chances if chances.max() > 0 else np.ones(n)
        chosen.append(int(rng.choice(n, p=chances / chances.sum())))
        seed = Z[[chosen[-1]]].toarray()[0] if sparse else Z[chosen[-1]]
        if sparse:
            apart = np.maximum(own + seed @ seed - 2.0 * (Z @ seed), 0.0)
        else:
            apart = ((Z - seed) ** 2).sum(axis=1)
        # Copies of a row are at no distance, and equal distances are equal, also where they are differences of squares.
        rounding = TOLERANCE * (own + seed @ seed)
        apart[apart <= rounding] = 0.0
        closer = np.isinf(nearest) | (apart < nearest - rounding)
        labels[closer], nearest[closer] = group, apart[closer]
    return labels
