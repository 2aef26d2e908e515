"""Shadow: features that are more important than shuffled ones, again and again."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.criteria.model_input import refuse_counted
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.routed import RoutedWeights
from fewer.core.importance.models import check_model, tags_with_model
from fewer.core.records.params import Interval, StrOptions, whole_from
from fewer.core.records.reasons import IRRELEVANT
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.search.checkpoint import fit_journal
from fewer.core.views.view import View
from fewer.methods.ensembles._importance_fits import (
    ForestSize,
    equal_columns,
    first_seed,
    importances,
    seed_of,
    shadowed,
    shared,
    varying,
)
from fewer.methods.ensembles._shadow_result import selection_of
from fewer.methods.ensembles._shadow_rounds import ShadowRecord, shadow_columns

SEED = [None, whole_from(0), np.random.Generator]


class Shadow(RoutedWeights):
    """Keep all features that are more important to a forest than shuffled copies of the features are (Boruta).

    In every round each feature that is left gets a shadow, a copy with its values shuffled; a model is fitted on both,
    and a feature scores a hit if its importance is above the line, the best of the shadows. After every round features
    with more hits than chance explains are confirmed, those with fewer are rejected and leave; others are tentative. It
    looks for all relevant features, also those that repeat others [1]_.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps what is
        confirmed; a number keeps that many in the order of the ranks.
    estimator : estimator or None, default=None
        What reports importances: any estimator with ``feature_importances_`` or ``coef_`` after `fit`, with columns in
        the same units if it is linear; a seed of its own is not used. None is a forest on bins, the fastest.
    max_iter : int, default=100
        Most iterations: rounds of shuffling and fitting.
    perc : float, default=100.0
        Percentile of the importances of the shadows that is the line; 100 is the best of them. A lower one finds more
        and errs more often.
    alpha : float, default=0.05
        Level of the tests, below one half.
    two_step : bool, default=True
        Whether p-values are corrected for the features by Benjamini and Hochberg, and for the rounds by Bonferroni;
        otherwise for the features by Bonferroni.
    tentative : {"drop", "likely", "keep"}, default="drop"
        What becomes of features that are neither confirmed nor rejected in the end: none is kept, or those whose median
        importance is above the median line, or all.
    n_trees : int or None, default=None
        Trees of the forest on bins; None lets every column be drawn about 100 times.
    tree_depth : int, default=5
        Depth of its trees.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    checkpoint : str or path, default=None
        A file to which fits are written, and from which a run that was stopped goes on; needs a whole number as
        ``random_state``.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads. They grow trees of the forest on bins; an estimator uses threads of its own.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.PermutationTest : Compares with shuffled targets instead.
    fewer.StabilitySelection : Bounds the number of false features.

    Notes
    -----
    [1]_ uses the loss of accuracy out of bag divided by its spread as importance; here it is the decrease of impurity,
    or what the estimator reports; of one that reports nothing, the fall of its score on a third of the rows, held out,
    when a column is permuted. If a nominal column has more than ten levels, the forest on bins chooses splits, and
    measures what they explain, on rows out of bag: in bag so many levels explain any target by chance, and the shadow
    of one such column would put the line above all features. The correction in two steps is that of the Python package
    BorutaPy, whose decisions these are for the same importances, but for two of its turns: it does one round less than
    it is told to, and keeps tentative features if nothing is rejected. Columns that are equal share the mean of their
    importances. Constant columns take no part. ``alpha`` bounds the chance that a feature which is as good as the best
    shadow is confirmed; one that is merely noise seldom is.

    References
    ----------
    .. [1] M. B. Kursa and W. R. Rudnicki, "Feature selection with the Boruta package", Journal of Statistical Software
       36(11), 2010.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 8))
    >>> y = X[:, 2] + X[:, 5] > 0
    >>> found = Shadow(random_state=0).fit(X, y).selection_
    >>> sorted(found.indices.tolist())
    [2, 5]
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        handles_nan=True,
        handles_nominal=True,
        handles_weights=True,
        deterministic=False,
        invariance=(),
        cost="fits",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "estimator": "no_validation",
        "max_iter": [whole_from(1)],
        "perc": [Interval(Real, 0, 100, closed="right")],
        "alpha": [Interval(Real, 0, 0.5, closed="neither")],
        "two_step": ["boolean"],
        "tentative": [StrOptions({"drop", "likely", "keep"})],
        "n_trees": [None, whole_from(1)],
        "tree_depth": [whole_from(1)],
        "categorical_features": ["array-like", None],
        "checkpoint": "no_validation",
        "random_state": SEED,
    }

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        estimator: Any = None,
        max_iter: int = 100,
        perc: float = 100.0,
        alpha: float = 0.05,
        two_step: bool = True,
        tentative: str = "drop",
        n_trees: int | None = None,
        tree_depth: int = 5,
        categorical_features: Any = None,
        checkpoint: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.max_iter = max_iter
        self.perc = perc
        self.alpha = alpha
        self.two_step = two_step
        self.tentative = tentative
        self.n_trees = n_trees
        self.tree_depth = tree_depth
        self.categorical_features = categorical_features
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _parts(self) -> Parts:
        check_model(type(self).__name__, self.estimator)
        refuse_counted(type(self).__name__, self.estimator)
        return super()._parts()

    def _tags_in_use(self) -> MethodTags:
        if self.estimator is None:
            return self.method_tags
        return replace(tags_with_model(self.estimator, self.method_tags), handles_sparse=False)

    def _select(self, data: View, parts: Parts) -> Selection:
        columns = varying(type(self).__name__, data)
        record = self._rounds(data.columns(columns), data)
        self.n_iter_ = len(record.lines)
        found = selection_of(record, parts.size, self.tentative, self.max_iter)
        note = "its column is constant, so that its shadow is the same"
        return found.on(columns, data.n_features, IRRELEVANT, note).with_meta(**found.meta)

    def _rounds(self, view: View, data: View) -> ShadowRecord:
        """Shuffle, fit and decide until every feature is settled."""
        seed = first_seed(self.random_state)
        record = ShadowRecord.of(view.n_features, self.perc, self.alpha, self.two_step)
        journal = fit_journal(self, data, ("max_iter", "tentative"))
        make, equal = shadowed(view, self.estimator, ForestSize(self.n_trees, self.tree_depth)), equal_columns(view)
        while not record.settled and len(record.lines) < self.max_iter:
            number, left = len(record.lines), record.left
            if progress.report("rounds of shadows", number, self.max_iter):
                break
            fit = make(left, left[shadow_columns(len(left))], np.random.default_rng([seed, number, 1]))
            found = importances(view.run, fit, seed_of(seed, number), number, "fits of a round", journal)
            real = shared(found[: len(left)], None if equal is None else equal[left])
            record.add(real, found[len(left) :])
        progress.report("rounds of shadows", self.max_iter, self.max_iter)
        return record
