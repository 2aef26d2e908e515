"""ResultTable: what a method finds beside a ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.records.errors import BrokenResult
from fewer.core.records.numerals import numeral

KINDS = ("rows", "curve", "tree", "graph", "matrix", "lines", "path")


@dataclass(frozen=True)
class ResultTable:
    """A small table that a selection carries: a curve, a tree, numbers per level or per round.

    Attributes
    ----------
    title : str
        What it shows.
    columns : mapping of str to list
        Head and values of every column, all of one length: texts, or numbers, NaN where there is none.
    kind : {"rows", "curve", "tree", "graph", "matrix", "lines", "path"}
        How it reads. A curve goes through the first column (across) and the second (up). A tree has a feature in the
        first column and its parent, which comes before it, in the second; a graph the two ends of an edge; a matrix
        the names of its rows in the first. Lines have a feature in the first column, -1 for what features are compared
        with, and one column per round. A path has one row per knot and the parameter of the path in the first column;
        columns whose head is a feature number hold the coefficients of that feature.
    features : tuple of str
        Heads of the columns that hold feature numbers, -1 for none, or for y in a graph; readers see names.
    target : str
        What y is called in a graph.

    Examples
    --------
    >>> columns = {"feature": [0, 1], "below": [-1, 0], "weight": [0.0, 0.5]}
    >>> found = ResultTable("Who covers whom", columns, "tree", ("feature", "below"))
    >>> found.named(("a", "b"))
    {'feature': ['a', 'b'], 'below': ['', 'a'], 'weight': [0.0, 0.5]}
    >>> found.lines(("a", "b"))
    ['a', '  b (0.5)']
    """

    title: str
    columns: Mapping[str, Any]
    kind: str = "rows"
    features: tuple[str, ...] = ()
    target: str = "y"

    def __post_init__(self) -> None:
        columns = {head: np.asarray(values).tolist() for head, values in self.columns.items()}
        object.__setattr__(self, "columns", columns)
        if self.kind not in KINDS or len({len(values) for values in columns.values()}) != 1:
            raise BrokenResult(f"the table {self.title!r} is of no known kind, or its columns differ in length")

    @classmethod
    def numbered(cls, title: str, head: str, columns: Mapping[str, Any], kind: str = "rows") -> ResultTable:
        """Return a table whose first column, under the head, counts from 1."""
        n = len(next(iter(columns.values())))
        return cls(title, {head: np.arange(1, n + 1), **columns}, kind)

    @classmethod
    def path(
        cls,
        title: str,
        parameter: str,
        places: Sequence[float] | np.ndarray,
        coefficients: np.ndarray,
        numbers: Sequence[int] | np.ndarray | None = None,
        beside: Mapping[str, Any] = {},
    ) -> ResultTable:
        """Return the path of coefficients over a parameter; features that never have one are left out.

        Parameters
        ----------
        title : str
            What it shows.
        parameter : str
            What the path goes over.
        places : sequence of float
            Its value at every knot, in the order of the path.
        coefficients : ndarray of shape (n_knots, n_columns)
            Coefficients at every knot.
        numbers : sequence of int, optional
            Feature number of every column; 0, 1, ... by default.
        beside : mapping of str to sequence
            Further numbers of every knot. The column ``"error"`` is drawn beside the path.

        Examples
        --------
        >>> found = ResultTable.path("Path", "lambda1", [2.0, 1.0, 0.0], np.array([[0, 0], [0, 0.5], [0.1, 0.75]]))
        >>> found.named(("a", "b"))
        {'lambda1': [2.0, 1.0, 0.0], 'b': [0.0, 0.5, 0.75], 'a': [0.0, 0.0, 0.1]}
        """
        nonzero = np.asarray(coefficients) != 0
        entered = np.flatnonzero(nonzero.any(axis=0))
        entered = entered[np.argsort(nonzero[:, entered].argmax(axis=0), kind="stable")]
        called = np.arange(nonzero.shape[1]) if numbers is None else np.asarray(numbers)
        columns = {str(int(called[j])): np.asarray(coefficients)[:, j] for j in entered.tolist()}
        return cls(title, {parameter: places, **beside, **columns}, "path")

    @property
    def coefficients(self) -> dict[int, list[float]]:
        """The coefficients of every feature of a path, those that entered first before others."""
        if self.kind != "path":
            return {}
        return {int(head): list(values) for head, values in self.columns.items() if head.isdigit()}

    def narrowed(self, most: int) -> ResultTable:
        """Return the same with the first ``most`` features of a path only."""
        left_out = {str(j) for j in list(self.coefficients)[most:]}
        return replace(self, columns={head: v for head, v in self.columns.items() if head not in left_out})

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def on(self, numbers: np.ndarray) -> ResultTable:
        """Return the same of more features: feature ``j`` becomes feature ``numbers[j]``."""
        named, traced = np.append(numbers, -1), self.coefficients
        columns = {**self.columns, **{head: named[self.columns[head]].tolist() for head in self.features}}
        if traced:
            columns = {head: values for head, values in columns.items() if not head.isdigit()}
            columns |= {str(int(numbers[j])): values for j, values in traced.items()}
        return replace(self, columns=columns)

    def named(self, names: Sequence[str], most: int | None = None) -> dict[str, list[Any]]:
        """Return the columns, or the first ``most`` values of each, with names in place of feature numbers."""
        out = {head: list(values[:most]) for head, values in self.columns.items()}
        if self.kind == "path":
            beside = {head: values for head, values in out.items() if not head.isdigit()}
            # A feature may be called as the parameter is.
            heads = {j: f"{names[j]} (feature)" if names[j] in beside else names[j] for j in self.coefficients}
            return beside | {heads[j]: out[str(j)] for j in heads}
        other = self.target if self.kind == "graph" else ""
        return out | {head: [names[j] if j >= 0 else other for j in out[head]] for head in self.features}

    def nodes(self, names: Sequence[str]) -> list[tuple[int, str]]:
        """Return depth and words of every node of a tree: its name and, below another, its numbers."""
        (node, parent, *numbers), depth = self.columns.values(), {-1: -1}
        out = []
        for row, (j, above) in enumerate(zip(node, parent)):
            depth[j] = depth[above] + 1
            words = f" ({', '.join(numeral(values[row], '.4g') for values in numbers)})" if above >= 0 else ""
            out.append((depth[j], f"{names[j]}{words}"))
        return out

    def lines(self, names: Sequence[str], most: int | None = None) -> list[str]:
        """Return a tree as indented lines, or the first ``most`` of them."""
        return ["  " * depth + words for depth, words in self.nodes(names)[:most]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that `from_dict` reads."""
        texts = [head for head, values in self.columns.items() if any(isinstance(value, str) for value in values)]
        words = {"title": self.title, "kind": self.kind, "features": list(self.features), "texts": texts}
        # Files from before a target had a name lack it.
        called = {} if self.target == "y" else {"target": self.target}
        return {**words, **called, "columns": {head: list(values) for head, values in self.columns.items()}}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> ResultTable:
        """Make a table of what `to_dict` returned."""
        columns = {
            head: values if head in data["texts"] else [_number(value) for value in values]
            for head, values in data["columns"].items()
        }
        return cls(data["title"], columns, data["kind"], tuple(data["features"]), data.get("target", "y"))


def _number(value: Any) -> int | float:
    """Return a number of JSON, in which null stands for NaN and a text for infinity."""
    return float("nan") if value is None else value if isinstance(value, (int, float)) else float(value)
