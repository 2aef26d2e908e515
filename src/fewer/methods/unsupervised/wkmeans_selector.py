"""Features by their weights in several runs of W-k-means."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.clustering.descent import Descent, variances
from fewer.core.clustering.points import Points, read_points
from fewer.core.clustering.starts import checked_clusters, started
from fewer.core.clustering.weightings import PowerWeights
from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.records.params import FRACTION, Interval, StrOptions, whole_from
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.unsupervised._powers import checked_power, important


@dataclass(frozen=True)
class ClusterWeights(RankingCriterion):
    """Weights of features averaged over runs of W-k-means, runs with a small objective counting more."""

    n_clusters: int = 3
    beta: float = 2.0
    init: str = "k-means++"
    n_init: int = 10
    max_iter: int = 100
    sample_fraction: float = 1.0
    standardize: bool = True
    random_state: Any = None
    requires = ("dense", "sparse")

    def scores(self, view: View) -> Ranking:
        """Run W-k-means several times, each on a sample of its own if one is wanted."""
        rng, runs = np.random.default_rng(self.random_state), []
        checked_clusters("WKMeansSelector", self.n_clusters, view.n_rows)
        beta = checked_power("WKMeansSelector", self.beta)
        size = max(self.n_clusters, round(self.sample_fraction * view.n_rows))
        whole = read_points(view, self.standardize)
        if self.standardize:
            spread = np.sqrt(variances(whole)[~view.nominal])
            whole = whole.divided(np.where(spread > 0, spread, 1.0))
        for run in range(self.n_init):
            points = whole if size >= len(whole) else whole.rows(np.sort(rng.choice(len(whole), size, False)))
            runs.append(self._run(points, beta, rng))
            progress.report("runs of W-k-means", run + 1, self.n_init)
        least = min(found.objective for found in runs)
        shares = np.array([least / found.objective if found.objective > 0 else 1.0 for found in runs])
        weights = np.array([important(found.weights[0], beta) for found in runs])
        told = {
            "objective": [float(found.told(found.path)[-1]) for found in runs],
            "iterations": [len(found.path) for found in runs],
        }
        table = ResultTable.numbered("Runs of W-k-means", "run", told)
        mean = shares @ weights / shares.sum()
        return Ranking(mean, None, {"spread": weights.std(axis=0)}, tables={"runs": table})

    def _run(self, points: Points, beta: float, rng: np.random.Generator) -> Descent:
        rule = PowerWeights(points.equal_shares(), beta)
        weights = rule.start(points.frame.varying, self.n_clusters)
        centres = started("WKMeansSelector", points, self.n_clusters, self.init, rule.effective(weights), rng)
        return Descent(points, rule, centres, weights).run(self.max_iter)


class WKMeansSelector(ScoreBase):
    r"""Keep features with large weights in clusters that W-k-means finds, without a target.

    W-k-means runs several times, on all rows or on samples; the score of a feature is its mean weight, in which a run
    counts in proportion to one over its objective. A feature with at least an equal share, 1 / d of d features, is kept
    [1]_; then cluster with these by any method.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="mean"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        The mean of the weights is an equal share.
    n_clusters : int, default=3
        Number of clusters.
    beta : float, default=2.0
        Power of the weights: above 1 (larger is flatter), below 0, 0 for equal weights, or 1, which gives one feature
        all weight.
    init : {"k-means++", "random"}, default="k-means++"
        Centres at the start: rows far apart, or random rows (Forgy).
    n_init : int, default=10
        How many descents are made from drawn starts; here all of them count.
    max_iter : int, default=100
        Most iterations of a descent.
    sample_fraction : float, default=1.0
        Fraction of the rows that every run sees, drawn again for each; for many rows.
    standardize : bool, default=True
        Whether numeric columns are divided by their standard deviations; otherwise weights depend on units.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    n_iter_ : int
        Most iterations of a run.

    See Also
    --------
    WKMeans : The clusterer, with the clusters.

    Notes
    -----
    The source says that several runs are needed, not how they are put together. The
    standard deviation of a weight over the runs is in ``selection_.columns["spread"]``. A column with one value in a
    sample gets no weight there.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 10.4.

    Examples
    --------
    >>> X = [[0, 0, 5], [1, 0, 1], [0, 1, 9], [8, 9, 2], [9, 8, 7], [9, 9, 4]]
    >>> WKMeansSelector(n_clusters=2, random_state=0).fit(X).selection_.indices.tolist()
    [0, 1]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense", "sparse"),
        handles_sparse=True,
        handles_nominal=True,
        deterministic=False,
        invariance=(),
        cost="n_init*max_iter*n_clusters*n*d",
    )
    criterion = ClusterWeights()
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "n_clusters": [whole_from(1)],
        "beta": [Interval(Real, None, None, closed="neither")],
        "init": [StrOptions({"k-means++", "random"})],
        "n_init": [whole_from(1)],
        "max_iter": [whole_from(1)],
        "sample_fraction": [FRACTION],
        "standardize": ["boolean"],
        "categorical_features": ["array-like", None],
        "random_state": [None, whole_from(0), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = "mean",
        *,
        n_clusters: int = 3,
        beta: float = 2.0,
        init: str = "k-means++",
        n_init: int = 10,
        max_iter: int = 100,
        sample_fraction: float = 1.0,
        standardize: bool = True,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_clusters = n_clusters
        self.beta = beta
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.sample_fraction = sample_fraction
        self.standardize = standardize
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> ClusterWeights:
        names = ("n_clusters", "beta", "init", "n_init", "max_iter", "sample_fraction", "standardize")
        return ClusterWeights(**{name: getattr(self, name) for name in names}, random_state=self.random_state)

    def _select(self, data: View, parts: Parts) -> Selection:
        selection = super()._select(data, parts)
        self.n_iter_ = max(selection.tables["runs"].columns["iterations"])
        return selection
