"""What every method finds, as plain values: to compare two states of the code, feature by feature.

``python tests/common/results.py write before.json`` in one state and ``... compare before.json`` in the other, on one
machine: everything must be equal to the last bit. Sums of floats depend on the machine, so the values
that the repository keeps are compared to 1e-10.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import fewer
from common.cases import NAMES, case, is_classification, shape_of, tags_of

SIZES: tuple[Any, ...] = (1, 3, 10)
RULES = {"ranking": ("threshold:0.05", "gap", "0.3"), "stepwise": ("threshold:0.05", "gain:0.01"), "subset": ()}


def plain(selection: Any) -> dict[str, Any]:
    """Return what must not change: choices, order, numbers and reasons."""
    reasons, n = selection.reasons, selection.n_features
    return {
        "indices": selection.indices.tolist(),
        "order": selection.order.tolist(),
        "scores": _numbers(selection.scores),
        "columns": {name: _numbers(values) for name, values in selection.columns.items()},
        "kind": [int(k) for k in reasons.kind],
        "related": [[int(i) for i in reasons.related.get(j, ())] for j in range(n)],
        "amount": [reasons.amount.get(j) for j in range(n)],
        "needed": [reasons.threshold_of(j) for j in range(n)],
        "trace": [[list(map(int, s.added)), list(map(int, s.removed)), s.value] for s in selection.trace],
    }


def _numbers(values: Any) -> Any:
    return None if values is None else np.asarray(values, dtype=float).tolist()


def problems(name: str) -> Iterator[tuple[str, Any, Any, dict[str, Any]]]:
    """Give the data that suit a method's tags, each with a word and what else `fit` takes."""
    c, tags = case(name), tags_of(name)
    yield "plain", c.X, c.y, {}
    copies = np.column_stack([c.X, c.X[:, 3], -c.X[:, 5], np.ones(len(c.X))])
    yield "copies", copies, c.y, {}
    if tags.handles_nan:
        holes = c.X.copy()
        holes[np.random.default_rng(5).random(c.X.shape) < 0.05] = np.nan
        yield "missing", holes, c.y, {}
    if tags.handles_nominal:
        import pandas as pd

        frame = pd.DataFrame(np.round(c.X, 1), columns=[f"f{j}" for j in range(c.X.shape[1])])
        frame["f3"] = pd.Categorical(np.digitize(c.X[:, 3], [-0.5, 0.5]).astype(str))
        yield "nominal", frame, c.y, {}
    if tags.handles_weights:
        yield "weights", c.X, c.y, {"sample_weight": np.random.default_rng(6).integers(1, 4, len(c.X)).astype(float)}
    if tags.streams and is_classification(name):
        yield "table", c.X, c.y, {"table": True}


def results(names: list[str], only: Collection[str] | None = None) -> dict[str, Any]:
    """Fit every method to all of its problems, at some sizes and rules; or only what is listed."""
    out: dict[str, Any] = {}
    for name in names:
        for word, X, y, more in problems(name):
            sizes = SIZES if word in ("plain", "copies") else SIZES[1:2]
            for size in (*sizes, *(RULES.get(shape_of(name), ()) if word == "copies" else ())):
                key = f"{name} {word} {size}"
                if only is None or key in only:
                    out[key] = _result(name, X, y, size, dict(more))
    return out


def _result(name: str, X: Any, y: Any, size: Any, more: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            selector = case(name).make(n_features_to_select=size)
            if "random_state" in selector.get_params():
                selector.set_params(random_state=0)
            if more.pop("table", False):
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder) / "rows.csv"
                    np.savetxt(
                        path,
                        np.column_stack([X, y]),
                        delimiter=",",
                        fmt="%.17g",
                        comments="",
                        header=",".join([*(f"x{j}" for j in range(X.shape[1])), "y"]),
                    )
                    table = fewer.open_table(path, target="y", batch_rows=50)
                    return plain(selector.fit(table).selection_)
            return plain(selector.fit(X, y, **more).selection_)
        except Exception as error:
            return {"error": type(error).__name__}


def differences(one: Any, other: Any, tolerance: float = 0.0, where: str = "") -> list[str]:
    """Return where two results differ, in words."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(set(one) | set(other))
        return [
            d
            for k in keys
            for d in differences(one.get(k, "absent"), other.get(k, "absent"), tolerance, f"{where} {k}")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [d for i, (a, b) in enumerate(zip(one, other)) for d in differences(a, b, tolerance, f"{where}[{i}]")]
    if isinstance(one, float) and isinstance(other, float):
        close = one == other or (one != one and other != other) or abs(one - other) <= tolerance * max(1.0, abs(one))
        return [] if close else [f"{where}: {one!r} became {other!r}"]
    return [] if one == other else [f"{where}: {one!r} became {other!r}"]


if __name__ == "__main__":
    what, path, *chosen = sys.argv[1:]
    found = results(chosen or NAMES)
    if what == "write":
        Path(path).write_text(json.dumps(found), encoding="utf-8")
        print(f"{len(found)} results of {len(chosen or NAMES)} methods in {path}")
    else:
        known = json.loads(Path(path).read_text(encoding="utf-8"))
        known = {k: v for k, v in known.items() if not chosen or k.split()[0] in chosen}
        found = json.loads(json.dumps(found))
        words = differences(known, found)
        print("\n".join(words[:200]) or f"all {len(known)} results are equal")
        sys.exit(bool(words))
