"""What selectors share that ask a model about its features."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.criteria.splitters import check_scores
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.routed import RoutedFit
from fewer.core.importance.criterion import Importance, check_kind
from fewer.core.importance.models import check_model, tags_with_model
from fewer.core.records.params import number_from, whole_from
from fewer.core.records.tags import MethodTags

# A random forest by default; its samples depend on the order of the rows.
TAGS = MethodTags(
    targets=("classes", "numbers"),
    views=("dense",),
    handles_sparse=True,
    handles_nan=True,
    handles_weights=True,
    deterministic=False,
    invariance=(),
    cost="fits",
)
MODEL_CONSTRAINTS: dict[str, Any] = {
    **COMMON_CONSTRAINTS,
    "estimator": "no_validation",
    "importance": "no_validation",
    "scoring": "no_validation",
    "cv": "no_validation",
    "n_repeats": [whole_from(1)],
    "min_correlation": [number_from(0)],
    "categorical_features": ["array-like", None],
    "checkpoint": "no_validation",
    "random_state": [None, whole_from(0), np.random.Generator],
}


class ModelSelector(RoutedFit):
    """Asks a model, any of scikit-learn's kind, about its features."""

    method_tags = TAGS
    importance: Any
    n_repeats: int
    min_correlation: float
    random_state: Any
    checkpoint: Any
    feature_groups: Any = None
    # What is made of coefficients.
    _coefficients = "norm"

    def _tags_in_use(self) -> MethodTags:
        return tags_with_model(self.estimator, self.method_tags)

    def _asked(self) -> Importance:
        """Return what is asked of the model."""
        name = type(self).__name__
        check_model(name, self.estimator)
        check_kind(name, self.importance)
        check_scores(name, self.scoring, self.cv)
        return Importance(
            self.estimator,
            self.importance,
            scoring=self.scoring,
            cv=self.cv,
            n_repeats=self.n_repeats,
            feature_groups=self.feature_groups,
            min_correlation=self.min_correlation,
            transform=self._coefficients,
            random_state=self.random_state,
        )
