"""Information of numbers by nearest rows in place of bins, for criteria that ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral

import numpy as np

from fewer.core.criteria.near_information import NearInformation
from fewer.core.criteria.shapes import StepwiseCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import steady
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.information._information import InformationSelector

# Keeps a quotient finite where nothing is shared, so that relevance decides there.
SMALLEST = 1e-12


class NearMRMRCriterion(StepwiseCriterion):
    """Score I(f; y) minus, or over, the mean of I(f; s) over the chosen s, by nearest rows."""

    requires = ("dense",)

    def __init__(self, n_neighbors: int, quotient: bool = False) -> None:
        self.n_neighbors, self.quotient = n_neighbors, quotient

    def start(self, view: View) -> np.ndarray:
        """Score every feature by its relevance while nothing is chosen."""
        self.near = NearInformation(view, self.n_neighbors)
        self.relevance, self.total = self.near.relevance(), np.zeros(view.n_features)
        return steady(self.relevance)

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature now that one more is chosen."""
        self.total = self.total + self.term(int(chosen[-1]))
        return steady(self.score(self.total / len(chosen)))

    def term(self, j: int) -> np.ndarray:
        """I(f; s)."""
        return self.near.redundancy_with(j)

    def score(self, mean: np.ndarray) -> np.ndarray:
        """Relevance and mean redundancy."""
        return self.relevance / np.maximum(mean, SMALLEST) if self.quotient else self.relevance - mean


class NearJMICriterion(NearMRMRCriterion):
    """Score the mean over chosen s of I(f, s; y), by nearest rows."""

    def term(self, j: int) -> np.ndarray:
        """I(f, s; y)."""
        return self.near.joint_with(j)

    def score(self, mean: np.ndarray) -> np.ndarray:
        """The mean itself."""
        return mean


class BinsOrNeighbors(InformationSelector):
    """A method that counts bins, or takes numbers as they are and looks at nearest rows."""

    information: str
    n_neighbors: int
    _parameter_constraints: dict = {
        **InformationSelector._parameter_constraints,
        "information": [StrOptions({"bins", "neighbors"})],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    @property
    def _near(self) -> bool:
        return self.information == "neighbors"

    def _tags_in_use(self) -> MethodTags:
        if not self._near:
            return super()._tags_in_use()
        invariance = ("row_order", "scale")
        return MethodTags(self.method_tags.targets, ("dense",), invariance=invariance, cost="n^1.5*d*k")

    def _streams(self, parts: Parts) -> bool:
        return not self._near and super()._streams(parts)

    def _reads_batches(self, parts: Parts) -> bool:
        return not self._near and super()._reads_batches(parts)

    def _parts(self) -> Parts:
        parts = super()._parts()
        return replace(parts, discretizer=None) if self._near else parts

    def _view(self, data: View, parts: Parts) -> View:
        return data if self._near else super()._view(data, parts)

    def _select(self, data: View, parts: Parts) -> Selection:
        if self._near and data.whole().weight is not None:
            raise RequirementError(
                f"{type(self).__name__} got information='neighbors' and sample_weight, but nearest rows count alike; "
                "leave the weights out, or take information='bins'."
            )
        return super()._select(data, parts)
