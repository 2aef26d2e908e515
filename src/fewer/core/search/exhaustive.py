"""All subsets of allowed size: the optimum, at the price of evaluating everything."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations

MOST = 2**25


@dataclass(frozen=True)
class Exhaustive(SubsetSearch):
    """Evaluate every subset of allowed size, small ones first (book ch. 2, section 2.3.1).

    Without a budget it refuses more than 2**25 subsets.
    """

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Visit all subsets."""
        n, low, high = evaluations.n_units, evaluations.low, evaluations.high
        total = sum(comb(n, k) for k in range(low, high + 1))
        if total > MOST and evaluations.budget is None:
            raise ParameterError(
                f"Exhaustive would evaluate {total:.3g} subsets of {n} units, but does so up to {MOST}; lower "
                "max_features, give a budget, or choose another search."
            )
        evaluations.expected = evaluations.expected or total
        if low == 0:
            evaluations.value(())
        for size in range(max(low, 1), high + 1):
            # Subsets that share all but their last unit are asked for together: a criterion may know a short cut.
            for stem in combinations(range(n - 1), size - 1) if size > 1 else [()]:
                first = stem[-1] + 1 if stem else 0
                if first < n:
                    evaluations.added(stem, np.arange(first, n))
            if evaluations.best is not None:
                evaluations.walk(evaluations.best.subset)
