"""The result of a generator: data together with the truth about their features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fewer.core.records.errors import MissingExtraError


@dataclass(frozen=True, eq=False)
class Synthetic:
    """Data with known truth.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The features.
    y : ndarray of shape (n_samples,)
        The target; classes are 0, 1, ...
    names : tuple of str
        Names of the features.
    relevant : tuple of int
        Features that made the target.
    redundant : mapping of int to int
        Features that repeat another one, and which; the other may itself be irrelevant.
    task : str
        ``"classification"``, ``"regression"``, or ``"none"`` where y holds clusters to be found without it.
    description : str
        How the data were made, in words.
    nominal : tuple of int
        Features whose numbers are mere codes.
    edges : tuple of (int, int)
        The causal graph, where it is known, from causes to effects; the number behind the last feature is y.
    importance : tuple of float
        How much each feature counts in what made the target, where that is known; otherwise empty.
    """

    X: np.ndarray
    y: np.ndarray
    names: tuple[str, ...]
    relevant: tuple[int, ...]
    redundant: Mapping[int, int] = field(default_factory=dict)
    task: str = "classification"
    description: str = ""
    nominal: tuple[int, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    importance: tuple[float, ...] = ()

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    @property
    def irrelevant(self) -> tuple[int, ...]:
        """Features that are neither relevant nor repeat a relevant one."""
        return tuple(j for j in range(self.n_features) if self.origin(j) not in self.relevant)

    def origin(self, feature: int) -> int:
        """Return the feature that ``feature`` repeats in the end; itself if it repeats none."""
        while feature in self.redundant:
            feature = self.redundant[feature]
        return feature

    def to_frame(self, target: str | None = "y") -> Any:
        """Return a pandas data frame, with the target as last column unless ``target`` is None.

        Nominal features become categories named v0, v1, ..., so that a written file does not pass their
        codes off as numbers.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError(
                "to_frame needs pandas, which is not installed; run pip install pandas, or use X and y."
            ) from error
        frame = pd.DataFrame({name: self.X[:, j] for j, name in enumerate(self.names)})
        for j in self.nominal:
            codes = self.X[:, j].astype(np.int64)
            levels = [f"v{code}" for code in np.unique(codes)]
            frame[self.names[j]] = pd.Categorical([f"v{code}" for code in codes], categories=levels)
        if target is not None:
            frame[target] = self.y
        return frame

    def shuffled(self, rng: np.random.Generator) -> Synthetic:
        """Return the same data with the features in random order."""
        order = rng.permutation(self.n_features)
        place = {int(old): new for new, old in enumerate([*order.tolist(), self.n_features])}
        return Synthetic(
            self.X[:, order],
            self.y,
            tuple(self.names[old] for old in order),
            tuple(sorted(place[j] for j in self.relevant)),
            {place[j]: place[to] for j, to in self.redundant.items()},
            self.task,
            self.description,
            tuple(sorted(place[j] for j in self.nominal)),
            tuple(sorted((place[a], place[b]) for a, b in self.edges)),
            tuple(self.importance[old] for old in order) if self.importance else (),
        )
