"""What evaluates subsets: an estimator by cross-validation, or a criterion without one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sklearn import get_config
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB

from fewer.core.criteria.merit import Merit
from fewer.core.criteria.model_input import refuse_counted
from fewer.core.criteria.recognise import recognise
from fewer.core.criteria.scatter import Mahalanobis, ScatterSeparability
from fewer.core.criteria.shapes import SubsetScore
from fewer.core.criteria.splitters import own_score, splitter
from fewer.core.criteria.subset_filters import Agreement, Information
from fewer.core.discretize.codes import codes_view
from fewer.core.estimators.parts import Parts
from fewer.core.importance.models import tags_with_model
from fewer.core.records.errors import ParameterError, closest
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

FILTERS: dict[str, type] = {
    "cfs": Merit,
    "inconsistency": Agreement,
    "mutual_information": Information,
    "separability": ScatterSeparability,
    "mahalanobis": Mahalanobis,
}


def check_estimator(name: str, estimator: Any) -> None:
    """Raise unless something can evaluate subsets."""
    fits = hasattr(estimator, "fit") and not isinstance(estimator, type)
    if fits:
        refuse_counted(name, estimator)
    if estimator is None or fits or as_filter(estimator) is not None:
        return
    hint = closest(estimator, FILTERS) if isinstance(estimator, str) else ""
    raise ParameterError(
        f"{name} got estimator={estimator!r}, but takes an estimator with fit, None, a subset criterion or one of "
        f"{', '.join(map(repr, FILTERS))}; pass one of them.{hint}"
    )


def as_filter(estimator: Any) -> Any:
    """Return a criterion that needs no estimator, or None if an estimator was given."""
    if isinstance(estimator, str):
        return FILTERS[estimator]() if estimator in FILTERS else None
    return estimator if isinstance(estimator, SubsetScore) else None


def tags_with(estimator: Any, tags: MethodTags) -> MethodTags:
    """Return what a search takes with this estimator: its kind of target, and whatever else it handles."""
    if estimator is None:
        return replace(tags, handles_weights=True, weights_count_rows=False)
    criterion = as_filter(estimator)
    if criterion is not None:
        codes = "codes" in criterion.requires
        return replace(
            tags,
            targets=("classes",),
            views=("codes",) if codes else ("dense",),
            handles_nominal=codes,
            handles_nan=codes,
            handles_sparse="sparse codes" in criterion.requires,
            handles_weights=codes,
            weights_count_rows=codes,
        )
    return tags_with_model(estimator, tags)


def judge(estimator: Any, data: View, scoring: Any, cv: Any, parts: Parts, give_up: bool) -> tuple[Any, View]:
    """Return the criterion and the view on which it evaluates.

    Parameters
    ----------
    estimator, scoring, cv
        As given to the selector.
    data : View
        Numbers, with groups and further parameters of fit.
    parts : Parts
        A criterion that needs no estimator, and a discretizer for those on codes.
    give_up : bool
        Whether an estimator leaves candidates that cannot be the best of their step any more.
    """
    criterion = parts.criterion
    if criterion is None:
        model = default_estimator(data) if estimator is None else estimator
        how = {"groups": data.groups, "params": dict(data.fit_params) or None, "give_up": give_up}
        return recognise(model, own_score(model, scoring, data), splitter(cv, data), **how), data
    if data.groups is not None or data.fit_params:
        raise ParameterError(
            f"{type(criterion).__name__} was given groups or other parameters of fit, but criteria without an "
            "estimator have no folds and fit nothing; leave them out, or pass an estimator."
        )
    codes = data.kind not in criterion.requires and "codes" in criterion.requires
    return criterion, codes_view(data, parts.discretizer) if codes else data


def default_estimator(data: View) -> Any:
    """Return naive Bayes for classes and ridge for numbers, which are exact short cuts."""
    model = GaussianNB() if data.classes is not None else Ridge()
    weighted = data.run.in_memory and data.whole().weight is not None
    if weighted and get_config()["enable_metadata_routing"]:
        model.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
    return model
