"""From what was acquired to a selection."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from fewer.core.estimators.acquisition_state import AcquisitionState
from fewer.core.estimators.origin import _shown, versions
from fewer.core.reading.partial_table import MISSING
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.search import top_ranked
from fewer.core.stop import as_stop

# Points of the trajectory that a selection keeps; all of them are in `trajectory_`.
MOST_KNOTS = 200


def acquired_selection(
    made: Any, state: AcquisitionState, path: list[np.ndarray], costs: np.ndarray, begin: float
) -> Selection:
    """Return the features by their relevance now, with what is known and was acquired of each, and the trajectory."""
    table = state.table
    d = len(table.names)
    acquired = np.bincount([one.column for one in state.told], minlength=d)
    known = (state.codes != MISSING).sum(axis=0)
    columns = {"known": known, "acquired": acquired, "cost": acquired * costs}
    ranking = Ranking(path[-1], columns=columns, tables=_tables(state, path))
    size = as_stop(made.n_features_to_select)
    selection = top_ranked(lambda: ranking, size).settled()
    nominal = sum(any(isinstance(level, str) for level in domain.levels) for domain in table.domains)
    data = {"n_rows": len(table.codes), "n_features": d, "n_nominal": nominal, **table.facts}
    data["n_missing"] = int((state.codes == MISSING).sum())
    return selection.with_names(table.names).with_meta(
        method=type(made).__name__,
        parameters={k: _shown(v) for k, v in made.get_params(deep=False).items()},
        summary=(type(made).__doc__ or "").strip().split("\n")[0],
        task=made.method_tags.task,
        data=data,
        n_acquired=len(state.told),
        seed=made.random_state,
        versions=dict(versions()),
        seconds=time.perf_counter() - begin,
        runner="threads",
    )


def _tables(state: AcquisitionState, path: list[np.ndarray]) -> dict[str, ResultTable]:
    """Return how relevances went, and what was told, where anything was."""
    if not state.told:
        return {}
    steps = np.unique(np.linspace(0, len(path) - 1, min(len(path), MOST_KNOTS)).round().astype(int))
    table = state.table
    order = {
        "step": np.arange(1, len(state.told) + 1),
        "row": [table.row_name(one.row) for one in state.told],
        "feature": [one.column for one in state.told],
        "value": [table.domains[one.column].texts[one.level] for one in state.told],
        "benefit": [one.benefit for one in state.told],
    }
    return {
        "trajectory": ResultTable.path("Estimated relevances", "values acquired", steps, np.array(path)[steps]),
        "acquisitions": ResultTable("Values acquired, in order", order, "rows", ("feature",)),
    }
