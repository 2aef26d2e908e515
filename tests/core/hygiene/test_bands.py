"""What gives a target of numbers away by its ranges."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from fewer.core.hygiene.bands import TOLD, fraction_told
from fewer.core.hygiene.examine import examine
from fewer.core.reading.memory import read_memory
from fewer.core.reading.on_workers import split_rows
from fewer.core.reading.table import ArrayTable
from fewer.core.reading.table_views import read_table
from fewer.core.records.tags import MethodTags
from fewer.core.runners.cluster import DaskRunner
from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from oracles.hygiene import told_of_rows

TAGS = MethodTags(targets=("numbers",), views=("codes",), handles_nan=True, handles_nominal=True, streams=True)
pytestmark = pytest.mark.filterwarnings("ignore")


def view_of(X, y):
    return read_memory(BaseEstimator(), X, y, None, TAGS, None, ThreadRunner(1))


def suspects(X, y):
    return {one.feature: one.words for one in examine(view_of(X, y)).findings if one.kind == "leak"}


def sales(rng, n=400):
    y = np.exp(rng.normal(size=n))
    X = pd.DataFrame(rng.normal(size=(n, 5)), columns=[f"m{j}" for j in range(5)])
    X["m0"] += np.log(y)
    X["band"] = np.digitize(y, np.quantile(y, [0.15, 0.55, 0.8])) * 7.0
    X["late"] = np.where(y > np.quantile(y, 0.7), np.nan, rng.normal(size=n))
    # Honest columns: levels that overlap, a rare mark of large targets, values missing more often where it is low.
    X["grade"] = np.digitize(np.log(y) + 0.4 * rng.normal(size=n), [-1, 0, 1]).astype(float)
    X["mark"] = (y >= np.sort(y)[-12]).astype(float)
    X["holes"] = np.where((y < 1) & (rng.random(n) < 0.8), np.nan, rng.normal(size=n))
    return X, y


def test_bands_and_missing_values_are_suspects_and_honest_columns_are_not(rng):
    for n in (120, 400, 2000):
        X, y = sales(rng, n)
        found = suspects(X, y)
        assert set(found) == {"band", "late"}, n
    assert found["band"].startswith("its 4 values divide the target into ranges that do not overlap")
    assert found["late"].startswith("it is missing in the 30% of the rows with the highest targets")
    assert set(suspects(X, -y)) == {"band", "late"}
    names = X.assign(band=np.array(list("dacb"))[(X["band"] / 7).astype(int)])
    assert set(suspects(names, y)) == {"band", "late"}


def test_they_are_the_same_on_every_runner(rng):
    X, y = sales(rng, 397)
    here = examine(view_of(X.to_numpy(), y)).findings
    assert sum(one.kind == "leak" for one in here) == 2
    for rows in (61, 200):
        with StreamRunner(1) as run:
            table = ArrayTable(X.to_numpy(), y, batch_rows=rows, task="regression")
            assert examine(read_table("test", table, TAGS, run)).findings == here
    assert examine(split_rows(view_of(X.to_numpy(), y), DaskRunner(None))).findings == here


def test_a_band_that_is_missing_here_and_there_is_one_still(rng):
    X, y = sales(rng)
    X["band"] = X["band"].where(rng.random(len(X)) < 0.8)
    found = suspects(X, y)
    assert set(found) == {"band", "late"}
    assert ", where it is given," in found["band"]


def test_many_bands_are_an_easy_problem(rng):
    X, y = sales(rng)
    more = {f"q{k}": (y > np.quantile(y, 0.1 * k)).astype(float) for k in range(2, 9)}
    assert not set(suspects(X.assign(**more), y)) & set(more)


def test_the_fraction_told_is_that_of_ranks_row_by_row(rng):
    for _ in range(40):
        table = rng.integers(0, 9, (rng.integers(2, 6), rng.integers(2, 8)))
        assert fraction_told(table) == pytest.approx(told_of_rows(table.tolist()))
        assert 0 <= fraction_told(table) <= 1 + 1e-12
    assert fraction_told([[5, 5, 0, 0], [0, 0, 5, 5]]) == pytest.approx(1)
    # A border within a bin is as good as one between bins.
    assert fraction_told([[5, 2, 0], [0, 3, 5]]) == pytest.approx(1)
    assert fraction_told([[5, 5], [5, 5]]) == 0
    assert fraction_told([[5, 5]]) == 0
    assert fraction_told([[9, 1], [1, 9]]) < TOLD
