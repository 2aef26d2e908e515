"""The fast correlation-based filter: predominant features by symmetrical uncertainty."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from fewer.core.criteria.uncertainties import Uncertainties
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import WeightedFit
from fewer.core.records.params import Interval
from fewer.core.records.result import Selection
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.redundancy._on_codes import SAME, SILENT, CodesSelector, tells_something
from fewer.methods.redundancy._predominance import keep_predominant


class FCBF(WeightedFit, CodesSelector):
    r"""Keep features that tell more about the class than any better feature tells about them.

    Features with :math:`SU(F, C) \ge \delta` are put in order of :math:`SU(F, C) = 2 I(F; C) / (H(F) + H(C))`, best
    first. From the top, each feature that is still there is kept and takes away every later one with
    :math:`SU(F_p, F_q) \ge SU(F_q, C)`.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that nothing takes away; there may be fewer than asked for.
    delta : float, default=0.0
        Smallest symmetrical uncertainty with the class of a feature that is looked at.
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
    RBF : Asks what a pair of features tells about the class instead of what they tell about each other.

    Notes
    -----
    Values that differ by less than 1e-12 count as equal, so that a copy of a kept feature always goes. A feature that
    says nothing about the class is irrelevant and never kept. Many levels and few rows make all features
    look alike, and then few are kept: lower ``bins`` or take "mdl".

    References
    ----------
    .. [1] L. Yu and H. Liu, "Efficient feature selection via analysis of relevance and redundancy", JMLR 5, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> selection = FCBF(bins=3).fit(X, y).selection_
    >>> selection.indices.tolist()
    [3, 2]
    >>> selection.reason(0).related
    ('x3',)
    """

    _parameter_constraints: dict = {
        **CodesSelector._parameter_constraints,
        "delta": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        delta: float = 0.0,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            discretizer=discretizer,
            bins=bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.delta = delta

    def _select(self, data: View, parts: Parts) -> Selection:
        known, stop = Uncertainties.of(self._view(data, parts)), parts.size
        relevance = known.with_classes
        order = np.argsort(-relevance, kind="stable")
        told = tells_something(relevance)
        order = order[(relevance[order] >= self.delta - SAME) & ~told.failed[order]]

        def covers(best: int, later: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            shared = known.between(later, best)
            return shared >= relevance[later] - SAME, shared

        walk = keep_predominant(order, 0, covers, relevance, stop)
        below = relevance < self.delta - SAME
        threshold = np.where(below, self.delta, np.nan) if below.any() else np.nan
        note = {int(j): SILENT for j in np.flatnonzero(told.failed)}
        return walk.selection(relevance, below | told.failed, stop, threshold=threshold, needs=(told,), note=note)
