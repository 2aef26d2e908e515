"""CLIQUE: clusters are dense units of a grid that hang together, in every subspace."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.clustering.dense_units import Grid, dense_units, mdl_cut
from fewer.core.clustering.subspaces import unit_clusters
from fewer.core.discretize.binning import BINS, EqualWidth
from fewer.core.estimators.clusterer import rows_of
from fewer.core.records.params import FRACTION, StrOptions, whole_from
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.unsupervised._unit_clusterer import UnitClusterer


class CLIQUE(UnitClusterer):
    r"""Find groups of rows that are dense in some of the columns, whichever these are.

    Every column is divided into bins of equal width. A unit is a cell of a subspace, one bin of each of its columns,
    and dense if it holds more than a fraction :math:`\tau` of the rows. A unit can only be dense if it is dense
    without any one of its columns, so that dense units are found from one column upwards [1]_. Dense units of one
    subspace that share a face make a cluster; a row may lie in several.

    Parameters
    ----------
    bins : int, default=10
        Number of bins of equal width per column.
    density : float, default=0.05
        Fraction of the rows that a unit must exceed to be dense.
    coverage : float, {"mdl"} or None, default=None
        Which subspaces are left at every level: those with at least this fraction of the rows in dense units; "mdl"
        cuts the list of fractions in two by minimal description length; None leaves all.
    max_dim : int or None, default=None
        Most columns of a subspace; None is no bound.
    max_units : int, default=100000
        Most units, or subspaces, that are kept in memory; beyond, the search is refused.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        The largest cluster of every row, that of most columns and among these of most rows; -1 for none.
    clusters_ : ResultTable
        Rows and subspace of every cluster; those that are some row's largest come first.
    subspaces_ : list of tuple of int
        The columns of every cluster.
    units_ : list of ndarray of shape (n_units, n_columns)
        The bins, in the columns of its subspace, of every unit of every cluster.
    selection_ : Selection
        The columns, by the fraction of rows whose cluster is in a subspace with the column.

    Notes
    -----
    By the number of rows alone every cluster would lose its rows to its own projections, which hold at least as many;
    so the number of columns counts first. A column with all rows in one bin makes no units: every subspace would be as
    dense with it as without it. A value on an edge belongs to the bin on its left. The log2 of a difference of 0,
    which the description length needs, is taken as 0, and subspaces of equal coverage are kept or cut together. The
    descriptions of clusters by few rectangles are not made; `units_` has the cells themselves.

    See Also
    --------
    ENCLUS : Looks for subspaces of low entropy on the same grid.
    PROCLUS : Divides the rows among medoids with columns of their own.

    References
    ----------
    .. [1] R. Agrawal, J. Gehrke, D. Gunopulos and P. Raghavan, "Automatic subspace clustering of high dimensional data
       for data mining applications", SIGMOD 1998.
    .. [2] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, section 2.5.1, 2008.

    Examples
    --------
    >>> from fewer.synth import make_subspace_clusters
    >>> data = make_subspace_clusters(random_state=0)
    >>> found = CLIQUE().fit(data.X)
    >>> [subspace for subspace in found.subspaces_ if len(subspace) > 2]
    [(3, 4, 5), (0, 1, 2), (1, 2, 7)]
    """

    method_tags = MethodTags(
        targets=("none",), views=("dense",), invariance=("row_order", "scale"), cost="n * candidate units"
    )
    _parameter_constraints: dict = {
        "bins": [BINS],
        "density": [FRACTION],
        "coverage": [FRACTION, StrOptions({"mdl"}), None],
        "max_dim": [whole_from(1), None],
        "max_units": [whole_from(1)],
    }

    def __init__(
        self,
        bins: int = 10,
        density: float = 0.05,
        coverage: float | str | None = None,
        max_dim: int | None = None,
        max_units: int = 100000,
    ) -> None:
        self.bins = bins
        self.density = density
        self.coverage = coverage
        self.max_dim = max_dim
        self.max_units = max_units

    def _group(self, data: View) -> None:
        grid = Grid.of(EqualWidth(self.bins).fit_transform(rows_of(data)), self.density)
        levels = dense_units(grid, self.max_dim, self.max_units, type(self).__name__, self._left(grid.n_rows))
        self._store(unit_clusters(grid, levels))

    def _left(self, n_rows: int) -> Any:
        """Return what says which units of a level are left by the coverage of their subspaces."""

        def left(columns: np.ndarray, counts: np.ndarray) -> np.ndarray:
            if self.coverage is None:
                return np.ones(len(counts), bool)
            spaces, which = np.unique(columns, axis=0, return_inverse=True)
            # The units of a subspace share no rows.
            covered = np.bincount(which.ravel(), weights=counts, minlength=len(spaces)).astype(np.int64)
            kept = mdl_cut(covered) if self.coverage == "mdl" else covered / n_rows >= float(self.coverage)
            return kept[which.ravel()]

        return left
