"""ENCLUS: subspaces of low entropy, and the dense cells in them."""

from __future__ import annotations

import numpy as np

from fewer.core.clustering.dense_units import Grid
from fewer.core.clustering.low_entropy import EntropySearch, Subspace, cells_of
from fewer.core.clustering.subspaces import unit_clusters
from fewer.core.discretize.binning import BINS, EqualWidth
from fewer.core.estimators.clusterer import rows_of
from fewer.core.records.params import FRACTION, StrOptions, number_from, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.unsupervised._unit_clusterer import UnitClusterer


class ENCLUS(UnitClusterer):
    r"""Find subspaces in which rows crowd into few cells and columns depend on each other, and the clusters in them.

    On a grid of bins of equal width the entropy of a subspace S is :math:`H(S) = -\sum p \ln p` over its cells. A
    subspace is good for clustering if :math:`H(S) < \omega`, and so are then all its parts; its interest is
    :math:`\sum_{f \in S} H(f) - H(S)`, the total correlation of its columns, which no part can exceed [1]_.

    Parameters
    ----------
    bins : int, default=10
        Number of bins of equal width per column.
    max_entropy : float or None, default=None
        :math:`\omega` in nats; None takes 0.8 ln n, since ln n is the entropy of rows that all have cells of their own.
    min_interest : float or None, default=None
        What the interest of a subspace, or its gain, must exceed, in nats; None takes 0.1, or what chance explains if
        that is more, by the numbers of rows and of bins in use.
    report : {"minimal", "gain"}, default="minimal"
        The smallest subspaces of enough interest (ENCLUS_SIG), or those that have more interest than any of their parts
        with a column less by enough (ENCLUS_INT).
    density : float, default=0.05
        Fraction of the rows that a unit must exceed to be dense.
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
    found_ : list of Subspace
        The reported subspaces with ``columns``, ``entropy``, ``interest`` and ``gain``, most interest (or gain) first.
    subspaces_ : list of tuple of int
        The columns of every cluster.
    units_ : list of ndarray of shape (n_units, n_columns)
        The bins, in the columns of its subspace, of every unit of every cluster.
    selection_ : Selection
        The columns, by the fraction of rows whose cluster is in a subspace with the column.

    Notes
    -----
    The paper finds subspaces and leaves clustering to others; here clusters are connected dense units as in CLIQUE, in
    the reported subspaces only. The value of :math:`\omega` is the user's in the paper. Estimated from few rows,
    entropy is too small and interest too large, the more so the more cells there are. Of independent columns 2n times
    the interest is about chi-squared with as many degrees of freedom as there are cells less those of the single
    columns; the default of `min_interest` is twice its mean, or its quantile at 1 % divided by the number of subspaces
    of the same size. With bins² far above the number of rows the default of `max_entropy` refuses nearly all pairs,
    which is right. A column with all rows in one bin is
    in no subspace.

    See Also
    --------
    CLIQUE : Looks for dense units in all subspaces.

    References
    ----------
    .. [1] C.-H. Cheng, A. W. Fu and Y. Zhang, "Entropy-based subspace clustering for mining numerical data", KDD 1999.
    .. [2] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, section 2.5.1, 2008.

    Examples
    --------
    >>> from fewer.synth import make_subspace_clusters
    >>> data = make_subspace_clusters(random_state=0)
    >>> found = ENCLUS(min_interest=0.25).fit(data.X)
    >>> sorted(s.columns for s in found.found_)
    [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]
    """

    method_tags = MethodTags(
        targets=("none",), views=("dense",), invariance=("row_order", "scale"), cost="n * candidate subspaces"
    )
    _parameter_constraints: dict = {
        "bins": [BINS],
        "max_entropy": [number_from(0), None],
        "min_interest": [number_from(0), None],
        "report": [StrOptions({"minimal", "gain"})],
        "density": [FRACTION],
        "max_dim": [whole_from(1), None],
        "max_units": [whole_from(1)],
    }

    def __init__(
        self,
        bins: int = 10,
        max_entropy: float | None = None,
        min_interest: float | None = None,
        report: str = "minimal",
        density: float = 0.05,
        max_dim: int | None = None,
        max_units: int = 100000,
    ) -> None:
        self.bins = bins
        self.max_entropy = max_entropy
        self.min_interest = min_interest
        self.report = report
        self.density = density
        self.max_dim = max_dim
        self.max_units = max_units

    def _group(self, data: View) -> None:
        codes = EqualWidth(self.bins).fit_transform(rows_of(data))
        omega = 0.8 * np.log(len(codes)) if self.max_entropy is None else self.max_entropy
        minimal, name = self.report == "minimal", type(self).__name__
        search = EntropySearch(codes, omega, self.min_interest, minimal, self.max_dim, self.max_units, name)
        self.found_: list[Subspace] = search.run()
        grid, levels = Grid.of(codes, self.density), []
        for space in self.found_:
            cells, counts = cells_of(codes, space.columns, grid.least)
            if len(cells):
                levels.append((grid.numbers(np.array(space.columns), cells), counts))
        self._store(unit_clusters(grid, levels))

    def _selection(self, data: View) -> Selection:
        found = super()._selection(data)
        names = data.names or tuple(f"x{j}" for j in range(data.n_features))
        columns = {
            "subspace": [", ".join(names[j] for j in s.columns) for s in self.found_],
            "entropy": [s.entropy for s in self.found_],
            "interest": [s.interest for s in self.found_],
            "gain": [s.gain for s in self.found_],
        }
        return found.with_tables(subspaces=ResultTable("Subspaces of low entropy", columns))
