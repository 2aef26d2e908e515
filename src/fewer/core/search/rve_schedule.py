"""How many variables to remove at once: the dynamic program of randomized variable elimination."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.params import check_value, whole_from

Cost = str | Callable[[np.ndarray], np.ndarray]


def survival(n: int, r: int, k: int) -> float:
    """Return the probability that k of n variables removed at random are all irrelevant if r are relevant.

    p(n, r, k) = prod_{i<k} (n - r - i) / (n - i) (Stracuzzi and Utgoff 2004).

    Examples
    --------
    >>> round(survival(20, 3, 5), 6)
    0.399123
    """
    i = np.arange(k)
    return float(np.prod((n - r - i) / (n - i)))


def expected_failures(n: int, r: int, k: int) -> float:
    """Return how many removals fail on average before one succeeds, (1 - p) / p."""
    p = survival(n, r, k)
    return (1.0 - p) / p if p > 0 else float("inf")


@dataclass(frozen=True, eq=False)
class Schedule:
    """The cheapest way from any number of variables down to the relevant ones.

    Attributes
    ----------
    n_relevant : int
        Number r of variables that stay.
    remove : ndarray of int64
        ``remove[n]`` is how many of n variables are best removed at once; 0 for n up to r.
    cost : ndarray of float
        ``cost[n]`` is the expected cost from n variables on.
    """

    n_relevant: int
    remove: np.ndarray
    cost: np.ndarray


def rve_schedule(n_variables: int, n_relevant: int, cost: Cost = "unit") -> Schedule:
    r"""Return how many variables to remove at once so that the expected cost is least.

    :math:`I(n) = \min_k \{M(n - k) / p(n, r, k) + I(n - k)\}`, :math:`I(r) = 0`, of equal costs the smallest k (book
    ch. 3, section 3.6.6; Stracuzzi and Utgoff 2004).

    Parameters
    ----------
    n_variables : int
        Number of variables at the start.
    n_relevant : int
        Number of relevant ones.
    cost : {"unit", "linear"} or callable, default="unit"
        M, what one evaluation costs: always the same, as much as there are variables, or a function of an array of
        their numbers.

    Returns
    -------
    Schedule

    Examples
    --------
    >>> schedule = rve_schedule(20, 3)
    >>> int(schedule.remove[20]), round(float(schedule.cost[20]), 6)
    (5, 19.509499)
    """
    check_value("rve_schedule", "n_relevant", n_relevant, [whole_from(0)])
    check_value("rve_schedule", "n_variables", n_variables, [whole_from(n_relevant)])
    price = _prices(n_variables, cost)
    remove = np.zeros(n_variables + 1, dtype=np.int64)
    total = np.zeros(n_variables + 1)
    cheapest = np.minimum.accumulate(price)
    tries = 8
    for n in range(n_relevant + 1, n_variables + 1):
        most = n - n_relevant
        tries = min(tries, most)
        while True:
            i = np.arange(tries)
            p = np.cumprod((n - n_relevant - i) / (n - i))
            with np.errstate(divide="ignore"):
                costs = price[n - 1 - i] / p + total[n - 1 - i]
            best = int(np.argmin(costs))
            # p falls with k: once the cheapest evaluation divided by p costs more, no larger k can pay.
            with np.errstate(divide="ignore"):
                over = cheapest[n - 1] / p[-1] >= costs[best]
            if tries == most or over:
                break
            tries = min(2 * tries, most)
        remove[n], total[n] = best + 1, costs[best]
        tries = 2 * (best + 1) + 8
    return Schedule(n_relevant, remove, total)


def _prices(n_variables: int, cost: Cost) -> np.ndarray:
    """Return what an evaluation of 0, 1, ... variables costs."""
    sizes = np.arange(n_variables + 1, dtype=float)
    if cost == "unit":
        return np.ones_like(sizes)
    if cost == "linear":
        return sizes
    if not callable(cost):
        raise ParameterError(
            f"rve_schedule got cost={cost!r}, but takes 'unit', 'linear' or a function of the number of variables; "
            "pass one of them."
        )
    prices = np.asarray(cost(sizes), dtype=float)
    if prices.shape != sizes.shape or not (prices >= 0).all():
        raise ParameterError(
            "rve_schedule got a cost function that does not return one number of at least 0 for each number of "
            "variables it is given; return an array like its argument."
        )
    return prices
