"""Selection: the one result that plots, reports, the CLI and comparisons read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.records.attached import ATTACHED
from fewer.core.records.errors import FileError, InputError, MissingExtraError, closest
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import KIND_NAMES, Reason, Reasons
from fewer.core.records.trace import Trace
from fewer.core.records.whole_files import write_whole

FORMAT = 1


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
    """

    indices: np.ndarray
    order: np.ndarray
    reasons: Reasons
    scores: np.ndarray | None = None
    trace: Trace = field(default_factory=Trace)
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)
    names: tuple[str, ...] | None = None
    meta: dict[str, Any] = field(default_factory=dict)

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
        decided: dict[str, Any] = self.reasons.decided(j, score) if kind == "irrelevant" else {}
        return Reason(
            feature=self.feature_names[j],
            kind=kind,
            score=None if score is None or np.isnan(score) else score,
            pvalue=float(self.columns["pvalue"][j]) if "pvalue" in self.columns else None,
            rank=int(self.ranking[j]) if self.ranking[j] <= len(self.order) else None,
            related=tuple(self.feature_names[i] for i in self.reasons.related.get(j, ())),
            amount=self.reasons.amount.get(j),
            rule=self.reasons.rule if kind != "redundant" else "",
            note=self.reasons.note.get(j, ""),
            limit=self.reasons.limit(j),
            **decided,
        )

    def table(self) -> dict[str, list[Any]]:
        """Return one row per feature, best first, as columns of plain values."""
        rest = np.setdiff1d(np.arange(self.n_features), self.order, assume_unique=True)
        rows = np.concatenate([self.order, rest]).astype(np.int64)
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

    def to_frame(self, library: str = "pandas") -> Any:
        """Return the table of `explain` as a pandas or polars data frame."""
        if library not in ("pandas", "polars"):
            raise InputError(f"to_frame makes 'pandas' or 'polars' frames, but got {library!r}; pass one of the two.")
        try:
            frames = __import__(library)
        except ImportError as error:
            raise MissingExtraError(
                f"to_frame({library!r}) needs {library}, which is not installed; run pip install {library}."
            ) from error
        return frames.DataFrame(self.table())

    @property
    def plot(self) -> Any:
        """Plots of this selection: ``selection.plot.scores()``, ``.elbow()``, ``.trace()``."""
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
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Selection:
        """Make a selection of what `to_dict` returned."""
        return cls(
            indices=np.asarray(data["indices"], dtype=np.int64),
            order=np.asarray(data["order"], dtype=np.int64),
            scores=None if data["scores"] is None else _floats(data["scores"]),
            columns={name: _floats(values) for name, values in data["columns"].items()},
            names=None if data["names"] is None else tuple(data["names"]),
            reasons=Reasons.from_dict(data["reasons"]),
            trace=Trace.from_list(data["trace"]),
            meta=data["meta"],
        )

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the selection as JSON; also write it to ``path``, whole or not at all."""
        text = json.dumps(_plain(self.to_dict()), ensure_ascii=False, allow_nan=False)
        if path is not None:
            write_whole(path, text)
        return text

    @classmethod
    def from_json(cls, source: str | Path) -> Selection:
        """Read a selection from JSON text or from a file."""
        text = source if isinstance(source, str) and source.lstrip().startswith("{") else _read(Path(source))
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise FileError(
                    f"This selection has format {data['format']}, but this version of fewer reads format {FORMAT}; "
                    "make it anew or use the version that wrote it."
                )
            return cls.from_dict(data)
        except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, FileError):
                raise
            raise FileError(
                f"{'This text' if text is source else source} is not a selection written by fewer "
                f"({type(error).__name__}: {error}); "
                "give a file made by 'fewer select --out' or Selection.to_json."
            ) from error

    def __repr__(self) -> str:
        method = self.meta.get("method", "Selection")
        shown = ", ".join(self.kept_names[:8]) + (", ..." if len(self) > 8 else "")
        return f"<{method}: {len(self)} of {self.n_features} features kept: {shown}>"

    def __rich__(self) -> Any:
        return self.explain().__rich__()

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()


@dataclass(frozen=True)
class Explanation:
    """The table behind `Selection.explain`; prints itself as text, rich table or HTML."""

    selection: Selection
    most: int = 60

    def __getitem__(self, feature: int | str) -> Reason:
        return self.selection.reason(feature)

    def to_frame(self, library: str = "pandas") -> Any:
        """Return a pandas or polars data frame."""
        return self.selection.to_frame(library)

    def rows(self, most: int | None = None) -> tuple[list[str], list[list[str]], int]:
        """Return headings, rows as text, and how many rows were left out."""
        table = self.selection.table()
        n_rows = len(table["feature"])
        shown = n_rows if most is None else min(most, n_rows)
        heads = [h for h in table if h != "index"]
        rows = [[_cell(table[h][i]) for h in heads] for i in range(shown)]
        return heads, rows, n_rows - shown

    def __str__(self) -> str:
        heads, rows, left = self.rows(self.most)
        widths = [max([len(h), *(len(r[i]) for r in rows)]) for i, h in enumerate(heads)]
        lines = ["  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in [heads, *rows]]
        if left:
            lines.append(f"... and {left} more")
        return "\n".join(lines)

    __repr__ = __str__

    def __rich__(self) -> Any:
        from rich.table import Table

        heads, rows, left = self.rows(self.most)
        table = Table(title=repr(self.selection), title_justify="left", caption=f"{left} more" if left else None)
        styles = {"kept": "bold green", "redundant": "yellow", "irrelevant": "dim", "not reached": "dim"}
        for head in heads:
            table.add_column(head, justify="left" if head in ("feature", "status", "redundant_to") else "right")
        status = heads.index("status")
        for row in rows:
            table.add_row(*row, style=styles.get(row[status]))
        return table

    def _repr_html_(self) -> str:
        from html import escape

        heads, rows, left = self.rows(self.most)
        head = "".join(f"<th>{escape(h)}</th>" for h in heads)
        body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
        more = f"<caption style='caption-side:bottom'>{left} more</caption>" if left else ""
        return f"<table class='fewer-selection'>{more}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return numeral(value) if isinstance(value, float) else str(value)


def _floats(values: list[Any]) -> np.ndarray:
    return np.asarray([np.nan if v is None else v for v in values], dtype=float)


def _plain(value: Any) -> Any:
    """Replace what JSON cannot hold: NaN by null, numpy scalars by Python's, anything else by its text."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else (None if np.isnan(value) else str(value))
    return value if isinstance(value, (int, str, bool, type(None))) else str(value)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise FileError(f"There is no file {path}; check the name.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"The file {path} cannot be read ({error}); check that it is a selection in JSON.") from error
