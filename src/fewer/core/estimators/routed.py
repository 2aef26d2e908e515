"""Selectors with an estimator inside, to which weights, groups and further parameters of `fit` go."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, get_routing_for_object, process_routing

from fewer.core.estimators.selector import BaseSelector, WeightedFit


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
        """Return where metadata go: to the estimator, the splitter and the scorer; without an estimator to `fit`.

        Without an estimator weights are taken by what can use them, and groups by what has folds; other metadata of a
        pipeline pass it by. `set_fit_request` says otherwise. A number of folds keeps groups together.
        """
        if not hasattr(self.estimator, "fit"):
            own = super().get_metadata_routing()
            uses = {"sample_weight": self._tags_in_use().handles_weights, "groups": self.estimator is None}
            for name, used in uses.items():
                if own.fit.requests.get(name) is None:
                    own.fit.add_request(param=name, alias=used)
            return own
        # Texts such as "loo" are folds of our own, as numbers are, which keep groups together.
        counted = self.cv is None or isinstance(self.cv, str | Integral)
        cv = GroupKFold() if counted else check_cv(self.cv, classifier=is_classifier(self.estimator))

        return (
            MetadataRouter(owner=self)
            .add(estimator=self.estimator, method_mapping=_at_fit("fit"))
            .add(splitter=cv, method_mapping=_at_fit("split"))
            .add(scorer=check_scoring(self.estimator, scoring=self.scoring), method_mapping=_at_fit("score"))
        )


class RoutedWeights(WeightedFit, BaseSelector):
    """For what has an estimator inside and takes weights, but no groups: it wants them if that estimator does."""

    estimator: Any

    def get_metadata_routing(self) -> Any:
        """Return whether `fit` takes weights: without an estimator it does; `set_fit_request` says otherwise."""
        own = super().get_metadata_routing()
        if own.fit.requests.get("sample_weight") is None:
            # A router, such as a pipeline, has no requests of its own.
            asked = getattr(get_routing_for_object(self.estimator), "fit", None)
            wanted = True if self.estimator is None else asked and asked.requests.get("sample_weight")
            own.fit.add_request(param="sample_weight", alias=wanted)
        return own


class RoutedToSelector(BaseSelector):
    """For what has another selector inside: metadata go where that one wants them."""

    selector: Any

    def get_metadata_routing(self) -> Any:
        """Return where metadata go: to the selector inside, unless `set_fit_request` says otherwise."""
        own = super().get_metadata_routing()
        if self._has_asked(own) or not isinstance(self.selector, BaseSelector):
            return own
        return MetadataRouter(owner=self).add(selector=self.selector, method_mapping=_at_fit("fit"))

    def _handed_on(self, **given: Any) -> dict[str, Any]:
        """Return what of the metadata the selector inside wants; raise where it has not said whether it does."""
        given = {name: value for name, value in given.items() if value is not None}
        if not given or not get_config()["enable_metadata_routing"] or self._has_asked(super().get_metadata_routing()):
            return given
        return dict(process_routing(self, "fit", **given).selector.fit)

    @staticmethod
    def _has_asked(own: Any) -> bool:
        return any(wanted is not None for wanted in own.fit.requests.values())


def _at_fit(callee: str) -> MethodMapping:
    # Pipelines call fit_transform, which only hands over what its own mapping names.
    return MethodMapping().add(caller="fit", callee=callee).add(caller="fit_transform", callee=callee)
