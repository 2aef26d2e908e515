"""Selection: the one result that plots, reports, the CLI and comparisons read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.records import json_text
from fewer.core.records.attached import ATTACHED
from fewer.core.records.errors import BrokenResult, InputError, MissingExtraError, closest
from fewer.core.records.explanation import Explanation
from fewer.core.records.invariants import broken
from fewer.core.records.needs import floats
from fewer.core.records.reasons import KIND_NAMES, NOT_REACHED, Reason, Reasons
from fewer.core.records.result_table import ResultTable
from fewer.core.records.terminal_text import printable
from fewer.core.records.trace import Trace
from fewer.core.records.whole_files import write_whole
from fewer.core.records.written_form import check_selection

# Files of format 1 have no tables.
FORMAT = 2
READ = (1, 2)


@dataclass(frozen=True)
class Selection:
    """Which features were kept, in which order, and why.

    Attributes
    ----------
    indices : ndarray
        Numbers of the kept features, best first.
    order : ndarray
        Numbers of all features that the method ordered, best first; begins with `indices`.
    scores : ndarray of shape (n_features,), optional
        One score per feature, larger is better, where the method has such a number.
    reasons : Reasons
        Why each feature was kept or dropped.
    trace : Trace
        What the search did, step by step.
    columns : mapping of str to ndarray
        Further numbers per feature, such as p-values.
    names : tuple of str, optional
        Feature names; x0, x1, ... when the data had none.
    meta : dict
        Method, parameters, data summary, seed, versions and seconds.
    tables : mapping of str to ResultTable
        What the method found beside a ranking, such as a tree, a curve or numbers per level.
    """

    indices: np.ndarray
    order: np.ndarray
    reasons: Reasons
    scores: np.ndarray | None = None
    trace: Trace = field(default_factory=Trace)
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)
    names: tuple[str, ...] | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    tables: Mapping[str, ResultTable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wrong = broken(self)
        if wrong:
            raise BrokenResult(f"in its selection {wrong}")

    @classmethod
    def build(
        cls,
        kept: Sequence[int] | np.ndarray,
        order: Sequence[int] | np.ndarray,
        reasons: Reasons,
        scores: np.ndarray | None = None,
        trace: Trace | None = None,
        columns: Mapping[str, np.ndarray] = {},
        *,
        then: np.ndarray | None = None,
        **more: Any,
    ) -> Selection:
        """Make a selection; the one way in which methods and searches do.

        Parameters
        ----------
        kept : sequence of int
            The kept features, best first.
        order : sequence of int
            An order of features, best first; the kept ones are put before all others.
        reasons, scores, trace, columns
            As the attributes.
        then : ndarray of shape (n_features,), optional
            Features that are not in the order follow it by these numbers, the largest first; without, they have no
            rank.
        **more
            Further attributes.
        """
        kept = np.asarray(kept, dtype=np.int64)
        order = after(kept, order)
        if then is not None:
            order = after(order, np.argsort(-then, kind="stable"))
        return cls(kept, order, reasons, scores, Trace() if trace is None else trace, columns, **more)

    @property
    def n_features(self) -> int:
        """Number of features the data had."""
        return len(self.reasons.kind)

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """Names of all features."""
        return self.names if self.names is not None else tuple(f"x{j}" for j in range(self.n_features))

    @property
    def kept_names(self) -> list[str]:
        """Names of the kept features, best first."""
        return [self.feature_names[j] for j in self.indices]

    @property
    def support(self) -> np.ndarray:
        """Mask of the kept features."""
        mask = np.zeros(self.n_features, dtype=bool)
        mask[self.indices] = True
        return mask

    @cached_property
    def ranking(self) -> np.ndarray:
        """Rank per feature, 1 is best; features that the method did not order share the last rank."""
        ranks = np.full(self.n_features, len(self.order) + 1, dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self.order) + 1)
        return ranks

    def __len__(self) -> int:
        return len(self.indices)

    def number_of(self, feature: int | str) -> int:
        """Return the number of a feature given by name or number."""
        if isinstance(feature, str):
            if feature in self.feature_names:
                return self.feature_names.index(feature)
            hint = closest(feature, self.feature_names)
            raise InputError(f"No feature is named {feature!r}; the selection knows {self.n_features} features.{hint}")
        if not 0 <= int(feature) < self.n_features:
            raise InputError(f"No feature has number {feature}; numbers go from 0 to {self.n_features - 1}.")
        return int(feature)

    def reason(self, feature: int | str) -> Reason:
        """Return why a feature, given by name or number, was kept or dropped."""
        j = self.number_of(feature)
        kind = KIND_NAMES[self.reasons.kind[j]]
        score = None if self.scores is None else float(self.scores[j])
        pvalue = self.columns["pvalue"][j] if "pvalue" in self.columns else None
        decided: dict[str, Any] = self.reasons.decided(j, score) if kind == "irrelevant" else {}
        return Reason(
            feature=self.feature_names[j],
            kind=kind,
            score=None if score is None or np.isnan(score) else score,
            pvalue=None if pvalue is None or np.isnan(pvalue) else float(pvalue),
            rank=int(self.ranking[j]) if self.ranking[j] <= len(self.order) else None,
            related=tuple(self.feature_names[i] for i in self.reasons.related.get(j, ())),
            amount=self.reasons.amount.get(j),
            rule=self.reasons.rule if kind != "redundant" else "",
            note=self.reasons.said(j, self.feature_names),
            limit=self.reasons.limit(j),
            **decided,
        )

    def table(self) -> dict[str, list[Any]]:
        """Return one row per feature, best first, as columns of plain values."""
        rows = after(self.order, np.arange(self.n_features))
        table: dict[str, list[Any]] = {
            "rank": [int(self.ranking[j]) if self.ranking[j] <= len(self.order) else None for j in rows],
            "feature": [self.feature_names[j] for j in rows],
            "index": rows.tolist(),
            "status": [KIND_NAMES[k] for k in self.reasons.kind[rows]],
        }
        if self.scores is not None:
            table["score"] = np.asarray(self.scores)[rows].tolist()
        for name, values in self.columns.items():
            table[name] = np.asarray(values)[rows].tolist()
        if self.reasons.related:
            related, amount = self.reasons.related, self.reasons.amount
            table["redundant_to"] = [", ".join(self.feature_names[i] for i in related.get(j, ())) for j in rows]
            table["by"] = [amount.get(j) for j in rows]
        return table

    def explain(self) -> Explanation:
        """Return the table that answers why each feature was kept or dropped."""
        return Explanation(self)

    def to_frame(self, library: str = "pandas", table: str | None = None) -> Any:
        """Return the table of `explain`, or the one of `tables` with this name, as a pandas or polars data frame."""
        if library not in ("pandas", "polars"):
            raise InputError(f"to_frame makes 'pandas' or 'polars' frames, but got {library!r}; pass one of the two.")
        try:
            frames = __import__(library)
        except ImportError as error:
            raise MissingExtraError(
                f"to_frame({library!r}) needs {library}, which is not installed; run pip install {library}."
            ) from error
        if table is not None and table not in self.tables:
            known = ", ".join(self.tables) or "none"
            raise InputError(f"to_frame got table={table!r}, but the tables of this selection are {known}; pass one.")
        return frames.DataFrame(self.table() if table is None else self.tables[table].named(self.feature_names))

    @property
    def plot(self) -> Any:
        """Plots of this selection: ``selection.plot.scores()``, ``.elbow()``, ``.trace()``, ``.heat(X, y)``."""
        return ATTACHED["plot"](self)

    def with_names(self, names: tuple[str, ...] | None) -> Selection:
        """Return the same selection with feature names."""
        return replace(self, names=names)

    def settled(self) -> Selection:
        """Return the same selection, its reasons without claims that their numbers do not bear out."""
        return replace(self, reasons=self.reasons.settled(self.scores))

    def with_meta(self, **meta: Any) -> Selection:
        """Return the same selection with more facts about its origin."""
        return replace(self, meta={**self.meta, **meta})

    def with_tables(self, **tables: ResultTable) -> Selection:
        """Return the same selection with more tables."""
        return replace(self, tables={**self.tables, **tables})

    def on(self, numbers: np.ndarray, n_features: int, kind: int = NOT_REACHED, note: str = "") -> Selection:
        """Return the same selection among more features, of which it knew some.

        Parameters
        ----------
        numbers : ndarray of int
            Feature ``j`` becomes feature ``numbers[j]``.
        n_features : int
            How many features there are.
        kind : int
            Why the others were dropped, a constant of `reasons`; they have neither rank nor score.
        note : str
            What is said of the others beside.
        """
        numbers = np.asarray(numbers, dtype=np.int64)

        def wide(values: np.ndarray) -> np.ndarray:
            out = np.full(n_features, np.nan)
            out[numbers] = values
            return out

        return replace(
            self,
            indices=numbers[self.indices],
            order=numbers[self.order],
            reasons=self.reasons.spread(numbers, n_features, kind, note),
            scores=None if self.scores is None else wide(self.scores),
            trace=self.trace.on(numbers),
            columns={name: wide(values) for name, values in self.columns.items()},
            tables={name: table.on(numbers) for name, table in self.tables.items()},
            names=None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that `from_dict` reads."""
        return {
            "format": FORMAT,
            "indices": self.indices.tolist(),
            "order": self.order.tolist(),
            "scores": None if self.scores is None else np.asarray(self.scores, dtype=float).tolist(),
            "columns": {name: np.asarray(values).tolist() for name, values in self.columns.items()},
            "names": None if self.names is None else list(self.names),
            "reasons": self.reasons.to_dict(),
            "trace": self.trace.to_list(),
            "meta": self.meta,
            "tables": {name: table.to_dict() for name, table in self.tables.items()},
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Selection:
        """Make a selection of what `to_dict` returned."""
        return cls(
            indices=np.asarray(data["indices"], dtype=np.int64),
            order=np.asarray(data["order"], dtype=np.int64),
            scores=None if data["scores"] is None else floats(data["scores"]),
            columns={name: floats(values) for name, values in data["columns"].items()},
            names=None if data["names"] is None else tuple(data["names"]),
            reasons=Reasons.from_dict(data["reasons"]),
            trace=Trace.from_list(data["trace"]),
            meta=data["meta"],
            tables={name: ResultTable.from_dict(table) for name, table in data.get("tables", {}).items()},
        )

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the selection as JSON; also write it to ``path``, whole or not at all."""
        text = json_text.written(self.to_dict())
        if path is not None:
            write_whole(path, text)
        return text

    @classmethod
    def from_json(cls, source: str | Path) -> Selection:
        """Read a selection from JSON text or from a file."""
        origin = "'fewer select --out' or Selection.to_json"
        return json_text.read(source, "selection", READ, cls._of_file, origin)

    @classmethod
    def _of_file(cls, data: dict[str, Any]) -> Selection:
        check_selection(data)
        return cls.from_dict(data)

    def __repr__(self) -> str:
        method = self.meta.get("method", "Selection")
        shown = ", ".join(self.kept_names[:8]) + (", ..." if len(self) > 8 else "")
        return printable(f"<{method}: {len(self)} of {self.n_features} features kept: {shown}>")

    def __rich__(self) -> Any:
        return self.explain().__rich__()

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()


def after(first: np.ndarray, order: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return the first features, and after them the others of an order."""
    order = np.asarray(order, dtype=np.int64)
    return np.concatenate([first, order[~np.isin(order, first)]])
