"""Hostile cases, made from a number: the same number makes the same case in any process."""

from __future__ import annotations

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
    elif form == "arrow":
        with pa.ipc.new_file(file, table.schema) as out:
            out.write_table(table)
    elif form == "csv.gz":
        return gzip.compress(text.encode())
    elif form == "svm":
        return "\n".join(f"{y[i]} 1:{X[i, 0]} 3:{X[i, 1]}" for i in range(60)).encode()
    elif form == "arff":
        rows = "\n".join(f"{X[i, 0]},{y[i]}" for i in range(60))
        return f"@relation r\n@attribute a numeric\n@attribute y {{0,1}}\n@data\n{rows}".encode()
    else:
        return text.encode()
    return file.getvalue()


FORMS = ("npz", "packed.npz", "sparse.npz", "parquet", "arrow", "csv.gz", "svm", "arff", "csv")


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


def tampered_results(rng, folder):
    """A written selection with one value changed."""
    data = json.loads(whole_selection())
    inside, keys = data, []
    while isinstance(inside, (dict, list)) and len(inside) and (not keys or rng.random() < 0.7):
        keys.append(rng.choice(list(inside)) if isinstance(inside, dict) else int(rng.integers(len(inside))))
        above, inside = inside, inside[keys[-1]]
    above[keys[-1]] = ODD_VALUES[rng.integers(len(ODD_VALUES))]
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
    dense_arrays,
    frames,
    flipped_files,
    flipped_files,
    shrinking_files,
    command_lines,
    tampered_results,
    damaged_checkpoints,
)
