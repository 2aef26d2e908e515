"""What clusterers on a grid share: clusters of units, each in a subspace of its own."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewer.core.clustering.subspaces import UnitClusters, by_subspace, clusters_table
from fewer.core.estimators.clusterer import BaseClusterer
from fewer.core.records.errors import InputError
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.views.view import View


class UnitClusterer(BaseClusterer):
    """Base of methods whose clusters are units of a grid that hang together."""

    subspaces_: list[tuple[int, ...]]
    units_: list[np.ndarray]

    def _store(self, found: UnitClusters) -> None:
        self._found = found
        self.labels_, self.subspaces_ = found.labels, found.subspaces
        self.units_ = [found.grid.level[units] for units in found.units]

    def members(self, cluster: int) -> np.ndarray:
        """Return the rows of a cluster, which may lie in others, too.

        Parameters
        ----------
        cluster : int
            Number of the cluster.

        Returns
        -------
        ndarray of int
            Row numbers.
        """
        check_is_fitted(self, "labels_")
        if not isinstance(cluster, Integral) or not 0 <= cluster < len(self.units_):
            raise InputError(
                f"{type(self).__name__}.members got cluster={cluster!r}, but found {len(self.units_)} cluster(s); pass "
                "a number from the first column of clusters_."
            )
        return self._found.members(int(cluster))

    def _clusters(self, data: View) -> ResultTable:
        return clusters_table(self.subspaces_, self._found.rows, data.names)

    def _selection(self, data: View) -> Selection:
        return by_subspace(self.labels_, self.subspaces_, data.n_features)
