"""Hostile cases, made from a number: the same number makes the same case in any process."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import scipy.sparse as sp

import fewer
from fewer.cli.main import main
from fewer.core.records.errors import FewerError

METHODS = ("FTest", "InformationGain", "Chi2", "MRMR", "ConstantFilter")
ODD_VALUES = (None, True, -1, 99, 1.5, "x", "", [], {}, [0, 99], [0, -1], [1, 1], 1e308, "\x1b[31m", [None], 10**30)
NAMES = (
    "=1+1",
    "[/bold]",
    "\x1b[31m",
    "<script>alert(1)</script>",
    "a,b",
    'q"q',
    "\u202e",
    "",
    " ",
    "y ",
    "\n",
    "é" * 80,
)


class Broken(AssertionError):
    """What must never happen."""


def plain(rng, n=40, d=5):
    X = rng.normal(size=(n, d)).round(3)
    return np.abs(X), (X[:, 0] + 0.3 * rng.normal(size=n) > 0).astype(int)


def digest(X):
    parts = (X.data, X.indices, X.indptr) if hasattr(X, "indptr") else (np.asarray(X),)
    return hashlib.blake2b(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


def fitted(rng, X, y):
    return fewer.get(str(rng.choice(METHODS)))().fit(X, y).selection_.indices.tolist()


def sparse_arrays(rng, folder):
    """A compressed matrix with one part changed; the matrix stays as it is, and what passes equals its clean copy."""
    X, y = plain(rng)
    X[rng.random(X.shape) < 0.5] = 0
    X = getattr(sp, str(rng.choice(["csr_matrix", "csc_matrix", "csr_array", "csc_array"])))(X)
    part = str(rng.choice(["indices", "indptr", "data", "none"]))
    if part != "none":
        values = getattr(X, part)
        values[rng.integers(len(values))] = rng.choice([-1, -(10**6), 0, 3, 10**6, 2**31 - 1])
    if rng.random() < 0.3:
        for values in (X.data, X.indices, X.indptr):
            values.flags.writeable = False
    before, method = digest(X), str(rng.choice(METHODS))
    try:
        found = fewer.get(method)().fit(X, y).selection_.indices.tolist()
    finally:
        if digest(X) != before:
            raise Broken("the input was changed")
    clean = type(X)(X.toarray())
    if found != fewer.get(method)().fit(clean, y).selection_.indices.tolist():
        raise Broken("a matrix that passed gives another result than its clean copy")


# One part of a matrix of each format changed; rows, columns and entries are those of `sparse_formats`.
SPARSE_DAMAGES = {
    "lil": (
        lambda X, at: X.rows.__setitem__(at, [X.shape[1]]) or X.data.__setitem__(at, [1.0]),
        lambda X, at: X.rows.__setitem__(at, [-1]) or X.data.__setitem__(at, [1.0]),
        lambda X, at: X.rows.__setitem__(at, [0, 1, 2]),
        lambda X, at: X.rows.__setitem__(at, None),
        lambda X, at: X.rows.__setitem__(at, [0]) or X.data.__setitem__(at, ["x"]),
        lambda X, at: X.rows.__setitem__(at, [0]) or X.data.__setitem__(at, [10**400]),
        lambda X, at: X.rows.__setitem__(at, [0, 0]) or X.data.__setitem__(at, [1.0, 2.0]),
        lambda X, at: setattr(X.rows.flags, "writeable", False),
    ),
    "dok": (
        lambda X, at: X._dict.__setitem__((at, 10**6), 1.0),
        lambda X, at: X._dict.__setitem__((at, 0), "x"),
        lambda X, at: X._dict.__setitem__((at, 0), [1.0, 2.0]),
        lambda X, at: X._dict.__setitem__((0.5, 0.5), 1.0),
        lambda X, at: X._dict.__setitem__("ab", 1.0),
    ),
    "dia": (
        lambda X, at: setattr(X, "offsets", X.offsets[:1]),
        lambda X, at: setattr(X, "offsets", X.offsets.astype(float)),
        lambda X, at: setattr(X, "offsets", np.full_like(X.offsets, 10**9)),
        lambda X, at: setattr(X, "data", X.data.ravel()),
        lambda X, at: setattr(X, "_shape", (-1, X.shape[1])),
        lambda X, at: setattr(X, "_shape", (10**6, X.shape[1])),
    ),
    "coo": (
        lambda X, at: X.coords[0].__setitem__(at, X.shape[0]),
        lambda X, at: X.coords[1].__setitem__(at, -1),
        lambda X, at: setattr(X, "coords", (X.coords[0][:at], X.coords[1])),
        lambda X, at: setattr(X, "coords", (X.coords[0].astype(float), X.coords[1])),
        lambda X, at: setattr(X, "_shape", (1, 1)),
        lambda X, at: setattr(X, "data", X.data.astype(object)),
    ),
    **dict.fromkeys(
        ("csr", "csc", "bsr"),
        (
            lambda X, at: setattr(X, "indptr", X.indptr.astype("u8")),
            lambda X, at: setattr(X, "indices", X.indices.astype("u1")),
            lambda X, at: setattr(X, "indices", X.indices.astype("O")),
            lambda X, at: setattr(X, "indices", X.indices.tolist()),
            lambda X, at: setattr(X, "indptr", X.indptr[:at]),
            lambda X, at: setattr(X, "data", X.data[:at]),
            lambda X, at: setattr(X, "indptr", X.indptr[::-1].copy()),
            lambda X, at: setattr(X, "_shape", (X.shape[0], 1)),
        ),
    ),
}


def sparse_formats(rng, folder):
    """A matrix of any format with one part changed: its form, its type, or what it tells of itself."""
    X, y = plain(rng)
    X[rng.random(X.shape) < 0.5] = 0
    kind = str(rng.choice(list(SPARSE_DAMAGES)))
    X = getattr(sp, f"{kind}_{rng.choice(['matrix', 'array'])}")(X)
    damages = SPARSE_DAMAGES[kind]
    damages[rng.integers(len(damages))](X, int(rng.integers(1, 20)))
    fitted(rng, X, y)


def dense_arrays(rng, folder):
    """Arrays of odd types, layouts and values."""
    X, y = plain(rng)
    types = ["f2", "f4", "f8", "g", ">f8", ">i4", "i1", "u8", "?", "M8[s]", "m8[s]", "S4", "U4", "O", "c16", "V8"]
    kind = str(rng.choice(types))
    X = X.view("V8") if kind == "V8" else (X * 5).astype(kind)
    if X.dtype.kind == "f" and rng.random() < 0.5:
        X[rng.integers(len(X)), 0] = rng.choice([np.nan, np.inf, -np.inf, 1e-308, 60000])
    layouts = [
        np.asfortranarray,
        lambda Z: Z[::-1],
        lambda Z: Z[:, ::-1],
        lambda Z: Z[:, :0],
        lambda Z: Z[:1],
        lambda Z: Z,
    ]
    X = layouts[rng.integers(len(layouts))](X)
    X.flags.writeable = False
    fitted(rng, X, y[: len(X)])


def frames(rng, folder):
    """Frames of pandas, polars and Arrow with an odd column or name."""
    X, y = plain(rng)
    n = len(X)
    odd = [
        ["a", None] * (n // 2), [b"a", b"b"] * (n // 2), [[1]] * n, [{"a": 1}] * n, [None] * n, list(range(n)),
        [f"{i},5" for i in range(n)], ["\x00", "\x1b"] * (n // 2), [True, None] * (n // 2), [2**62] * n,
    ][rng.integers(10)]  # fmt: skip
    names = [str(name) for name in rng.choice(NAMES, 5)]
    columns = {**{f"{name}{j if rng.random() < 0.8 else ''}": X[:, j] for j, name in enumerate(names)}, "odd": odd}
    form = [
        pd.DataFrame,
        lambda c: pl.DataFrame(c, strict=False),
        pa.table,
        lambda c: pl.DataFrame(c, strict=False).lazy(),
    ]
    fitted(rng, form[rng.integers(4)](columns), y)


def targets(rng, folder):
    """Targets of odd kinds, through every entry."""
    X, y = plain(rng, 40, 3)
    n = len(y)
    made = [
        lambda: pd.Series([np.ones(2)] * n),
        lambda: pl.Series([[1, 2]] * n),
        lambda: pl.Series(np.ones((n, 2))),
        lambda: pa.array([[1, 2]] * n),
        lambda: pa.table({"y": [[1, 2]] * n}),
        lambda: pl.LazyFrame({"y": y}).select("z"),
        lambda: np.array(1.0),
        lambda: np.ones((n, 2, 2)),
        lambda: sp.coo_array(y),
        lambda: y.astype("M8[s]"),
        lambda: [10**400] * n,
        lambda: [None, pd.NA] * (n // 2),
        lambda: ["\ud800", "b"] * (n // 2),
        lambda: [object() for _ in y],
        lambda: iter(y),
        lambda: y,
    ]
    target = made[rng.integers(len(made))]()
    asks = [fewer.select, fewer.rank, lambda X, y: fewer.compare(X, y, methods=["FTest"], sizes=[1], cv=2)]
    [*asks, lambda X, y: fitted(rng, X, y)][rng.integers(4)](X, target)


def parameters(rng, folder):
    """Parameters of odd types."""
    X, y = plain(rng, 40, 4)
    odd = [5, -1, 1.5, "x", [99], ["z"], [0, 0], [[0]], np.array([[0]]), {0}, {"a": 1}, object(), slice(2), len, b"x"]
    value = [*odd, 10**30, float("nan"), True, np.random.SeedSequence(1), range(9), [None], ()][rng.integers(22)]
    name = ["feature_groups", "fixed_features", "categorical_features", "n_features_to_select"][rng.integers(4)]
    asks = [
        lambda: fewer.select(X, y, method="MRMR", **{name: value}),
        lambda: fewer.select(pd.DataFrame(X, columns=list("abcd")), y, method="MRMR", **{name: value}),
        lambda: fewer.GeneticSelector("cfs", generations=1, population=4, random_state=value).fit(X, y),
        lambda: fewer.compare(X, y, methods=["FTest"], sizes=[1], cv=value),
        lambda: fewer.compare(X, y, methods=["FTest"], sizes=value, cv=2),
        lambda: fewer.MRMR(2).fit(X, y, sample_weight=value),
        lambda: fewer.catalog(value),
        lambda: fewer.select(X, y, task=value),
        lambda: fewer.MRMR(2).fit(X, y).as_columns(value),
    ]
    asks[rng.integers(len(asks))]()


@cache
def written(form):
    """The bytes of a whole file."""
    X, y = plain(np.random.default_rng(0), 60)
    file = io.BytesIO()
    table = pa.table({**{f"x{j}": X[:, j] for j in range(5)}, "t": ["a", "bb", None] * 20, "y": y})
    text = pd.DataFrame({**{f"x{j}": X[:, j] for j in range(5)}, "y": y}).to_csv(index=False)
    if form == "npz":
        np.savez(file, X=X, y=y)
    elif form == "packed.npz":
        np.savez_compressed(file, X=X, y=y)
    elif form == "sparse.npz":
        S = sp.csr_matrix(np.where(X > 1, X, 0))
        np.savez(file, X_data=S.data, X_indices=S.indices, X_indptr=S.indptr, X_shape=np.array(S.shape), y=y)
    elif form == "parquet":
        pyarrow.parquet.write_table(table, file)
    elif form == "plain.parquet":
        pyarrow.parquet.write_table(table, file, compression="none", row_group_size=25)
    elif form in ("arrow", "packed.arrow"):
        packed = pa.ipc.IpcWriteOptions(compression="zstd" if form == "packed.arrow" else None)
        with pa.ipc.new_file(file, table.schema, options=packed) as out:
            out.write_table(table)
    elif form == "stream.arrow":
        with pa.ipc.new_stream(file, table.schema) as out:
            out.write_table(table, max_chunksize=25)
    elif form == "csv.gz":
        return gzip.compress(text.encode())
    elif form == "csv.bz2":
        return bz2.compress(text.encode())
    elif form == "svm":
        return "\n".join(f"{y[i]} 1:{X[i, 0]} 3:{X[i, 1]}" for i in range(60)).encode()
    elif form == "arff":
        rows = "\n".join(f"{X[i, 0]},{y[i]}" for i in range(60))
        return f"@relation r\n@attribute a numeric\n@attribute y {{0,1}}\n@data\n{rows}".encode()
    else:
        return text.encode()
    return file.getvalue()


FORMS = (
    *("npz", "packed.npz", "sparse.npz", "parquet", "plain.parquet", "arrow", "packed.arrow", "stream.arrow"),
    *("csv.gz", "csv.bz2", "svm", "arff", "csv"),
)


def damaged(rng, whole):
    out = bytearray(whole)
    if rng.random() < 0.2:
        return bytes(out[: rng.integers(1, len(out))])
    for _ in range(rng.integers(1, 4)):
        out[rng.integers(len(out))] ^= 1 << int(rng.integers(8))
    return bytes(out)


def flipped_files(rng, folder):
    """A file with flipped bits or a missing end."""
    form = str(rng.choice(FORMS))
    path = folder / f"rows.{form}"
    path.write_bytes(damaged(rng, written(form)))
    fewer.open_table(path, target="y").read()


def shrinking_files(rng, folder):
    """A file that is cut off, or replaced by another one, between two looks."""
    form = str(rng.choice(FORMS))
    path = folder / f"rows.{form}"
    path.write_bytes(written(form))
    table = fewer.open_table(path, target="y", batch_rows=7)
    rows = iter(table)
    if rng.random() < 0.7:
        next(rows)
    if rng.random() < 0.7:
        os.truncate(path, int(rng.integers(path.stat().st_size)))
    else:
        path.write_bytes(damaged(rng, written(form)))
    try:
        n = sum(batch.n_rows for batch in rows)
    except FewerError:
        return
    raise Broken(f"{n} rows were read of a file that changed")


def called(words):
    """Run a command; return its code and what it said."""
    out, said = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        code = main([str(word) for word in words])
    if code not in (0, 1, 2) or "does not expect" in said.getvalue() or "Traceback" in said.getvalue():
        raise Broken(f"{words}: code {code}: {said.getvalue()[-300:]}")
    return code


def command_lines(rng, folder):
    """A command with odd words; what it writes is whole, or it is not there."""
    (folder / "rows.csv").write_bytes(written("csv"))
    out, page = folder / "s.json", folder / "p.html"
    odd = ["-1", "0", "nan", "none", "", "[red]", "1e400", "-", "--", "é", "x" * 500, "0.5", "fdr:0.1", "best", "2"]
    words = [
        "select",
        folder / "rows.csv",
        "-t",
        str(rng.choice(["y", "y", "y", "x0", "zz", ""])),
        "-m",
        rng.choice(METHODS),
    ]
    for option in rng.choice(
        ["-n", "--bins", "--drop", "--weight", "--task", "--sep", "--decimal", "--top"], 2, replace=False
    ):
        words += [str(option), str(rng.choice(odd))]
    code = called([*words, "--out", out, "--report", page])
    left = {path.name for path in folder.iterdir()} - {"rows.csv"}
    if left != ({"s.json", "p.html"} if code == 0 else set()):
        raise Broken(f"code {code} left {left}")
    if code == 0:
        json.loads(out.read_text())


@cache
def whole_selection():
    return fewer.MRMR(2).fit(*plain(np.random.default_rng(0))).selection_.to_json()


@cache
def whole_comparison():
    X, y = plain(np.random.default_rng(0))
    return fewer.compare(X, y, methods=["FTest", "MRMR"], estimators=["naive Bayes"], sizes=[1, 2], cv=2).to_json()


def tampered_comparisons(rng, folder):
    """A written comparison with one value changed."""
    data = json.loads(whole_comparison())
    tamper(rng, data)
    path = folder / "c.json"
    path.write_text(json.dumps(data))
    called([["report", path, "-o", folder / "p.html"], ["explain", path]][rng.integers(2)])


def special_places(rng, folder):
    """Pipes, folders and links that lead nowhere, as files to read and as checkpoints; they stay what they are."""
    (folder / "rows.csv").write_bytes(written("csv"))
    os.mkfifo(folder / "pipe.csv")
    (folder / "folder.csv").mkdir()
    (folder / "ring.csv").symlink_to(folder / "ring.csv")
    (folder / "gone.csv").symlink_to(folder / "nothing")
    place = folder / str(rng.choice(["pipe.csv", "folder.csv", "ring.csv", "gone.csv"]))
    before = os.lstat(place).st_mode
    rows = folder / "rows.csv"
    compare = ["compare", rows, "-t", "y", "-m", "FTest", "--sizes", "1", "--cv", "2", "-e", "naive-bayes", "-j", "1"]
    words = [
        ["select", place, "-t", "y"],
        ["explain", place],
        ["report", place],
        ["select", rows, "-t", "y", "-m", "FTest", "--join", place],
        [*compare, "--checkpoint", place],
    ]
    called(words[rng.integers(len(words))])
    if os.lstat(place).st_mode != before:
        raise Broken(f"{place.name} became something else")


def tamper(rng, data):
    """Change one value somewhere inside."""
    inside, keys = data, []
    while isinstance(inside, (dict, list)) and len(inside) and (not keys or rng.random() < 0.7):
        keys.append(rng.choice(list(inside)) if isinstance(inside, dict) else int(rng.integers(len(inside))))
        above, inside = inside, inside[keys[-1]]
    above[keys[-1]] = ODD_VALUES[rng.integers(len(ODD_VALUES))]


def tampered_results(rng, folder):
    """A written selection with one value changed."""
    data = json.loads(whole_selection())
    tamper(rng, data)
    path = folder / "s.json"
    path.write_text(json.dumps(data))
    called([["explain", path], ["explain", path, "--json"], ["report", path, "-o", folder / "p.html"]][rng.integers(3)])


def damaged_checkpoints(rng, folder):
    """A checkpoint with flipped bits: the same result, or one sentence."""
    X, y = plain(rng, 30, 4)
    path = folder / "point"

    def run():
        search = fewer.GeneticSelector("cfs", generations=2, population=4, random_state=0, checkpoint=path)
        return search.fit(X, y).selection_.indices.tolist()

    expected = run()
    path.write_bytes(damaged(rng, path.read_bytes()))
    if run() != expected:
        raise Broken("a damaged checkpoint changed the result")


CASES = (
    sparse_arrays,
    sparse_formats,
    dense_arrays,
    frames,
    targets,
    parameters,
    flipped_files,
    flipped_files,
    shrinking_files,
    command_lines,
    special_places,
    tampered_results,
    tampered_comparisons,
    damaged_checkpoints,
)
