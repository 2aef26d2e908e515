"""One estimator for every score of this family, and for the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fewer import registry
from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CODES_CONSTRAINTS, CodesScore, tags_of_levels
from fewer.core.estimators.selector import WeightedFit
from fewer.core.records.errors import ParameterError, closest
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.univariate._tags import CODES

OWN_SCORE = MethodTags(targets=("ordered classes", "numbers"), views=("dense",))


def _as_numbers(values: Any, kinds: str) -> tuple[np.ndarray | None, str]:
    """Return real numbers of these kinds of types as floats, None of anything else, and words for what was given."""
    try:
        given = np.asarray(values)
        numbers = given.astype(np.float64) if given.dtype.kind in kinds else None
    except (TypeError, ValueError):
        return None, f"{type(values).__name__} of unlike things"
    return numbers, f"type {given.dtype}" if numbers is None else f"shape {given.shape}"


class FunctionCriterion(RankingCriterion):
    """A user's own function ``score(X, y)`` that returns scores, or scores and p-values."""

    requires = ("dense",)

    def __init__(self, function: Callable[..., Any], has_pvalues: bool = True) -> None:
        self.function = function
        self.has_pvalues = has_pvalues

    def scores(self, view: View) -> Ranking:
        """Call the function on all rows."""
        block = view.whole()
        result = self.function(block.X) if block.y is None else self.function(block.X, block.y)
        scores, pvalues = result if isinstance(result, tuple) else (result, None)
        values, what = _as_numbers(scores, "biufO")
        if values is None or values.shape != (view.n_features,):
            raise ParameterError(
                f"ScoreSelector called score={self.function!r}, which returned scores of {what}, but one real number "
                f"per feature is needed, shape ({view.n_features},); correct the function."
            )
        nothing = np.flatnonzero(np.isnan(values))
        if len(nothing):
            raise ParameterError(
                f"ScoreSelector called score={self.function!r}, which returned NaN for {len(nothing)} of "
                f"{view.n_features} features, the first being {view.name_of(int(nothing[0]))}, but numbers are needed; "
                "drop such features, which are often constant, or return -inf for what shall come last."
            )
        return Ranking(values, self._checked(pvalues, view.n_features))

    def _checked(self, pvalues: Any, n_features: int) -> np.ndarray | None:
        """Return the p-values of the function, or explain what they are not."""
        if pvalues is None:
            return None
        # True and False are decisions, which nobody can adjust for their number.
        given, what = _as_numbers(pvalues, "iufO")
        if given is None or given.shape != (n_features,):
            what = f"p-values of {what}"
        elif ((given < 0) | (given > 1)).any():
            what = f"the p-value {given[(given < 0) | (given > 1)][0]:g}"
        else:
            return given
        raise ParameterError(
            f"ScoreSelector called score={self.function!r}, which returned {what}, but one number between 0 and 1 per "
            f"feature is needed, shape ({n_features},), or NaN where there is no test; correct the function."
        )


class ScoreSelector(WeightedFit, CodesScore):
    """Keep the features with the best scores, by a score given by name or as a function.

    Parameters
    ----------
    score : str or callable, default="InformationGain"
        Name of a method of the family univariate, or a function ``score(X, y)`` that returns one number per feature,
        or those and p-values, as scikit-learn's score functions do. Larger is better.
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ScoreSelector("FTest", n_features_to_select=2).fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    method_tags = CODES
    _parameter_constraints: dict = {**CODES_CONSTRAINTS, "score": [str, callable]}

    def __init__(
        self,
        score: Any = "InformationGain",
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            discretizer=discretizer,
            bins=bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.score = score

    def _named(self) -> Any:
        known = [e.name for e in registry.METHODS if e.family == "univariate" and e.name != "ScoreSelector"]
        if self.score not in known:
            raise ParameterError(
                f"ScoreSelector knows no score {self.score!r}; it takes a function or one of {', '.join(known)}."
                f"{closest(self.score, known)}"
            )
        return registry.load(self.score)

    def _tags_in_use(self) -> MethodTags:
        return OWN_SCORE if callable(self.score) else tags_of_levels(self._named().method_tags, self.discretizer)

    def _criterion(self) -> Any:
        return FunctionCriterion(self.score) if callable(self.score) else self._named().criterion

    def _learn_from(self, X: Any, y: Any, weight: Any = None, *more: Any) -> Any:
        if weight is not None and not self._tags_in_use().handles_weights:
            raise ParameterError(
                f"ScoreSelector got sample_weight, but score={self.score!r} takes none; leave it out or use a "
                "score of counts or moments."
            )
        return super()._learn_from(X, y, weight, *more)

    def _labels(self, y: Any) -> Any:
        if callable(self.score) and y is not None and np.asarray(y).dtype.kind in "OUS":
            # A user's function is given numbers, as scikit-learn's score functions encode labels themselves.
            return np.unique(np.asarray(y).astype(str), return_inverse=True)[1]
        return y

    def _reads_codes(self) -> bool:
        return "codes" in self._tags_in_use().views

    def _cuts_by_target(self) -> bool:
        return self._reads_codes() and super()._cuts_by_target()

    def _streams(self, parts: Parts) -> bool:
        return super()._streams(parts) if self._reads_codes() else self._tags_in_use().streams

    def _view(self, data: View, parts: Parts) -> View:
        return super()._view(data, parts) if self._reads_codes() else data
