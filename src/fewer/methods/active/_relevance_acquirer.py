"""What MAC and its baseline share: the model of relevances, and whole runs on complete tables."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.estimators.acquirer import BaseAcquirer
from fewer.core.estimators.acquisition_state import AcquisitionState
from fewer.core.kernels.acquisition import disclosed
from fewer.core.reading.partial_table import MISSING
from fewer.core.records.errors import InputError
from fewer.core.records.params import Interval, number_above, number_from, whole_from
from fewer.core.records.tags import MethodTags
from fewer.methods.active._models import CountedModel, MixtureModel, class_priors, level_counts

CONSTRAINTS: dict[str, Any] = {
    # as_stop reads it and says in one sentence what is allowed.
    "n_features_to_select": "no_validation",
    "budget": [whole_from(1), None],
    "max_cost": [number_above(0.0), None],
    # Read with the names of the columns, in one sentence.
    "costs": [dict, "array-like", None],
    "tol": [number_above(0.0), None],
    "patience": [whole_from(1)],
    "n_components": [whole_from(1)],
    "smoothing": [number_from(0.0)],
    "bins": [whole_from(2)],
    "categorical_features": ["array-like", None],
    "random_state": ["random_state", np.random.Generator],
}
PART = [Interval(Real, 0, 1, closed="right")]
# Draws break ties between cells, but a whole number as seed gives the same again; relevances are not drawn.
TAGS = MethodTags(
    targets=("classes",),
    views=("dense",),
    handles_nan=True,
    handles_nominal=True,
    deterministic=False,
    invariance=("row_order",),
    cost="n*d",
)


class RelevanceAcquirer(BaseAcquirer):
    """Estimates relevances as mutual information under one mixture of product distributions per class."""

    method_tags: ClassVar[MethodTags] = TAGS
    # Whether benefits choose, or chance.
    _informed: ClassVar[bool]
    n_components: int
    smoothing: float

    def _open(self, state: AcquisitionState) -> Any:
        if self.n_components == 1:
            return CountedModel(state, float(self.smoothing), self._informed)
        return MixtureModel(state, self.n_components, float(self.smoothing), self._informed)

    def disclose(self, values: np.ndarray) -> Any:
        """Have every missing value told from a complete table of levels, whatever the stop rules say.

        Parameters
        ----------
        values : ndarray of int of shape (n_samples, n_features)
            Level numbers of all cells.

        Returns
        -------
        order : ndarray of int of shape (n_missing, 2)
            Row and column of the values in the order in which they were asked for.
        trajectory : ndarray of shape (n_missing + 1, n_features)
            Estimated relevances at first and after every value.

        Notes
        -----
        The same as asking and telling, and in the same order, but for one component per class in one compiled loop.
        The acquirer itself is left as it was.
        """
        state = self._state
        codes = np.ascontiguousarray(values, dtype=np.int64)
        known = state.codes != MISSING
        good = codes.shape == known.shape and bool(((codes >= 0) & (codes < state.table.n_levels)).all())
        if not good or bool((codes != state.codes)[known].any()) or state.withdrawn.any() or state.told:
            raise InputError(
                f"{type(self).__name__}.disclose takes a complete table of level numbers that agrees with what is "
                "known at first; start again and give such a table."
            )
        if self.n_components > 1:
            return self._disclosed_slowly(codes)
        table, d = state.table, known.shape[1]
        order, path = np.empty(int((~known).sum()), np.int64), np.empty((int((~known).sum()) + 1, d))
        n_classes, fraction = len(table.labels), float(getattr(self, "candidate_fraction", 1.0))
        scales = 1.0 / self._costs if getattr(self, "by_cost", False) else np.ones(d)
        counts = level_counts(state.codes, table.classes, n_classes, table.n_levels)
        priors = class_priors(table.classes, n_classes)
        facts = (priors, table.n_levels, float(self.smoothing), scales, fraction, self._informed)
        disclosed(codes, table.classes, known, counts, *facts, state.seed, order, path)
        return np.column_stack([order // d, order % d]), path

    def _disclosed_slowly(self, codes: np.ndarray) -> Any:
        """Ask and tell on a copy."""
        from copy import copy

        again = copy(self)
        again.budget = again.max_cost = again.tol = None
        again._go_on(AcquisitionState(self._state.table, self._state.seed), [])
        while (question := again.ask()) is not None:
            level = int(codes[question.row, question.column])
            again._take({"tell": [question.row, question.column, level], "value": "", "benefit": question.benefit})
        return np.array([one[:2] for one in again.acquisitions_]).reshape(-1, 2), again.trajectory_
