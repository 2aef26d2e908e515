"""Dependence-tree search: good subsets teach a tree of dependent bits, which proposes new ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.params import FRACTION, whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.moves import random_masks, repaired

MOST_UNITS = 4096


@dataclass(frozen=True)
class DependenceTree(SubsetSearch):
    """Combine information of good subsets by optimal dependence trees (COMIT; Baluja and Davies; Xing et al. Fig. 6.3).

    The best fraction of each population updates how often bits and pairs of bits are set, where older populations fade.
    The tree of pairs with the largest total mutual information (Chow and Liu) then gives each bit a probability that
    depends on its parent, from which the next population is drawn.

    Parameters
    ----------
    population : int, default=100
        Subsets in each generation.
    generations : int, default=50
        Most generations.
    best_fraction : float, default=0.2
        Fraction of the population that teaches the tree.
    decay : float, default=0.7
        Weight of earlier populations when a new one comes, from 0 (forgotten) to 1 (kept).
    patience : int, default=5
        Generations in a row that may fail to improve the best value. A generation without a new subset ends the search.

    Notes
    -----
    Bits start as if one string of each pattern had been seen with total weight 1, so that none is lost for ever.
    """

    population: int = 100
    generations: int = 50
    best_fraction: float = 0.2
    decay: float = 0.7
    patience: int = 5

    constraints: ClassVar[dict[str, Any]] = {
        "population": [whole_from(2)],
        "generations": [whole_from(1)],
        "best_fraction": [FRACTION],
        "decay": [FRACTION],
        "patience": [whole_from(1)],
    }

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Learn and draw in turn."""
        n = evaluations.n_units
        if n > MOST_UNITS:
            raise ParameterError(
                f"DependenceTree got {n} units, but keeps a table of all pairs and takes up to {MOST_UNITS}; drop "
                "features by a ranking first or choose another search."
            )
        evaluations.expected = evaluations.expected or self.population * self.generations
        # Weighted counts of strings in which both bits are set; of bit i alone on the diagonal.
        pairs = np.full((n, n), 0.25)
        np.fill_diagonal(pairs, 0.5)
        weight = 1.0
        bits = random_masks(rng, self.population, evaluations)
        n_best = max(1, round(self.best_fraction * self.population))
        reached, waited = -np.inf, 0
        for _ in range(self.generations):
            before = evaluations.count
            values = evaluations.values(bits)
            found = evaluations.best
            assert found is not None  # all strings have an allowed size
            evaluations.walk(found.subset)
            waited = 0 if found.value > reached else waited + 1
            reached = found.value
            if waited >= self.patience or evaluations.count == before:
                return
            good = bits[np.argsort(-values, kind="stable")[:n_best]].astype(float)
            pairs, weight = self.decay * pairs + good.T @ good, self.decay * weight + len(good)
            bits = repaired(rng, draw_from_tree(pairs / weight, self.population, rng), evaluations)


def bit_information(both: np.ndarray) -> np.ndarray:
    """Return the mutual information of all pairs of bits, in nats.

    Parameters
    ----------
    both : ndarray of shape (n, n)
        How often both bits are set; how often each is set on the diagonal.
    """
    set_ = np.diag(both)
    total = np.zeros_like(both)
    for a, b, joint in (
        (set_, set_, both),
        (set_, 1 - set_, set_[:, None] - both),
        (1 - set_, set_, set_[None, :] - both),
        (1 - set_, 1 - set_, 1 - set_[:, None] - set_[None, :] + both),
    ):
        expected = np.outer(a, b)
        ratio = np.divide(joint, expected, out=np.ones_like(joint), where=(joint > 0) & (expected > 0))
        total += np.where(joint > 0, joint * np.log(ratio), 0.0)
    return np.maximum(total, 0.0)


def spanning_tree(weights: np.ndarray) -> list[tuple[int, int]]:
    """Return the pairs (child, parent) of a spanning tree of largest total weight, parents before children.

    The root is 0 and has the parent -1; of equal weights lower numbers go first.
    """
    n = len(weights)
    edges = [(0, -1)]
    reach, parent = weights[0].astype(float).copy(), np.zeros(n, dtype=np.int64)
    reach[0] = -np.inf
    for _ in range(n - 1):
        child = int(np.argmax(reach))
        edges.append((child, int(parent[child])))
        better = (weights[child] > reach) & np.isfinite(reach)
        reach[better], parent[better] = weights[child][better], child
        reach[child] = -np.inf
    return edges


def draw_from_tree(both: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return strings of bits drawn from the tree of largest mutual information."""
    n = len(both)
    bits = np.zeros((count, n), dtype=bool)
    for child, parent in spanning_tree(bit_information(both)):
        chance = np.full(count, both[child, child])
        if parent >= 0:
            set_, above = both[child, parent], both[parent, parent]
            if_set = set_ / above if above > 0 else both[child, child]
            if_not = (both[child, child] - set_) / (1 - above) if above < 1 else both[child, child]
            chance = np.where(bits[:, parent], if_set, if_not)
        bits[:, child] = rng.random(count) < chance
    return bits
