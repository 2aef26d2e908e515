"""Random subsets: the Las Vegas filter and wrapper, and plain Monte Carlo."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.params import Interval, StrOptions, check_value, whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.moves import random_masks, random_subset
from fewer.core.search.units import Subset, as_units

# How many random subsets are evaluated together, so that threads have work.
PORTION = 256


@dataclass(frozen=True)
class LasVegasFilter(SubsetSearch):
    """Look for the smallest subset that is good enough (LVF; Liu and Setiono 1996; book ch. 3, Fig. 3.2).

    Starts with everything; random subsets of at most the best size take over if they are good enough and smaller, or
    as small and better.

    Parameters
    ----------
    max_iter : int, default=10000
        Number of random subsets; the rule of thumb is 77 n**5 for n units, certainty in the limit needs more than 2**n.
    goal : float, optional
        The value that is good enough; by default that of everything. For the inconsistency rate as criterion, 1 - rate,
        this is 1 - gamma.
    sampling : {"size_first", "uniform"}, default="size_first"
        Whether a size is drawn first, as in the figure, or every subset is as likely, as in the text.

    Notes
    -----
    If not even everything is good enough, the answer is everything.
    """

    max_iter: int = 10_000
    goal: float | None = None
    sampling: str = "size_first"

    constraints: ClassVar[dict[str, Any]] = {
        "max_iter": [whole_from(1)],
        "goal": [None, Real],
        "sampling": [StrOptions({"size_first", "uniform"})],
    }

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Draw subsets."""
        n, low = evaluations.n_units, evaluations.low
        evaluations.expected = evaluations.expected or self.max_iter
        everything: Subset = tuple(range(n))
        value = evaluations.value(everything)
        goal = value if self.goal is None else self.goal
        evaluations.walk(everything)
        evaluations.keep(everything)
        # What is too large to be a result must be beaten by any smaller subset that is good enough.
        best, size = value, n
        for _ in range(self.max_iter):
            if self.sampling == "uniform":
                drawn = rng.random(n) < 0.5
                if not low <= drawn.sum() <= min(size, evaluations.high):
                    continue
                subset = as_units(drawn)
            else:
                wanted = int(rng.integers(low, min(size, evaluations.high) + 1))
                subset = as_units(rng.choice(n, size=wanted, replace=False))
            value = evaluations.value(subset)
            if value >= goal and (len(subset) < size or value > best):
                best, size = value, len(subset)
                evaluations.walk(subset)
                evaluations.keep(subset)


@dataclass(frozen=True)
class LasVegasWrapper(SubsetSearch):
    """Draw random subsets until none has been better for long (LVW; Liu and Setiono 1996).

    Starts with everything; a subset is better if its value is higher, or equal with fewer units.

    Parameters
    ----------
    patience : int, default=500
        Random subsets in a row that may fail to be better.
    """

    patience: int = 500

    constraints: ClassVar[dict[str, Any]] = {"patience": [whole_from(1)]}

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Draw subsets."""
        full = tuple(range(evaluations.n_units))
        here = full if evaluations.high == evaluations.n_units else random_subset(rng, evaluations)
        value, waited = evaluations.value(here), 0
        evaluations.walk(here)
        while waited < self.patience:
            drawn = random_subset(rng, evaluations)
            new = evaluations.value(drawn)
            waited += 1
            if new > value or (new == value and len(drawn) < len(here)):
                here, value, waited = drawn, new, 0
                evaluations.walk(here)


@dataclass(frozen=True)
class MonteCarlo(SubsetSearch):
    """Draw a number of random subsets and take the best.

    Parameters
    ----------
    max_iter : int, default=1000
        Number of random subsets.
    """

    max_iter: int = 1000

    constraints: ClassVar[dict[str, Any]] = {"max_iter": [whole_from(1)]}

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Draw subsets."""
        evaluations.expected = evaluations.expected or self.max_iter
        for start in range(0, self.max_iter, PORTION):
            evaluations.values(random_masks(rng, min(PORTION, self.max_iter - start), evaluations))
            found = evaluations.best
            assert found is not None  # all drawn subsets have an allowed size
            if not evaluations.walked or evaluations.walked[-1].subset != found.subset:
                evaluations.walk(found.subset)


def runs_needed(success: float, failure: float) -> int:
    """Return how often a search must be repeated so that all runs fail with at most a given probability.

    With the success probability 1/e of a single run, ceil(log d / log(1 - 1/e)) (book ch. 3, section 3.2).

    Parameters
    ----------
    success : float
        Probability that one run succeeds, above 0.
    failure : float
        Probability of failure that is accepted, above 0.

    Examples
    --------
    >>> runs_needed(0.5, 1e-3)
    10
    """
    for name, value in (("success", success), ("failure", failure)):
        check_value("runs_needed", name, value, [Interval(Real, 0, 1, closed="right")])
    if failure == 1.0 or success == 1.0:
        return 1
    return max(1, math.ceil(math.log(failure) / math.log1p(-success) - 1e-12))
