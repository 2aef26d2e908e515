"""Clustering by features and features by clusters, in turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer import registry
from fewer.core.clustering.normalized_cut import alone, cut_rows, robust_columns
from fewer.core.clustering.told import refuse_too_many
from fewer.core.discretize.named import FoundLevels, Mixtures, fit_mixtures
from fewer.core.estimators.clusterer import BaseClusterer, rows_of
from fewer.core.measures import mixture_overlap
from fewer.core.records.errors import InputError
from fewer.core.records.params import whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

# Similarities of all pairs of rows are kept.
MOST_ROWS = 10_000


class CLICK(BaseClusterer):
    """Find groups of rows and the features that tell them, each by the other, as Xing and Karp do for microarrays.

    Features with two clearly separate states (`MixtureOverlap`) make a first partition of the rows by normalised cuts.
    That partition stands in for classes: features are ranked by information gain, the best are thinned by Markov
    blankets (`InformationBlanketOrder`), those that are kept make a new partition, and so on until a partition comes
    back [1]_, [2]_.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). Only features that
        are ordered can be kept.
    n_first : int, default=50
        Most features with two states that make the first partition.
    top : int, default=360
        How many features of highest information gain are ordered.
    k : int, default=1
        Size of the blankets; keep it small.
    max_iter : int, default=20
        Most iterations.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row, numbered by their first rows.
    progress_ : ResultTable
        Per partition: the number of features that made it, the sum of its cuts, and the rows that changed.
    converged_ : bool
        Whether the last partition was there before.
    n_iter_ : int
        Partitions made.
    clusters_ : ResultTable
        Rows per cluster.
    selection_ : Selection
        Features that tell the clusters, as `InformationBlanketOrder` keeps them for the last partition; not there if
        all rows are in one cluster.

    Notes
    -----
    The algorithm is called CLIFF in [1]_ and CLICK in [2]_, which names its parts and leaves the graph open. Here
    columns are first taken about their medians, in robust deviations up to 6, and the largest and smallest hundredth of
    each (at least one number) is brought to the next, so that one far row neither makes all others alike nor is a
    state. Distances are in units of the spread inside a state, for features with one state of all their spread; rows
    are similar by exp(-d^2 / 2m), m the median of the squared distances; a row is not similar to itself, so that none
    is cut off for being alone. Further groups are made by cutting the group with the best cut. If no feature has two
    states the first partition is made of all features up to `n_first`. The features that are kept are found on the rows
    that made the clusters, so that their scores are no evidence that there are clusters. Which of several true
    partitions is found, features decide: of 38 leukemias two clusters are the eight of T cells and the others, not the
    two kinds ALL and AML. All pairs of rows are kept in memory: at most 10,000 rows.

    References
    ----------
    .. [1] E. P. Xing and R. M. Karp, "CLIFF: clustering of high-dimensional microarray data via iterative feature
       filtering using normalized cuts", Bioinformatics 17 (suppl. 1), 2001.
    .. [2] E. P. Xing, "Feature selection in microarray analysis", section 4, in A Practical Approach to Microarray
       Data Analysis, 2003.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, group = rng.normal(size=(60, 8)), np.repeat([0, 1], 30)
    >>> X[:, 2] += 8 * group
    >>> X[:, 5] -= 8 * group
    >>> found = CLICK(2, n_features_to_select=1).fit(X)
    >>> found.selection_.indices.tolist(), bool((found.labels_ == group).all())
    ([2], True)
    """

    method_tags = MethodTags(targets=("none",), views=("dense",), invariance=("row_order_untied",), cost="n^3")
    _parameter_constraints: dict = {
        "n_clusters": [whole_from(1)],
        # The part that selects reads it, and says in one sentence what is allowed.
        "n_features_to_select": "no_validation",
        "n_first": [whole_from(1)],
        "top": [whole_from(1)],
        "k": [whole_from(0)],
        "max_iter": [whole_from(1)],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        n_features_to_select: Any = 10,
        n_first: int = 50,
        top: int = 360,
        k: int = 1,
        max_iter: int = 20,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_features_to_select = n_features_to_select
        self.n_first = n_first
        self.top = top
        self.k = k
        self.max_iter = max_iter

    def _group(self, data: View) -> None:
        name, X = type(self).__name__, rows_of(data)
        refuse_too_many(name, self.n_clusters, len(X), "the rows")
        if len(X) > MOST_ROWS:
            raise InputError(
                f"{name} got {len(X)} rows, but keeps all pairs of at most {MOST_ROWS}; draw a sample, or use "
                "SphericalKMeans."
            )
        data = data.with_numbers(robust_columns(X))
        fitted = fit_mixtures(data.whole().X, data.run)
        X = data.whole().X / inner_spread(fitted)
        features, levels, lines = self._first(data, fitted), FoundLevels(fitted.cuts()), []
        seen: list[np.ndarray] = []
        labels = np.zeros(len(X), np.int64)
        self.converged_, self._found = False, None
        for _ in range(self.max_iter):
            before = labels
            labels, cost = cut_rows(X[:, features], self.n_clusters)
            lines.append((len(features), cost, int((labels != before).sum())))
            again = any(np.array_equal(labels, other) for other in seen)
            self.converged_ = again or labels.max() == 0
            if self.converged_:
                break
            seen.append(labels)
            self._found = self._told(data, labels, levels)
            if not len(self._found.indices):
                break
            features = self._found.indices
        if labels.max() > 0 and not np.array_equal(labels, seen[-1]):
            # A round of partitions: the last of it is told, so that features and clusters belong together.
            self._found = self._told(data, labels, levels)
        self.labels_, self.n_iter_ = labels, len(lines)
        heads = ("features", "cut", "rows changed")
        columns = {head: [line[i] for line in lines] for i, head in enumerate(heads)}
        self.progress_ = ResultTable.numbered("Partitions in turn", "partition", columns)

    def _first(self, data: View, fitted: Mixtures) -> np.ndarray:
        """Return the features with the clearest two states, or the first ones if none has two."""
        overlap = np.where(fitted.two_states, mixture_overlap(fitted.weight, fitted.mean, fitted.variance), 0.5)
        rare = fitted.weight.min(axis=1) * data.n_rows < alone(data.n_rows) + 0.5
        clear = [j for j in Ranking(0.5 - overlap).order.tolist() if overlap[j] < 0.5 and not rare[j]][: self.n_first]
        return np.array(clear or range(min(self.n_first, data.n_features)), np.int64)

    def _told(self, data: View, labels: np.ndarray, levels: FoundLevels) -> Selection:
        """Return the features that tell a partition, by the states that they have whatever the partition."""
        make = registry.load("InformationBlanketOrder")
        ranker = make(self.n_features_to_select, top=self.top, k=self.k, discretizer=levels)
        n = int(labels.max()) + 1
        return ranker.fit_view(data.with_classes(labels, np.arange(n))).selection_

    def _selection(self, data: View) -> Selection | None:
        return None if self._found is None else self._found.with_tables(partitions=self.progress_)


def inner_spread(fitted: Mixtures) -> np.ndarray:
    """Return the deviation inside the states of every feature with two; 1 for the others."""
    inside = np.sqrt(np.nansum(fitted.weight * fitted.variance, axis=1)) * fitted.unit
    return np.where(fitted.two_states & (inside > 0), inside, 1.0)
