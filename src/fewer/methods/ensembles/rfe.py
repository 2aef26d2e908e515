"""RFE: fit a model, remove the least important features, and fit again."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.model_selection import PredefinedSplit

from fewer.core.criteria.error_curve import ErrorCurve
from fewer.core.criteria.folds import make_folds
from fewer.core.criteria.model_input import refuse_counted
from fewer.core.criteria.splitters import own_score, refuse_no_scores, splitter
from fewer.core.estimators.parts import Parts
from fewer.core.importance.fold_work import Native, work_of
from fewer.core.importance.models import default_model
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval, whole_from
from fewer.core.records.result import Selection
from fewer.core.runners.fits import run_fits
from fewer.core.search.checkpoint import fit_journal
from fewer.core.search.contract import MANY_UNITS
from fewer.core.search.elimination import RankedBlocks, block_size, eliminate, said_interrupted
from fewer.core.search.turf import of_blocks
from fewer.core.stop import All, Count, Stop, Wanted
from fewer.core.views.view import View
from fewer.methods.ensembles._fold_blocks import FoldCurve, visited_sizes
from fewer.methods.ensembles._models import MODEL_CONSTRAINTS, TAGS, ModelSelector


class RFE(ModelSelector):
    """Remove the least important features of a model, fit it again, and so on: recursive feature elimination.

    With a linear support vector machine this is SVM-RFE [1]_; any estimator will do whose importances are known or can
    be measured. With "best", "parsimonious" or a range the elimination is done on the training rows of every fold, and
    the number of features is chosen by the scores on its test rows.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The model, of scikit-learn's kind; pipelines and searches included. None is a random forest.
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, "best", "parsimonious" (the smallest within one standard error of the
        best) or a range such as "2-10" (see the glossary); None keeps all.
    step : int or float, default=0.1
        How many features are removed at once, or which fraction of all of them, rounded down.
    importance : {"native", "permutation", "conditional", "drop", "shap"} or callable, default="native"
        ``feature_importances_`` or ``coef_``; the fall of the score on held-out rows when the feature is permuted,
        freely or among rows that are alike in the features correlated with it, or when the model is fitted without it;
        Shapley values, which need the package shap; or a function of (model, X, y), given held-out rows.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds. Importances that are measured inside a fold
        have folds of their own: made by the same rule, or five where ``cv`` names the rows.
    n_repeats : int, default=5
        Permutations of every feature on every fold.
    min_correlation : float, default=0.2
        For "conditional": the rank correlation from which on other features are held.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so. Estimators that take them are told.
    checkpoint : str or path, default=None
        File in which the folds that are done are kept, so that a run that was interrupted goes on where it was.
    random_state : int, Generator or None, default=0
        Seed of the random part; the same number gives the same result. It also serves models without one.
    n_jobs : int or None, default=None
        Number of threads. Folds are shared out to them.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    FromModel : Fits once.

    Notes
    -----
    Coefficients count by their squares, added up over classes, as in [1]_ and in scikit-learn, whose `RFE` removes the
    same features in the same order, and whose `RFECV` has the same scores on the same splits. There of equal
    importances any may leave; here the higher number does. ``selection_.columns["round"]`` says with which block a
    feature left, 0 if it stayed; ``selection_.tables["curve"]`` holds scores by number of features.

    References
    ----------
    .. [1] I. Guyon, J. Weston, S. Barnhill and V. Vapnik, "Gene selection for cancer classification using support
       vector machines", Machine Learning 46, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> RFE(SVC(kernel="linear"), 2).fit(X, y).selection_.order.tolist()
    [2, 3, 1, 0]
    """

    method_tags = replace(TAGS, nested=False)
    _serves = ("subsets",)
    _coefficients = "square"
    _parameter_constraints: dict = {
        **MODEL_CONSTRAINTS,
        "step": [whole_from(1), Interval(Real, 0, 1, closed="neither")],
    }

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        step: int | float = 0.1,
        importance: Any = "native",
        scoring: Any = None,
        cv: Any = None,
        n_repeats: int = 5,
        min_correlation: float = 0.2,
        categorical_features: Any = None,
        checkpoint: Any = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.step = step
        self.importance = importance
        self.scoring = scoring
        self.cv = cv
        self.n_repeats = n_repeats
        self.min_correlation = min_correlation
        self.categorical_features = categorical_features
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _parts(self) -> Parts:
        parts = replace(super()._parts(), criterion=self._asked())
        refuse_counted("RFE", self.estimator)
        if self.importance == "native":
            # One fit on all rows per block; cv chooses the size.
            parts.criterion.cv = None
        wanted = parts.size.wanted(MANY_UNITS)
        if any(limit is not None for limit in (wanted.gain, wanted.patience, wanted.seconds, wanted.evaluations)):
            raise RequirementError(
                f"RFE got n_features_to_select={str(parts.size)!r}, but goes down to a number of features whatever is "
                "gained on the way; pass a number, a fraction, a range, 'best' or 'parsimonious'."
            )
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        d, everything = data.n_features, isinstance(parts.size, All)
        wanted, block = parts.size.wanted(d), block_size(self.step, d)
        curve = None if wanted.low == wanted.high else self._curve(data, parts, wanted, block)
        size = wanted.low if curve is None else curve.sizes[curve.smallest(wanted.choose)]
        # Without its last feature there is no model that the one with it could be compared with.
        blocks = RankedBlocks(data, parts.criterion, scores_last=self.importance != "drop")
        found = eliminate(d, blocks, Count(1 if everything else size), lambda n_left: block)
        said_interrupted(found)
        selection = of_blocks(found, blocks.scores, All() if everything else Count(size))
        if curve is None:
            return selection
        if found.interrupted:
            return selection.with_tables(curve=curve.table)
        reasons = replace(selection.reasons, rule=curve.words(size, wanted.choose))
        value = float(curve.means[curve.sizes.index(size)])
        return replace(selection, reasons=reasons).with_tables(curve=curve.table).with_meta(value=value)

    def _curve(self, data: View, parts: Parts, wanted: Wanted, block: int) -> ErrorCurve:
        """Return the scores by number of features, with eliminations on the training rows of every fold."""
        estimator = default_model(data) if self.estimator is None else self.estimator
        groups = {} if data.groups is None else {"groups": data.groups}
        splits = make_folds(data, splitter(self.cv, data), data.classes is not None, groups).splits
        seeds = np.random.default_rng(self.random_state).integers(2**31 - 1, size=len(splits))
        whole = work_of(data, estimator, splits, seeds, Native("square"))
        inner = copy(parts.criterion)
        if isinstance(inner.cv, (list, PredefinedSplit)):
            # Given splits are of all rows; those of a fold have folds of their own.
            inner.cv = None

        def ranked(number: int, left: np.ndarray) -> np.ndarray:
            return inner.scores(data.rows(splits[number][0]).columns(left)).scores

        ranker = None if self.importance == "native" else ranked
        scoring = own_score(estimator, self.scoring, data)
        work = FoldCurve(whole, estimator, scoring, data.nominal, block, wanted.low, ranker)
        tests = [np.asarray(test) for _, test in splits]
        journal = fit_journal(self, data, splits=tests, block=block, least=wanted.low)
        what = "cross-validating eliminations"
        scores = np.stack(run_fits(data.run, work, range(len(splits)), what=what, journal=journal))
        sizes = np.array(visited_sizes(data.n_features, block, wanted.low))
        asked = sizes <= wanted.high
        curve = ErrorCurve(sizes[asked][::-1].tolist(), scores[:, asked][:, ::-1])
        if np.isneginf(curve.means).all():
            refuse_no_scores("RFE", self.scoring)
        return curve
