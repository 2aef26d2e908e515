"""Small problems for searches: a view without meaning, and criteria that count how often they are asked."""

from __future__ import annotations

from collections import Counter

import numpy as np

from fewer.core.criteria.shapes import SubsetScore
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View


def view_of(n_features, n_jobs=1, names=None):
    X = np.arange(2.0 * n_features).reshape(2, n_features)
    return View(ThreadRunner(n_jobs), [DenseBlock(X)], "dense", 2, n_features, np.zeros(n_features, bool), names=names)


class Asked(SubsetScore):
    """A criterion by a function of a tuple of columns; ``asked`` counts evaluations of each subset."""

    by_one = False

    def __init__(self, function, monotone=False):
        self.function, self.monotone, self._asked = function, monotone, Counter()

    @property
    def asked(self):
        return self._asked

    def value(self, view, subset):
        assert list(subset) == sorted(set(subset))
        self._asked[tuple(subset)] += 1
        return self.function(tuple(int(j) for j in subset))


class Deltas(Asked):
    """The same with short cuts; ``calls`` counts them."""

    by_one = True

    def __init__(self, function, monotone=False):
        super().__init__(function, monotone)
        self.calls = 0

    def values_added(self, view, subset, candidates):
        self.calls += 1
        return np.array([self.value(view, tuple(sorted((*subset, int(j))))) for j in candidates])

    def values_removed(self, view, subset, candidates):
        self.calls += 1
        return np.array([self.value(view, tuple(k for k in subset if k != j)) for j in candidates])


def modular(weights):
    return lambda s: float(sum(weights[j] for j in s))


def cover(sets):
    """A monotone submodular criterion: how many items the chosen features cover."""
    return lambda s: float(len(set().union(*(sets[j] for j in s)))) if s else 0.0


def planted(n, relevant, seed=0, price=0.01):
    """Each relevant feature pays its own part, an irrelevant one costs a little; the optimum is the relevant ones."""
    rng = np.random.default_rng(seed)
    weights = np.full(n, -price)
    weights[list(relevant)] = rng.uniform(0.1, 1.0, len(relevant))
    return modular(weights)
