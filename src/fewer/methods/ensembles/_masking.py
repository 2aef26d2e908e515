"""Which of the found features another one masks: surrogate splits in boosted trees, tested against contrasts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.forest.binned import Binned
from fewer.core.forest.masking import masking_matrix
from fewer.core.forest.predictions import boosted_trees
from fewer.core.forest.trees import TreeRules
from fewer.core.runners.fits import run_fits
from fewer.methods.ensembles._contrasts import above_zero, margins
from fewer.methods.ensembles._rounds import Masked, RoundResult, Rounds

# Numbers of these series begin here, far above those of the series of importances.
FIRST = 2**40
# How much of its worth another must stand in for, to be masked by a feature of an earlier round; normal numbers do at a
# correlation of about 0.95.
COMPLETE = 0.8


@dataclass(frozen=True, eq=False)
class MaskingSeries:
    """One series: the masking of candidates by each other and by their contrasts, in boosted trees.

    Attributes
    ----------
    data : Binned
        The candidates.
    target, weight, n_trees, seed
        As of `ContrastSeries`.
    rules : TreeRules
        How trees are grown; all columns are looked at, at every node.
    learning_rate : float
        How much of each tree is taken away before the next.
    """

    data: Binned
    target: np.ndarray
    weight: np.ndarray | None
    rules: TreeRules
    n_trees: int
    learning_rate: float
    seed: int

    def __call__(self, number: int) -> np.ndarray:
        """Return M of the candidates (rows) with candidates, then with contrasts (columns)."""
        both = self.data.with_contrasts(np.random.default_rng([self.seed, number]))
        trees = boosted_trees(
            both,
            self.target,
            self.rules,
            numbers=range((number - FIRST) * self.n_trees, (number - FIRST + 1) * self.n_trees),
            seed=self.seed + 2,
            learning_rate=self.learning_rate,
            weight=self.weight,
        )
        return masking_matrix(both, trees)[: self.data.codes.shape[1]]


@dataclass(frozen=True, eq=False)
class MaskingRemoval:
    """Drops of the features found in a round those that a better one masks.

    Attributes
    ----------
    rounds : Rounds
        Whose features are thinned.
    n_trees : int
        Boosted trees of a series.
    learning_rate : float
        Of the boosting.
    percentile, alpha : float
        As of the contrasts of importances, here of masking.
    """

    rounds: Rounds
    n_trees: int
    learning_rate: float
    percentile: float
    alpha: float

    def __call__(self, found: RoundResult, target: np.ndarray, number: int, before: np.ndarray) -> RoundResult:
        """Return what is left of a round; features of earlier rounds mask what they can replace, and are not masked."""
        candidates = np.union1d(found.kept, before)
        # Those of earlier rounds come first, then the more important ones, of equal ones the lower number.
        first = np.lexsort((candidates, -found.importance[candidates], ~np.isin(candidates, before)))
        candidates = candidates[first]
        values = self._values(candidates, target, number)
        mean, pvalue = values[:, :, : len(candidates)].mean(axis=0), self._pvalues(values)
        n_before = int(np.isin(candidates, before).sum())
        may = self._may_mask(mean, candidates, found, n_before)
        masked = masked_by(np.where(may, mean, 0.0), pvalue, self.alpha, n_before)
        named = {
            int(candidates[j]): Masked(mean[i, j], mean[i, j] / mean[i, i], pvalue[i, j], int(candidates[i]))
            for j, i in masked.items()
        }
        left = np.setdiff1d(found.kept, list(named))
        rows, columns = np.nonzero((mean > 0) & ~np.eye(len(candidates), dtype=bool))
        pairs = np.column_stack([candidates[rows], candidates[columns], mean[rows, columns], pvalue[rows, columns]])
        return replace(found, kept=left, masked=named, pairs=pairs)

    def _may_mask(self, mean: np.ndarray, candidates: np.ndarray, found: RoundResult, n_before: int) -> np.ndarray:
        """Return which rows may mask which columns.

        What an earlier feature explains was taken away, so that a part of what another tells on top of it says nothing
        against the other: it must be found again, as the more important one, or stand in nearly completely.
        """
        worth = np.where(np.isin(candidates, found.kept), found.importance[candidates], -np.inf)
        complete = mean >= COMPLETE * np.diag(mean)[:, None]
        return (np.arange(len(candidates)) >= n_before)[:, None] | complete | (worth[:, None] >= worth)

    def _values(self, candidates: np.ndarray, target: np.ndarray, number: int) -> np.ndarray:
        """Return M of all series, (n_series, n_candidates, 2 * n_candidates)."""
        rounds, n = self.rounds, self.rounds.rules.n_series
        series = rounds.rules.series
        rules = TreeRules(2 * len(candidates), series.max_depth, series.min_leaf)
        data = rounds.data.some(candidates)
        work = MaskingSeries(data, target, rounds.weight, rules, self.n_trees, self.learning_rate, rounds.seed)
        numbers = range(FIRST + number * n, FIRST + (number + 1) * n)
        return np.array(run_fits(rounds.run, work, numbers, what="series of boosted trees", journal=rounds.journal))

    def _pvalues(self, values: np.ndarray) -> np.ndarray:
        """Return the p-values that row i masks column j, tested as importances are."""
        return np.array([above_zero(margins(values[:, i], self.percentile)) for i in range(values.shape[1])])


def masked_by(mean: np.ndarray, pvalue: np.ndarray, alpha: float, n_safe: int) -> dict[int, int]:
    """Walk the candidates, best first: each that is not masked stays, and masks what it stands in for significantly.

    Parameters
    ----------
    mean, pvalue : ndarray of shape (n_candidates, n_candidates)
        M of row i and column j, and its p-value.
    alpha : float
        Largest p-value.
    n_safe : int
        So many of the first are never masked.

    Returns
    -------
    dict of int to int
        Masked candidates, and the first that masks each.
    """
    out: dict[int, int] = {}
    for i in range(len(mean)):
        if i in out:
            continue
        for j in range(max(i + 1, n_safe), len(mean)):
            if j not in out and mean[i, j] > 0 and pvalue[i, j] <= alpha:
                out[j] = i
    return out
