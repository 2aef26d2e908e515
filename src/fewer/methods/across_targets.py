"""Any method that scores features for one target, on targets of several columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from fewer import registry
from fewer.core.criteria.several_targets import AGGREGATES, combined, single_targets
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.routed import RoutedToSelector
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputTypeError, RequirementError
from fewer.core.records.params import StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.rounding import steady
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.views.view import View

# Which kind of target of several columns stands for one.
SEVERAL = {"classes": "several labels", "numbers": "several numbers"}


class AcrossTargets(RoutedToSelector):
    """Let a selector score the features for each of several targets, and put the scores together.

    The selector orders all features for every column of y: labels of 0 and 1, or numbers. Its scores are then
    aggregated, and its own ``n_features_to_select`` cuts the common ranking. Univariate scores, such as `FTest` and
    `Pearson`, take several targets by themselves, with the mean.

    Parameters
    ----------
    selector : selector
        What scores features for one target, with the number of features to select.
    aggregate : {"mean", "max", "min", "rank"}, default="mean"
        What the scores of a feature for all targets become: their mean, their largest or smallest, or the mean of its
        ranks, n_features for the best feature of a target and 1 for the worst, equal ones sharing the mean. Methods
        whose scores are those of steps, such as `JMI`, have ranks only.

    Attributes
    ----------
    selectors_ : list of selector
        The fitted selectors, one per target that differs between rows.

    See Also
    --------
    RankAggregation : The lists of several methods for one target.

    Notes
    -----
    ``selection_.columns`` has the scores of every target, ``selection_.tables["targets"]`` one row per target. The
    p-value is the smallest of all targets times their number (Bonferroni): it tests that no target depends on the
    feature, however targets depend on each other. A target of one value in all rows is left out.

    Examples
    --------
    >>> import fewer
    >>> from sklearn.datasets import load_linnerud
    >>> X, Y = load_linnerud(return_X_y=True)
    >>> fewer.AcrossTargets(fewer.RReliefF(1), aggregate="rank").fit(X, Y).selection_.indices.tolist()
    [1]
    """

    method_tags: ClassVar[MethodTags] = MethodTags(targets=("several numbers",), views=("dense",))
    _parameter_constraints: dict = {"selector": "no_validation", "aggregate": [StrOptions(set(AGGREGATES))]}

    def __init__(self, selector: Any, *, aggregate: str = "mean") -> None:
        self.selector = selector
        self.aggregate = aggregate

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Select features.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The data, as the selector takes them.
        y : array-like of shape (n_samples, n_targets)
            The targets.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts, where the selector takes weights.

        Returns
        -------
        self : object
            The fitted selector.
        """
        if sample_weight is not None and not self._tags_in_use().handles_weights:
            raise InputTypeError(
                f"AcrossTargets got sample_weight, but {type(self.selector).__name__} takes none; leave it out, or use "
                "a method that takes weights, such as JMI."
            )
        return self._fit(X, y, self._handed_on(sample_weight=sample_weight).get("sample_weight"))

    @property
    def n_jobs(self) -> int | None:
        """Number of threads: that of the selector."""
        return getattr(self.selector, "n_jobs", None)

    @property
    def categorical_features(self) -> Any:
        """Nominal columns besides those whose dtype says so: those of the selector."""
        return getattr(self.selector, "categorical_features", None)

    def _tags_in_use(self) -> MethodTags:
        if not isinstance(self.selector, BaseSelector):
            return self.method_tags
        tags = self.selector._tags_in_use()
        several = tuple(SEVERAL[kind] for kind in tags.targets if kind in SEVERAL)
        return replace(tags, targets=several or self.method_tags.targets, streams=False)

    def _parts(self) -> Parts:
        made = self.selector
        if not isinstance(made, BaseSelector) or "n_features_to_select" not in made._get_param_names():
            raise RequirementError(
                f"AcrossTargets got selector={made!r}, but takes a selector of fewer with n_features_to_select; pass "
                "for example fewer.AcrossTargets(fewer.ReliefF(10))."
            )
        kinds = made._tags_in_use().targets
        if not set(kinds) & set(SEVERAL):
            raise RequirementError(
                f"AcrossTargets got {type(made).__name__}, which takes no single target of classes or numbers; pass a "
                "method that scores features for one."
            )
        if self.aggregate != "rank" and not self._scores_compare():
            raise RequirementError(
                f"AcrossTargets got {type(made).__name__} with aggregate={self.aggregate!r}, but its scores are those "
                "of a search and differ in meaning between targets; pass aggregate='rank'."
            )
        parts = made.check()
        if set(parts.size.needs) - {"p-values"} or "cut" not in parts.size.abilities:
            raise RequirementError(
                f"AcrossTargets got n_features_to_select={str(parts.size)!r}, but cuts a common ranking of all "
                "targets; pass a number of features, or a rule on scores or p-values."
            )
        return parts

    def _scores_compare(self) -> bool:
        """Return whether the selector scores all features alike, not each at its step of a search."""
        shapes = {entry.name: entry.shape for entry in registry.METHODS}
        return shapes.get(type(self.selector).__name__) in ("ranking", "weights")

    def _select(self, data: View, parts: Parts) -> Selection:
        self.selectors_, found = [], {}
        for name, view in single_targets(data):
            fitted = clone(self.selector).set_params(n_features_to_select=None).fit_view(view)
            self.selectors_.append(fitted)
            found[name] = self._ranking(fitted.selection_)
        return top_ranked(lambda: combined(found, self.aggregate), parts.size)

    def _ranking(self, selection: Selection) -> Ranking:
        """Return what the selector says of one target; of a search that scores nothing its order."""
        place = (selection.n_features + 1 - selection.ranking).astype(float)
        if selection.scores is None or np.isnan(selection.scores).any():
            scores = place
        elif self.aggregate == "rank":
            scores = _shared(place, np.asarray(selection.scores)) if self._scores_compare() else place
        else:
            scores = np.asarray(selection.scores, dtype=float)
        pvalues = selection.columns.get("pvalue")
        return Ranking(scores, None if pvalues is None else np.asarray(pvalues, dtype=float))


def _shared(place: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return places of which neighbours with equal scores share the mean, so that equal columns stay equal."""
    order = np.argsort(place)
    told = steady(scores)[order]
    group = np.cumsum(np.append(False, told[1:] != told[:-1]))
    out = np.empty_like(place)
    out[order] = (np.bincount(group, place[order]) / np.bincount(group))[group]
    return out
