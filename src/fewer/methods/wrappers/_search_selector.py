"""The constructor that all searches share, and the way from data to a selection."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.naive_bayes import GaussianNB

from fewer.core.criteria.cross_validated import CrossValidated
from fewer.core.criteria.splitters import check_scores, refuse_no_scores
from fewer.core.estimators.cv_results import cv_results
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CODES_CONSTRAINTS, tags_of_levels
from fewer.core.estimators.routed import RoutedFit
from fewer.core.records.params import number_above, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search import Problem, SubsetSearch, Units
from fewer.core.views.view import View
from fewer.methods.wrappers._criteria import as_filter, check_estimator, judge, tags_with

# Folds depend on the order of the rows.
TAGS = MethodTags(
    targets=("classes", "numbers"),
    views=("dense",),
    handles_weights=True,
    nested=False,
    invariance=(),
    cost="fits",
)
RANDOM_TAGS = replace(TAGS, deterministic=False)
SHARED_CONSTRAINTS: dict[str, Any] = {
    **CODES_CONSTRAINTS,
    "estimator": "no_validation",
    "scoring": "no_validation",
    "cv": "no_validation",
    "feature_groups": "no_validation",
    "fixed_features": "no_validation",
    "checkpoint": "no_validation",
    "max_evaluations": [None, whole_from(1)],
    "max_seconds": [None, number_above(0)],
    "random_state": "no_validation",
}


def constraints_with(search: type[SubsetSearch], **own: Any) -> dict[str, Any]:
    """Return the constraints of a selector with this search and parameters of its own."""
    return {**SHARED_CONSTRAINTS, **search.constraints, **own}


def keep(selector: Any, given: dict[str, Any]) -> None:
    """Store what a constructor was given, its ``locals()``, under the names of its parameters."""
    vars(selector).update({name: value for name, value in given.items() if name != "self"})


class SearchSelector(RoutedFit):
    """Searches through subsets of features that an estimator or a criterion evaluates.

    Attributes
    ----------
    n_iter_ : int
        Number of subsets that were evaluated.
    cv_results_ : dict
        Scores by fold of the subsets along the search, the best 100 of more: ``features``, ``n_features``,
        ``split0_test_score`` and so on, ``mean_test_score``, ``std_test_score``, ``rank_test_score``. Only where an
        estimator evaluates subsets, and the search came to its own end.
    """

    method_tags = TAGS
    # What the search says of sizes is all that holds.
    _serves = ()
    _search_by: ClassVar[Any]
    give_up: bool = False

    def _search(self) -> Any:
        """Return how subsets are visited: the search of this selector with those of its fields that are parameters."""
        given = vars(self)
        return self._search_by(**{f.name: given[f.name] for f in fields(self._search_by) if f.name in given})

    def _with_data(self, parts: Parts, data: View, units: Units) -> Any:
        """Return the search with what only the data tell it."""
        return parts.search

    def _tags_in_use(self) -> MethodTags:
        criterion, tags = as_filter(self.estimator), tags_with(self.estimator, self.method_tags)
        on_levels = criterion is not None and "codes" in criterion.requires
        return tags_of_levels(tags, self.discretizer) if on_levels else tags.unchanged_only_by(())

    def _parts(self) -> Parts:
        name = type(self).__name__
        check_estimator(name, self.estimator)
        check_scores(name, self.scoring, self.cv)
        parts = replace(super()._parts(), criterion=as_filter(self.estimator), search=self._search())
        # One estimator is to a search as good as another.
        parts.search.check(name, parts.criterion or CrossValidated(GaussianNB()), parts.size)
        return parts

    def _judge(self, data: View, parts: Parts) -> tuple[Any, View]:
        """Return the criterion and the view it reads."""
        return judge(self.estimator, data, self.scoring, self.cv, parts, self.give_up)

    def _select(self, data: View, parts: Parts) -> Selection:
        criterion, view = self._judge(data, parts)
        units = Units.of(view.n_features, self.feature_groups, self.fixed_features, view.names)
        problem = Problem(
            view,
            criterion,
            parts.size,
            units,
            max_evaluations=self.max_evaluations,
            max_seconds=self.max_seconds,
            checkpoint=self.checkpoint,
            seed=getattr(self, "random_state", 0),
            who=type(self).__name__,
        )
        selection = self._with_data(parts, data, units).run(problem)
        if selection.meta["value"] == -np.inf and criterion.has_folds:
            refuse_no_scores(type(self).__name__, self.scoring)
        self.n_iter_ = selection.meta["evaluations"]
        if hasattr(self, "cv_results_"):
            delattr(self, "cv_results_")
        # A search that was stopped shall not go on fitting.
        if criterion.has_folds and not selection.meta["stopped"]:
            self.cv_results_ = cv_results(view, criterion, selection.trace)
        return selection
