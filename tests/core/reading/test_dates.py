from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fewer
from fewer.core.reading import dates
from fewer.core.reading.date_texts import date_texts
from fewer.core.reading.dates import expanded, parts_of, read_dates
from fewer.core.reading.table import open_table
from fewer.core.records.errors import FewerError

N = 120
MADE = ["when_year", "when_month", "when_weekday", "when_hour", "when_days_since_1970"]


def frame(rng):
    when = pd.date_range("2019-11-01", periods=N, freq="31h")
    X = pd.DataFrame({"a": rng.normal(size=N), "when": when, "b": rng.normal(size=N)}, index=np.arange(N) + 7)
    return X.assign(y=np.where(when.weekday >= 5, "weekend", "week"))


def test_parts_are_those_of_pandas(rng):
    when = frame(rng)["when"].reset_index(drop=True)
    when[3] = pd.NaT
    parts = parts_of(when.to_numpy().astype("datetime64[us]"))
    for name in ("year", "month", "weekday", "hour"):
        assert np.array_equal(parts[name], getattr(when.dt, name).to_numpy(dtype=float), equal_nan=True)
    assert parts["days_since_1970"][0] == 18201
    assert np.isnan(parts["days_since_1970"][3])


@pytest.mark.parametrize("days", [40, 10**6])
def test_parts_of_near_and_far_moments_are_those_of_the_calendar(rng, days):
    # Few days are looked up, many are not; half of them before 1970.
    since = rng.integers(-days // 2 * 86_400_000_000, days // 2 * 86_400_000_000, 300)
    parts = parts_of(since.astype("datetime64[us]"))
    when = [datetime(1970, 1, 1) + timedelta(microseconds=int(one)) for one in since]
    for name, told in {"year": "year", "month": "month", "hour": "hour"}.items():
        assert parts[name].tolist() == [getattr(one, told) for one in when]
    assert parts["weekday"].tolist() == [one.weekday() for one in when]
    exact = [(one - datetime(1970, 1, 1)) / timedelta(days=1) for one in when]
    np.testing.assert_allclose(parts["days_since_1970"], exact, rtol=1e-15)
    assert list(parts_of(since.astype("datetime64[us]"), ["hour"])) == ["hour"]
    assert [len(part) for part in parts_of(np.empty(0, "datetime64[us]")).values()] == [0] * 5


TYPED = {
    "pandas": lambda when: pd.DataFrame({"when": when}),
    "pandas, zone": lambda when: pd.DataFrame({"when": when.dt.tz_localize("UTC").dt.tz_convert("America/New_York")}),
    "polars": lambda when: pl.DataFrame({"when": when}),
    "polars, date": lambda when: pl.DataFrame({"when": when}).with_columns(pl.col("when").cast(pl.Date)),
    "polars, zone": lambda when: pl.DataFrame({"when": when}).with_columns(
        pl.col("when").dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Kolkata")
    ),
}


@pytest.mark.parametrize("make", TYPED.values(), ids=TYPED)
def test_columns_of_moments_are_read_at_once_and_by_the_clock_of_their_zone(monkeypatch, make):
    when = pd.Series(pd.date_range("1969-12-01T23:59:59.123457", periods=40, freq="47h"))
    when[3] = pd.NaT
    X = make(when)
    texts = [None if one is None or one is pd.NaT else str(one)[:26] for one in list(X["when"])]
    monkeypatch.setattr(dates, "_moments", lambda values, temporal: pytest.fail("they were read one by one"))
    found = dates.frame_dates(X)["when"].values
    np.testing.assert_array_equal(found, np.array([one or "NaT" for one in texts], "datetime64[us]"))


@pytest.mark.parametrize("make", [lambda X: X, pl.from_pandas, lambda X: X.assign(when=X["when"].astype(str))])
def test_dates_of_frames_are_left_out_with_a_note_or_made_into_numbers(rng, make):
    X = make(frame(rng))
    found = fewer.select(X, "y")
    assert [(one["feature"], one["kind"], one["left_out"]) for one in found.meta["findings"]] == [
        ("when", "date", True)
    ]
    assert "left out as a date" in str(found.reason("when"))
    assert "when_weekday" in fewer.select(X, "y", dates="expand").kept_names
    assert list(expanded(X).columns) == ["a", *MADE, "b", "y"]
    with pytest.raises(FewerError, match=r"'when'|text|dates|nominal"):
        fewer.select(X, "y", "FTest")


@pytest.mark.parametrize("ending", ["csv", "parquet", "text"])
def test_dates_of_files_are_left_out_with_a_note_or_made_into_numbers(rng, tmp_path, ending):
    path = tmp_path / f"dates.{ending}"
    X = frame(rng)
    if ending == "text":
        path = tmp_path / "dates.parquet"
        X.assign(when=X["when"].astype(str)).to_parquet(path, index=False)
    else:
        X.to_csv(path, index=False) if ending == "csv" else X.to_parquet(path, index=False)
    found = fewer.select(str(path), "y")
    assert found.feature_names == ("a", "b")
    assert [(one["feature"], one["kind"]) for one in found.meta["findings"]] == [("when", "date")]
    table = read_dates(open_table(path, "y"), "expand")
    assert table.names == ("a", *MADE, "b")
    assert np.array_equal(table.read().X[:, 3], X["when"].dt.weekday)
    table.write(tmp_path / "out.csv", ["when_weekday", "a"])
    assert pd.read_csv(tmp_path / "out.csv")["when_weekday"].tolist() == X["when"].dt.weekday.tolist()
    assert "when_weekday" in fewer.select(str(path), "y", dates="expand").kept_names
    with pytest.raises(FewerError, match=r"dates='months' was given, but allowed are"):
        fewer.select(str(path), "y", dates="months")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_dates_of_files_can_be_kept(rng, tmp_path, ending):
    path = tmp_path / f"dates.{ending}"
    X = frame(rng).assign(other="2020-01-01")
    X.to_csv(path, index=False) if ending == "csv" else X.to_parquet(path, index=False)
    found = fewer.select(str(path), "y", keep="when")
    assert found.feature_names == ("a", "when", "b")
    assert {one["feature"]: one["left_out"] for one in found.meta["findings"]} == {"other": True, "when": False}
    table = read_dates(open_table(path, "y"), keep=["when"])
    assert table.read().X[0, 1] == 18201
    table.write(tmp_path / "out.csv", ["when"])
    assert pd.read_csv(tmp_path / "out.csv")["when"][0].startswith("2019-11-01")


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["31.12.2020", "1.2.2021"], "2020-12-31"),
        (["02/01/2020", "31/12/2020 14:05"], "2020-01-02"),
        (["02/01/2020", "12/31/2020"], "2020-02-01"),
        (["2020/12/31", "NA"], "2020-12-31"),
        (["2020-12-31T10:00:00Z", "2020-12-30", "0000-00-00"], "2020-12-31T10:00"),
    ],
)
def test_dates_as_people_write_them(texts, first):
    how = date_texts(texts)
    assert how.moment(texts[0]) == np.datetime64(first)
    assert ("missing" in how.remark) == ("0000-00-00" in texts)


def test_what_is_no_date_is_none():
    assert date_texts(["31/12/2020", "12/31/2020", "30/11/2020", "11/30/2020"]) is None
    assert date_texts(["1.2.3", "4.5.6"]) is date_texts(["2020-01-01", "soon"]) is date_texts(["", "NA"]) is None
    assert "day is taken" in date_texts(["01/02/2020", "03/04/2020"]).remark


def test_durations_and_periods_are_left_out(rng):
    X = frame(rng)
    X["lasted"] = pd.to_timedelta(rng.integers(1, 99, N), unit="h")
    X["month"] = X["when"].dt.to_period("M")
    X["german"] = X["when"].dt.strftime("%d.%m.%Y")
    found = fewer.select(X, "y", keep="lasted")
    assert {one["feature"]: one["kind"] for one in found.meta["findings"]} == dict.fromkeys(
        ("when", "lasted", "month", "german"), "date"
    )
