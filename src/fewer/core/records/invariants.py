"""What holds in every selection, whatever made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fewer.core.records.reasons import KEPT

if TYPE_CHECKING:
    from fewer.core.records.result import Selection


def broken(selection: Selection) -> str:
    """Return in words what does not hold in a selection; nothing if all is well.

    No input of a user can break these rules: who does is a method.
    """
    kept, order, reasons, n = selection.indices, selection.order, selection.reasons, selection.n_features
    if not np.array_equal(order[: len(kept)], kept):
        return "the order does not begin with the kept features"
    if len(order) and not 0 <= order.min() <= order.max() < n:
        return f"the order names features other than 0 to {n - 1}"
    if np.bincount(order, minlength=1).max() > 1:
        return "the order names a feature twice"
    if not np.array_equal(np.flatnonzero(reasons.kind == KEPT), np.sort(kept)):
        return "the kept features and those with the reason kept differ"
    if selection.names is not None and len(selection.names) != n:
        return f"there are {len(selection.names)} names for {n} features"
    numbers = {
        "scores": selection.scores,
        **selection.columns,
        **{f"values of {need.quantity!r}": need.values for need in reasons.needs},
    }
    for name, values in numbers.items():
        if values is not None and np.shape(values) != (n,):
            return f"the {name} are of shape {np.shape(values)} instead of ({n},)"
    lines = {"scores": reasons.threshold, **{need.quantity: need.line for need in reasons.needs}}
    for name, line in lines.items():
        if np.shape(line) not in ((), (n,)):
            return f"what is needed of the {name} has shape {np.shape(line)} instead of () or ({n},)"
    return _beside(selection)


def _beside(selection: Selection) -> str:
    """Return in words where what is needed would stand beside a number of another unit."""
    for need in selection.reasons.needs:
        shown = selection.columns.get({"p-value": "pvalue"}.get(need.quantity, need.quantity))
        # A test that could not be made counts as 1 and is shown as no number.
        measured = ~np.isnan(need.values) & ~(np.isnan(shown) if shown is not None else False)
        if shown is not None and not np.array_equal(need.values[measured], np.asarray(shown)[measured]):
            return f"what is needed of {need.quantity!r} stands beside other numbers than were measured"
    return ""
