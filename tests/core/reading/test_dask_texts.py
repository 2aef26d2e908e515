"""Money, percent and dates in Dask frames are read, noted and left out as those of frames in memory are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import FewerError

dd = pytest.importorskip("dask.dataframe")


def clinic(n=240):
    rng = np.random.default_rng(4)
    cost, part = rng.lognormal(7, 1, n), rng.random(n)
    y = np.where(np.log(cost) + 3 * part + 0.5 * rng.normal(size=n) > 8.5, "ill", "well")
    days = pd.Timestamp("2020-01-31") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    frame = pd.DataFrame(
        {
            "fee": [f"€{value:,.2f}" for value in cost],
            "part": [f"{value:.1%}" for value in part],
            "debt": [f"({value:.0f})" if value > 2 else f"{value:.0f}" for value in rng.normal(0, 9, n) ** 2],
            "seen": [f"{day.day:02}.{day.month:02}.{day.year}" for day in days],
            "born": days,
            "ward": rng.choice(["north", "south", "west"], n),
            "age": rng.normal(50, 9, n),
            "mixed": [*["12.5 kg"] * 5, *["3,5"] * (n - 5)],
        }
    )
    frame.loc[3, ["fee", "seen", "ward"]] = None
    frame.loc[7, "fee"] = "n.a."
    # What only a later partition tells: the day stands first.
    frame.loc[: n // 2, "seen"] = "03.04.2020"
    return frame, pd.Series(y, name="state")


def both(frame, y, method=None, **params):
    here = fewer.select(frame, y, method, **params)
    parts = dd.from_pandas(frame, npartitions=3, sort=False), dd.from_pandas(y, npartitions=3, sort=False)
    return here, fewer.select(*parts, method, **params)


def test_the_default_says_and_keeps_the_same():
    here, there = both(*clinic())
    assert there.meta["runner"] == "dask"
    assert there.kept_names == here.kept_names
    assert {"fee", "part"} <= set(here.kept_names)
    assert there.meta["findings"] == here.meta["findings"]
    *notes, last = there.meta["data"]["notes"]
    assert notes == here.meta["data"]["notes"]
    assert "not looked through for exact copies" in last
    assert any("percent" in note and "currency €" in note for note in there.meta["data"]["notes"])
    assert {one["feature"] for one in there.meta["findings"] if one["kind"] == "date"} == {"seen", "born"}
    for name in ("fee", "part", "seen", "born", "ward", "age"):
        assert str(there.reason(name)) == str(here.reason(name))


@pytest.mark.parametrize("text", [True, False], ids=["text", "objects"])
def test_kept_and_expanded_dates_are_the_same_numbers(text):
    import dask

    with dask.config.set({"dataframe.convert-string": text}):
        here, there = both(*clinic(), keep="all")
        assert there.kept_names == here.kept_names
        np.testing.assert_allclose(there.scores, here.scores)
        here, there = both(*clinic(), dates="expand")
    assert there.feature_names == here.feature_names
    assert "seen_weekday" in there.feature_names
    np.testing.assert_allclose(there.scores, here.scores)


def test_methods_without_a_look_at_the_columns_read_numbers_too():
    frame, y = clinic()
    here, there = both(frame[["fee", "part", "debt", "age"]], y, "InformationGain", n_features_to_select=2)
    assert there.kept_names == here.kept_names
    np.testing.assert_allclose(there.scores, here.scores)
    assert there.meta["data"]["notes"] == here.meta["data"]["notes"]
    # One fee is missing by its word alone.
    assert there.meta["data"]["n_missing"] == 2
    with pytest.raises(FewerError, match="FTest takes no missing values, but X holds 2 NaN"):
        both_dask = dd.from_pandas(frame[["fee", "age"]], npartitions=3), dd.from_pandas(y, npartitions=3)
        fewer.select(*both_dask, "FTest", n_features_to_select=1)
    with pytest.raises(FewerError, match="'born' holds dates or times"):
        fewer.InformationGain(1).fit(dd.from_pandas(frame[["born"]], npartitions=3), dd.from_pandas(y, npartitions=3))


def test_what_the_caller_calls_nominal_and_objects_that_are_numbers_stay_what_they_are():
    import dask

    frame, y = clinic()
    given = pd.DataFrame({"part": frame["part"].str.slice(0, 1) + "%", "age": frame["age"].round().astype(object)})
    with dask.config.set({"dataframe.convert-string": False}):
        here, there = both(given, y, "InformationGain", n_features_to_select=None, categorical_features=["part"])
    np.testing.assert_allclose(there.scores, here.scores)
    assert "notes" not in there.meta["data"]
