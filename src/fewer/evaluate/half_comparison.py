"""HalfComparison: what methods found on half-samples without a target."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.records import json_text
from fewer.core.records.errors import FileError
from fewer.core.records.whole_files import write_whole
from fewer.evaluate.half_samples import Half
from fewer.evaluate.stability import nogueira

KIND, FORMAT = "comparison without target", "fewer comparison without target 1"
# What is measured on every pair of halves, and shown as a mean.
MEASURED = (
    "silhouette",
    "silhouette_uniform",
    "agreement",
    "agreement_uniform",
    "n_clusters",
    "n_features",
    "seconds",
    "nmi",
)


@dataclass(frozen=True, eq=False)
class HalfComparison:
    """A comparison without a target.

    Attributes
    ----------
    halves : mapping of str to list of Half
        For every method what it chose on one half, and how both halves were clustered with it, pair after pair.
    names : tuple of str
        Names of all columns.
    candidates : tuple of int
        The columns that could be chosen.
    meta : mapping
        Settings, data, and why columns were left out.
    """

    halves: Mapping[str, list[Half]]
    names: tuple[str, ...]
    candidates: tuple[int, ...]
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        """Labels of the methods."""
        return list(self.halves)

    @property
    def has_labels(self) -> bool:
        """Whether clusters were held against labels."""
        return bool(self.meta.get("labels"))

    def values(self, method: str, what: str) -> np.ndarray:
        """Return one figure of a method for every pair of halves, NaN where there is none."""
        if what == "n_features":
            return np.array([np.nan if one.failed else len(one.chosen) for one in self.halves[method]], float)
        got = np.array([getattr(one, what) for one in self.halves[method]], float)
        return np.where(got > 0, got, np.nan) if what == "n_clusters" else got

    def stability(self, method: str) -> float:
        """Return how much the choices agree, by the measure of Nogueira among the columns that could be chosen.

        NaN where that says nothing: fewer than two choices, or all columns, or none, every time.
        """
        place = {j: p for p, j in enumerate(self.candidates)}
        subsets = [[place[j] for j in one.chosen] for one in self.halves[method] if not one.failed]
        if len(subsets) < 2:
            return float("nan")
        return float(nogueira(subsets, len(self.candidates)).value)

    def rows(self) -> list[dict[str, Any]]:
        """Return one line per method: means over the halves that could be clustered, most agreement first."""
        lines = []
        for method in self.halves:
            line: dict[str, Any] = {"method": method}
            for what in MEASURED:
                values = self.values(method, what)
                known = values[~np.isnan(values)]
                line[what] = float(known.mean()) if len(known) else float("nan")
            line["stability"] = self.stability(method)
            line["failed"] = sum(bool(one.failed) for one in self.halves[method])
            lines.append(line)
        heads = ["method", *MEASURED[:4], "stability", "n_features", "n_clusters", "seconds", "failed"]
        heads += ["nmi"] if self.has_labels else []
        lines.sort(key=lambda line: (np.isnan(line["agreement"]), -np.nan_to_num(line["agreement"])))
        return [{head: line[head] for head in heads} for line in lines]

    def chosen(self, method: str) -> dict[str, float]:
        """Return the fraction of halves on which each column was chosen, most often first, without those never."""
        good = [one for one in self.halves[method] if not one.failed]
        share = {j: sum(j in one.chosen for one in good) / max(1, len(good)) for j in self.candidates}
        return {self.names[j]: share[j] for j in sorted(share, key=lambda j: (-share[j], j)) if share[j] > 0}

    def failures(self) -> dict[str, str]:
        """Return for every method that failed on some half the first reason."""
        first = {m: next((one.failed for one in pairs if one.failed), "") for m, pairs in self.halves.items()}
        return {method: words for method, words in first.items() if words}

    def to_frame(self) -> Any:
        """Return `rows` as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def to_dict(self, timings: bool = True) -> dict[str, Any]:
        """Return plain values that `from_dict` reads; two runs with one seed differ only in ``timings``."""
        kept = [f.name for f in fields(Half) if timings or f.name != "seconds"]
        return {
            "kind": KIND,
            "format": FORMAT,
            "names": list(self.names),
            "candidates": list(self.candidates),
            "halves": {
                method: [{name: _plain(getattr(one, name)) for name in kept} for one in pairs]
                for method, pairs in self.halves.items()
            },
            "meta": dict(self.meta),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> HalfComparison:
        """Make a comparison of what `to_dict` returned."""
        if data.get("format") != FORMAT:
            raise FileError(
                f"HalfComparison got the format {data.get('format')!r}, but reads {FORMAT!r}; pass what its to_dict or "
                "to_json made."
            )

        def half(one: Mapping[str, Any]) -> Half:
            numbers: dict[str, Any] = {k: float("nan") if v is None else v for k, v in one.items() if k != "chosen"}
            return Half(tuple(one["chosen"]), **numbers)

        halves = {method: [half(one) for one in pairs] for method, pairs in data["halves"].items()}
        return cls(halves, tuple(data["names"]), tuple(data["candidates"]), data["meta"])

    def to_json(self, path: str | Path | None = None, timings: bool = True) -> str:
        """Return the comparison as JSON; also write it to ``path``, whole or not at all."""
        text = json.dumps(self.to_dict(timings), ensure_ascii=False, allow_nan=False)
        if path is not None:
            write_whole(path, text)
        return text

    @classmethod
    def from_json(cls, source: str | Path) -> HalfComparison:
        """Read a comparison from JSON text or from a file."""
        origin = "'fewer compare --no-target' or HalfComparison.to_json"
        return json_text.read(source, KIND, [FORMAT], cls.from_dict, origin)

    def __repr__(self) -> str:
        return f"<HalfComparison of {len(self.halves)} methods on {self.meta.get('n_halves')} pairs of halves>"


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: null for NaN, lists for tuples."""
    if isinstance(value, tuple):
        return list(value)
    return None if isinstance(value, float) and np.isnan(value) else value
