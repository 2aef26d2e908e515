"""The constructor that all searches share, and the way from data to a selection."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from fewer.core.discretize.named import as_discretizer
from fewer.core.estimators.rankers import CODES_CONSTRAINTS, tags_of_levels
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search import Problem, Units
from fewer.core.search.contract import MANY_UNITS
from fewer.core.stop import Stop, Wanted, as_stop
from fewer.core.views.view import View
from fewer.methods.wrappers._criteria import as_filter, check_estimator, judge, tags_with
from fewer.methods.wrappers._splits import check_scores, refuse_no_scores

# Folds depend on the order of the rows.
TAGS = MethodTags(
    kind="subset",
    task="any",
    views=("dense",),
    handles_weights=True,
    reads_classes=True,
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
    "max_evaluations": [None, Interval(Integral, 1, None, closed="left")],
    "max_seconds": [None, Interval(Real, 0, None, closed="neither")],
}


class RoutedFit(BaseSelector):
    """Adds weights, groups and further parameters of an estimator to `fit`, routed where that is enabled."""

    estimator: Any
    scoring: Any
    cv: Any

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None, **params: Any) -> Any:
        """Select features.

        Parameters
        ----------
        X : array-like, data frame or Table of shape (n_samples, n_features)
            The data; sparse matrices, missing values and nominal columns as far as the estimator takes them.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            Given to the fit of the estimator, or counted by criteria on levels; a row of weight 0 is as good as absent.
        groups : array-like of shape (n_samples,), optional
            Rows that must not be split, given to the splitter.
        **params
            Further parameters of the fit of the estimator; with metadata routing they go where they are requested.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, sample_weight, groups, params)

    def get_metadata_routing(self) -> Any:
        """Return where metadata go: to the estimator, the splitter and the scorer; without an estimator to `fit`."""
        if self.estimator is None or isinstance(self.estimator, str) or as_filter(self.estimator) is not None:
            return super().get_metadata_routing()
        cv = check_cv(self.cv, classifier=is_classifier(self.estimator))

        def mapping(callee: str) -> MethodMapping:
            return MethodMapping().add(caller="fit", callee=callee)

        return (
            MetadataRouter(owner=self)
            .add(estimator=self.estimator, method_mapping=mapping("fit"))
            .add(splitter=cv, method_mapping=mapping("split"))
            .add(scorer=check_scoring(self.estimator, scoring=self.scoring), method_mapping=mapping("score"))
        )


class SearchSelector(RoutedFit):
    """Searches through subsets of features that an estimator or a criterion judges.

    Attributes
    ----------
    n_iter_ : int
        Number of subsets that were evaluated.
    """

    method_tags = TAGS
    _parameter_constraints: dict = SHARED_CONSTRAINTS
    # Whether rules such as "gain:0.01" can end the search.
    _takes_gains: ClassVar[bool] = False

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        scoring: Any = None,
        cv: Any = None,
        feature_groups: Any = None,
        fixed_features: Any = None,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        checkpoint: Any = None,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.scoring = scoring
        self.cv = cv
        self.feature_groups = feature_groups
        self.fixed_features = fixed_features
        self.discretizer = discretizer
        self.bins = bins
        self.categorical_features = categorical_features
        self.checkpoint = checkpoint
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _strategy(self, wanted: Wanted, data: View, units: Units) -> Any:
        """Return how subsets are visited. The one method that every search implements."""
        raise NotImplementedError

    def _tags_in_use(self) -> MethodTags:
        criterion, tags = as_filter(self.estimator), tags_with(self.estimator, self.method_tags)
        on_levels = criterion is not None and "codes" in criterion.requires
        return tags_of_levels(tags, self.discretizer) if on_levels else tags.unchanged_only_by(())

    def _check_parts(self) -> None:
        name = type(self).__name__
        check_estimator(name, self.estimator)
        check_scores(name, self.scoring, self.cv)
        self._check_size(name, as_stop(self.n_features_to_select))
        if self.discretizer is not None:
            as_discretizer(self.discretizer, self.bins)

    def _check_size(self, name: str, size: Stop) -> None:
        size.check(name, ["subsets"])
        if size.wanted(MANY_UNITS).patience is not None and not self._takes_gains:
            raise RequirementError(
                f"{name} got n_features_to_select={self.n_features_to_select!r}, but has no steps whose gain could end "
                "it; pass a number, 'best' or 'parsimonious', or use SequentialSelector."
            )

    def _judge(self, data: View, **more: Any) -> tuple[Any, View]:
        """Return the criterion and the view it reads."""
        levels = (self.discretizer, self.bins)
        return judge(self.estimator, data, self.scoring, self.cv, levels, **more)

    def _select(self, data: View) -> Selection:
        criterion, view = self._judge(data)
        units, size = self._units(view), as_stop(self.n_features_to_select)
        problem = Problem(
            view,
            criterion,
            size,
            units,
            max_evaluations=self.max_evaluations,
            max_seconds=self.max_seconds,
            checkpoint=self.checkpoint,
            seed=getattr(self, "random_state", 0),
            who=type(self).__name__,
        )
        search = self._strategy(size.wanted(len(units) + units.n_fixed), data, units)
        search.check(problem.who, criterion, size)
        selection = search.run(problem)
        if selection.meta["value"] == -np.inf and criterion.has_folds:
            refuse_no_scores(type(self).__name__, self.scoring)
        self.n_iter_ = selection.meta["evaluations"]
        return selection

    def _units(self, view: View) -> Units:
        return Units.of(view.n_features, self.feature_groups, self.fixed_features, view.names)
