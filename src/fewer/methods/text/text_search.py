"""Which terms, scored how, how many, and which learner: one cross-validation over all settings."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.classifier import BaseClassifier
from fewer.core.estimators.origin import with_facts
from fewer.core.records.params import HasMethods, StrOptions, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.row_splits import Splits
from fewer.methods.text._joint_search import JointSearch
from fewer.methods.text._pooled_losses import ADDITIVE, POOLED, refuse_early_stop
from fewer.methods.text._search_input import Searched, learner, searched
from fewer.methods.text._search_result import as_sizes, found_selection, labelled, named_scores
from fewer.methods.text._term_rows import refuse_negative


def _learns_probabilities(search: TextSearch) -> bool:
    return hasattr(getattr(search, "estimator_", search.estimator), "predict_proba")


class TextSearch(BaseClassifier):
    """Choose generator, score, number of features and parameters of a learner together, and classify with the best.

    One cross-validation goes through all settings (sections 13.1 and 13.3 of [1]_), instead of one loop inside another.
    Scores of the training rows of all folds come from one pass over the documents, and the features of all sizes
    from one ranking. A setting is given up as soon as its errors reach those of the best so far (section 13.4): the
    winner is the same as without, and of equal settings the earlier one.

    Parameters
    ----------
    generators : generator, list or dict of generators, or None, default=None
        What makes terms of texts: `Words`, `Phrases`, a `FeatureUnion` of several, `TwoPassTerms`, or a vectorizer of
        scikit-learn. None says that X holds counts already.
    scores : str or sequence of str, default=("bns", "ig")
        By what terms are ranked, names of scores of `TextScore`.
    sizes : sequence of int and "all", or None, default=None
        Numbers of features. None is 100, 150, 225, 338, ..., each 1.5 times the one before, and all.
    estimator : classifier or None, default=None
        The learner, also a pipeline that begins with `TextValues`; None is a linear support vector machine on rows of
        length 1.
    param_grid : dict or list of dicts, default=None
        Parameters of the learner to try, as for `GridSearchCV`.
    scoring : {"accuracy", "neg_log_loss", "f1", "f1_macro", "f1_weighted"}, default="accuracy"
        What is best. F1 is that of all test rows together; "f1" is that of the second of two classes.
    early_stop : bool, default=True
        Whether settings that cannot win are given up. Refused for F1, which later folds may raise.
    min_df : int, default=2
        Terms in fewer rows are left out.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all settings; None is ten folds, five of more than 2,000 rows.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    selection_ : Selection
        The features of the best setting; its tables hold the "settings" and the "curve" of scores over sizes.
    best_setting_ : dict
        Generator, score, number of features and parameters that won.
    best_score_ : float
        Its score by cross-validation: the best of many, and therefore too high. Other rows must tell how good it is.
    n_fits_, n_saved_ : int
        Evaluations of folds that were made, and that early stops have saved.
    generator_ : generator or None
        The best generator, fitted to all documents.
    estimator_ : classifier
        The best learner, fitted to all rows and the selected features.
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.

    Notes
    -----
    The text rounds nothing; sizes are rounded half up. Terms are candidates if `min_df` training rows have them, and
    of `TwoPassTerms` if those rows chose them, so that test rows choose no terms. Generators do not see the classes; a
    vectorizer's own ``min_df``, ``max_df`` and ``max_features`` look at all documents, and idf, which would, is
    refused: `TextValues` in the learner looks at training rows. The text's example stops in the middle of a fold; here
    settings are given up between folds. Documents have one class and one weight each, and no groups. If parameters are
    tried, the rows of one size are kept for all folds meanwhile, about as many copies of the counts as there are folds.

    See Also
    --------
    TwoPassTerms : Generates more terms than can be stored.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from fewer import Words
    >>> texts = ["good day", "good night", "bad day", "bad night"] * 5
    >>> found = TextSearch(Words(), sizes=[1, 2, "all"], cv=2).fit(texts, ["+", "+", "-", "-"] * 5)
    >>> found.selection_.kept_names, found.best_setting_["features"], found.n_saved_
    (['word:bad'], 1, 10)
    >>> found.predict(["a bad dream", "a good dream"]).tolist()
    ['-', '+']
    """

    reads_tables = False
    method_tags = MethodTags(
        targets=("classes",),
        views=("sparse", "dense"),
        handles_sparse=True,
        nonnegative=True,
        nested=False,
        invariance=(),
        cost="settings * folds * fit",
    )
    # Presence says nothing of numbers that are never 0.
    poor_score = True
    _parameter_constraints: dict = {
        "generators": "no_validation",
        "scores": "no_validation",
        "sizes": "no_validation",
        "estimator": [None, HasMethods(["fit", "predict"])],
        "param_grid": [None, dict, list],
        "scoring": [StrOptions({*ADDITIVE, *POOLED})],
        "early_stop": ["boolean"],
        "min_df": [whole_from(1)],
        "cv": "no_validation",
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        generators: Any = None,
        scores: str | Sequence[str] = ("bns", "ig"),
        sizes: Sequence[int | str] | None = None,
        estimator: Any = None,
        *,
        param_grid: Any = None,
        scoring: str = "accuracy",
        early_stop: bool = True,
        min_df: int = 2,
        cv: Any = None,
        verbose: int = 0,
    ) -> None:
        self.generators = generators
        self.scores = scores
        self.sizes = sizes
        self.estimator = estimator
        self.param_grid = param_grid
        self.scoring = scoring
        self.early_stop = early_stop
        self.min_df = min_df
        self.cv = cv
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None) -> TextSearch:
        """Try all settings and learn from all rows with the best.

        Parameters
        ----------
        X : iterable of str, or array-like or sparse matrix of shape (n_samples, n_features)
            Documents for the generators, or counts of terms without generators.
        y : array-like of shape (n_samples,)
            The classes.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._validate_params()
        if self.early_stop:
            refuse_early_stop(type(self).__name__, self.scoring)
        scores, sizes = named_scores(self.scores), as_sizes(self.sizes)
        generators, begin = labelled(self.generators), time.perf_counter()
        # A stream is read once, and every generator reads all.
        X = list(X) if isinstance(X, Iterator) else X
        shows = self.verbose and not progress.listening()
        with progress.bar() if shows else nullcontext(), ThreadRunner(None) as run:
            search = None
            for number, generator in enumerate(generators.values()):
                data = searched(self, generator, X, y, run, None if search is None else search.splits)
                if search is None:
                    search = self._begun(scores, sizes, data.splits)
                search.run(number, data)
            # Nothing is stopped before one has finished.
            assert search is not None
            assert search.best is not None
            chosen = list(generators.values())[search.best.generator]
            if len(generators) > 1:
                data = searched(self, chosen, X, y, run, search.splits)
            self._keep(search, list(generators), data)
            self.selection_ = with_facts(self, self.method_tags, self.selection_, data.view, begin)
        return self

    def _begun(self, scores: Sequence[str], sizes: Any, splits: Splits) -> JointSearch:
        grid = list(ParameterGrid(self.param_grid or {}))
        made = learner(type(self).__name__, self.estimator)
        return JointSearch(made, grid, scores, sizes, self.min_df, self.scoring, self.early_stop, splits)

    def _keep(self, search: JointSearch, labels: list[str], data: Searched) -> None:
        """Learn from all rows with the best setting, and store what was found."""
        best, view = search.best, data.view
        assert best is not None
        found = found_selection(search, labels, data)
        self.selection_: Selection = found.settled()
        self._columns = np.sort(found.indices)
        self.classes_ = np.unique(view.target)
        self.generator_ = data.generator
        self.estimator_ = clone(search.estimator).set_params(**best.params)
        self.estimator_.fit(data.counts[:, self._columns], view.target)
        self.best_score_, self.n_fits_, self.n_saved_ = best.value, search.n_fits, search.n_saved
        self.best_setting_ = {
            "generator": labels[best.generator],
            "score": best.score,
            "features": best.size,
            "parameters": best.params,
        }

    def selected_counts(self, X: Any) -> Any:
        """Return the counts of the selected terms, in the order of the columns that the generator makes."""
        check_is_fitted(self, "estimator_")
        rows = self._rows(X) if self.generator_ is None else self.generator_.transform(X)
        return refuse_negative(type(self).__name__, scipy.sparse.csr_array(rows))[:, self._columns]

    def predict(self, X: Any) -> np.ndarray:
        """Return what the best learner says of documents, or of counts without generators."""
        rows = self.selected_counts(X)
        return np.asarray(self.estimator_.predict(rows))

    @available_if(_learns_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probabilities of the classes, where the best learner knows them."""
        return np.asarray(self.estimator_.predict_proba(self.selected_counts(X)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = self.generators is not None
        return tags
