"""Koller and Sahami's filter: drop what the features most like it have said already."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.discretize.codes import codes_view, unchanged_by
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.redundancy._blanket_result import eliminate_by_blankets, selection_of

TAGS = MethodTags(
    targets=("classes",),
    views=("codes", "dense"),
    invariance=("row_order", "scale"),
    cost="n*d^2",
)
CONSTRAINTS: dict = {
    # as_stop and as_discretizer read these two and say in one sentence what is allowed.
    "n_features_to_select": "no_validation",
    "discretizer": "no_validation",
    "k": [Interval(Integral, 0, None, closed="left")],
    "blanket": [StrOptions({"correlation", "information"})],
    "bins": [Interval(Integral, 2, 65535, closed="both")],
    "categorical_features": ["array-like", None],
    "n_jobs": [None, Interval(Integral, 1, None, closed="left"), Interval(Integral, None, -1, closed="right")],
    "verbose": ["verbose"],
}


class MarkovBlanketFilter(BaseSelector):
    r"""Drop features one by one, always the one that tells least about the class beyond the features most like it.

    The blanket :math:`M_i` of a feature are the k remaining features most similar to it. The feature with the smallest
    :math:`\Delta_i = \sum_{m, f} P(m, f)\, D_{KL}(P(C | m, f) \| P(C | m)) = I(F_i; C | M_i)` leaves (eq. 6.5 and 6.6
    of [2]_), then blankets that lost a member are filled up, and so on. The reversed order is the ranking. The score
    is the loss that must be tolerated to see a feature go: the largest :math:`\Delta` up to its removal; the
    :math:`\Delta` of the removal itself is in ``selection_.columns["delta"]``, :math:`I(F_i; C)` in
    ``selection_.columns["information"]``.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    k : int, default=1
        Size of the blankets. The counts of k + 1 features and the class must be estimated, so keep it small; 0 ranks by
        information gain.
    blanket : {"correlation", "information"}, default="correlation"
        Similarity that chooses the blankets: absolute Pearson correlation of the values, or mutual information of the
        levels, which nominal columns and missing values need.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    InformationBlanketOrder : Eliminates only among the features of highest information gain.

    Notes
    -----
    A dropped feature is redundant to its blanket if that covers at least half of what the feature tells alone, by
    as much, and if the blanket was kept or is redundant to kept features itself. What it tells alone must be
    significant (5 %), or covered whole. Otherwise it is irrelevant if the stop rule draws a line, such as a
    threshold, and not reached if it counts features. Equal deltas are equal exactly, whatever the order of rows or
    threads, because they are sums of whole numbers (`CountLogs`); of those the highest feature number leaves first.
    Correlations count as equal when they agree to about nine decimals, and the lower number then comes first.

    Deltas are computed again only for features whose blanket lost a member, from short lists of candidates: the
    elimination takes the same steps as if everything were computed again.

    References
    ----------
    .. [1] D. Koller and M. Sahami, "Toward optimal feature selection", ICML 1996.
    .. [2] E. P. Xing, "Feature selection in microarray analysis", section 2.1, in A Practical Approach to Microarray
       Data Analysis, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> selection = MarkovBlanketFilter(2, bins=3).fit(X, y).selection_
    >>> selection.indices.tolist()
    [3, 2]
    """

    method_tags = TAGS
    _parameter_constraints: dict = CONSTRAINTS

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        k: int = 1,
        blanket: str = "correlation",
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.k = k
        self.blanket = blanket
        self.discretizer = discretizer
        self.bins = bins
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        by_levels = self.blanket == "information"
        tags = self.method_tags.unchanged_only_by(unchanged_by(self.discretizer))
        return replace(tags, handles_nominal=by_levels, handles_nan=by_levels)

    def _select(self, data: View, parts: Parts) -> Selection:
        codes = codes_view(data, parts.discretizer)
        found = eliminate_by_blankets(data, codes, np.arange(data.n_features), self.blanket, self.k)
        information = np.empty(data.n_features)
        information[found.removed] = found.own
        return selection_of(found, information, parts.size, np.empty(0, np.int64))
