"""Artificial contrasts with ensembles: independent probes, and features that others mask are dropped."""

from __future__ import annotations

from numbers import Real
from typing import Any

from fewer.core.records.params import Interval
from fewer.core.stop import Stop
from fewer.methods.ensembles._masking import MaskingRemoval
from fewer.methods.ensembles._rounds import Rounds, Thinning
from fewer.methods.ensembles.ipe import COUNT, IPE


class ACE(IPE):
    r"""Keep features that explain more than permuted copies do, and of those that stand in for each other the best.

    Rounds as in `IPE`; what a round finds then passes through the removal of masked features. In boosted trees on the
    found features and their contrasts the masking of j by i is :math:`M_{ij} = \frac1S \sum_s \sum_{t: split\ on\ i}
    \Delta I(s_i, t)\, \lambda(s_i | s_j)`, with the association :math:`\lambda = \frac{\min(p_L, p_R) - (1 - p_{LL} -
    p_{RR})}{\min(p_L, p_R)}` of the best surrogate split on j, where that is above 0. Feature i masks j if
    :math:`M_{ij}` exceeds the masking of contrasts by i, tested over the series as importances are. Features are walked
    by decreasing importance; each that is not masked stays, and those it masks go. What the ones that stay explain is
    taken away before the next round.

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
    masking_trees : int, default=30
        Boosted trees of a series that looks for masking.
    masking_percentile : float, default=75
        Percentile of the masking of contrasts that must be exceeded.
    masking_alpha : float, default=0.05
        Largest p-value of masking.
    learning_rate : float, default=0.1
        How much of each boosted tree is taken away before the next.
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
    IPE : Keeps redundant features.

    Notes
    -----
    From the literature, not compared with the authors' program. Decisions: what a round has kept stays and is masked by
    none. In later rounds it masks what it can replace nearly completely, :math:`M_{ij} \ge 0.8 M_{ii}` (of normal
    numbers at a correlation of about 0.95), because of two copies the second would otherwise enter as soon as the first
    has explained its part; and, like the others of the round, features that are less important if it is found again. A
    masked feature that tells something of its own so enters in a later round. Masking must exceed both the percentile
    of all contrasts and the contrast of the feature itself, since surrogates of many levels agree more by chance.
    Boosted trees look at all columns at each node. Surrogates may send low values to either side; levels of nominal
    columns, and missing values, go where more of them went.

    References
    ----------
    .. [1] E. Tuv, A. Borisov, G. Runger and K. Torkkola, "Feature selection with ensembles, artificial variables, and
       redundancy elimination", Journal of Machine Learning Research 10, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(150, 5))
    >>> X[:, 3] = X[:, 0]
    >>> selection = ACE(n_series=10, random_state=0).fit(X, X[:, 0] + X[:, 1]).selection_
    >>> len({0, 3} & set(selection.indices.tolist()))
    1
    """

    _parameter_constraints: dict = {
        **IPE._parameter_constraints,
        "masking_trees": COUNT,
        "masking_percentile": [Interval(Real, 0, 100, closed="both")],
        "masking_alpha": [Interval(Real, 0, 1, closed="neither")],
        "learning_rate": [Interval(Real, 0, 1, closed="right")],
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
        masking_trees: int = 30,
        masking_percentile: float = 75,
        masking_alpha: float = 0.05,
        learning_rate: float = 0.1,
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
        super().__init__(
            n_features_to_select,
            n_trees=n_trees,
            n_series=n_series,
            max_depth=max_depth,
            min_leaf=min_leaf,
            importance=importance,
            percentile=percentile,
            alpha=alpha,
            correction=correction,
            max_rounds=max_rounds,
            residual_trees=residual_trees,
            oob_residual=oob_residual,
            max_bins=max_bins,
            categorical_features=categorical_features,
            checkpoint=checkpoint,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.masking_trees = masking_trees
        self.masking_percentile = masking_percentile
        self.masking_alpha = masking_alpha
        self.learning_rate = learning_rate

    def _thinning(self, rounds: Rounds) -> Thinning:
        """Return what drops masked features of a round."""
        return MaskingRemoval(
            rounds, self.masking_trees, self.learning_rate, self.masking_percentile, self.masking_alpha
        )
