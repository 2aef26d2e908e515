"""Nearest neighbours among orders."""

from __future__ import annotations

from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.estimators.classifier import VotingClassifier
from fewer.core.kernels.order_pairs import add_differing_bits, pack_orders
from fewer.core.records.errors import InputError
from fewer.core.records.params import Interval
from fewer.core.records.tags import MethodTags
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.view import View

# Bit planes of one tile of pairs; small, so that those of the fitted rows stay in cache while queries pass by.
TILE_WORDS = 1 << 17
LEAST_WORDS = 64


class KendallKNN(VotingClassifier):
    r"""Classify by the nearest rows, counting the pairs of features that stand in different order.

    Features must be numbers that can be compared with each other, or ordered categoricals of the same categories.
    The distance is Kendall's, the number of neighbouring features to swap until both orders agree (Definition 7 of
    [1]_). A pair that is tied in exactly one of the two rows counts one half, which keeps it a metric [2]_.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of nearest rows that vote.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    Notes
    -----
    Of equal distances the lower row number is nearer, of equally many votes the first class wins. One bit per pair
    of features says which is smaller; the distance is the number of differing bits, tile by tile, so that memory
    stays bounded for any number of features.

    See Also
    --------
    RankOrderNB : Naive Bayes on the same pairs.

    References
    ----------
    .. [1] D. J. Slotta, J. P. C. Vergara, N. Ramakrishnan and L. S. Heath, "Algorithms for feature selection in
       rank-order spaces", 2005.
    .. [2] R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar and E. Vee, "Comparing and aggregating rankings with ties",
       PODS 2004.

    Examples
    --------
    >>> X = [[1, 2, 3], [10, 20, 15], [3, 2, 1], [30, 20, 10]]
    >>> KendallKNN(n_neighbors=1).fit(X, ["up", "up", "down", "down"]).predict([[5, 7, 9], [9, 8, 7]]).tolist()
    ['up', 'down']
    """

    method_tags = MethodTags(
        targets=("classes",),
        views=("ranks",),
        invariance=("monotone_together",),
        cost="n^2*d^2/64",
    )
    # Columns that cannot be compared have an order that says little.
    poor_score = True
    _parameter_constraints: dict = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [None, Integral],
    }

    def __init__(self, n_neighbors: int = 5, *, n_jobs: int | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def _learn(self, data: View) -> None:
        self._kept, self._codes = data.whole().X, data.whole().y

    def kneighbors(self, X: Any, n_neighbors: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and row numbers of the nearest fitted rows, both (n_samples, n_neighbors), nearest first."""
        return self._nearest(self._rows(X), self.n_neighbors if n_neighbors is None else n_neighbors)

    def _nearest(self, rows: np.ndarray, wanted: int) -> tuple[np.ndarray, np.ndarray]:
        if wanted > len(self._kept):
            raise InputError(
                f"KendallKNN looks for {wanted} neighbours, but was fitted on n_samples = {len(self._kept)}; "
                "choose a smaller n_neighbors."
            )
        distances = kendall_distances(rows, self._kept, self.n_jobs)
        nearest = np.argsort(distances, axis=1, kind="stable")[:, :wanted]
        return np.take_along_axis(distances, nearest, axis=1), nearest

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        nearest = self._nearest(rows, self.n_neighbors)[1]
        return (self._codes[nearest][:, :, None] == np.arange(len(self.classes_))).sum(axis=1)


def kendall_distances(X: np.ndarray, others: np.ndarray, n_jobs: int | None = None) -> np.ndarray:
    """Return the Kendall distance between the orders of all rows of X and all rows of others.

    Parameters
    ----------
    X, others : ndarray of shape (n_rows, n_features) and (n_others, n_features)
        Numbers without missing ones.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    ndarray of shape (n_rows, n_others)
        Pairs of features in opposite order, plus half the pairs that are tied in one of the two rows.
    """
    X, others = (np.ascontiguousarray(rows, np.float64) for rows in (X, others))
    # Without ties, > is where < is not; its bits differ where the others do.
    both = _has_ties(X) or _has_ties(others)
    differing = np.zeros((len(X), len(others)), np.int64)
    run = ThreadRunner(n_jobs)
    with run:
        for first, last, n_words in _tiles(X.shape[1], 1 + both, max(LEAST_WORDS, TILE_WORDS // len(others))):
            left, right = (_packed(rows, first, last, both, n_words, run) for rows in (X, others))
            run.scan(partial(_compare, left, right, differing), len(X), _step(len(X), run))
    return differing / (1 + both)


def _packed(rows: np.ndarray, first: int, last: int, both: bool, n_words: int, run: ThreadRunner) -> np.ndarray:
    """Return the bits of all pairs whose lower feature is first..last, (n_rows, n_words)."""
    words = np.zeros((len(rows), n_words), np.uint64)
    mirrored = -rows if both else rows

    def work(start: int, stop: int) -> None:
        pack_orders(rows, mirrored, first, last, both, start, stop, words)

    run.scan(work, len(rows), _step(len(rows), run))
    return words


def _step(n_rows: int, run: ThreadRunner) -> int:
    """Return how many rows to work on at once, a few times more pieces than threads."""
    return max(1, -(-n_rows // (4 * run.n_threads)))


def _compare(left: np.ndarray, right: np.ndarray, out: np.ndarray, start: int, stop: int) -> None:
    add_differing_bits(left, right, start, stop, out)


def _has_ties(rows: np.ndarray) -> bool:
    """Return whether any row holds a value twice."""
    ordered = np.sort(rows, axis=1)
    return bool((ordered[:, 1:] == ordered[:, :-1]).any())


def _tiles(n_features: int, n_planes: int, most_words: int) -> list[tuple[int, int, int]]:
    """Cut the features into ranges whose pairs fit in about ``most_words`` words; give the words that each needs."""
    tiles, start = [], 0
    while start < n_features - 1:
        stop, bits = start, 0
        while stop < n_features - 1 and (stop == start or bits + n_planes * (n_features - 1 - stop) <= 64 * most_words):
            bits += n_planes * (n_features - 1 - stop)
            stop += 1
        tiles.append((start, stop, -(-bits // 64)))
        start = stop
    return tiles
