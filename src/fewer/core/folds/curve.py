"""Scores by number of features, which number is taken, and whether it is better than a guess."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

# Sizes that are looked at: all small ones, then in steps of about a fifth.
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 40, 50, 60, 75, 90, 110, 135, 165, 200)
# Differences of so many standard errors are none; more than the relevant features are taken if they are better by so
# many; what is called parsimonious may be worse by so many.
SAME, BETTER, NEAR = 0.5, 1.0, 1.0
# A score is better than a guess if its p-value is this small.
OF_SCORES = 0.02


@dataclass(frozen=True, eq=False)
class Curve:
    """Scores of both evaluators by fold and size.

    Attributes
    ----------
    sizes : ndarray of shape (n_sizes,)
        Numbers of features.
    scores : ndarray of shape (2, n_folds, n_sizes)
        Of the linear model and of naive Bayes, on the rows of the fold.
    pooled : ndarray of shape (2, n_sizes)
        The same of all rows together.
    guess : float
        The score of a guess that looks at no feature.
    error : float
        About how far the score of a useless feature is from that.
    metric : {"accuracy", "balanced_accuracy", "r2"}
        What is scored.
    """

    sizes: np.ndarray
    scores: np.ndarray
    pooled: np.ndarray
    guess: float
    error: float
    metric: str

    @property
    def means(self) -> np.ndarray:
        """Mean of the two evaluators by size."""
        return self.pooled.mean(axis=0)

    @property
    def errors(self) -> np.ndarray:
        """Standard error of the mean over the folds by size."""
        per_fold = self.scores.mean(axis=0)
        return per_fold.std(axis=0, ddof=1) / np.sqrt(len(per_fold))

    def apart(self, one: int, other: int) -> float:
        """Return the standard error of the difference of two sizes, given by their places."""
        difference = self.scores.mean(axis=0)[:, one] - self.scores.mean(axis=0)[:, other]
        return float(difference.std(ddof=1) / np.sqrt(len(difference)))

    def taken(self, low: int, high: int, n_relevant: int, choose: str) -> int:
        """Return the place of the size that is taken.

        The best size up to the number of relevant features, of sizes that are as good the largest, because other
        learners may use what these two cannot. More than the relevant features only if the best of all sizes is better
        by more than a standard error and better than a guess, and then that size itself: what is not relevant must
        help. "parsimonious": the smallest within one standard error.
        """
        allowed = np.flatnonzero((self.sizes >= low) & (self.sizes <= high))
        means = self.means
        within = allowed[self.sizes[allowed] <= max(n_relevant, low, 1)]
        within = within if len(within) else allowed[:1]
        best = int(within[np.argmax(means[within])])
        beyond = int(allowed[np.argmax(means[allowed])])
        parsimonious = choose == "parsimonious"
        if means[beyond] - means[best] > BETTER * self.apart(beyond, best) and self.pvalue(beyond) <= OF_SCORES:
            if not parsimonious:
                return beyond
            best, within = beyond, allowed
        slack = NEAR if parsimonious else SAME
        good = [int(i) for i in within if means[i] >= means[best] - slack * self.apart(best, int(i)) - 1e-12]
        return min(good) if parsimonious else max(good)

    def pvalue(self, place: int) -> float:
        """Return how likely a score as good as this is without any relation, allowed for the choice among sizes.

        A normal deviate in units of the error of a guess, times the number of sizes.
        """
        if self.error <= 0:
            return 1.0
        return float(min(1.0, len(self.sizes) * ndtr(-(self.means[place] - self.guess) / self.error)))


def guess_error(metric: str, guess: float, classes: np.ndarray) -> float:
    """Return the standard error of the score of a guess, given the weight of the rows by class."""
    classes = classes[classes > 0]
    if metric == "r2":
        # Squared errors are about as variable as squares of normal deviates.
        return float(np.sqrt(2.0 / classes.sum()))
    if metric == "accuracy":
        return float(np.sqrt(guess * (1.0 - guess) / classes.sum()))
    return float(np.sqrt(guess * (1.0 - guess) * (1.0 / classes).sum()) / len(classes))


def sizes_up_to(most: int, asked: tuple[int, ...] = ()) -> np.ndarray:
    """Return the sizes that are looked at, the largest and those that were asked for among them."""
    return np.array(sorted({*(k for k in SIZES if k < most), most, *(k for k in asked if 1 <= k <= most)}), np.int64)


def scored(sums: np.ndarray, totals: np.ndarray, metric: str) -> tuple[np.ndarray, np.ndarray]:
    """Return scores by fold and size, and of all rows by size.

    Parameters
    ----------
    sums : ndarray of shape (n_folds, n_sizes, n_parts)
        Weight of the rows told rightly by class; or squared errors, with one part.
    totals : ndarray of shape (n_folds, n_parts)
        Weight of the rows by class; or squared errors of a guess, the mean of the other folds.
    metric : {"accuracy", "balanced_accuracy", "r2"}
        What is scored.
    """

    def score(right: np.ndarray, of: np.ndarray) -> np.ndarray:
        if metric == "r2":
            return 1.0 - right[..., 0] / np.maximum(of[..., 0], 1e-300)
        if metric == "accuracy":
            return right.sum(axis=-1) / np.maximum(of.sum(axis=-1), 1e-300)
        here = of > 0
        shares = np.divide(right, of, out=np.zeros(np.broadcast(right, of).shape), where=here)
        return shares.sum(axis=-1) / np.maximum(here.sum(axis=-1), 1)

    return score(sums, totals[:, None, :]), score(sums.sum(axis=0), totals.sum(axis=0)[None, :])
