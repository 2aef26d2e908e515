"""Information between a feature, an anchor and the classes, from sums of x ln x over their tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class JointTerms:
    """What is known of every feature f together with one anchor s and the classes y.

    ``pair`` and ``triple`` are the sums of n ln n over the tables (f, s) and (f, s, y); ``feature``,
    ``feature_classes``, ``anchor``, ``anchor_classes`` and ``classes`` those over f, (f, y), s, (s, y) and y, and
    ``total`` is N ln N, all in one unit; ``unit`` of them make one nat per row. Sums in whole numbers are combined
    before they are divided, so that what is equal on paper is equal here. Results are in nats.
    """

    unit: float
    total: Any
    feature: np.ndarray
    feature_classes: np.ndarray
    anchor: Any
    anchor_classes: Any
    classes: Any
    pair: np.ndarray
    triple: np.ndarray

    def _nats(self, sums: Any) -> Any:
        return np.maximum(sums, 0) / self.unit

    @property
    def redundancy_sum(self) -> np.ndarray:
        """I(f; s) in the unit of the sums, as the following ones."""
        return np.maximum(self.total + self.pair - self.feature - self.anchor, 0)

    @property
    def joint_sum(self) -> np.ndarray:
        """I(f, s; y)."""
        return np.maximum(self.total + self.triple - self.pair - self.classes, 0)

    @property
    def class_redundancy_sum(self) -> np.ndarray:
        """I(f; s | y) = H(f, y) + H(s, y) - H(f, s, y) - H(y)."""
        return np.maximum(self.triple + self.classes - self.feature_classes - self.anchor_classes, 0)

    @property
    def symmetrical_relevance(self) -> np.ndarray:
        """I(f, s; y) / H(f, s, y), 0 where the entropy is."""
        entropy = np.asarray(self.total - self.triple, dtype=float)
        return np.divide(self.joint_sum, entropy, out=np.zeros(len(entropy)), where=entropy > 0)

    @property
    def redundancy(self) -> np.ndarray:
        """I(f; s) in nats, as all that follow."""
        return self.redundancy_sum / self.unit

    @property
    def joint(self) -> np.ndarray:
        """I(f, s; y)."""
        return self.joint_sum / self.unit

    @property
    def class_redundancy(self) -> np.ndarray:
        """I(f; s | y)."""
        return self.class_redundancy_sum / self.unit

    @property
    def anchor_relevance(self) -> float:
        """I(s; y)."""
        return float(self._nats(self.total + self.anchor_classes - self.anchor - self.classes))

    @property
    def conditional(self) -> np.ndarray:
        """I(f; y | s) = I(f, s; y) - I(s; y)."""
        return self._nats(self.triple - self.pair + (self.anchor - self.anchor_classes))

    @property
    def pair_entropy(self) -> np.ndarray:
        """H(f, s)."""
        return self._nats(self.total - self.pair)

    @property
    def joint_entropy(self) -> np.ndarray:
        """H(f, s, y)."""
        return self._nats(self.total - self.triple)
