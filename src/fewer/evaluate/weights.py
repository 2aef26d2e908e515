"""Sample weights of a comparison: who takes them, and how they are given."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from fewer.core.records.errors import ParameterError

if TYPE_CHECKING:
    from fewer.evaluate.data import Data

NAME = "sample_weight"


def weight_parameters(model: Any) -> list[str]:
    """Return the parameters of ``fit`` that take the weights of the rows; of a pipeline those of its steps."""
    if isinstance(model, Pipeline):
        steps = [(name, step) for name, step in model.steps if hasattr(step, "fit")]
        return [f"{name}__{NAME}" for name, step in steps if has_fit_parameter(step, NAME)]
    return [NAME] if has_fit_parameter(model, NAME) else []


def takes_weights(model: Any) -> bool:
    """Return whether what an estimator learns depends on the weights; scaled columns alone do not count."""
    last = model.steps[-1][1] if isinstance(model, Pipeline) else model
    return has_fit_parameter(last, NAME)


def learned(model: Any, data: Data, X: np.ndarray, rows: Any) -> Any:
    """Return an estimator fitted to some rows, with their weights if it takes them."""
    if data.weight is None:
        return model.fit(X, data.y[rows])
    return model.fit(X, data.y[rows], **dict.fromkeys(weight_parameters(model), data.weight[rows]))


def score_of(scorer: Any, model: Any, data: Data, X: np.ndarray, rows: Any) -> float:
    """Return the score of a fitted estimator on some rows, which count by their weights."""
    more = {} if data.weight is None else {NAME: data.weight[rows]}
    return float(scorer(model, X, data.y[rows], **more))


def check_scorer(scorer: Any, name: str) -> None:
    """Raise before any work if a score knows no weights."""
    asked = getattr(scorer, "_score_func", scorer)
    try:
        known = inspect.signature(asked).parameters.values()
    except (TypeError, ValueError):
        return
    if not any(one.name == NAME or one.kind is one.VAR_KEYWORD for one in known):
        raise ParameterError(
            f"compare got sample_weight, but the score {name} takes none; choose another score, such as 'accuracy' or "
            "'r2', or a callable(estimator, X, y, sample_weight)."
        )


def notes(data: Data, models: dict[str, Any]) -> list[str]:
    """Return what is to be said about estimators that leave the weights aside."""
    without = [label for label, model in models.items() if not takes_weights(model)]
    if data.weight is None or not without:
        return []
    verb, who = ("learns", "it does") if len(without) == 1 else ("learn", "they do")
    return [f"{', '.join(without)} {verb} without the sample weights, which {who} not take; scores are weighted."]
