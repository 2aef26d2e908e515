from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from fewer.core.hygiene.examine import examine
from fewer.core.hygiene.leaks import errors_avoided
from fewer.core.hygiene.names import is_identifier_name
from fewer.core.hygiene.strata import Strata
from fewer.core.reading.memory import read_memory
from fewer.core.reading.on_workers import split_rows
from fewer.core.reading.table import ArrayTable
from fewer.core.reading.table_views import read_table
from fewer.core.records.errors import FewerError
from fewer.core.records.tags import MethodTags
from fewer.core.runners.cluster import DaskRunner
from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from oracles import hygiene as oracle

TAGS = MethodTags(
    targets=("classes", "numbers"),
    views=("codes",),
    handles_sparse=True,
    handles_nan=True,
    handles_nominal=True,
    streams=True,
)
pytestmark = pytest.mark.filterwarnings("ignore")


def view_of(X, y):
    return read_memory(BaseEstimator(), X, y, None, TAGS, None, ThreadRunner(1))


def found(X, y, **more):
    return {(one.feature, one.kind) for one in examine(view_of(X, y), **more).findings}


def plain(rng, n, d=6):
    return pd.DataFrame(rng.normal(size=(n, d)), columns=[f"m{j}" for j in range(d)])


def messy(rng, n=400):
    X = plain(rng, n)
    y = (X["m0"].to_numpy() + 0.5 * X["m1"].to_numpy() + rng.normal(size=n) > 0).astype(int)
    X["sample"] = rng.permutation(3 * n)[:n]
    X["uuid"] = [f"u{i}" for i in rng.permutation(n)]
    X["line"] = 7 + 3 * np.arange(n)
    X["shuffled"] = rng.permutation(n) + 100
    X["copy"], X["same"] = X["m2"], 3
    X["leak"] = y + rng.normal(0, 0.05, n)
    X["flipped"] = np.where(np.arange(n) % 200 == 0, 1 - y, y)
    X["late"] = np.where(y == 1, rng.normal(size=n), np.nan)
    X["holes"] = np.where(rng.random(n) < 0.7, np.nan, rng.normal(size=n))
    X["rare"] = (np.arange(n) == 5).astype(int)
    X["moved"] = rng.normal(size=n) + 2 * (np.arange(n) >= n // 2)
    return X, y


MESSY = {
    *[("same", "constant"), ("copy", "duplicate")],
    *[(name, "identifier") for name in ("sample", "uuid", "line", "shuffled")],
    *[(name, "leak") for name in ("leak", "flipped", "late")],
    *[("holes", "mostly missing"), ("rare", "near-constant"), ("moved", "drift")],
}


def test_a_messy_table_is_described_as_a_careful_analyst_would(rng):
    X, y = messy(rng)
    findings = examine(view_of(X, y))
    assert {(one.feature, one.kind) for one in findings.findings} - {("late", "mostly missing")} == MESSY
    gone = {one.feature for one in findings.findings if one.left_out}
    assert gone == {"same", "copy", "sample", "uuid", "line", "shuffled"}
    assert [list(X)[j] for j in findings.left] == [name for name in X if name not in gone]
    assert next(one.related for one in findings.findings if one.kind == "duplicate") == ("m2",)


def test_keep_and_drop_override_what_is_left_out(rng):
    X, y = messy(rng)
    kept = examine(view_of(X, y), keep=["uuid", 8], drop="leaks")
    gone = {one.feature for one in kept.findings if one.left_out}
    assert gone == {"same", "copy", "sample", "shuffled", "leak", "flipped", "late"}
    assert len(examine(view_of(X, y), keep="all").left) == X.shape[1]
    with pytest.raises(FewerError, match=r"keep='uid' is no column.*mean uuid"):
        examine(view_of(X, y), keep="uid")
    with pytest.raises(FewerError, match="drop='leek' is neither a kind of finding"):
        examine(view_of(X, y), drop="leek")
    with pytest.raises(FewerError, match=r"All 2 columns of X are left out \(constant, identifier\).*keep="):
        examine(view_of(X[["same", "line"]], y))


@pytest.mark.parametrize("numbers", [False, True])
def test_findings_are_the_same_on_every_runner(rng, numbers):
    X, y = messy(rng, 397)
    X = X.drop(columns="uuid").astype(float)
    y = X["m0"].to_numpy() + y if numbers else y
    X["leak"] = y + rng.normal(0, 0.001, len(y))
    here = examine(view_of(X.to_numpy(), y)).findings
    assert {"leak", "identifier", "drift"} <= {one.kind for one in here}
    for rows in (61, 200):
        table = ArrayTable(X.to_numpy(), y, batch_rows=rows, task="regression" if numbers else "classification")
        with StreamRunner(1) as run:
            assert examine(read_table("test", table, TAGS, run)).findings == here
    assert examine(split_rows(view_of(X.to_numpy(), y), DaskRunner(None))).findings == here


def test_sparse_columns_are_looked_at_too(rng):
    X = np.where(rng.random((300, 8)) < 0.6, 0.0, rng.normal(size=(300, 8)))
    y = rng.integers(0, 2, 300)
    X[:, 2], X[:, 3], X[:, 4] = X[:, 1], 0.0, 3.0 * y
    one, other = (found(make(X), y) for make in (np.asarray, sparse.csr_array))
    assert one == other == {("x2", "duplicate"), ("x3", "constant"), ("x4", "leak")}


def test_identifiers_in_sparse_data_are_found_on_every_runner(rng):
    X = np.where(rng.random((397, 9)) < 0.7, 0.0, rng.poisson(3.0, (397, 9))).astype(float)
    y = (X[:, 0] + rng.normal(size=397) > 1).astype(int)
    X[:, 2], X[:, 4], X[:, 6] = np.arange(397), 5_000 - 3 * np.arange(397), rng.permutation(397)
    # Rising whole numbers that repeat are none.
    X[:, 7] = np.arange(397) // 2
    here = examine(view_of(X, y)).findings
    assert {(one.feature, one.kind) for one in here if one.kind == "identifier"} == {
        *[("x2", "identifier"), ("x4", "identifier"), ("x6", "identifier")]
    }
    for make in (sparse.csr_array, sparse.csc_matrix):
        assert examine(view_of(make(X), y)).findings == here
        assert examine(split_rows(view_of(make(X), y), DaskRunner(None))).findings == here
    for rows in (61, 200):
        table = ArrayTable(sparse.csr_array(X), y, batch_rows=rows, task="classification")
        with StreamRunner(1) as run:
            assert examine(read_table("test", table, TAGS, run)).findings == here


def clean_tables(rng, n=300):
    y = rng.integers(0, 2, n)
    counts = {f"gene{j}": np.round(rng.lognormal(8, 1, n)) for j in range(40)}
    counts["gene7"] = np.round(np.exp(8 + 2.5 * y + 0.6 * rng.normal(size=n)))
    yield "counts of genes, one of them nearly perfect", pd.DataFrame(counts), y
    strong = plain(rng, n).assign(m3=4.2 * y + rng.normal(size=n), m1=y + rng.normal(size=n))
    yield "a nearly perfect column beside weaker ones", strong, y
    yield "ranks", pd.DataFrame({f"rank{j}": rng.permutation(n) for j in range(6)}), y
    samples = {f"sample{j}": rng.integers(0, 10**6, n) for j in range(12)}
    yield "genes in rows, samples in columns", pd.DataFrame(samples), y
    house = pd.DataFrame(
        {
            "price": np.round(rng.lognormal(12, 1, n)),
            "year": rng.integers(1900, 2020, n),
            "zip": rng.integers(10_000, 10_060, n),
            "rooms": rng.integers(1, 9, n),
            "sorted": np.sort(np.round(rng.lognormal(12, 1, n))),
            "body_mass_index": rng.integers(10_000, 50_000, n),
            "rating": rng.integers(1, 6, n),
            "rare": rng.random(n) < 0.02,
        }
    )
    yield "prices, years, codes", house, y
    by_class = np.sort(y)
    yield "rows sorted by class", plain(rng, n).assign(m0=2 * by_class + rng.normal(size=n)), by_class
    yield "numbers to predict", strong, strong["m3"].to_numpy() + rng.normal(size=n)
    words = (rng.random((n, 60)) < 0.01).astype(float)
    yield "rare words", pd.DataFrame(words[:, words.any(axis=0)]).T.drop_duplicates().T.add_prefix("w"), y


def test_nothing_is_flagged_in_good_data(rng):
    for title, X, y in clean_tables(rng):
        assert not found(X, y), title


def test_nothing_is_flagged_in_noise():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, d = [(30, 50), (60, 500), (300, 20), (1000, 5)][seed % 4]
        y = rng.integers(0, 2, n) if seed % 8 < 4 else rng.normal(size=n)
        assert not found(rng.normal(size=(n, d)), y), seed


def test_order_of_the_rows_is_told_once(rng):
    X = plain(rng, 400) + 2.0 * (np.arange(400) >= 200)[:, None]
    (one,) = examine(view_of(X, rng.integers(0, 2, 400))).findings
    assert (one.kind, one.number, one.left_out) == ("drift", -1, False)
    assert "6 of 6 columns" in one.words


@pytest.mark.parametrize("name", ["mushroom", "leukemia_golub", "leukemia_golub3051", "adult", "wdbc"])
def test_real_data_are_not_destroyed(shared_data, name):
    stored = shared_data(name)
    X, y = stored["X"], stored["y"]
    if X.dtype.kind not in "fiu":
        pytest.skip("text is tried by the command line")
    kinds = {one.kind for one in examine(view_of(X, y)).findings}
    assert not kinds & {"identifier", "leak"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *[
            (name, True)
            for name in ("id", "ID", "patient_id", "PatientID", "customerId", "passengerid", "uuid", "guid")
        ],
        *[(name, True) for name in ("Unnamed: 0", "index", "sample", "key", "account_no", "row number", "invoice nr")],
        *[(name, False) for name in ("idle", "width", "price_index", "n_samples", "sample size", "no_of_rooms", "x1")],
        *[(name, False) for name in ("grid", "humidity", "key_rate", "sample12", "1", "")],
    ],
)
def test_names_of_identifiers(name, expected):
    assert is_identifier_name(name) == expected


def test_errors_avoided_are_those_of_plain_counting(rng):
    levels, classes = rng.integers(0, 12, 60), rng.integers(0, 3, 60)
    classes[levels == 2] = 1
    table = np.zeros((12, 3, 1), np.int64)
    np.add.at(table, (levels, classes, 0), 1)
    value = errors_avoided(Strata(table, np.array([0, 12]), 3))
    assert value[0] == pytest.approx(oracle.errors_avoided(levels.tolist(), classes.tolist()))
