"""Groups of rows and groups of columns whose blocks are stood for by means, under any of several losses."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.clustering.block_starts import seeded_start
from fewer.core.clustering.by_label import without_gaps
from fewer.core.clustering.divergences import DIVERGENCES
from fewer.core.clustering.told import key_words, progress_table, shares
from fewer.core.estimators.clusterer import BaseClusterer, by_weight, rows_of
from fewer.core.estimators.information_groups import CONSTRAINTS, block_shape, column_table, given_start, random_start
from fewer.core.records.errors import InputError, RequirementError
from fewer.core.records.params import StrOptions
from fewer.core.records.result import Selection
from fewer.core.records.rounding import exceeds
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.unsupervised._block_schemes import BASES, fitted_scheme


class BregmanCoClustering(BaseClusterer):
    r"""Group rows and columns of a matrix at once, so that what stands for each block is near its numbers.

    Wanted are groups of rows and of columns with the smallest :math:`\sum_{ij} d_\phi(z_{ij}, \hat z_{ij})` for a
    Bregman divergence :math:`d_\phi` [1]_. In the block scheme :math:`\hat z_{ij}` is the mean of the block of i and j;
    schemes with more keep means of rows and columns, too. Every row goes to the group that stands for it best, then
    every column, and so on; the loss never rises. Sparse matrices stay sparse unless most of their numbers are not 0.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    n_column_clusters : int or None, default=None
        Number of groups of columns; None for as many as clusters.
    divergence : {"squared", "kl", "itakura_saito"}, default="squared"
        The loss: squares; z ln(z/m) - z + m, for counts and other numbers from 0 on; or z/m - ln(z/m) - 1, for positive
        numbers of any scale.
    basis : {"block", "marginals", "residue"}, default="block"
        What stands for a number: the mean of its block; that, corrected by the means of its row and of its column
        ("squared" and "kl"); or by the means of its row in the group of columns and of its column in the group of rows,
        which leaves the residue of [2]_ ("squared").
    init : {"k-means++", "random"} or tuple of two arrays, default="k-means++"
        Groups to begin with: of a short run of k-means, or drawn at random; or labels of all rows and of all columns.
    n_init : int, default=3
        Number of starts, of which the best result is kept; given labels are one start.
    max_iter : int, default=100
        Most iterations.
    tol : float, default=1e-6
        The iterations end when the objective changes by a smaller fraction.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    labels_ : ndarray of int, shape (n_samples,)
        Cluster of every row.
    column_labels_ : ndarray of int, shape (n_features,)
        Group of every column.
    loss_ : float
        The loss.
    progress_ : ResultTable
        The loss at the start and after every step, of rows and columns in turn, and how many empty groups got a member.
    n_iter_ : int
        Iterations of the best start.
    clusters_ : ResultTable
        Rows per cluster.
    selection_ : Selection
        Features by their share of how far the means of the clusters are from the mean of the column; with the tables
        "keywords" (where a cluster is above that mean) and "columns".

    See Also
    --------
    InformationCoClustering : "kl" with "marginals", of numbers that sum to 1.

    Notes
    -----
    All numbers count alike; the weights :math:`w_{ij}` of [1]_ are left out. "kl" with "marginals" is the loss of
    `InformationCoClustering` times the sum of all numbers, and rows and columns of zeros are in group 0 there. An empty
    group gets the row that fits worst, which cannot raise the loss. Under "kl" with "block" rows are compared as they
    are, so that documents are grouped by their length first; take "marginals" for what they are about.

    References
    ----------
    .. [1] A. Banerjee, I. Dhillon, J. Ghosh, S. Merugu and D. S. Modha, "A generalized maximum entropy approach to
       Bregman co-clustering and matrix approximation", Journal of Machine Learning Research 8, 2007.
    .. [2] H. Cho, I. S. Dhillon, Y. Guan and S. Sra, "Minimum sum-squared residue co-clustering of gene expression
       data", SIAM International Conference on Data Mining, 2004.

    Examples
    --------
    >>> X = [[1, 1, 5, 5], [1, 1, 5, 5], [7, 7, 2, 2]]
    >>> found = BregmanCoClustering(2, random_state=0).fit(X)
    >>> found.loss_, bool(found.labels_[0] == found.labels_[1] != found.labels_[2])
    (0.0, True)
    """

    method_tags = MethodTags(
        targets=("none",), views=("dense",), handles_sparse=True, deterministic=False, invariance=(), cost="n*d"
    )
    _parameter_constraints: dict = {
        **CONSTRAINTS,
        "divergence": [StrOptions(set(DIVERGENCES))],
        "basis": [StrOptions(set(BASES))],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        n_column_clusters: int | None = None,
        divergence: str = "squared",
        basis: str = "block",
        init: Any = "k-means++",
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_column_clusters = n_column_clusters
        self.divergence = divergence
        self.basis = basis
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _group(self, data: View) -> None:
        self._check()
        rng, Z = np.random.default_rng(self.random_state), without_gaps(rows_of(data))
        self._refuse(Z)
        shape = block_shape(self, *Z.shape)
        values = Z.data if scipy.sparse.issparse(Z) else Z
        # A power of two changes no digit and keeps squares in range.
        power = int(np.frexp(np.abs(values).max(initial=0.0))[1])
        self._power = power
        scheme, best = fitted_scheme(self.divergence, self.basis, self._scaled(Z)), None
        for start in self._starts(scheme, shape, rng):
            found = scheme.run(start, shape, self.max_iter, self.tol)
            if best is None or exceeds(best.loss, found.loss):
                best = found
        assert best is not None
        self._scheme = scheme.settled(best, shape)
        self.labels_, self.column_labels_ = best.rows, best.columns
        degree = {"squared": 2, "kl": 1, "itakura_saito": 0}[self.divergence]
        with np.errstate(over="ignore"):
            history = np.ldexp(np.array(best.history), degree * power)
        self.loss_, self.n_iter_ = float(history[-1]), len(history) // 2
        self.progress_ = progress_table("Loss after every step", "loss", history, best.reseeded, 0)

    def _scaled(self, Z: Any) -> Any:
        if not scipy.sparse.issparse(Z):
            return np.ldexp(Z, -self._power)
        values = np.ldexp(Z.data.astype(np.float64), -self._power)
        return scipy.sparse.csr_array((values, Z.indices, Z.indptr), shape=Z.shape)

    def _starts(self, scheme: Any, shape: tuple[int, int], rng: np.random.Generator) -> Any:
        if not isinstance(self.init, str):
            return [given_start(self, scheme.Z.shape, shape)]
        if self.init == "random":
            return (random_start(None, shape, rng, scheme.Z.shape) for _ in range(self.n_init))
        return (seeded_start(scheme.Z, shape, rng) for _ in range(self.n_init))

    def _check(self) -> None:
        if self.divergence not in BASES[self.basis]:
            raise RequirementError(
                f"{type(self).__name__} got basis={self.basis!r} with divergence={self.divergence!r}, but that basis "
                f"needs {' or '.join(map(repr, BASES[self.basis]))}; change one of the two."
            )

    def _refuse(self, Z: Any) -> None:
        """Raise on numbers that the divergence does not take."""
        domain = DIVERGENCES[self.divergence].domain
        least = float(Z.min()) if Z.shape[0] else 0.0
        if domain == "any" or least > 0 or (domain == "nonnegative" and least == 0):
            return
        allowed = "numbers from 0 on" if domain == "nonnegative" else "positive numbers"
        raise InputError(
            f"{type(self).__name__} with divergence={self.divergence!r} got {least:.6g}, but takes {allowed} only; use "
            "divergence='squared', or shift the numbers."
        )

    def predict(self, X: Any) -> np.ndarray:
        """Return the cluster that stands for every row best."""
        Z = without_gaps(self._rows(X))
        Z = scipy.sparse.csr_array(Z, dtype=np.float64) if scipy.sparse.issparse(Z) else np.asarray(Z, np.float64)
        self._refuse(Z)
        return self._scheme.nearest(self._scaled(Z))

    def _selection(self, data: View) -> Selection:
        each, above = self._scheme.said
        words = key_words(np.where(above, each, 0.0) / max(float(each.sum()), np.finfo(float).tiny))
        tables = {"keywords": words, "columns": column_table(self.column_labels_), "loss": self.progress_}
        return by_weight(shares(each.sum(axis=0)), **tables)
