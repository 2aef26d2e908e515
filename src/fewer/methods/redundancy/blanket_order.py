"""The filter of ORDERED-FS: quantise, rank by information gain, order the best by blankets."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.discretize.codes import codes_view
from fewer.core.estimators.parts import Parts
from fewer.core.measures import information_gain
from fewer.core.records.params import Interval
from fewer.core.records.result import Selection
from fewer.core.stop import Stop
from fewer.core.summaries.counts import TargetCounts
from fewer.core.views.view import View
from fewer.methods.redundancy._blanket_result import eliminate_by_blankets, selection_of
from fewer.methods.redundancy.markov_blanket import CONSTRAINTS, MarkovBlanketFilter


class InformationBlanketOrder(MarkovBlanketFilter):
    """Order the features of highest information gain by how long they last when blankets drop them.

    The filter of ORDERED-FS (fig. 6.4 of [1]_): features are cut into the states of a mixture of two Gaussians, ranked
    by information gain, and the best of them are eliminated by Markov blankets, see `MarkovBlanketFilter`. The order is
    the reversed elimination; all other features follow by their information gain and are not reached.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). Only features that
        are ordered can be kept. None keeps all of them.
    top : int, default=360
        How many features of highest information gain are ordered.
    k : int, default=1
        Size of the blankets; keep it small.
    blanket : {"correlation", "information"}, default="correlation"
        Similarity that chooses the blankets: absolute Pearson correlation of the values, or mutual information of the
        levels, which nominal columns and missing values need.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="mixture"
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
    MarkovBlanketFilter : Eliminates among all features.

    Notes
    -----
    The score of a feature is the loss that must be tolerated to see it go, 0 for the features that are not ordered;
    the information gain is in ``selection_.columns["information"]``. Choosing the number of features by
    cross-validation, the second half of ORDERED-FS, is left to a wrapper.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", section 2.3, in A Practical Approach to Microarray
       Data Analysis, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> order = InformationBlanketOrder(None, top=3).fit(X, y).selection_
    >>> order.indices.tolist(), order.reason(0).kind
    ([2, 1, 3], 'not reached')
    """

    _parameter_constraints: dict = {**CONSTRAINTS, "top": [Interval(Integral, 1, None, closed="left")]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        top: int = 360,
        k: int = 1,
        blanket: str = "correlation",
        discretizer: Any = "mixture",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            k=k,
            blanket=blanket,
            discretizer=discretizer,
            bins=bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.top = top

    def _select(self, data: View, parts: Parts) -> Selection:
        codes = codes_view(data, parts.discretizer)
        information = information_gain(codes.fold(TargetCounts(codes.n_classes)))
        ranked = np.argsort(-information, kind="stable")
        features, rest = np.sort(ranked[: self.top]), ranked[self.top :]
        found = eliminate_by_blankets(data, codes, features, self.blanket, self.k)
        rule = f"only the {len(features)} features of highest information gain are ordered" if len(rest) else ""
        return selection_of(found, information, parts.size, rest, rule)
