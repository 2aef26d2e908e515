"""Data, targets, seeds and columns of odd types are refused in one sentence, or read as a clean copy would be."""

from __future__ import annotations

import os
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer.core.reading.io.query import _parts
from fewer.core.records.errors import FewerError

X = np.random.default_rng(0).normal(size=(40, 3))
Y = (X[:, 0] > 0).astype(int)
COLUMNS = {f"c{j}": X[:, j] for j in range(3)}
REFUSED = {
    "dates": X.astype("M8[s]"),
    "durations": X.astype("m8[s]"),
    "arrow copies": pa.table([X[:, 0], X[:, 1]], names=["a", "a"]),
    "arrow runs": pa.table({**COLUMNS, "odd": pa.RunEndEncodedArray.from_arrays([40], [1.0])}),
    "arrow unions": pa.table(
        {**COLUMNS, "odd": pa.UnionArray.from_sparse(pa.array([0] * 40, pa.int8()), [pa.array([1] * 40)])}
    ),
    "whole numbers beyond floats": np.array([[x, 10**400] for x in X[:, 0]], dtype=object),
    "frame beyond floats": pd.DataFrame({**COLUMNS, "odd": pd.Series([10**400] * 40, dtype=object)}),
    "arrays": pd.DataFrame({**COLUMNS, "odd": pd.Series([np.ones(2)] * 40)}),
    "lazy plan": pl.DataFrame(COLUMNS).lazy().select(pl.col("nowhere")),
    "polars lists": pl.DataFrame({**COLUMNS, "odd": [[1, 2]] * 40}),
    "polars structs": pl.DataFrame({**COLUMNS, "odd": [{"a": 1}] * 40}),
    "polars arrays": pl.DataFrame(COLUMNS).with_columns(odd=pl.Series([[1, 2]] * 40, dtype=pl.Array(pl.Int64, 2))),
    "polars objects": pl.DataFrame(COLUMNS).with_columns(odd=pl.Series([{1}, {2}] * 20, dtype=pl.Object)),
    "types": pd.DataFrame({**COLUMNS, "odd": [int, str] * 20}),
}
READ = {
    "arrow table": pa.table(COLUMNS),
    "arrow batch": pa.record_batch(COLUMNS),
    "lazy frame": pl.DataFrame(COLUMNS).lazy(),
    "long doubles": X.astype(np.longdouble),
    "other bytes": X.astype(">f8"),
}


@pytest.mark.parametrize("form", REFUSED)
def test_odd_data_are_refused(form):
    for ask in (
        lambda: fewer.InformationGain().fit(REFUSED[form], Y),
        lambda: fewer.FTest().fit(REFUSED[form], Y),
        lambda: fewer.select(REFUSED[form], Y),
    ):
        with pytest.raises(FewerError):
            ask()


@pytest.mark.parametrize("form", READ)
def test_other_forms_give_what_a_plain_array_gives(form):
    expected = fewer.InformationGain(2).fit(X, Y)
    assert np.array_equal(fewer.InformationGain(2).fit(READ[form], Y).scores_, expected.scores_)


def test_decimals_of_arrow_are_numbers():
    odd = pd.array([Decimal(i) for i in range(40)], dtype=pd.ArrowDtype(pa.decimal128(5, 2)))
    frame = pd.DataFrame({**COLUMNS, "odd": odd})
    expected = fewer.FTest().fit(np.column_stack([X, np.arange(40.0)]), Y).scores_
    assert np.array_equal(fewer.FTest().fit(frame, Y).scores_, expected)


@pytest.mark.parametrize("y", [np.zeros(40, "V4"), X[:, :, None], pl.Series([[1]] * 40), pl.Series([{"a": 1}] * 40)])
def test_odd_targets_are_refused(y):
    for method in ("InformationGain", "RReliefF", "MRMR"):
        with pytest.raises(FewerError):
            fewer.get(method)().fit(X, y)


EVENTS = np.array(list(zip(Y == 1, np.arange(1.0, 41.0))), dtype=[("event", bool), ("time", float)])
RECORDS = {
    "one field": np.array([(int(v),) for v in Y], dtype=[("a", int)]),
    "one column": np.array([[(int(v),)] for v in Y], dtype=[("a", int)]),
    "three fields": np.array([(int(v), 1, 2.0) for v in Y], dtype=[("a", int), ("b", int), ("c", float)]),
    "several values in a field": np.zeros(40, dtype=[("a", float, (2,))]),
    "two fields, one of several values": np.zeros(40, dtype=[("event", bool, (2,)), ("time", float)]),
    "two fields, one of records": np.zeros(40, dtype=[("event", [("a", bool)]), ("time", float)]),
    "raw bytes": np.zeros(40, "V4"),
    "list of records": list(EVENTS),
}
RECORDS["record array"] = RECORDS["three fields"].view(np.recarray)


@pytest.mark.parametrize("method", ["Chi2", "MRMR", "ReliefF", "SSelect", "CoxScore", "RCA", "ReliefKNN", "PIP", "MAC"])
@pytest.mark.parametrize("form", RECORDS)
def test_records_are_no_labels(form, method):
    with pytest.raises(FewerError, match="(?s)got a target of (records of|raw bytes).*; (pass one field|convert them)"):
        fewer.get(method)().fit(np.abs(X), RECORDS[form])


@pytest.mark.parametrize("form", RECORDS)
def test_records_are_no_target_of_any_entry(form):
    for ask in (fewer.select, fewer.rank, fewer.compare):
        with pytest.raises(FewerError, match="got a target of"):
            ask(X, RECORDS[form])


def test_records_are_no_groups_of_pairs():
    with pytest.raises(FewerError, match="Pairs got a target of records"):
        fewer.Pairs(40, must_link=RECORDS["one field"])


def test_an_event_and_a_time_are_ranked_without_a_method():
    assert list(fewer.rank(X, EVENTS).order) == list(fewer.rank(X, EVENTS, "CoxScore").order)


@pytest.mark.parametrize("method", ["MRMR", "ReliefF", "LaplacianScore", "MissingFilter", "PCSKMeans", "ReliefKNN"])
@pytest.mark.parametrize(
    "rows",
    [
        np.array([tuple(row) for row in X], dtype=[("a", float), ("b", float), ("c", float)]),
        np.array([[tuple(row)] for row in X], dtype=[("a", float), ("b", float), ("c", float)]),
        np.zeros((40, 3), "V8"),
    ],
    ids=["records", "column of records", "raw bytes"],
)
def test_records_are_no_rows(rows, method):
    with pytest.raises(FewerError, match="got an array of (records of 3 fields|raw bytes) as X"):
        fewer.get(method)().fit(rows, Y)
    with pytest.raises(FewerError, match="got an array of"):
        fewer.MRMR(2).fit(X, Y).transform(rows)


SEVERAL_IN_A_CELL = {
    "arrays": pd.Series([np.ones(2)] * 40),
    "polars lists": pl.Series([[1, 2]] * 40),
    "polars arrays": pl.Series(np.ones((40, 2))),
    "arrow lists": pa.array([[1, 2]] * 40),
    "arrow chunks": pa.chunked_array([[[1, 2]] * 40]),
    "arrow table": pa.table({"y": [[1, 2]] * 40}),
    "lazy frame": pl.DataFrame({"y": Y}).lazy(),
    "no dimension": np.array(1.0),
    "three dimensions": np.ones((1, 40, 2)),
    "sparse, one dimension": sp.coo_array(Y),
}


@pytest.mark.parametrize("form", SEVERAL_IN_A_CELL)
def test_targets_of_other_forms_are_refused_by_every_entry(form):
    y = SEVERAL_IN_A_CELL[form]
    for ask in (fewer.select, fewer.rank, fewer.compare, fewer.MRMR().fit, fewer.RReliefF().fit):
        with pytest.raises(FewerError):
            ask(X, y)


def test_bytes_are_no_splits():
    with pytest.raises(FewerError, match="cv="):
        fewer.compare(X, Y, methods=["FTest"], sizes=[1], cv=b"x")


def test_weights_beyond_floats_are_refused():
    with pytest.raises(FewerError, match="sample_weight"):
        fewer.FTest().fit(X, Y, sample_weight=[10**400] * 40)


def test_names_without_a_hash_are_told_apart():
    with pytest.raises(FewerError, match="more than one column named"):
        fewer.FTest().fit(pd.DataFrame(X, columns=pd.Index([{"a": 1}, {"a": 1}, {"b": 1}])), Y)
    assert fewer.FTest(2).fit(pd.DataFrame(X, columns=[pd.NA, 1, 2]), Y).selection_ is not None


@pytest.mark.parametrize("columns", [5, object(), slice(2), len])
@pytest.mark.parametrize("parameter", ["feature_groups", "fixed_features"])
def test_what_is_no_list_of_columns_is_refused(parameter, columns):
    if (parameter, columns) == ("fixed_features", 5):
        columns = 1.5
    with pytest.raises(FewerError, match=parameter):
        fewer.select(X, Y, method="FTest", **{parameter: columns})


@pytest.mark.parametrize("word", [5, ["relief"], np.array([[0]]), object()])
def test_what_is_no_word_is_refused_without_a_guess(word):
    with pytest.raises(FewerError):
        fewer.catalog(word)


def test_what_is_quoted_breaks_no_line():
    with pytest.raises(FewerError) as caught:
        fewer.GeneticSelector(random_state=np.random.SeedSequence(1), generations=1).fit(X, Y)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rows", [X[:, 0], X[:, :2], sp.coo_array(X[:, 0]), pl.DataFrame(COLUMNS).lazy().select("z")])
def test_columns_out_are_not_fitted_to_other_rows(rows):
    with pytest.raises(ValueError, match=r"^(?!.*index out of range)"):
        fewer.MRMR(2).fit(X, Y).as_columns(rows)


@pytest.mark.parametrize("seed", ["a", 1.5, -1, float("nan"), object(), {}, [1, 2], b"x", np.array(3), Decimal(1)])
def test_odd_seeds_of_searches_are_refused(seed):
    with pytest.raises(FewerError, match="random_state"):
        fewer.GeneticSelector(random_state=seed, generations=1).fit(X, Y)


@pytest.mark.parametrize("columns", [[0.5], [[0]], [None], [b"a"], ["c0", ["c1"]], np.array(["2020"], "M8[D]"), [99]])
def test_odd_nominal_columns_are_refused(columns):
    for data in (X.round(), pd.DataFrame(COLUMNS).round()):
        with pytest.raises(FewerError, match="categorical_features"):
            fewer.InformationGain(categorical_features=columns).fit(data, Y)


def test_masked_values_are_missing_ones():
    hidden = np.ma.masked_greater(X, 1.0)
    found, expected = (fewer.MRMR(2).fit(one, Y).selection_ for one in (hidden, hidden.filled(np.nan)))
    np.testing.assert_array_equal(found.scores, expected.scores)
    assert hidden.mask.any()


@pytest.mark.parametrize("names", [5, True, b"abc", lambda: 0])
def test_names_that_are_no_list_are_refused(names):
    with pytest.raises(FewerError, match="one name per column of X"):
        fewer.select(X, Y, "FTest", names=names)


def test_groups_are_refused_where_nothing_is_split():
    with pytest.raises(FewerError, match="FTest.fit got groups"):
        fewer.select(X, Y, "FTest", groups=np.arange(40) % 4)


@pytest.mark.parametrize(
    "start",
    [
        None,
        -1,
        1.5,
        object(),
        ["a"],
        [None],
        [0.5],
        [True],
        slice(0, 2),
        lambda: 0,
        np.array([1.5]),
        np.array(1),
        np.ma.masked,
    ],
)
def test_a_search_starts_with_what_it_knows(start):
    search = fewer.AnnealingSelector(start=start, estimator=GaussianNB(), cooling=0.5, max_evaluations=9, cv=2)
    with pytest.raises(FewerError, match=r"got start=.* and unit numbers"):
        search.fit(X, Y)
    for known in ([0], (2, 1), {1}, range(2), [True, False, True], np.array([0]), []):
        search.set_params(start=known, random_state=0).fit(X, Y)


def test_a_number_in_an_array_is_a_number_of_folds():
    def scores(cv):
        search = fewer.GeneticSelector(cv=cv, estimator=GaussianNB(), generations=1, population=4, random_state=0)
        return search.fit(X, Y).selection_.trace.values

    assert scores(np.array(3)) == scores(3)
    with pytest.raises(ValueError, match="cv"):
        scores(np.array(1.5))


@pytest.mark.parametrize(("method", "y"), [("FTest", Y), ("VarianceReduction", X[:, 1])])
def test_one_target_has_nothing_to_be_put_together(method, y):
    with pytest.raises(FewerError, match="but y holds one value per row"):
        fewer.select(X, y, method, aggregate="mean")


def test_what_is_no_file_is_not_said_to_be_missing(tmp_path):
    pipe = tmp_path / "pipe.fasta"
    os.mkfifo(pipe)
    with pytest.raises(FewerError, match="is a device or a pipe"):
        fewer.io.read_fasta(pipe)
    for place, what in ((pipe, "device or a pipe"), (tmp_path, "folder")):
        with pytest.raises(FewerError, match=f"is a {what}"):
            _parts(f"duckdb:{place}?table=t")
