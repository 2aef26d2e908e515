"""Features that show clusters: the distances between rows are short or long, and few lie between."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.criteria.error_curve import ErrorCurve
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection, after
from fewer.core.records.tags import MethodTags
from fewer.core.search import greedy_forward
from fewer.core.search.contract import MANY_UNITS
from fewer.core.search.elimination import eliminate
from fewer.core.stop import Count, Stop, Wanted
from fewer.core.views.view import View
from fewer.methods.unsupervised._clusters import check_clusterer
from fewer.methods.unsupervised._distance_entropy import DistanceOrder, LeastOrder
from fewer.methods.unsupervised._entropy_path import EntropyPath, nothing_varies
from fewer.methods.unsupervised._held_out import held_out_curve


class DistanceEntropy(BaseSelector):
    r"""Choose features on which the distances between rows are short or long, with few between: clusters.

    The form "peak" of 2002 [1]_: with distances :math:`D_{ij}` divided by the largest,
    :math:`E_{ij} = (e^{\beta D_{ij}} - 1) / (e^{\beta \mu} - 1)` up to :math:`\mu` and
    :math:`(e^{\beta (1 - D_{ij})} - 1) / (e^{\beta (1 - \mu)} - 1)` beyond. The form "similarity" of 1997 [2]_,
    eq. 6.14 of [3]_: :math:`E_{ij} = -s \ln s - (1 - s) \ln (1 - s)` of the similarity :math:`s =
    e^{-\alpha D_{ij}}`, which is a half at the mean distance. The entropy of a subset is the sum over all pairs of
    rows, and shall be low. Features join one by one, or leave one by one, always so that the entropy is lowest. The
    score of a feature is minus the entropy per pair of the nested subset that ends with it.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). Here a number, a
        fraction, a range or "best", the nested subset of lowest entropy; "parsimonious" with a clusterer. None keeps
        all that vary.
    form : {"similarity", "peak"}, default="similarity"
        The entropy of 1997, of similarities, or that of 2002, which has its peak at ``mu``.
    direction : {"forward", "backward"}, default="forward"
        Whether features join, or leave as in the ranking of 1997.
    metric : {"euclidean", "pearson"}, default="euclidean"
        Distance of rows: Euclidean, of fractions of the range of each column and of 0 or 1 for levels; or 1 minus the
        correlation of two rows over the features, for columns of one unit, which are not scaled. The latter goes
        backward only.
    beta : float, default=10.0
        How steep the peak is, at most 500.
    mu : float or "valley", default=0.5
        Where the peak is, as a fraction of the largest distance; "valley" is the deepest valley of the histogram of
        distances.
    clusterer : clusterer, int or None, default=None
        What groups rows: a clusterer with predict, or a number of clusters for k-means. It finds the size in place of
        the entropy, see Notes.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=0
        Seed of the random part; the same number gives the same result. Only a clusterer is given drawn rows.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    FeatureDependence : Looks for features that depend on others.

    Notes
    -----
    Of equal entropies the lower number joins, and the higher number leaves. Constant columns are left out beforehand:
    they change no Euclidean distance, and correlations of rows are those on the other columns. A copy of the only
    feature chosen changes no entropy, and joins next. "best" often keeps one feature, because entropy mostly rises with
    every further one; "peak" takes noise with far rows for order. [1]_ adapts ``mu`` to the data in a way the
    catalogued text does not give: 0.5 or the deepest valley of 100 bins, smoothed over five, stand for it. No distances
    are stored; the time grows with the square of the rows.

    The clusterer is the independent one of [3]_: for every size the rows are halved five times, both halves are
    clustered, and the clusters that each half predicts for the other are compared with those found there (adjusted Rand
    index). The size with the best mean agreement wins, of equal ones the smallest.

    References
    ----------
    .. [1] M. Dash, K. Choi, P. Scheuermann and H. Liu, "Feature selection for clustering - a filter solution",
       ICDM 2002.
    .. [2] M. Dash, H. Liu and J. Yao, "Dimensionality reduction of unsupervised data", ICTAI 1997.
    .. [3] E. P. Xing, "Feature selection in microarray analysis", section 4, in A Practical Approach to Microarray
       Data Analysis, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> DistanceEntropy().fit(X).selection_.indices.tolist()
    [2]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense",),
        handles_nominal=True,
        invariance=("row_order", "scale"),
        cost="n^2*d^2",
    )
    _serves = ("subsets",)
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "form": [StrOptions({"peak", "similarity"})],
        "direction": [StrOptions({"forward", "backward"})],
        "metric": [StrOptions({"euclidean", "pearson"})],
        "beta": [Interval(Real, 0, 500, closed="right")],
        "mu": [StrOptions({"valley"}), Interval(Real, 0, 1, closed="neither")],
        # `_parts` reads it.
        "clusterer": "no_validation",
        "categorical_features": ["array-like", None],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = "best",
        *,
        form: str = "similarity",
        direction: str = "forward",
        metric: str = "euclidean",
        beta: float = 10.0,
        mu: float | str = 0.5,
        clusterer: Any = None,
        categorical_features: Any = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.form = form
        self.direction = direction
        self.metric = metric
        self.beta = beta
        self.mu = mu
        self.clusterer = clusterer
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        if self.metric == "euclidean":
            return self.method_tags
        return replace(self.method_tags, handles_nominal=False, invariance=("row_order",))

    def _criterion(self) -> DistanceOrder:
        return DistanceOrder(self.form, self.metric, self.beta, self.mu)

    def _parts(self) -> Parts:
        parts = super()._parts()
        if self.metric == "pearson" and self.direction == "forward":
            raise ParameterError(
                "DistanceEntropy got metric='pearson' with direction='forward', but one feature alone has no "
                "correlation of rows to begin with; pass direction='backward'."
            )
        wanted = parts.size.wanted(MANY_UNITS)
        if any(limit is not None for limit in (wanted.gain, wanted.patience, wanted.seconds, wanted.evaluations)):
            raise RequirementError(
                f"DistanceEntropy got n_features_to_select={str(parts.size)!r}, but orders features whatever is gained "
                "on the way; pass a number, a fraction, a range or 'best'."
            )
        if self.clusterer is not None:
            check_clusterer("DistanceEntropy", self.clusterer, "predict")
            if wanted.low == wanted.high:
                raise ParameterError(
                    f"DistanceEntropy got a clusterer with n_features_to_select={str(parts.size)!r}, but a clusterer "
                    "chooses between sizes; pass 'best', 'parsimonious' or a range, or leave the clusterer out."
                )
        if self.clusterer is None and wanted.choose == "parsimonious":
            raise RequirementError(
                f"DistanceEntropy got n_features_to_select={str(parts.size)!r}, but an entropy has no standard error; "
                "pass 'best', or a clusterer."
            )
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        constant = parts.criterion.prepare(data).constant
        left = np.flatnonzero(~constant)
        if not len(left):
            return nothing_varies(data.n_features)
        view = data.columns(left)
        wanted = parts.size.wanted(view.n_features)
        path = self._path(view, parts.criterion, wanted)
        sizes = [k for k in range(wanted.low, wanted.high + 1) if k in path.values]
        size, rule, tables = self._size(view, parts.criterion, path, sizes, wanted)
        kept = path.order[:size]
        reasons = Reasons.of_kept(view.n_features, kept, NOT_REACHED, rule=rule)
        order = after(path.order, np.argsort(-path.scores, kind="stable"))
        made = Selection.build(kept, order, reasons, path.scores, path.trace, tables=tables)
        return path.widened(made, left, data.n_features)

    def _path(self, view: View, criterion: DistanceOrder, wanted: Wanted) -> EntropyPath:
        """Return an order of the features and what its beginnings are worth."""
        if self.direction == "forward":
            found = greedy_forward(view, criterion, Count(wanted.high))
            return EntropyPath.forward(found)
        return EntropyPath.backward(eliminate(view.n_features, LeastOrder(view, criterion), Count(1)))

    def _size(
        self, view: View, criterion: DistanceOrder, path: EntropyPath, sizes: list[int], wanted: Wanted
    ) -> tuple[int, str, dict[str, Any]]:
        """Return how many features are kept, why, and curves by size."""
        tables = {"entropy": path.table(criterion.prepare(view).n_pairs)}
        if path.ended:
            return path.so_far(sizes), path.ended, tables
        if len(sizes) == 1:
            return sizes[0], f"{sizes[0]} of {view.n_features} features that vary were asked for", tables
        if self.clusterer is None:
            size = max(sizes, key=lambda k: (path.values[k], -k))
            what = "first" if size == 1 else f"first {size}"
            return size, f"the entropy of the {what} is {-path.values[size]:.4g} per pair, the lowest", tables
        rng = np.random.default_rng(self.random_state)
        curve: ErrorCurve = held_out_curve(criterion.prepare(view), path.order, sizes, self.clusterer, rng)
        size = curve.sizes[curve.smallest(wanted.choose)]
        return size, curve.words(size, wanted.choose), {**tables, "curve": curve.table}
