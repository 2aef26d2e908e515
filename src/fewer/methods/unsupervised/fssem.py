"""FSSEM: a wrapper of clusters, found by expectation and maximisation in every subset of features."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.clustering.gaussians import Climb
from fewer.core.clustering.standard_columns import standard_columns
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import RequirementError
from fewer.core.records.numerals import numeral
from fewer.core.records.params import Interval, StrOptions, number_above, number_from, whole_from
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.search import Problem
from fewer.core.search.by_name import as_search
from fewer.core.search.sequential import Sequential
from fewer.core.views.view import View
from fewer.methods.unsupervised._cluster_score import ClusterScore
from fewer.methods.unsupervised._cluster_tables import cluster_table
from fewer.methods.unsupervised._cross_projection import CrossProjection

CONSTANT = "the column is constant"


class FSSEM(BaseSelector):
    r"""Keep the features in which a mixture of Gaussians finds the clearest clusters.

    In every subset that the search visits, rows are clustered by a mixture of Gaussians, as many as make
    :math:`L - f_K \ln(M) / 2` largest, the log-likelihood less the price of the parameters [1]_. A subset is worth the
    separability :math:`\mathrm{tr}(S_w^{-1} S_b)` of its clusters, or their likelihood. Both prefer a number of
    dimensions, so that a step from S to S' is taken only if :math:`J(S', C') J(S, C') > J(S, C) J(S', C)`, the clusters
    C of each subset seen in both (sums of log-likelihoods).

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all
        that are not constant.
    objective : {"separability", "likelihood"}, default="separability"
        What a division of the rows is worth in some columns.
    normalization : {"cross", "all", "none"}, default="cross"
        How subsets of different size are compared: each division in the columns of both, for steps of one feature; in
        all columns, for any search; or not at all.
    search : str or Search, default="sequential"
        How subsets are visited: "sequential" adds features one by one, or removes them as
        ``fewer.search.Sequential("backward")``; with another normalization any search of `fewer.search` through
        subsets.
    n_clusters : int or None, default=None
        Number of clusters; None finds it for every subset, from ``max_clusters`` down by merging two at a time.
    max_clusters : int, default=10
        Most clusters.
    covariance : {"full", "diagonal"}, default="full"
        Shape of the Gaussians.
    alpha : float, default=0.05
        Level of the test that a larger subset must pass to win a comparison; 1 takes every gain.
    ridge : float, default=1e-6
        What is added to the variances of columns of variance 1, beside what rounding needs, so that no component
        collapses.
    n_starts : int, default=10
        Sub-samples of a tenth of the rows, the best of which is the start on all rows.
    tol : float, default=1e-4
        Gain of the log-likelihood per row at which a climb ends.
    max_iter : int, default=500
        Most iterations of a climb.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    labels_ : ndarray of int of shape (n_samples,)
        The most probable cluster of every row, in the kept features.
    n_clusters_ : int
        Number of clusters there.
    n_iter_ : int
        Number of subsets that were evaluated.

    See Also
    --------
    FeatureSaliency : One mixture of all features, each of which has a weight.

    Notes
    -----
    Columns are scaled to variance 1, because likelihoods depend on units; constant columns are left out. A column whose
    values are h apart at least is blurred by h^2 / (2 pi), so that no rounded value has a density above 1 / h. Starts
    are the same rows for every subset. The chapter leaves the number of clusters, the starts and the constants to [1]_;
    the gain at which a climb ends is taken per row. The first feature has nothing to be compared with and is always
    taken.

    The paper takes every gain (``alpha=1``). Clusters that are the same in truth are never found the same, so that
    noise wins about every second comparison; here a gain must be larger than what the influence of single rows on
    both values explains, at a level that is corrected (Sidak) for the number of candidates.

    References
    ----------
    .. [1] J. G. Dy and C. E. Brodley, "Feature selection for unsupervised learning", Journal of Machine Learning
       Research 5, 2004.
    .. [2] J. G. Dy, "Unsupervised feature selection", in: H. Liu and H. Motoda (eds.), Computational Methods of Feature
       Selection, 2008, section 2.4.2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> found = FSSEM(random_state=0).fit(X)
    >>> found.selection_.indices.tolist(), found.n_clusters_
    ([2, 3], 3)
    """

    method_tags = MethodTags(
        targets=("none",), views=("dense",), deterministic=False, nested=False, invariance=(), cost="d^2 clusterings"
    )
    # What the search says of sizes is all that holds.
    _serves = ()
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "objective": [StrOptions({"separability", "likelihood"})],
        "normalization": [StrOptions({"cross", "all", "none"})],
        # as_search reads it.
        "search": "no_validation",
        "n_clusters": [None, whole_from(1)],
        "max_clusters": [whole_from(1)],
        "covariance": [StrOptions({"full", "diagonal"})],
        "alpha": [Interval(Real, 0, 1, closed="right")],
        "ridge": [number_above(0)],
        "n_starts": [whole_from(1)],
        "tol": [number_from(0)],
        "max_iter": [whole_from(1)],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: Any = "best",
        *,
        objective: str = "separability",
        normalization: str = "cross",
        search: Any = "sequential",
        n_clusters: int | None = None,
        max_clusters: int = 10,
        covariance: str = "full",
        alpha: float = 0.05,
        ridge: float = 1e-6,
        n_starts: int = 10,
        tol: float = 1e-4,
        max_iter: int = 500,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.objective = objective
        self.normalization = normalization
        self.search = search
        self.n_clusters = n_clusters
        self.max_clusters = max_clusters
        self.covariance = covariance
        self.alpha = alpha
        self.ridge = ridge
        self.n_starts = n_starts
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> ClusterScore:
        seed = int(np.random.default_rng(self.random_state).integers(2**32))
        how = Climb(self.covariance == "diagonal", self.ridge, self.tol, self.max_iter)
        return ClusterScore(
            self.objective,
            self.normalization == "all",
            self.n_clusters,
            self.max_clusters,
            self.n_starts,
            how,
            self.alpha,
            seed,
        )

    def _parts(self) -> Parts:
        parts, search = super()._parts(), as_search(self.search, "FSSEM")
        if self.normalization == "cross":
            if not isinstance(search, Sequential) or search.step != 1:
                raise RequirementError(
                    f"FSSEM got search={self.search!r} with normalization='cross', but compares subsets that differ by "
                    "one feature; pass search='sequential', or normalization='all'."
                )
            search = CrossProjection(search.direction)
        search.check("FSSEM", parts.criterion, parts.size)
        return replace(parts, search=search)

    def _select(self, data: View, parts: Parts) -> Selection:
        _, constant = standard_columns(data.whole().X)
        varying = np.flatnonzero(~constant)
        if not len(varying):
            note = dict.fromkeys(range(data.n_features), CONSTANT)
            reasons = Reasons.of_kept(data.n_features, [], IRRELEVANT, note=note, rule="no column varies")
            self.labels_, self.n_clusters_, self.n_iter_ = np.zeros(data.n_rows, dtype=np.int32), 1, 0
            return Selection.build([], [], reasons, np.full(data.n_features, np.nan))
        view = data.columns(varying)
        problem = Problem(view, parts.criterion, parts.size, seed=parts.criterion.seed, who="FSSEM")
        found = self._told(parts.search.run(problem), view, parts.criterion)
        self.n_iter_ = found.meta["evaluations"]
        return found if len(varying) == data.n_features else found.on(varying, data.n_features, IRRELEVANT, CONSTANT)

    def _told(self, found: Selection, view: View, criterion: ClusterScore) -> Selection:
        """Return the selection with its clusters, and what the comparisons say of the features left."""
        division = criterion.division(view, found.indices)
        self.labels_, self.n_clusters_ = division.argmax(axis=1).astype(np.int32), division.shape[1]
        tables = {**found.tables, "clusters": cluster_table(view, division, found.indices)}
        compared = criterion.prepare(view).comparisons
        reasons = found.reasons
        if self.objective == "likelihood":
            # It falls with almost every feature, so that a loss says nothing about one.
            kind = np.where(reasons.kind == KEPT, KEPT, NOT_REACHED).astype(np.uint8)
            reasons = replace(reasons, kind=kind, related={}, amount={}, needs=())
        if compared:
            columns = {head: [step[head] for step in compared] for head in compared[0]}
            tables["comparisons"] = ResultTable("Subsets compared", columns, "rows", ("feature",))
            last = compared[-1]
            if not last["better with it"]:
                values = [numeral(last[head]) for head in ("value with it", "value without")]
                words = (
                    f"the clusters found with it are worth {values[0]} in both projections, those without {values[1]}"
                )
                if last["value with it"] > last["value without"]:
                    words += f", a gain that may be chance (p = {numeral(last['p-value'], '.2g')})"
                reasons = replace(reasons, note={**reasons.note, int(last["feature"]): words})
        clusters = f"{self.n_clusters_} cluster{'' if self.n_clusters_ == 1 else 's'}"
        reasons = replace(reasons, rule=f"{reasons.rule}; it has {clusters}")
        return replace(found, reasons=reasons, tables=tables, meta={**found.meta, "clusters": self.n_clusters_})
