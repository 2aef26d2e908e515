"""The category utility of the clusters that a subset shows, as a criterion of subsets and of single features."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.criteria.shapes import Columns, RankingCriterion, SubsetScore, sorted_members
from fewer.core.measures.category import attended
from fewer.core.records.ranking import Ranking
from fewer.core.records.result_table import ResultTable
from fewer.core.records.rounding import steady
from fewer.core.views.view import View
from fewer.methods.unsupervised._clusters import ClusterRows, labels_of

# Rows whose attention is followed; of more as many are taken at equal steps. Fewer, if there are so many features and
# clusters that what a row gains by them would fill the memory.
MOST_ROWS = 2000
MOST_GAINS = 2**22


class UtilityOfClusters(SubsetScore):
    """Cluster the rows on a subset, and evaluate the clusters (Devaney and Ram 1997)."""

    requires = ("dense",)
    by_one = False

    def __init__(self, clusterer: Any = 3, acuity: float = 0.1, scope: str = "all", seed: int = 0) -> None:
        self.clusterer, self.acuity, self.scope, self.seed = clusterer, acuity, scope, seed

    def value(self, view: View, subset: Columns) -> float:
        """Return the category utility of the clusters, 0 without features."""
        rows, members = self.prepare(view), sorted_members(subset)
        if not len(members):
            return 0.0
        labels = labels_of(rows.points(members), self.clusterer, self.seed)
        found = rows.utilities(labels, self.acuity)
        return float(steady(np.sort(found if self.scope == "all" else found[members]).sum()))

    def _prepare(self, view: View) -> ClusterRows:
        return ClusterRows.of(view)


class Salience(RankingCriterion):
    """What each feature adds to the category utility of the clusters on all features: the order of attention."""

    requires = ("dense",)

    def __init__(self, clusterer: Any = 3, acuity: float = 0.1, seed: int = 0) -> None:
        self.clusterer, self.acuity, self.seed = clusterer, acuity, seed

    def scores(self, view: View) -> Ranking:
        """Cluster the rows and score all features."""
        rows = ClusterRows.of(view)
        labels = labels_of(rows.points(np.arange(view.n_features)), self.clusterer, self.seed)
        scores = rows.utilities(labels, self.acuity)
        ranking = Ranking(scores, constant=rows.constant)
        table = attention_table(rows, labels, self.acuity, ranking.order, scores)
        return Ranking(scores, constant=rows.constant, tables={"attention": table})


def attention_table(
    rows: ClusterRows, labels: np.ndarray, acuity: float, order: np.ndarray, scores: np.ndarray
) -> ResultTable:
    """Return how many rows need a look at each feature, in the order of attention, until their cluster is certain."""
    n, n_clusters = len(rows.X), int(labels.max()) + 1
    followed = min(n, MOST_ROWS, max(1, MOST_GAINS // (n_clusters * len(order))))
    some = np.unique(np.linspace(0, n - 1, followed).round().astype(np.int64))
    gains = np.empty((len(some), len(order), n_clusters))
    for place, j in enumerate(order.tolist()):
        gains[:, place] = rows.placements(j, labels, acuity, some)
    inspected = attended(gains)[1]
    looked = [(inspected > place).mean() for place in range(len(order))]
    columns = {"feature": order, "adds to category utility": scores[order], "fraction of rows that look": looked}
    return ResultTable("Attention: features in the order in which rows look at them", columns, "rows", ("feature",))
