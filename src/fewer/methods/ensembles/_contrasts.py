"""Which features explain more than their own permuted copies do: series of short ensembles and a paired test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from fewer.core.forest.binned import Binned
from fewer.core.forest.importances import tree_importances
from fewer.core.forest.trees import TreeRules


@dataclass(frozen=True, eq=False)
class ContrastSeries:
    """One series: the importances of all features and of their contrasts in a short ensemble (step 1).

    Attributes
    ----------
    data : Binned
        The features.
    target : ndarray
        Numbers.
    weight : ndarray, optional
        Of rows.
    rules : TreeRules
        How trees are grown.
    n_trees : int
        Size of the ensemble.
    seed : int
        Of permutations and trees; a series depends on nothing but this and its number.
    """

    data: Binned
    target: np.ndarray
    weight: np.ndarray | None
    rules: TreeRules
    n_trees: int
    seed: int

    def __call__(self, number: int) -> np.ndarray:
        """Return the importances of the features, then of their contrasts."""
        both = self.data.with_contrasts(np.random.default_rng([self.seed, number]))
        trees = range(number * self.n_trees, (number + 1) * self.n_trees)
        rules = self.rules
        return tree_importances(
            both,
            self.target,
            0,
            numbers=trees,
            seed=self.seed,
            max_features=rules.max_features,
            max_depth=rules.max_depth,
            min_leaf=rules.min_leaf,
            weight=self.weight,
            select=rules.select,
        ).mean(axis=0)


def margins(importances: np.ndarray, percentile: float) -> np.ndarray:
    """Return by how much each feature exceeds its line in each series (steps 2 and 3).

    The line of feature k in series i is the larger of the percentile over all contrasts in this series and its own
    contrast, max(v_i, V_iZk).

    Parameters
    ----------
    importances : ndarray of shape (n_series, 2 * n_features)
        Features, then contrasts.
    percentile : float
        From 0 to 100.
    """
    features, contrasts = np.hsplit(importances, 2)
    line = np.percentile(contrasts, percentile, axis=1, keepdims=True)
    return features - np.maximum(line, contrasts)


def above_zero(differences: np.ndarray) -> np.ndarray:
    """Return the one-sided p-values of Student's test that the means of the columns exceed 0.

    Columns without spread have p = 0 if they are above 0 and else 1.
    """
    mean, spread = differences.mean(axis=0), np.ptp(differences, axis=0) > 0
    out = np.where(mean > 0, 0.0, 1.0)
    if spread.any():
        out[spread] = stats.ttest_1samp(differences[:, spread], 0.0, alternative="greater").pvalue
    return out


def corrected(pvalues: np.ndarray, correction: str) -> np.ndarray:
    """Return p-values as they are ("none"), or adjusted by Benjamini and Hochberg ("bh")."""
    return stats.false_discovery_control(pvalues) if correction == "bh" else pvalues
