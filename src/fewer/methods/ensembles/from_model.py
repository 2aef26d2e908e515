"""FromModel: rank features by what a model says about them, and cut the ranking."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import ScoreBase
from fewer.core.records.result import Selection
from fewer.core.search.checkpoint import fit_journal
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.ensembles._models import MODEL_CONSTRAINTS, ModelSelector


class FromModel(ModelSelector, ScoreBase):
    """Rank features by their importance to a model, and keep the best.

    The importance is what the model reports itself, what its score loses on rows that were held out when a feature is
    permuted or left out, its mean absolute Shapley value, or whatever a function of the fitted model returns.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The model, of scikit-learn's kind; pipelines and searches included. None is a random forest.
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" (see the glossary); None keeps all.
        "mean", "1.25*mean" and "median" keep importances of at least so much, "threshold:0.01" those of at least 0.01.
    importance : {"native", "permutation", "conditional", "drop", "shap"} or callable, default="native"
        ``feature_importances_`` or ``coef_``; the fall of the score on held-out rows when the feature is permuted,
        freely or among rows that are alike in the features correlated with it, or when the model is fitted without it;
        Shapley values, which need the package shap; or a function of (model, X, y), given held-out rows.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, and for "native" one fit on all rows.
    n_repeats : int, default=5
        Permutations of every feature on every fold.
    feature_groups : sequence of sequences of int or str, or array-like of shape (n_features,), default=None
        Columns that are permuted or left out together, by number or name; or one label per column. Each has the
        importance of its group.
    min_correlation : float, default=0.2
        For "conditional": the rank correlation from which on other features are held.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so. Estimators that take them are told.
    checkpoint : str or path, default=None
        File in which fits are kept, so that a run that was interrupted goes on where it was.
    random_state : int, Generator or None, default=0
        Seed of the random part; the same number gives the same result. It also serves models without one.
    n_jobs : int or None, default=None
        Number of threads. Folds are shared out to them.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    RFE : Fits again after the least important features were removed.

    Notes
    -----
    Rules on p-values, such as "fdr:0.05", go with "permutation", "conditional" and "drop". The p-values are
    approximate: a corrected resampled t-test over the folds [1]_. Conditional permutation is that of Strobl et al. [2]_
    for any model: instead of the cut points of each tree of a forest, the leaves of a tree that predicts the feature
    from those correlated with it are the strata. Importances that a tree or a forest reports favour features with many
    values; falls of a score on held-out rows do not.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
    .. [2] C. Strobl, A.-L. Boulesteix, T. Kneib, T. Augustin and A. Zeileis, "Conditional variable importance for
       random forests", BMC Bioinformatics 9:307, 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> FromModel(LogisticRegression(max_iter=500), "mean").fit(X, y).selection_.indices.tolist()
    [2, 3]
    """

    _parameter_constraints: dict = {**MODEL_CONSTRAINTS, "feature_groups": "no_validation"}

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        importance: Any = "native",
        scoring: Any = None,
        cv: Any = None,
        n_repeats: int = 5,
        feature_groups: Any = None,
        min_correlation: float = 0.2,
        categorical_features: Any = None,
        checkpoint: Any = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.importance = importance
        self.scoring = scoring
        self.cv = cv
        self.n_repeats = n_repeats
        self.feature_groups = feature_groups
        self.min_correlation = min_correlation
        self.categorical_features = categorical_features
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> Any:
        return self._asked()

    def _select(self, data: View, parts: Parts) -> Selection:
        journal = fit_journal(self, data)
        return super()._select(data, replace(parts, criterion=parts.criterion.resuming(journal)))
