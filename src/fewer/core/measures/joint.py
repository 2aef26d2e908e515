"""Information between a feature, an anchor and the classes, from sums of x ln x over their tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class JointTerms:
    """What is known of every feature f together with one anchor s and the classes y.

    ``pair`` and ``triple`` are the sums of n ln n over the tables (f, s) and (f, s, y); ``feature``, ``anchor``,
    ``anchor_classes`` and ``classes`` those over f, s, (s, y) and y; ``rows`` is the number of rows. All in nats.
    """

    rows: float
    feature: np.ndarray
    anchor: float
    anchor_classes: float
    classes: float
    relevance: np.ndarray
    pair: np.ndarray
    triple: np.ndarray

    def _log(self) -> float:
        return float(np.log(self.rows))

    @property
    def redundancy(self) -> np.ndarray:
        """I(f; s)."""
        return np.maximum(self._log() + (self.pair - self.feature - self.anchor) / self.rows, 0.0)

    @property
    def joint(self) -> np.ndarray:
        """I(f, s; y)."""
        return np.maximum(self._log() + (self.triple - self.pair - self.classes) / self.rows, 0.0)

    @property
    def anchor_relevance(self) -> float:
        """I(s; y)."""
        return max(self._log() + (self.anchor_classes - self.anchor - self.classes) / self.rows, 0.0)

    @property
    def conditional(self) -> np.ndarray:
        """I(f; y | s)."""
        return np.maximum(self.joint - self.anchor_relevance, 0.0)

    @property
    def class_redundancy(self) -> np.ndarray:
        """I(f; s | y) = I(f; s) + I(f; y | s) - I(f; y)."""
        return np.maximum(self.redundancy + self.conditional - self.relevance, 0.0)

    @property
    def joint_entropy(self) -> np.ndarray:
        """H(f, s, y)."""
        return np.maximum(self._log() - self.triple / self.rows, 0.0)
