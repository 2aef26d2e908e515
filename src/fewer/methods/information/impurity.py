"""Joint impurity instead of joint information."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewer.core.estimators.selector import WeightedFit
from fewer.core.measures import gini_gain
from fewer.core.summaries.counts import PairCounts, TargetCounts
from fewer.core.summaries.results import Counts
from fewer.core.views.view import View
from fewer.methods.information._information import InformationCriterion, InformationSelector


class JIMCriterion(InformationCriterion):
    """Score the mean over chosen s of the Gini gain of the pair (f, s)."""

    def start(self, view: View) -> np.ndarray:
        """Score by the Gini gain of each feature while nothing is chosen."""
        super().start(view)
        self.total = np.zeros(view.n_features)
        return np.round(gini_gain(view.fold(TargetCounts(view.n_classes))), 12)

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        self.total = self.total + pair_gini_gain(view, chosen[-1])
        # Gini gains are sums of fractions; beyond twelve digits they differ only by the order of summing.
        return np.round(self.total / len(chosen), 12)


def pair_gini_gain(view: View, anchor: int) -> np.ndarray:
    """Return the Gini gain of every feature joined with the anchor, in tiles where rows are in memory."""
    summary = PairCounts(anchor, view.n_classes)
    if view.is_asked(summary):
        return _of_pairs(view.run.fold(summary, view.blocks), view.n_classes)
    block = view.whole()
    step = max(1, 2**20 // max(1, summary.bytes_per_feature(block)))
    parts = view.run.scan(lambda a, b: _of_pairs(summary.tile(block, a, b), view.n_classes), view.n_features, step)
    return np.concatenate(parts)


def _of_pairs(counts: Counts, n_classes: int) -> np.ndarray:
    """Return the Gini gains of tables whose columns are anchor levels times classes: each level of a pair is a row."""
    n_anchor = counts.n_columns // n_classes
    return gini_gain(Counts(counts.table.reshape(-1, n_classes), counts.offsets * n_anchor))


class JIM(WeightedFit, InformationSelector):
    r"""Choose features that together with each chosen one leave least class impurity.

    The score is the mean over chosen :math:`s` of the Gini gain of the pair, :math:`\sum p(f, s) \sum_c p(c | f,
    s)^2 - \sum_c p(c)^2`: as `JMI`, with the Gini index in place of the entropy.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform". Also of a numeric target, numbers with more than 20 values.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    JMI : The same with information.

    References
    ----------
    .. [1] M. B. Kursa, "Praznik: high performance information-based feature selection", SoftwareX 16, 2021.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> JIM(2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    def _criterion(self) -> Any:
        return JIMCriterion()
