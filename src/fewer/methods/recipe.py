"""What `fewer.select` does when no method is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils import get_tags

from fewer import registry
from fewer.core.criteria.splitters import of_rows_here
from fewer.core.discretize.codes import codes_view, cuts_by_target, learns_by_summaries
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CODES_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.folds.fit import fit_folds
from fewer.core.folds.own_score import OwnScore
from fewer.core.folds.said import Chosen, how_many, selection_of
from fewer.core.hygiene.examine import examine
from fewer.core.importance.models import check_tagged
from fewer.core.records.errors import FewerError, ParameterError
from fewer.core.records.params import StrOptions
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.spread import check_target
from fewer.core.views.view import View


class DefaultRecipe(BaseSelector):
    """Leave out what is no feature, test relevance, order by relevance and redundancy, keep what predicts best.

    Identifiers, constant and duplicate columns are left out. Each feature is tested on its own, by its bins; those
    that are relevant (10 % false discoveries) come first, each by its relevance less its redundancy to those before
    it. The number of features comes from five folds, each with an order of its own: two unlike models, naive Bayes on
    bins and a linear model (discriminant analysis for classes, ridge for numbers), are scored on the rows that took no
    part, and the size with the best mean is taken. All that is summed up, so that the result is the same for data in
    memory, in files of any size, sparse and on a cluster; but for exact copies of rows, which are looked for in memory
    alone.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "best" and
        "parsimonious" look at sizes up to 200. None keeps all.
    estimator : estimator or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. Here an
        estimator; None is the mean of naive Bayes and a linear model.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, rare classes spread over them.
    discretizer : {"quantile", "uniform", "sigma", "mixture"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    keep : str, list of str or int, or None, default=None
        Columns that are not left out, whatever is found of them: names or numbers, or "all".
    drop : str, list of str or int, or None, default=None
        What is left out beside identifiers, constant, duplicate and date columns: "leaks", or another kind of finding
        that is only flagged otherwise; and names or numbers of columns.
    if_nothing : {"best", "none", "error"}, default="best"
        What happens if nothing is better than a guess: the one best feature is kept, with a warning, so that pipelines
        go on; or nothing is kept; or an error is raised. `fewer.select` keeps nothing.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.OrderedFS : Any ranker with any estimator.

    Notes
    -----
    Scores are relevance: the fraction of variation that feature and target share, corrected for chance, 0 to 1; by the
    order of the bins or by the bins, whichever shows more. Beside them are the p-value, twice the smaller one of these
    two tests, and the fraction of folds in which the feature is among the first so many. The metric is accuracy;
    balanced accuracy if one class holds more than 80 % of the rows; R squared for numbers. ``selection_.meta["score"]``
    tells it beside that of a guess, ``selection_.tables["curve"]`` by size.

    "best" takes the best size up to the number of relevant features, of sizes that differ by less than half a standard
    error the largest, and more features only if the best size is better by more than one, and than a guess;
    "parsimonious" the smallest size within one. Nothing is better than a guess if no p-value, corrected for the number
    of features, is at most 5 % (0.1 % where the score is not above that of a guess), nor that of the score at most 2 %;
    of noise something is kept in less than one of ten data sets. A number that is asked for is kept whatever it scores;
    the same tests say whether it is better than a guess.

    Missing values are a level of their own for naive Bayes and the mean for the linear model, which sees the ten most
    frequent levels of a nominal feature. A numeric target has up to ten bins for tests and naive Bayes. Rows are dealt
    to the folds class by class in turn, in their order; with ``groups``, whole groups. A row of weight 2 counts as two
    rows of one group. Tests count Kish's effective number of rows: the squared sum of weights by the sum of their
    squares; of groups fewer the more alike their targets are, down to the number of groups. P-values are exact where
    counts are small. The 200 features that the order puts first are looked at together, further ones by relevance.

    With an ``estimator``, ``scoring`` or ``cv`` of your own, the features are ordered by mRMR in every fold and the
    estimator is cross-validated, as `OrderedFS` does; that takes all rows in memory. Guesses have the same splits, and
    the same tests decide, that of another score than the metric above being the corrected t of Nadeau and Bengio.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from fewer.methods.recipe import DefaultRecipe
    >>> X, y = load_wine(return_X_y=True)
    >>> X = np.column_stack([X, X[:, 6], np.ones(len(X))])
    >>> selection = DefaultRecipe().fit(X, y).selection_
    >>> selection.indices[:5].tolist()
    [6, 9, 12, 11, 0]
    >>> print(selection.meta["score"]["words"])
    accuracy 0.983 with 13 features, a guess 0.399
    >>> selection.reason(13).kind, selection.reason(13).related, selection.reason(14).kind
    ('redundant', ('x6',), 'irrelevant')
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes", "numbers"),
        views=("codes",),
        handles_sparse=True,
        handles_nan=True,
        handles_nominal=True,
        handles_weights=True,
        handles_dates=True,
        nested=False,
        streams=True,
        invariance=(),
        cost="n*d",
    )
    # In a pipeline it need not be asked: it counts weights, and its folds keep groups together.
    __metadata_request__fit = {"sample_weight": True, "groups": True}
    # OrderedFS says of sizes what holds.
    _serves = ()
    _parameter_constraints: dict = {
        **CODES_CONSTRAINTS,
        "estimator": "no_validation",
        "scoring": "no_validation",
        "cv": "no_validation",
        # The look at the columns reads both.
        "keep": "no_validation",
        "drop": "no_validation",
        "if_nothing": [StrOptions({"best", "none", "error"})],
    }

    def __init__(
        self,
        n_features_to_select: Any = "best",
        *,
        estimator: Any = None,
        scoring: Any = None,
        cv: Any = None,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        keep: Any = None,
        drop: Any = None,
        if_nothing: str = "best",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.scoring = scoring
        self.cv = cv
        self.discretizer = discretizer
        self.bins = bins
        self.categorical_features = categorical_features
        self.keep = keep
        self.drop = drop
        self.if_nothing = if_nothing
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Any:
        """Select features.

        Parameters
        ----------
        X : array-like, data frame or Table of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts when features are tested, ordered and evaluated; a row of weight 0 is as good as
            absent. Weights that are not whole, or of a mean above 5, are taken in proportion, so that their mean is 1.
            Tests count no more rows than there are: repeat rows that were observed repeatedly.
        groups : array-like of shape (n_samples,), optional
            Rows that must not be split between training and testing.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, sample_weight, groups)

    @property
    def _by_folds(self) -> bool:
        """Whether the size is found by sums over folds, and not by what was given to evaluate subsets."""
        return self.estimator is None and self.scoring is None and self.cv is None

    def _tags_in_use(self) -> MethodTags:
        if self._by_folds:
            return self.method_tags
        tags = replace(self.method_tags, streams=False, handles_sparse=False, cost="n*d*k*folds")
        if self.estimator is None:
            return tags
        # A given estimator sees the columns as they are.
        if hasattr(self.estimator, "fit"):
            check_tagged(self.estimator)
        takes_nan = hasattr(self.estimator, "fit") and get_tags(self.estimator).input_tags.allow_nan
        tags = replace(tags, handles_nan=takes_nan, handles_nominal=False)
        if is_classifier(self.estimator):
            return replace(tags, targets=("classes",))
        return replace(tags, targets=("numbers",)) if is_regressor(self.estimator) else tags

    def _streams(self, parts: Parts) -> bool:
        return super()._streams(parts) and learns_by_summaries(parts.discretizer)

    def _parts(self) -> Parts:
        parts = super()._parts()
        if cuts_by_target(self.discretizer):
            raise ParameterError(
                f"DefaultRecipe got discretizer={self.discretizer!r}, whose levels fit the target and would leak it "
                "into the rows that test; pass 'quantile' or another one that does not look at the target."
            )
        try:
            self._cut(self.estimator, None, self.cv).check()
        except FewerError as error:
            # Users know nothing of the part that finds the size.
            raise type(error)(str(error).replace("OrderedFS", "DefaultRecipe")) from None
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        found = examine(data, self.keep, self.drop)
        view = data.columns(found.left)
        if not self._by_folds:
            chosen = self._cross_validated(view, data, parts)
            return found.widened(chosen, data).with_meta(**chosen.meta)
        chosen, suspects = self._chosen(view, parts, self.if_nothing), np.isin(found.left, found.of("leak"))
        if suspects.any() and not suspects.all():
            chosen = chosen.with_meta(without_leaks=self._without(view, suspects, parts))
        return found.widened(chosen, data).with_meta(**chosen.meta)

    def _chosen(self, view: View, parts: Parts, if_nothing: str) -> Selection:
        """Return the selection among columns that were examined."""
        wanted = parts.size.wanted(view.n_features)
        fitted = fit_folds(view, parts.discretizer, (wanted.low, wanted.high))
        chosen = Chosen.of(fitted, wanted)
        return selection_of(fitted, chosen, fitted.order[: how_many(fitted, chosen, if_nothing)])

    def _without(self, view: View, suspects: np.ndarray, parts: Parts) -> dict[str, Any]:
        """Return how the result changes without the columns that may leak the target."""
        left = np.flatnonzero(~suspects)
        again = self._chosen(view.columns(left), parts, "none")
        names, score = view.names or tuple(f"x{j}" for j in range(view.n_features)), again.meta["score"]
        return {"score": score["value"], "words": score["words"], "kept": [names[left[j]] for j in again.indices]}

    def _cross_validated(self, view: View, data: View, parts: Parts) -> Selection:
        """Return the selection by the estimator, score or splits that were given."""
        codes = codes_view(view, parts.discretizer) if self.estimator is None else None
        matrix, model, levels = self._problem(view, codes)
        if data.classes is None:
            check_target(data.whole().y)
        cv, numbers = of_rows_here(self.cv, data), view.with_numbers(matrix)
        cv = list(cv) if isinstance(cv, Iterator) else cv
        cut = self._cut(model, levels, cv).fit_view(numbers).selection_
        wanted, fitted = parts.size.wanted(view.n_features), fit_folds(view, parts.discretizer)
        own = OwnScore.of(cut, fitted, numbers, model, self.scoring, cv)
        return own.judged(cut, fitted, wanted.low == wanted.high and not wanted.free, self.if_nothing)

    def _problem(self, view: View, codes: View | None) -> tuple[np.ndarray, Any, Any]:
        """Return what is cross-validated: the columns, the estimator, and how its columns are put into bins."""
        if codes is not None and view.classes is not None:
            rows = codes.whole().rows
            # Levels that some fold does not train on must be known to the estimator.
            return rows, CategoricalNB(min_categories=int(np.asarray(codes.n_levels).max())), None
        if codes is not None and (view.nominal.any() or view.may_miss):
            return codes.whole().rows, DecisionTreeRegressor(min_samples_leaf=5, random_state=0), None
        X = view.whole().X
        if self.estimator is not None:
            return X, self.estimator, self.discretizer
        # No constant column is left. The spread of all rows, without the target, tells nothing that a fold should not.
        # Levels that X holds already are still told apart by their standardised numbers.
        levels = OrdinalEncoder() if self.discretizer is None else self.discretizer
        return _standardised(np.asarray(X, dtype=np.float64)), Ridge(), levels

    def _cut(self, model: Any, levels: Any, cv: Any) -> Any:
        """Return the selector that orders the columns and finds how many are enough."""
        order = registry.load("MRMR")(discretizer=levels, bins=self.bins, n_jobs=self.n_jobs)
        return registry.load("OrderedFS")(
            model, self.n_features_to_select, ranker=order, scoring=self.scoring, cv=cv, n_jobs=self.n_jobs
        )


def _standardised(X: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and variance 1; scaled by powers of two before, so that no square leaves its range."""
    X = np.ldexp(X, -np.frexp(np.abs(X).max(axis=0))[1])
    return (X - X.mean(axis=0)) / X.std(axis=0)
