"""Which criterion stands for a scikit-learn estimator: an exact short cut where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from fewer.core.criteria.cross_validated import CrossValidated
from fewer.core.criteria.fast import FastCrossValidated
from fewer.core.criteria.linear_scores import Linear
from fewer.core.criteria.naive_bayes import NaiveBayes
from fewer.core.criteria.nearest_rows import NearestRows


def recognise(
    estimator: Any,
    scoring: Any = None,
    cv: Any = None,
    *,
    groups: Any = None,
    params: Mapping[str, Any] | None = None,
    give_up: bool = False,
    ties: str = "estimator",
) -> CrossValidated:
    """Return the subset criterion for an estimator: an exact short cut where there is one, else `CrossValidated`.

    Parameters
    ----------
    estimator : estimator
        A subclass of a known class, or one with parameters that a short cut does not cover, is fitted as it is.
    scoring, cv, groups, params, give_up
        As for `CrossValidated`.
    ties : {"estimator", "lowest"}, default="estimator"
        For nearest neighbours, as for `NearestRows`.

    Returns
    -------
    CrossValidated
        One of `NearestRows`, `NaiveBayes` and `Linear`, or `CrossValidated` itself.
    """
    kind = short_cut(estimator) if not params else None
    if kind is None:
        return CrossValidated(estimator, scoring, cv, groups=groups, params=params, give_up=give_up)
    more: dict[str, Any] = {"groups": groups, "give_up": give_up}
    if kind is NearestRows:
        more["ties"] = ties
    return kind(estimator, scoring, cv, **more)


def short_cut(estimator: Any) -> type[FastCrossValidated] | None:
    """Return the class of the short cut that equals an estimator with its parameters, None if there is none."""
    for types, fits, kind in SHORT_CUTS:
        if type(estimator) in types:
            return kind if fits(estimator) else None
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _plain_neighbours(e: Any) -> bool:
    euclidean = e.metric == "euclidean" or (e.metric == "minkowski" and e.p == 2)
    return e.weights == "uniform" and euclidean and not e.metric_params


def _plain_gaussian(e: Any) -> bool:
    return e.priors is None and _is_number(e.var_smoothing)


def _plain_levels(e: Any) -> bool:
    least = getattr(e, "min_categories", None)
    return e.class_prior is None and _is_number(e.alpha) and (least is None or _is_number(least))


def _plain_discriminant(e: Any) -> bool:
    given = (e.priors, e.shrinkage, e.n_components, e.covariance_estimator)
    return e.solver == "svd" and all(part is None for part in given)


def _plain_ridge(e: Any) -> bool:
    exact = e.solver in ("auto", "cholesky", "svd") and not e.positive
    return exact and _is_number(e.alpha) and e.alpha > 0 and getattr(e, "class_weight", None) is None


def _plain_least_squares(e: Any) -> bool:
    return not e.positive


SHORT_CUTS: tuple[tuple[tuple[type, ...], Any, type[FastCrossValidated]], ...] = (
    ((KNeighborsClassifier, KNeighborsRegressor), _plain_neighbours, NearestRows),
    ((GaussianNB,), _plain_gaussian, NaiveBayes),
    ((BernoulliNB, CategoricalNB), _plain_levels, NaiveBayes),
    ((LinearDiscriminantAnalysis,), _plain_discriminant, Linear),
    ((Ridge, RidgeClassifier), _plain_ridge, Linear),
    ((LinearRegression,), _plain_least_squares, Linear),
)
