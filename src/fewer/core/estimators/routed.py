"""Selectors with an estimator inside, to which weights, groups and further parameters of `fit` go."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from fewer.core.estimators.selector import BaseSelector


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

        Without an estimator weights are taken, and groups unless a criterion without folds was given, or unless
        `set_fit_request` says otherwise. A number of folds keeps groups together, so that it takes them.
        """
        if not hasattr(self.estimator, "fit"):
            own = super().get_metadata_routing()
            for name in ("sample_weight", "groups")[: 2 if self.estimator is None else 1]:
                if own.fit.requests.get(name) is None:
                    own.fit.add_request(param=name, alias=True)
            return own
        # Texts such as "loo" are folds of our own, as numbers are, which keep groups together.
        counted = self.cv is None or isinstance(self.cv, str | Integral)
        cv = GroupKFold() if counted else check_cv(self.cv, classifier=is_classifier(self.estimator))

        def mapping(callee: str) -> MethodMapping:
            # Pipelines call fit_transform, which only hands over what its own mapping names.
            return MethodMapping().add(caller="fit", callee=callee).add(caller="fit_transform", callee=callee)

        return (
            MetadataRouter(owner=self)
            .add(estimator=self.estimator, method_mapping=mapping("fit"))
            .add(splitter=cv, method_mapping=mapping("split"))
            .add(scorer=check_scoring(self.estimator, scoring=self.scoring), method_mapping=mapping("score"))
        )
