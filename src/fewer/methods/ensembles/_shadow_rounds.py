"""The decisions of Shadow, round by round, from importances alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import binom, rankdata

from fewer.core.stop import adjust

CONFIRMED, TENTATIVE, REJECTED = 1, 0, -1
# Every round compares with at least so many shadows, however few features are left.
FEWEST_SHADOWS = 5


def shadow_columns(n_features: int) -> np.ndarray:
    """Return which feature each shadow is a shuffled copy of: all once, doubled until there are at least five."""
    columns = np.arange(n_features)
    while 0 < len(columns) < FEWEST_SHADOWS:
        columns = np.tile(columns, 2)
    return columns


def decided(decisions: np.ndarray, hits: np.ndarray, n_rounds: int, alpha: float, two_step: bool) -> np.ndarray:
    """Return the decisions after a round, given those before it and the hits of all rounds.

    Parameters
    ----------
    decisions : ndarray of int of shape (n_features,)
        1 confirmed, 0 tentative, -1 rejected; what is settled stays so.
    hits : ndarray of int of shape (n_features,)
        In how many rounds a feature was more important than the line of the shadows.
    n_rounds : int
        Rounds so far.
    alpha : float
        Level of the tests.
    two_step : bool
        Whether p-values are corrected by Benjamini and Hochberg over the features that are left, and by Bonferroni
        over the rounds; otherwise by Bonferroni over all features.
    """
    left = np.flatnonzero(decisions != REJECTED)
    out = decisions.copy()
    # Of two hypotheses, never both: alpha is below one half.
    for verdict, pvalues in (
        (CONFIRMED, binom.sf(hits[left] - 1, n_rounds, 0.5)),
        (REJECTED, binom.cdf(hits[left], n_rounds, 0.5)),
    ):
        if two_step:
            passed = (adjust(pvalues, "bh") <= alpha) & (pvalues <= alpha / n_rounds)
        else:
            passed = pvalues <= alpha / len(decisions)
        out[left[passed & (decisions[left] == TENTATIVE)]] = verdict
    return out


@dataclass(eq=False)
class ShadowRecord:
    """What the rounds have shown so far.

    Attributes
    ----------
    decisions, hits : ndarray of int of shape (n_features,)
        As `decided` knows them.
    perc : float
        Percentile of the shadows that is the line; 100 is the best of them.
    alpha, two_step
        As for `decided`.
    history : list of ndarray of shape (n_features,)
        The importances of each round; NaN for features that had left.
    lines : list of float
        The line of the shadows in each round.
    """

    decisions: np.ndarray
    hits: np.ndarray
    perc: float = 100.0
    alpha: float = 0.05
    two_step: bool = True
    history: list[np.ndarray] = field(default_factory=list)
    lines: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, n_features: int, *rules: Any) -> ShadowRecord:
        """Return the record before the first round: every feature is tentative."""
        return cls(np.zeros(n_features, dtype=np.int64), np.zeros(n_features, dtype=np.int64), *rules)

    @property
    def left(self) -> np.ndarray:
        """Numbers of the features that have not been rejected."""
        return np.flatnonzero(self.decisions != REJECTED)

    @property
    def settled(self) -> bool:
        """Whether no feature is tentative any more."""
        return bool((self.decisions != TENTATIVE).all())

    def add(self, importances: np.ndarray, shadows: np.ndarray) -> None:
        """Add a round, given the importances of the features that are left, in their order, and of the shadows."""
        left, line = self.left, float(np.percentile(shadows, self.perc))
        row = np.full(len(self.decisions), np.nan)
        row[left] = importances
        self.history.append(row)
        self.lines.append(line)
        self.hits[left] += importances > line
        self.decisions = decided(self.decisions, self.hits, len(self.lines), self.alpha, self.two_step)

    @property
    def rounds(self) -> np.ndarray:
        """In how many rounds each feature took part."""
        return (~np.isnan(np.array(self.history))).sum(axis=0)

    @property
    def needed(self) -> np.ndarray:
        """Fewest hits with which a feature could not have been rejected after the last of its rounds."""
        rounds = self.rounds
        level = self.alpha / (rounds if self.two_step else len(rounds))
        fewest = binom.ppf(level, rounds, 0.5)
        return fewest + (binom.cdf(fewest, rounds, 0.5) <= level)

    @property
    def margins(self) -> np.ndarray:
        """Median over the rounds of a feature of its importance above the line."""
        return np.nanmedian(np.array(self.history) - np.array(self.lines)[:, None], axis=0)

    @property
    def likely(self) -> np.ndarray:
        """Mask of the tentative features whose median importance is above the median line."""
        medians = np.nanmedian(np.array(self.history), axis=0)
        return (self.decisions == TENTATIVE) & (medians > np.median(self.lines))

    @property
    def ranks(self) -> np.ndarray:
        """Rank per feature: 1 confirmed, 2 tentative but likely, the others by the median of their ranks per round."""
        others = np.flatnonzero((self.decisions != CONFIRMED) & ~self.likely)
        out = np.where(self.decisions == CONFIRMED, 1.0, 2.0)
        if len(others):
            history = np.array(self.history)[:, others]
            medians = np.nanmedian(rankdata(-history, axis=1, nan_policy="omit"), axis=0)
            ranks = rankdata(medians)
            out[others] = ranks - ranks.min() + (3 if self.likely.any() else 2)
        return out
