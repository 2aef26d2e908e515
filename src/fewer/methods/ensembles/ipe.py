"""Independent probes with ensembles: features that explain more than permuted copies do, round after round."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector, WeightedFit
from fewer.core.forest.binned import binned
from fewer.core.forest.trees import TreeRules
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search.checkpoint import fit_journal
from fewer.core.search.cut_found import cut_by
from fewer.core.stop import Stop
from fewer.core.views.view import View
from fewer.methods.ensembles._round_result import selection_of
from fewer.methods.ensembles._rounds import (
    RoundRules,
    Rounds,
    Thinning,
    of_one_size,
    pseudo_residuals,
    scaled,
    variances,
)

COUNT = [Interval(Integral, 1, None, closed="left")]


class IPE(WeightedFit, BaseSelector):
    r"""Keep all features that explain more of the target than permuted copies of features do, tested in rounds.

    In each of T series every feature gets a contrast, a random permutation of itself, and a short ensemble of L trees
    gives importances :math:`V_i` to all of them. Feature k is found if :math:`V_{ik} - \max(v_i, V_{iZ_k})` is above 0
    by a one-sided paired t-test over the series, where :math:`v_i` is a percentile of the contrasts. What a larger
    ensemble on the found features explains is then taken away, so that weaker features show in the next round, until
    a round finds none (algorithms 7.3.1 and 7.3.2 of [1]_). Redundant features are kept, too.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that are found; there may be fewer than asked for.
    n_trees : int, default=20
        Trees of a series, L.
    n_series : int, default=20
        Number of series, T.
    max_depth : int, default=4
        Depth of the trees of a series; those that predict are one deeper.
    min_leaf : int, default=5
        Fewest in-bag rows of a leaf.
    importance : {"own", "reference", "in-bag"}, default="own"
        On which rows a split is chosen and rated, its cut being found in bag: on rows out of bag by their own means,
        out of bag by the means in bag, or in bag as in a plain forest.
    percentile : float, default=75
        Percentile of the contrasts that a feature must exceed.
    alpha : float, default=0.05
        Largest p-value of a found feature.
    correction : {"none", "bh"}, default="none"
        Whether the p-values of a round are adjusted by Benjamini and Hochberg.
    max_rounds : int, default=15
        Most rounds.
    residual_trees : int, default=100
        Trees of the ensemble that predicts what found features explain.
    oob_residual : bool, default=False
        Whether rows are predicted by those trees only for which they were out of bag.
    max_bins : int, default=64
        Most bins of a numeric column, of equal frequency.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    checkpoint : str or path, default=None
        A file to which evaluations are written, and from which a search that was stopped goes on: finished series of
        trees. It needs a whole number as ``random_state``.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    ACE : Drops redundant features, too.

    Notes
    -----
    The score is the mean margin in the round of entry, as a fraction of the variance of the target; features that never
    entered show the margin and p-value of the round in which they were nearest. p-values are those of one round: the
    paper corrects neither for features nor for rounds. Series share the rows, so that p-values tell how sure a margin
    is on these rows, and not the chance of noise; measured with "own", 200 rows and targets without heavy tails, 3 % to
    5 % of the noise features pass in one round at ``alpha=0.05``, of any number of classes (450 features each: 2
    classes 2.9 %, 3 4.2 %, 4 4.4 %, 10 2.7 %); every round is another chance, and "in-bag" or outliers let more pass.
    The paper leaves open T (here 20), the size of the predicting ensemble (100), the least size of a leaf (5), and
    whether importances out of bag use means in bag; "own" is the literal reading. At each node :math:`\sqrt{2N}` of the
    N features and N contrasts are drawn.

    With C > 2 classes every class has a target of its own, 1 or 0 minus its probability by joint log-odds. Beyond the
    paper, a feature must pass in the sum of its importances for all of them, and for one with C times its p-value, of
    which the larger is told; else false alarms grow with C. All probabilities of a round are
    computed before any is updated, as in boosting, where the paper prints them one after the other. Missing values are
    a code of their own that goes to the better side; levels of nominal columns are ordered by their mean target.

    References
    ----------
    .. [1] E. Tuv, A. Borisov and K. Torkkola, "Ensemble-based variable selection using independent probes", in
       Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> from fewer.synth import make_linear_hard_for_trees
    >>> data = make_linear_hard_for_trees(random_state=0)
    >>> found = IPE(n_series=10, random_state=0).fit(data.X, data.y).selection_
    >>> sorted(found.indices[:4].tolist())
    [0, 1, 2, 3]
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes", "numbers"),
        views=("dense", "sparse"),
        handles_sparse=True,
        handles_nan=True,
        handles_nominal=True,
        handles_weights=True,
        deterministic=False,
        invariance=("scale", "monotone"),
        cost="T*L*n*sqrt(d)",
    )
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        **dict.fromkeys(("n_trees", "max_depth", "min_leaf", "max_rounds", "residual_trees"), COUNT),
        "n_series": [Interval(Integral, 2, None, closed="left")],
        "importance": [StrOptions({"own", "reference", "in-bag"})],
        "percentile": [Interval(Real, 0, 100, closed="both")],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "correction": [StrOptions({"none", "bh"})],
        "oob_residual": ["boolean"],
        "max_bins": [Interval(Integral, 2, 255, closed="both")],
        "categorical_features": ["array-like", None],
        "checkpoint": "no_validation",
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        n_trees: int = 20,
        n_series: int = 20,
        max_depth: int = 4,
        min_leaf: int = 5,
        importance: str = "own",
        percentile: float = 75,
        alpha: float = 0.05,
        correction: str = "none",
        max_rounds: int = 15,
        residual_trees: int = 100,
        oob_residual: bool = False,
        max_bins: int = 64,
        categorical_features: Any = None,
        checkpoint: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_trees = n_trees
        self.n_series = n_series
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.importance = importance
        self.percentile = percentile
        self.alpha = alpha
        self.correction = correction
        self.max_rounds = max_rounds
        self.residual_trees = residual_trees
        self.oob_residual = oob_residual
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.checkpoint = checkpoint
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _round_rules(self, n_features: int) -> RoundRules:
        series = TreeRules(
            max(1, round(np.sqrt(2 * n_features))), self.max_depth, float(self.min_leaf), self.importance
        )
        return RoundRules(
            series,
            self.n_trees,
            self.n_series,
            self.percentile,
            self.alpha,
            self.correction,
            self.max_rounds,
            self.residual_trees,
            self.oob_residual,
        )

    def _thinning(self, rounds: Rounds) -> Thinning | None:
        """Return what drops redundant features of a round; nothing does."""
        return None

    def _select(self, data: View, parts: Parts) -> Selection:
        journal = fit_journal(self, data)
        seed, block = int(np.random.default_rng(self.random_state).integers(2**62)), data.whole()
        rules = self._round_rules(data.n_features)
        y, weight = block.y if data.n_classes else of_one_size(block.y), block.weight
        weight = None if weight is None else scaled(weight)
        rounds = Rounds(binned(data, self.max_bins), weight, data.run, rules, seed, journal)
        found, explained = rounds.go(y, data.n_classes, self._thinning(rounds))
        width = data.n_classes if data.n_classes > 2 else 1
        spread = variances(pseudo_residuals(y, data.n_classes, np.zeros((data.n_rows, width))), weight)
        return cut_by(selection_of(found, explained, self.alpha, spread), parts.size)
