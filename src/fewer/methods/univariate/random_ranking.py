"""Features in random order: the baseline of every comparison."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import Interval
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import INVARIANCES, MethodTags
from fewer.core.stop import Stop
from fewer.core.views.view import View


@dataclass(frozen=True)
class RandomScore(RankingCriterion):
    """Scores that know nothing of the data: uniform random numbers."""

    random_state: Any = None
    requires = ("dense", "sparse")
    has_pvalues = False

    def scores(self, view: View) -> Ranking:
        """Draw a number from 0 to 1 for every feature."""
        return Ranking(np.random.default_rng(self.random_state).random(view.n_features))


class RandomRanking(ScoreBase):
    """Keep features drawn at random: the baseline that every other ranking must beat.

    The score of a feature is a random number, so that every order of the features is equally likely and the best k
    are a random subset of size k. Neither X nor y is looked at.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
    n_subsets : int, default=25
        How many random subsets of every size `compare` scores, each on all folds; `fit` alone draws one ranking.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so. They are as likely as others.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.compare : Draws it as a band: mean and spread of the scores of random subsets, for every size.

    Notes
    -----
    Section 5.2 of [1]_ holds its eliminations against the mean of random subsets, 100 of every size; one of them does
    no better. Here 25 are the default, because a comparison takes ``n_subsets`` times as long for this baseline as for
    a method. The score of a size is the mean over the subsets; those of different sizes are prefixes of the same
    random orders.

    References
    ----------
    .. [1] D. J. Slotta, J. P. C. Vergara, N. Ramakrishnan and L. S. Heath, "Algorithms for feature selection in
       rank-order spaces", 2005.

    Examples
    --------
    >>> X, y = [[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 0]], [0, 0, 1, 1]
    >>> RandomRanking(2, random_state=0).fit(X, y).selection_.indices.tolist()
    [0, 1]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense", "sparse"),
        handles_sparse=True,
        handles_nan=True,
        handles_nominal=True,
        deterministic=False,
        streams=True,
        baseline=True,
        invariance=INVARIANCES,
        cost="d",
    )
    criterion = RandomScore()
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "n_subsets": [Interval(Integral, 1, None, closed="left")],
        "categorical_features": ["array-like", None],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_subsets: int = 25,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_subsets = n_subsets
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> RandomScore:
        return RandomScore(self.random_state)

    def draw(self, n_features: int, size: int) -> np.ndarray:
        """Return the first features of ``n_subsets`` random orders.

        Parameters
        ----------
        n_features : int
            Number of all features.
        size : int
            How many of each order, at most all; the first k of them are a random subset of size k.

        Returns
        -------
        ndarray of int of shape (n_subsets, size)
        """
        if not 0 <= size <= n_features:
            raise ParameterError(
                f"RandomRanking.draw got size={size} of n_features={n_features}, but draws each feature once; pass a "
                f"size from 0 to {n_features}."
            )
        rng = np.random.default_rng(self.random_state)
        return np.array([rng.choice(n_features, size, replace=False) for _ in range(self.n_subsets)])
