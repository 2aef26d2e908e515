"""The last stage of HITON: drop what the estimator does not miss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fewer.core.records.reasons import NOT_REACHED
from fewer.core.records.result import Selection
from fewer.core.views.view import View
from fewer.registry import load_selector


def eliminated(selection: Selection, data: View, how: Mapping[str, Any]) -> Selection:
    """Return a selection without features that can go one by one while the cross-validated score does not fall.

    The steps of the elimination are the trace; the tests remain the reasons.
    """
    blanket = selection.indices
    stage = load_selector("SequentialSelector")(direction="backward", **how)
    found = stage.fit_view(data.columns(blanket)).selection_
    kept = [int(j) for j in blanket if j in set(blanket[found.indices].tolist())]
    dropped = [int(j) for j in blanket if j not in kept]
    kind = selection.reasons.kind.copy()
    kind[dropped] = NOT_REACHED
    note = dict.fromkeys(dropped, "in the blanket, but the estimator does as well without it")
    # What was redundant to a dropped feature becomes not reached when the result is settled.
    reasons = replace(selection.reasons, kind=kind, note=note)
    trace, columns = found.trace.on(blanket), selection.columns
    changed = Selection.build(kept, selection.order, reasons, selection.scores, trace, columns)
    return replace(changed, tables=selection.tables, meta=selection.meta)
