"""Columns that can be dropped by looking at them: constant ones and copies."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT
from fewer.core.records.result import Selection, after
from fewer.core.views.view import View


@dataclass(frozen=True)
class Plain:
    """Columns that can be dropped by looking at them.

    Attributes
    ----------
    left : ndarray
        Columns that are neither constant nor a copy.
    constant : list of int
        Columns with one value, or none at all.
    copies : dict of int to int
        Columns with the same values as an earlier one, and that one.
    """

    left: np.ndarray
    constant: list[int]
    copies: dict[int, int]

    @classmethod
    def of(cls, data: View) -> Plain:
        """Look at all columns, one after another."""
        X = data.whole().X
        seen: dict[tuple[bool, bytes], int] = {}
        constant: list[int] = []
        copies: dict[int, int] = {}
        left: list[int] = []
        for j in range(data.n_features):
            # Adding 0 makes one of the two zeros of floating point.
            column = np.ascontiguousarray(X[:, j]) + 0
            missing = np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), bool)
            same = missing if missing[0] else (column == column[0])
            key = (bool(data.nominal[j]), column.tobytes())
            if same.all():
                constant.append(j)
            elif key in seen:
                copies[j] = seen[key]
            else:
                seen[key] = j
                left.append(j)
        if not left:
            raise InputError(
                f"All {data.n_features} columns of X are constant, so that none can tell anything about y; check how X "
                "was made."
            )
        return cls(np.array(left, dtype=np.int64), constant, copies)

    def widened(self, chosen: Selection, data: View) -> Selection:
        """Return a selection among the columns that are left as one among all columns."""
        wide = chosen.on(self.left, data.n_features)
        said, names = wide.reasons, data.names or wide.feature_names
        kind, related, amount = said.kind, dict(said.related), dict(said.amount)
        kind[self.constant] = IRRELEVANT
        note = {**said.note, **dict.fromkeys(self.constant, "it has one value in all rows")}
        for j, first in self.copies.items():
            # A copy of what was not kept shares its fate.
            kept = kind[first] == KEPT
            kind[j] = REDUNDANT if kept else kind[first]
            note[j] = f"the same values {'' if kept else f'as {names[first]} '}in every row"
            to = (first,) if kept else related.get(first, ())
            if to:
                related[j], amount[j] = to, 1.0 if kept else amount[first]
        scores = wide.scores
        if scores is not None:
            scores[self.constant], scores[list(self.copies)] = 0.0, scores[list(self.copies.values())]
        needs = tuple(need.copied(self.copies) for need in said.needs)
        reasons = replace(said, kind=kind, related=related, amount=amount, note=note, needs=needs)
        order, facts = after(wide.order, list(self.copies)), {"value": chosen.meta["value"]}
        return replace(wide, order=order, reasons=reasons, scores=scores, meta=facts)
