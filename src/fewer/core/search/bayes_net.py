"""Estimation of distribution with a Bayesian network: good subsets teach it, it proposes new ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.params import number_from, whole_from
from fewer.core.search.contract import SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.moves import random_masks, repaired

# More units than this are taken as independent: a network of so many bits costs more than it tells.
MOST_WITH_ARCS = 300


@dataclass(frozen=True)
class EBNA(SubsetSearch):
    """Estimation of Bayesian network algorithm (FSS-EBNA; Inza et al. 2000; book ch. 3, section 3.6.5).

    The better half of the population teaches a Bayesian network over the bits, arc by arc as long as the BIC rises;
    a new population is drawn from it, and the best of old and new ones live on.

    Parameters
    ----------
    population : int, default=1000
        Subsets in each generation.
    generations : int, default=50
        Most generations.
    max_parents : int, optional
        Most parents of a bit; 0 takes bits as independent (UMDA). By default 2, and 0 for more than 300 units.
    smoothing : float, default=1.0
        Added to the counts of set and unset bits; 0 draws bits exactly as often as they were set.
    patience : int, default=1
        Generations in a row that may fail to improve the best value.
    """

    population: int = 1000
    generations: int = 50
    max_parents: int | None = None
    smoothing: float = 1.0
    patience: int = 1

    constraints: ClassVar[dict[str, Any]] = {
        "population": [whole_from(2)],
        "generations": [whole_from(1)],
        "max_parents": [None, whole_from(0)],
        "smoothing": [number_from(0)],
        "patience": [whole_from(1)],
    }

    def search(self, evaluations: Evaluations, rng: np.random.Generator) -> None:
        """Learn and draw in turn."""
        evaluations.expected = evaluations.expected or self.population * (self.generations + 1)
        bits = random_masks(rng, self.population, evaluations)
        values = evaluations.values(bits)
        self._tell(evaluations)
        waited = 0
        parents = self.max_parents
        if parents is None:
            parents = 2 if evaluations.n_units <= MOST_WITH_ARCS else 0
        for _ in range(self.generations):
            reached = values.max()
            order = np.argsort(-values, kind="stable")
            net = learn_network(bits[order[: max(1, len(bits) // 2)]], parents, self.smoothing)
            new = repaired(rng, net.draw(self.population, rng), evaluations)
            everyone = np.concatenate([bits, new])
            everything = np.concatenate([values, evaluations.values(new)])
            best = np.argsort(-everything, kind="stable")[: self.population]
            bits, values = everyone[best], everything[best]
            self._tell(evaluations)
            waited = 0 if values.max() > reached else waited + 1
            if waited >= self.patience:
                return

    def _tell(self, evaluations: Evaluations) -> None:
        found = evaluations.best
        assert found is not None  # all strings have an allowed size
        evaluations.walk(found.subset)


@dataclass
class BitNetwork:
    """A Bayesian network over bits: parents of each, and how often each is set given them."""

    parents: list[list[int]]
    order: list[int]
    chances: list[np.ndarray] = field(default_factory=list)

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return strings drawn bit by bit, parents first."""
        bits = np.zeros((count, len(self.parents)), dtype=bool)
        for j in self.order:
            bits[:, j] = rng.random(count) < self.chances[j][_patterns(bits, self.parents[j])]
        return bits


def learn_network(bits: np.ndarray, max_parents: int, smoothing: float) -> BitNetwork:
    """Return a network learned by adding the arc that raises the BIC most, as long as one does (algorithm B).

    Parameters
    ----------
    bits : ndarray of bool of shape (n_strings, n_bits)
        The strings.
    max_parents : int
        Most parents of a bit.
    smoothing : float
        Added to the counts of set and unset bits.
    """
    n = bits.shape[1]
    parents: list[list[int]] = [[] for _ in range(n)]
    # above[i, j]: i is j or an ancestor of j, so that an arc from j to i would close a circle.
    above = np.eye(n, dtype=bool)
    if max_parents > 0 and n > 1:
        gain = np.stack([bic_gains(bits, j, []) for j in range(n)], axis=1)
        while True:
            gain[above.T] = -np.inf
            parent, child = divmod(int(np.argmax(gain)), n)
            if not gain[parent, child] > 0:
                break
            parents[child].append(parent)
            above |= np.outer(above[:, parent], above[child])
            full = len(parents[child]) >= max_parents
            gain[:, child] = -np.inf if full else bic_gains(bits, child, parents[child])
            gain[parents[child], child] = -np.inf
    # A bit has more ancestors than each of its parents.
    order = np.argsort(above.sum(axis=0), kind="stable").tolist()
    return BitNetwork(parents, order, [_chances(bits, j, parents[j], smoothing) for j in range(n)])


def bic_gains(bits: np.ndarray, child: int, parents: list[int]) -> np.ndarray:
    """Return by how much the BIC rises with each further parent of a bit."""
    m = len(bits)
    pattern = _patterns(bits, parents)
    n_patterns = 2 ** len(parents)
    target = bits[:, child]
    groups = np.zeros((2 * n_patterns, m))
    groups[2 * pattern + target, np.arange(m)] = 1.0
    # Counts by pattern of the parents, bit of the child, and bit of each candidate.
    with_ = (groups @ bits.astype(float)).reshape(n_patterns, 2, -1)
    without = groups.sum(axis=1).reshape(n_patterns, 2, 1) - with_
    before = _log_likelihood((with_ + without)[:, :, :1])[0]
    return _log_likelihood(with_) + _log_likelihood(without) - before - 0.5 * np.log(m) * n_patterns


def _log_likelihood(counts: np.ndarray) -> np.ndarray:
    """Return sum n log(n / n_pattern) over patterns and values, counts of shape (patterns, 2, candidates)."""
    totals = counts.sum(axis=1, keepdims=True)
    ratio = np.divide(counts, totals, out=np.ones_like(counts), where=counts > 0)
    return (counts * np.log(ratio)).sum(axis=(0, 1))


def _patterns(bits: np.ndarray, parents: list[int]) -> np.ndarray:
    """Return the bits of the parents read as one number."""
    pattern = np.zeros(len(bits), dtype=np.int64)
    for p in parents:
        pattern = 2 * pattern + bits[:, p]
    return pattern


def _chances(bits: np.ndarray, child: int, parents: list[int], smoothing: float) -> np.ndarray:
    """Return how often a bit is set for each pattern of its parents; as often as anywhere where none was seen."""
    pattern, n_patterns = _patterns(bits, parents), 2 ** len(parents)
    seen = np.bincount(pattern, minlength=n_patterns) + 2.0 * smoothing
    set_ = np.bincount(pattern, weights=bits[:, child], minlength=n_patterns) + smoothing
    return np.divide(set_, seen, out=np.full(n_patterns, bits[:, child].mean()), where=seen > 0)
