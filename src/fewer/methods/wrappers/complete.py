"""Searches that find the optimum: all subsets, and branch and bound."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fewer.core.search.by_name import BranchAndBound, Exhaustive
from fewer.methods.wrappers._search_selector import TAGS, SearchSelector, constraints_with, keep


class ExhaustiveSelector(SearchSelector):
    """Evaluate every subset of allowed size and take the best.

    Finds the optimum for any criterion. Without a limit of evaluations or seconds it refuses more than 2**25 subsets.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, rare classes spread over them.
    feature_groups : sequence of sequences of int or str, or array-like of shape (n_features,), default=None
        Columns that move as one and count as one, by number or name; or one label per column.
    fixed_features : sequence of int or str, or array-like of bool, default=None
        Columns that are always in; they count.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. For criteria on bins.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    checkpoint : str or path, default=None
        A file to which evaluations are written, and from which a search that was stopped goes on.
    max_evaluations : int, default=None
        Most subsets to evaluate; then the best so far is the answer.
    max_seconds : float, default=None
        Most seconds to search; then the best so far is the answer.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    BranchAndBoundSelector : The optimum of monotone criteria with fewer evaluations.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 2.3.1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> ExhaustiveSelector(LinearDiscriminantAnalysis(), (1, 3)).fit(X, y).selection_.indices.tolist()
    [2, 3, 0]
    """

    _search_by = Exhaustive
    _parameter_constraints: dict = constraints_with(Exhaustive)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        scoring: Any = None,
        cv: Any = None,
        feature_groups: Any = None,
        fixed_features: Any = None,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        checkpoint: Any = None,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())


class BranchAndBoundSelector(SearchSelector):
    """Find the best subset of a criterion that never falls when a feature joins.

    A tree takes features away one by one; what a node is worth bounds all below it, so that most branches are never
    visited.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default="separability"
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. It must never be
        lower when a feature joins, as scores of estimators can: "inconsistency", "mutual_information", "separability",
        "mahalanobis", or a criterion that says ``monotone = True``.
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). Of a range the
        smallest subset as good as the best one of the largest size is taken. None keeps all.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, rare classes spread over them.
    feature_groups : sequence of sequences of int or str, or array-like of shape (n_features,), default=None
        Columns that move as one and count as one, by number or name; or one label per column.
    fixed_features : sequence of int or str, or array-like of bool, default=None
        Columns that are always in; they count.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. For criteria on bins.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    checkpoint : str or path, default=None
        A file to which evaluations are written, and from which a search that was stopped goes on.
    max_evaluations : int, default=None
        Most subsets to evaluate; then the best so far is the answer.
    max_seconds : float, default=None
        Most seconds to search; then the best so far is the answer.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    ExhaustiveSelector : For all other criteria.

    References
    ----------
    .. [1] P. M. Narendra and K. Fukunaga, "A branch and bound algorithm for feature subset selection", IEEE
       Transactions on Computers 26, 1977.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> BranchAndBoundSelector("mahalanobis", 2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags = replace(TAGS, targets=("classes",), handles_weights=False)
    _search_by = BranchAndBound
    _parameter_constraints: dict = constraints_with(BranchAndBound)

    def __init__(
        self,
        estimator: Any = "separability",
        n_features_to_select: Any = 10,
        *,
        scoring: Any = None,
        cv: Any = None,
        feature_groups: Any = None,
        fixed_features: Any = None,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        checkpoint: Any = None,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())

    def fit(self, X: Any, y: Any = None, *more: Any, **params: Any) -> Any:
        """Select features.

        Parameters
        ----------
        X : array-like, data frame or Table of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            The classes.
        *more, **params
            ``sample_weight``, for the criteria on levels, which take weights.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return super().fit(X, y, *more, **params)
