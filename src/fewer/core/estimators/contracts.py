"""The outer contracts beside selectors: what a method may offer to scikit-learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from fewer.core.records.tags import MethodTags


class BaseGenerator(TransformerMixin, BaseEstimator, ABC):
    """Makes new, named features out of texts, sequences or other features."""

    contract: ClassVar[str] = "generator"
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
