"""The outer contracts beside selectors: what a room may offer to scikit-learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, TransformerMixin

from fewer.core.base.tags import MethodTags


class BaseProjector(TransformerMixin, BaseEstimator, ABC):
    """Makes new coordinates out of all features."""

    method_tags: ClassVar[MethodTags]

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> BaseProjector:
        """Learn the projection."""

    @abstractmethod
    def transform(self, X: Any) -> np.ndarray:
        """Return the new coordinates."""


class BaseGenerator(TransformerMixin, BaseEstimator, ABC):
    """Makes new, named features out of texts, sequences or other features."""

    method_tags: ClassVar[MethodTags]

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> BaseGenerator:
        """Learn which features to make."""

    @abstractmethod
    def transform(self, X: Any) -> Any:
        """Return the features, dense or sparse."""

    @abstractmethod
    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the features."""


class BaseLocalClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Classifies by neighbours under a metric that changes from place to place."""

    method_tags: ClassVar[MethodTags]

    @abstractmethod
    def metric_at(self, x: np.ndarray) -> np.ndarray:
        """Return the feature weights at a point."""


class BaseFeatureClusterer(ClusterMixin, BaseEstimator, ABC):
    """Clusters rows and learns feature weights on the way."""

    method_tags: ClassVar[MethodTags]

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> BaseFeatureClusterer:
        """Learn clusters and weights."""


class BaseQuery(BaseEstimator, ABC):
    """Says which rows to label next."""

    method_tags: ClassVar[MethodTags]

    @abstractmethod
    def query(self, X: Any, n_rows: int) -> np.ndarray:
        """Return the numbers of the rows worth a label, best first."""
