"""What `fewer.select` does when no method is named."""

from __future__ import annotations

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
from fewer.core.discretize.codes import codes_view, cuts_by_target
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CODES_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.hygiene.examine import examine
from fewer.core.records.errors import FewerError, ParameterError
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.spread import check_target
from fewer.core.views.view import View


class DefaultRecipe(BaseSelector):
    """Drop constant and duplicate columns, order the rest by mRMR, and keep the fewest that predict as well as any.

    The number of features comes from cross-validation with the order made again in every fold, by the rule of one
    standard error: the smallest number whose score is that near to the best one.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default="parsimonious"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "best" and
        "parsimonious" look at sizes up to 100. None keeps all.
    estimator : estimator or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. Here an
        estimator; None is naive Bayes on the bins for classes, and for numbers ridge on standardised columns, or a tree
        on the bins if columns are nominal or values missing.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, fewer if a class has fewer rows.
    discretizer : {"quantile", "uniform", "sigma", "mixture"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    keep : str, list of str or int, or None, default=None
        Columns that are not left out, whatever is found of them: names or numbers, or "all".
    drop : str, list of str or None, default=None
        What is left out beside identifiers, constant, duplicate and date columns: "leaks", or another kind of finding
        that is only flagged otherwise.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.OrderedFS : The same with any ranker.

    Notes
    -----
    Missing values are a level of their own. Scores are those of mRMR. Mean scores by number of features are in
    ``selection_.tables["curve"]``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from fewer.methods.recipe import DefaultRecipe
    >>> X, y = load_wine(return_X_y=True)
    >>> X = np.column_stack([X, X[:, 6], np.ones(len(X))])
    >>> selection = DefaultRecipe().fit(X, y).selection_
    >>> selection.indices.tolist()
    [6, 0, 12, 11, 9, 10, 1, 5, 4]
    >>> selection.reason(13).kind, selection.reason(13).related, selection.reason(14).kind
    ('redundant', ('x6',), 'irrelevant')
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes", "numbers"),
        views=("codes",),
        handles_nan=True,
        handles_nominal=True,
        handles_weights=True,
        handles_dates=True,
        nested=False,
        invariance=(),
        cost="n*d*k*folds",
    )
    # OrderedFS says of sizes what holds.
    _serves = ()
    _parameter_constraints: dict = {
        **CODES_CONSTRAINTS,
        "estimator": "no_validation",
        "scoring": "no_validation",
        "cv": "no_validation",
        # The look at the columns reads both.
        "keep": ["array-like", str, None],
        "drop": "no_validation",
    }

    def __init__(
        self,
        n_features_to_select: Any = "parsimonious",
        *,
        estimator: Any = None,
        scoring: Any = None,
        cv: Any = None,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        keep: Any = None,
        drop: Any = None,
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
            How much each row counts when features are ordered and estimators fitted; a row of weight 0 is as good as
            absent.
        groups : array-like of shape (n_samples,), optional
            Rows that must not be split between training and testing.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, sample_weight, groups)

    def _tags_in_use(self) -> MethodTags:
        tags = self.method_tags
        if self.estimator is None:
            return tags
        # A given estimator sees the columns as they are.
        takes_nan = hasattr(self.estimator, "fit") and get_tags(self.estimator).input_tags.allow_nan
        tags = replace(tags, handles_nan=takes_nan, handles_nominal=False)
        if is_classifier(self.estimator):
            return replace(tags, targets=("classes",))
        return replace(tags, targets=("numbers",)) if is_regressor(self.estimator) else tags

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
        codes = codes_view(view, parts.discretizer) if self.estimator is None else None
        matrix, model, levels = self._problem(view, codes)
        if data.classes is None:
            check_target(data.whole().y)
        cut = self._cut(model, levels, of_rows_here(self.cv, data)).fit_view(view.with_numbers(matrix))
        return found.widened(cut.selection_, data)

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
