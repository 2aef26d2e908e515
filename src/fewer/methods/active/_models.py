"""Relevances from a table with missing values, and what one more value would change: mixtures of products per class."""

from __future__ import annotations

import numpy as np

from fewer.core.clustering.product_mixture import ProductMixture, fit_product_mixture, model_mutual_information
from fewer.core.estimators.acquisition_state import AcquisitionState
from fewer.core.kernels.acquisition import class_benefits, relevance
from fewer.core.reading.partial_table import MISSING

# Gain per row at which a climb ends: what it leaves open must be small beside the change by one value.
TOL = 1e-10
# Fresh starts beside the model so far, which is stuck where its components are equal.
N_STARTS = 3


def class_priors(classes: np.ndarray, n_classes: int) -> np.ndarray:
    """Return P(c) = (n_c + 1) / (n + C)."""
    return (np.bincount(classes, minlength=n_classes) + 1.0) / (len(classes) + n_classes)


class CountedModel:
    """One product distribution per class (naive Bayes), all in closed form.

    A value changes the relevance of its own feature only, and which row it is in matters only by the class, so that
    there are n_classes * n_features benefits, of which those of one feature change with a value.
    """

    def __init__(self, state: AcquisitionState, laplace: float, informed: bool) -> None:
        table = state.table
        self.state, self.laplace, self.informed = state, laplace, informed
        self.priors, self.n_levels = class_priors(table.classes, len(table.labels)), table.n_levels
        self.counts = level_counts(state.codes, table.classes, len(table.labels), self.n_levels)
        self._theta = np.empty((len(self.priors), self.counts.shape[2]))
        self._relevances = np.zeros(len(self.n_levels))
        self._benefits = np.zeros((len(self.n_levels), len(self.priors)))
        for f in range(len(self.n_levels)):
            self._refresh(f)

    def _refresh(self, f: int) -> None:
        here = (self.counts[:, f], self.priors, int(self.n_levels[f]), self.laplace, self._theta)
        self._relevances[f] = relevance(*here)
        if self.informed:
            class_benefits(*here, self._benefits[f])

    def relevances(self) -> np.ndarray:
        """Return the mutual information of every feature with the class (eq. 5.10)."""
        return self._relevances.copy()

    def known(self, row: int, column: int) -> None:
        """Take over a value that is known now."""
        self.counts[self.state.table.classes[row], column, self.state.codes[row, column]] += 1.0
        self._refresh(column)

    def benefits(self, cells: np.ndarray) -> np.ndarray | None:
        """Return the benefit of every cell (eq. 5.4), None where they are not asked for."""
        d = len(self.n_levels)
        return self._benefits[cells % d, self.state.table.classes[cells // d]] if self.informed else None


def level_counts(codes: np.ndarray, classes: np.ndarray, n_classes: int, n_levels: np.ndarray) -> np.ndarray:
    """Return how often each level of each feature is known in each class, (n_classes, n_features, most_levels)."""
    counts = np.zeros((n_classes, codes.shape[1], int(n_levels.max(initial=1))))
    rows, features = np.nonzero(codes != MISSING)
    np.add.at(counts, (classes[rows], features, codes[rows, features]), 1.0)
    return counts


class MixtureModel:
    """Several product distributions per class, by expectation and maximisation.

    After every value the mixture of its class is fitted again, from the model so far and from fresh starts. What a
    value would do is found by a climb from the model so far; cells of the same class and feature in rows with the
    same known values share it.
    """

    def __init__(self, state: AcquisitionState, n_components: int, laplace: float, informed: bool) -> None:
        table = state.table
        self.state, self.laplace, self.informed, self.k = state, laplace, informed, n_components
        self.priors, self.n_levels = class_priors(table.classes, len(table.labels)), table.n_levels
        self.mixtures = [self._fitted(c, None) for c in range(len(self.priors))]
        self.marginals = np.stack([mixture.marginals for mixture in self.mixtures])
        self._after: list[dict[tuple[int, bytes], tuple[np.ndarray, np.ndarray]]] = [{} for _ in self.priors]

    def relevances(self) -> np.ndarray:
        """Return the mutual information of every feature with the class (eq. 5.10)."""
        return model_mutual_information(self.priors, self.marginals)

    def known(self, row: int, column: int) -> None:
        """Take over a value that is known now."""
        c = int(self.state.table.classes[row])
        self.mixtures[c] = self._fitted(c, self.mixtures[c])
        self.marginals[c] = self.mixtures[c].marginals
        self._after[c].clear()

    def benefits(self, cells: np.ndarray) -> np.ndarray | None:
        """Return the benefit of every cell (eq. 5.4), None where they are not asked for."""
        if not self.informed:
            return None
        now, found, d = self.relevances(), np.empty(len(cells)), len(self.n_levels)
        worth: dict[tuple[int, int, bytes], float] = {}
        for place, (row, f) in enumerate(zip((cells // d).tolist(), (cells % d).tolist())):
            c, seen = int(self.state.table.classes[row]), self.state.codes[row].tobytes()
            if (c, f, seen) not in worth:
                worth[c, f, seen] = self._benefit(c, row, f, seen, now)
            found[place] = worth[c, f, seen]
        return found

    def _benefit(self, c: int, row: int, f: int, seen: bytes, now: np.ndarray) -> float:
        if (f, seen) not in self._after[c]:
            self._after[c][f, seen] = self._with_each_level(c, row, f)
        chances, marginals = self._after[c][f, seen]
        total, given = 0.0, self.marginals.copy()
        for chance, after in zip(chances, marginals):
            given[c] = after
            total += chance * float(((model_mutual_information(self.priors, given) - now) ** 2).sum())
        return total

    def _with_each_level(self, c: int, row: int, f: int) -> tuple[np.ndarray, np.ndarray]:
        """Return how likely each level of a missing cell is (eq. 5.12), and the P(level | c) that it would lead to."""
        inside = np.flatnonzero(self.state.table.classes == c)
        codes, place = self.state.codes[inside], int(np.searchsorted(inside, row))
        chances = self.mixtures[c].missing_levels(codes[place : place + 1], f)[0, : self.n_levels[f]]
        after = []
        for level in range(int(self.n_levels[f])):
            codes[place, f] = level
            after.append(self._climbed(codes, self.mixtures[c]).marginals)
        return chances, np.stack(after)

    def _climbed(self, codes: np.ndarray, start: ProductMixture) -> ProductMixture:
        return fit_product_mixture(codes, self.n_levels, self.k, start=start, laplace=self.laplace, tol=TOL)

    def _fitted(self, c: int, before: ProductMixture | None) -> ProductMixture:
        codes = self.state.codes[self.state.table.classes == c]
        rng = np.random.default_rng([self.state.seed, len(self.state.told), c])
        # Rough at first: only the one that is kept is climbed to its end.
        fresh = fit_product_mixture(codes, self.n_levels, self.k, laplace=self.laplace, n_starts=N_STARTS, rng=rng)
        if before is None:
            return self._climbed(codes, fresh)
        warm = self._climbed(codes, before)
        return warm if warm.history[-1] >= fresh.history[-1] else self._climbed(codes, fresh)
