"""Selectors of scikit-learn, and others like them, as competitors in a comparison."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.feature_selection import (
    RFE,
    RFECV,
    GenericUnivariateSelect,
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
)
from sklearn.utils.validation import has_fit_parameter

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputError
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

SIZE = "n_features_to_select"
# In the facts of a selection: that its features have no order, so that it cannot be cut to a smaller size.
OWN_SIZE = "own size"


def is_outside(one: Any) -> bool:
    """Return whether something looks like a selector of another library: it fits, and says which features stay."""
    says = hasattr(one, "get_support") or "support_" in (type(one).__doc__ or "")
    return hasattr(one, "fit") and hasattr(one, "get_params") and says and not isinstance(one, type | BaseSelector)


def given(method: Any) -> Any:
    """Return a method as the user gave it."""
    return method.selector if isinstance(method, OutsideSelector) else method


class OutsideSelector(BaseSelector):
    """A selector of another library, such as scikit-learn, as `compare` needs it.

    It sees numbers: nominal columns as level numbers, missing numbers as the median, missing levels as one more level.
    Features are ordered by ``scores_``, by ``ranking_``, or by the coefficients or importances of its ``estimator_``.
    A rule of its own, such as a threshold, holds beside the sizes; a number of features does not. What knows no order
    is fitted for every size if it has the parameter ``n_features_to_select``, and otherwise keeps its own number of
    features whatever the size.

    Parameters
    ----------
    selector : object
        Fits, and tells by ``get_support`` or ``support_`` which features it keeps.
    n_features_to_select : int or None, default=None
        How many to keep at most; None keeps what the selector keeps.
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes", "numbers"),
        views=("dense", "sparse"),
        handles_sparse=True,
        handles_nan=True,
        handles_nominal=True,
        deterministic=False,
        invariance=(),
    )
    _serves = ()
    _parameter_constraints: dict = {"selector": "no_validation", SIZE: "no_validation"}

    def __init__(self, selector: Any, n_features_to_select: int | None = None) -> None:
        self.selector = selector
        self.n_features_to_select = n_features_to_select

    def _tags_in_use(self) -> MethodTags:
        return replace(self.method_tags, handles_weights=_takes_weights(self.selector), nested=not self._asked_by_size)

    @property
    def _asked_by_size(self) -> bool:
        """Whether the selector must be fitted for every size: it takes a number, and knows no order."""
        return SIZE in self.selector.get_params(deep=False) and not isinstance(self.selector, RFE)

    def _select(self, data: View, parts: Parts) -> Selection:
        name, most = type(self.selector).__name__, self.n_features_to_select
        most = data.n_features if most is None else min(int(most), data.n_features)
        if self._asked_by_size and most == data.n_features:
            # All of them are no choice, which such selectors refuse.
            every = np.arange(data.n_features)
            return Selection.build(every, every, Reasons.of_kept(data.n_features, every, NOT_REACHED))
        made = clone(self.selector)
        if SIZE in made.get_params(deep=False):
            # Eliminated down to one, all features have a rank.
            made.set_params(**{SIZE: 1 if isinstance(made, RFE) else most})
        X, block = numbers(data), data.whole()
        weight = {} if block.weight is None else {"sample_weight": block.weight}
        made.fit(X, data.target, **weight)
        support, scores = _support(made, data.n_features), _scores(made, data.n_features)
        ranks = np.asarray(getattr(made, "ranking_", ()), dtype=float)
        free = isinstance(made, SelectKBest | SelectPercentile) or (isinstance(made, RFE) and SIZE in made.get_params())
        if isinstance(made, GenericUnivariateSelect):
            free = made.mode in ("k_best", "percentile")
        allowed = np.arange(data.n_features) if free else support
        order = _order(allowed, scores, ranks)
        kept = allowed if order is None else order[:most]
        whole = order if order is not None else allowed
        reasons = Reasons.of_kept(data.n_features, kept, NOT_REACHED, rule=_rule(name, len(kept), order is None))
        pvalues = getattr(made, "pvalues_", None)
        columns = {} if pvalues is None else {"pvalue": np.asarray(pvalues, dtype=float)}
        own = {OWN_SIZE: True} if order is None and not self._asked_by_size else {}
        return Selection.build(kept, whole, reasons, scores, columns=columns, meta=own)


def _takes_weights(selector: Any) -> bool:
    """Return whether weights can be given to the fit of a selector, or through it to that of its estimator."""
    if has_fit_parameter(selector, "sample_weight"):
        return True
    # Others that take anything take it for settings of scikit-learn, and refuse weights.
    hands_on = isinstance(selector, RFE | SelectFromModel) and not isinstance(selector, RFECV)
    estimator = selector.get_params(deep=False).get("estimator")
    return hands_on and estimator is not None and has_fit_parameter(estimator, "sample_weight")


def numbers(data: View) -> Any:
    """Return the columns as numbers without gaps, dense or sparse as they are."""
    X = data.whole().X
    if data.kind == "sparse":
        return X.tocsr()
    X = np.array(X, dtype=float)
    for j in np.flatnonzero(np.isnan(X).any(axis=0)) if data.may_miss else ():
        gap = np.isnan(X[:, j])
        nominal, some = data.nominal[j], not gap.all()
        X[gap, j] = (X[~gap, j].max() + 1 if nominal else np.median(X[~gap, j])) if some else 0.0
    return X


def _support(made: Any, n_features: int) -> np.ndarray:
    mask = made.get_support() if hasattr(made, "get_support") else getattr(made, "support_", None)
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.shape != (n_features,):
        raise InputError(
            f"{type(made).__name__} does not say which of the {n_features} features it keeps; after fit it needs "
            "get_support() or support_ with one entry per feature."
        )
    return np.flatnonzero(mask)


def _scores(made: Any, n_features: int) -> np.ndarray | None:
    """Return one number per feature, larger is better, if the selector or its estimator has them."""
    estimator = getattr(made, "estimator_", None)
    found = getattr(made, "scores_", None)
    if found is None and estimator is not None and not hasattr(made, "ranking_"):
        found = getattr(estimator, "feature_importances_", None)
        coefficients = getattr(estimator, "coef_", None)
        if found is None and coefficients is not None:
            found = np.abs(np.asarray(coefficients)).reshape(-1, np.shape(coefficients)[-1]).sum(axis=0)
    found = None if found is None else np.asarray(found, dtype=float)
    # Scores of folds or sizes, as some have them, are none of features.
    return None if found is None or found.shape != (n_features,) else found


def _order(features: np.ndarray, scores: np.ndarray | None, ranks: np.ndarray) -> np.ndarray | None:
    """Return features best first, of equal ones the lower number; None if nothing tells an order."""
    if scores is not None:
        return features[np.argsort(-np.where(np.isnan(scores), -np.inf, scores)[features], kind="stable")]
    if len(ranks) and len(np.unique(ranks[features])) > len(features) // 2:
        return features[np.argsort(ranks[features], kind="stable")]
    return features if len(features) < 2 else None


def _rule(name: str, n_kept: int, unordered: bool) -> str:
    return f"{name} keeps {n_kept:,} feature{'' if n_kept == 1 else 's'}" + (", in no order" if unordered else "")
