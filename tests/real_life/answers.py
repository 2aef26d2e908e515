"""Ask the library about a made data set on a runner, and hold what it says against the answer."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import scipy.sparse

import fewer
import fewer.io
from real_life.case import LEFT_OUT, TARGET, Answer, Data

PANEL = {"numbers": ["MRMR", "VarianceReduction"], "classes": ["MRMR", "JMI"]}
BATCH_ROWS = 50


@dataclass(frozen=True)
class Asked:
    """What was asked and what came back, with the warnings, which are part of what is said."""

    data: Data
    said: Any
    warned: str

    @property
    def selection(self) -> Any:
        return self.said.selection if hasattr(self.said, "methods") else self.said

    @property
    def nameless(self) -> bool:
        """Whether the columns came without names, as those of a sparse matrix do."""
        return self.selection.feature_names[0] == "x0"

    def name(self, feature: str) -> str:
        """Return the true name of a column."""
        return self.data.features[int(feature[1:])] if self.nameless else feature

    @property
    def kept(self) -> set[str]:
        return {self.name(feature) for feature in self.selection.kept_names}

    def findings(self) -> list[dict[str, Any]]:
        return [{**one, "feature": self.name(one["feature"])} for one in self.said.meta["findings"]]

    def reason(self, feature: str) -> Any:
        return self.selection.reason(self.data.features.index(feature) if self.nameless else feature)

    @property
    def words(self) -> str:
        """All that the result says of itself."""
        return " ".join((repr(self.said), self.said.to_json(), self.warned)).replace("\\n", " ")


def given(data: Data, runner: str, folder: Path) -> tuple[Any, Any]:
    """Return X and y as a runner takes them."""
    frame = data.frame
    if data.write is not None:
        X = data.write(folder)
        return X, TARGET if isinstance(X, Path) else None
    if runner == "memory":
        return frame, TARGET
    if runner == "sparse":
        return scipy.sparse.csr_array(frame[data.features].to_numpy(dtype=float)), frame[TARGET].to_numpy()
    if runner == "dask":
        import dask.dataframe

        return dask.dataframe.from_pandas(frame, npartitions=3, sort=False), TARGET
    weight = data.rows.get("sample_weight")
    more = {} if weight is None else {"weight": weight}
    frame.assign(**more).to_csv(folder / "data.csv", index=False)
    return fewer.io.open_table(folder / "data.csv", TARGET, weight=next(iter(more), None), batch_rows=BATCH_ROWS), None


def _heard(ask: Any, data: Data) -> Asked:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        said = ask()
    return Asked(data, said, " ".join(str(one.message) for one in caught))


def selected(data: Data, runner: str, folder: Path, **params: Any) -> Asked:
    X, y = given(data, runner, folder)
    rows = {} if runner == "stream" else dict(data.rows)
    return _heard(lambda: fewer.select(X, y, **rows, **params), data)


def compared(data: Data, folder: Path, **params: Any) -> Asked:
    """Compare two methods by one estimator."""
    X, y = given(data, "memory", folder)
    numbers = data.frame[TARGET].dtype.kind == "f"
    methods = PANEL["numbers" if numbers else "classes"]
    # Logistic regression takes its time where there are many classes.
    estimator = "ridge" if numbers else "logistic" if data.frame[TARGET].nunique() < 10 else "naive Bayes"
    more = {"sizes": [1, 2, 3, 5], "cv": data.cv, "naive": False, **data.rows, **params}
    return _heard(lambda: fewer.compare(X, y, methods, [estimator], **more), data)


def hold_findings(asked: Asked, answer: Answer) -> None:
    """Every finding is there, once, and none besides; it says whether the column was left out, and why."""
    found = asked.findings()
    assert sorted((one["feature"], one["kind"]) for one in found) == sorted(answer.findings.items())
    for one in found:
        assert one["left_out"] == (one["kind"] in LEFT_OUT), one
        assert one["words"], one
        # Dates of a file are left out when it is opened; they are no features of it.
        assert one["number"] < 0 or asked.reason(one["feature"]).note, one
        if one["left_out"]:
            assert one["feature"] not in asked.kept
    for copy, first in answer.twins.items():
        reason = asked.reason(copy)
        assert (reason.kind, tuple(reason.related)) == ("redundant", (first,))
        assert next(tuple(one["related"]) for one in found if one["feature"] == copy) == (first,)


def hold_kept(asked: Asked, answer: Answer) -> None:
    kept = asked.kept
    assert kept >= set(answer.keep)
    assert len(kept & set(answer.of)) >= answer.some
    assert not kept & set(answer.leave)
    assert len(kept & set(answer.noise)) <= answer.noise_kept
    if answer.nothing:
        assert not kept


def hold_words(asked: Asked, patterns: Iterable[str]) -> None:
    for pattern in patterns:
        assert re.search(pattern, asked.words, re.IGNORECASE), pattern
