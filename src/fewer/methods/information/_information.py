"""The constructor of the family, and what all its criteria share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import chdtri

from fewer.core.criteria.joint_sums import JointSums
from fewer.core.criteria.shapes import StepwiseCriterion
from fewer.core.discretize.codes import codes_view, cuts_by_target
from fewer.core.discretize.target_levels import with_target_levels
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CodesConstructor
from fewer.core.records.errors import RequirementError
from fewer.core.records.needs import Need
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.tags import ON_CODES
from fewer.core.search import greedy_forward
from fewer.core.summaries.counts import TargetCounts
from fewer.core.views.view import View

TAGS = replace(ON_CODES, targets=("classes", "numbers"), cost="n*d*k")


# A feature is called irrelevant unless its information is significant, and redundant only beyond doubt: with many
# levels and few rows any two features seem to share information.
RELEVANT, SHARED = 0.05, 0.01
SIGNIFICANT = f"to be significant at {RELEVANT:.0%}".replace("%", " %")


class InformationCriterion(StepwiseCriterion):
    """Base of the criteria: starts with the relevance, and says in the end why features were left."""

    requires = ("codes",)

    def start(self, view: View) -> np.ndarray:
        """Score every feature by its relevance I(f; y) while nothing is chosen."""
        self.sums = JointSums.of(view)
        self.relevance = self.sums.relevance
        return self.relevance

    def explain(self, reasons: Reasons, kept: np.ndarray) -> Reasons:
        """Say of every dropped feature whether it is irrelevant, or redundant and to which kept one.

        Irrelevant: 2 N I(f; y) is not significant (chi-squared, 5 %). Redundant: I(f; s) with a kept s is significant
        (1 % over all kept ones) and, less what chance alone gives, at least I(f; y) less the same. The amount is
        I(f; s) in nats. Levels and classes without rows give no degrees of freedom.
        """
        n, view = self.sums.rows, self.sums.view
        counts = view.fold(TargetCounts(view.n_classes))
        levels, classes = counts.occurring, np.count_nonzero(counts.of(0).sum(axis=0))
        dof = (levels - 1.0) * (classes - 1.0)
        needed = critical(np.maximum(dof, 1.0), RELEVANT) / (2.0 * n)
        told = Need("information about the target", self.relevance, needed, "nats", why=SIGNIFICANT)
        dropped = reasons.kind != KEPT
        left = np.flatnonzero(dropped & ~told.failed)
        shared, partner = self._most_shared(left, kept, levels - 1.0)
        chance = np.where(partner >= 0, (levels[left] - 1.0) * (levels[partner] - 1.0), 0.0) / (2.0 * n)
        covered = (partner >= 0) & (shared - chance >= self.relevance[left] - dof[left] / (2.0 * n))
        kind = reasons.kind.copy()
        kind[dropped & told.failed] = IRRELEVANT
        kind[left[covered]] = REDUNDANT
        related = {int(j): (int(s),) for j, s in zip(left[covered], partner[covered])}
        amount = {int(j): float(v) for j, v in zip(left[covered], shared[covered])}
        return replace(reasons, kind=kind, needs=(told,), related=related, amount=amount)

    def _most_shared(self, left: np.ndarray, kept: np.ndarray, dof: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the most information that listed features share with a kept one beyond doubt, and that one or -1."""
        shared, partner = np.zeros(len(left)), np.full(len(left), -1, np.int64)
        values, place = np.unique(dof[left], return_inverse=True)
        for some, information in self.sums.redundancies_of(left, kept.tolist() if len(left) else []):
            chance = chdtri(dof[some][:, None] * values, SHARED / len(kept))[:, place] / (2.0 * self.sums.rows)
            beyond = np.where(information > chance, information, 0.0)
            # Of equal ones the first is taken.
            first = beyond.argmax(axis=0)
            most = beyond[first, np.arange(len(left))]
            better = most > shared
            shared[better], partner[better] = most[better], np.asarray(some)[first[better]]
        return shared, partner


def critical(dof: np.ndarray, p: float) -> np.ndarray:
    """Return what chi-squared exceeds with probability ``p``; there are few different degrees of freedom."""
    values, place = np.unique(dof, return_inverse=True)
    return chdtri(values, p)[place]


class InformationSelector(CodesConstructor):
    """Chooses features one by one by an information criterion of codes."""

    method_tags = TAGS
    _serves = ("done",)
    _moves_units = True

    def _criterion(self) -> Any:
        raise NotImplementedError

    def _view(self, data: View, parts: Parts) -> View:
        data = self._with_levels_of_target(data) if data.classes is None else data
        return codes_view(data, parts.discretizer)

    def _spread(self, data: View, parts: Parts) -> View:
        """Leave rows in memory whose numeric target must be cut into levels, which is done there."""
        return data if data.classes is None else super()._spread(data, parts)

    def _select(self, data: View, parts: Parts) -> Selection:
        return greedy_forward(self._view(data, parts), parts.criterion, parts.size, parts.units)

    def _with_levels_of_target(self, data: View) -> View:
        """Cut a numeric target into levels of equal frequency, as many as the features have."""
        if cuts_by_target(self.discretizer):
            raise RequirementError(
                f"{type(self).__name__} got a numeric target, but discretizer={self.discretizer!r} needs classes; use "
                "'quantile' or cut the target beforehand."
            )
        return with_target_levels(data, self.bins)
