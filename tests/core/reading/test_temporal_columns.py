"""Dates are dates whatever their type, decimals are numbers, and no column of dates passes for labels."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pytest

import fewer
from fewer.core.reading.dates import as_days, frame_dates
from fewer.core.records.errors import InputError

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
Y = [0, 1, 0, 1, 0, 1]
MOMENTS = pa.array([0, 86_400_000_000, None, 10**12, 5 * 10**14, -(10**13)], pa.timestamp("us"))
ZONES = ["America/New_York", "Europe/Berlin", "Etc/GMT+3", "America/Port-au-Prince", "+05:30", "UTC"]


def frames_of_dates():
    for zone in ZONES:
        table = pa.table({"x": MOMENTS.cast(pa.timestamp("us", tz=zone))})
        yield f"pandas {zone}", table.to_pandas()
        yield f"Arrow in pandas {zone}", table.to_pandas(types_mapper=pd.ArrowDtype)
        if not zone.startswith("+"):  # polars knows no offsets, and says so
            yield f"Arrow {zone}", table
    days = MOMENTS.cast(pa.timestamp("ms")).cast(pa.date64(), safe=False)
    yield "date64", pa.table({"x": days}).to_pandas(types_mapper=pd.ArrowDtype)
    objects = [None if v is None else v.date() for v in MOMENTS.to_pylist()]
    yield "objects of dates", pd.DataFrame({"x": pd.Series(objects, dtype=object)})
    spans = [datetime.timedelta(k) for k in range(6)]
    yield "objects of durations", pd.DataFrame({"x": pd.Series(spans, dtype=object)})


@pytest.mark.parametrize(
    ("name", "frame"), list(frames_of_dates()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_no_column_of_dates_passes_for_labels(name, frame):
    with pytest.raises(InputError, match="Column 'x' holds dates or times"):
        fewer.InformationGain(1).fit(frame, Y)


@pytest.mark.parametrize("zone", ZONES)
def test_moments_are_those_that_the_clock_of_the_zone_shows(zone):
    table = pa.table({"x": MOMENTS.cast(pa.timestamp("us", tz=zone))})
    expected = [
        None if v is None else np.datetime64(v.replace(tzinfo=None), "us") for v in table.column("x").to_pylist()
    ]
    for frame in (table.to_pandas(), table.to_pandas(types_mapper=pd.ArrowDtype)):
        got = frame_dates(frame)["x"].values
        assert [None if np.isnat(v) else v for v in got] == expected
        days, said = as_days(frame)
        assert said
        assert days["x"].isna().tolist() == [v is None for v in expected]


def test_labels_beside_dates_stay_labels():
    mixed = pd.DataFrame({"x": pd.Series([datetime.date(2020, 1, 1), "a", "b", "a", "b", "a"], dtype=object)})
    assert frame_dates(mixed) == {}
    assert frame_dates(pd.DataFrame({"x": pd.Series([None] * 6, dtype=object)})) == {}


@pytest.mark.parametrize("width", [128, 256])
def test_decimals_are_numbers_in_every_frame(width):
    polars = pytest.importorskip("polars")
    values = [Decimal("1.25"), None, Decimal("-3.5"), Decimal("2"), Decimal("100.01"), Decimal("0")]
    kind = pa.decimal128(20, 2) if width == 128 else pa.decimal256(50, 2)
    table = pa.table({"x": pa.array(values, kind), "z": pa.array(range(6), pa.float64())})
    plain = pd.DataFrame({"x": [np.nan if v is None else float(v) for v in values], "z": np.arange(6.0)})
    expected = fewer.InformationGain(2, bins=2).fit(plain, Y).scores_
    given = [table, table.to_batches()[0], table.to_pandas(), table.to_pandas(types_mapper=pd.ArrowDtype)]
    if width == 128:
        given.append(polars.from_arrow(table))
    for frame in given:
        np.testing.assert_array_equal(fewer.InformationGain(2, bins=2).fit(frame, Y).scores_, expected)
