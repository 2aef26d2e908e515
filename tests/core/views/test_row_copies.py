"""Rows that are copies of others: found where they are no chance, left alone where they are natural."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import fewer
from fewer.core.views.row_copies import row_copies
from fewer.evaluate.data import read

pytestmark = pytest.mark.filterwarnings("ignore")


def groups_of(X, y=None):
    found = row_copies(read(X, np.arange(X.shape[0]) % 2 if y is None else y).view)
    return None if found is None else found.groups


def repeated(rng, n, times, d=5):
    """Return noise, each row there several times, in random order, and which row it is."""
    which = rng.permutation(np.repeat(np.arange(n), times))
    return rng.normal(size=(n, d))[which], which


@pytest.mark.parametrize("times", [2, 3, 5, 10])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, pd.DataFrame])
def test_copies_are_found_however_many(times, make, rng):
    X, which = repeated(rng, 40, times)
    groups = groups_of(make(X))
    # The same partition of the rows, by whatever numbers.
    assert len(np.unique(groups)) == len(np.unique(np.column_stack([groups, which]), axis=0)) == 40


def test_only_whole_rows_are_copies(rng):
    X, _ = repeated(rng, 50, 2)
    X[:, 4] = rng.normal(size=100)
    assert groups_of(X) is None
    X = rng.normal(size=(200, 3))
    assert groups_of(X) is None
    X[7] = X[3]
    assert groups_of(X) is None  # Less than one in a hundred.
    X[9] = X[100] = X[3]
    groups = groups_of(X)
    assert len(np.unique(groups[[3, 7, 9, 100]])) == 1
    assert groups.max() == 196


def test_missing_values_and_zeros_are_equal_to_themselves(rng):
    X, which = repeated(rng, 40, 2)
    X[which % 3 == 0, 1] = np.nan
    X[:, 2] = np.where(np.arange(80) % 2, 0.0, -0.0)
    assert len(np.unique(groups_of(X))) == 40


def test_equal_rows_of_few_values_are_natural(rng):
    ratings = rng.integers(1, 6, (300, 3))
    assert groups_of(ratings) is None
    age, sex = rng.integers(18, 90, 2_000), rng.integers(0, 2, 2_000)
    assert groups_of(pd.DataFrame({"age": age, "sex": sex, "city": rng.choice(list("abcd"), 2_000)})) is None
    # A design with replicates: few doses, few temperatures.
    dose, heat = np.meshgrid([0.1, 0.2, 0.5, 1.0, 2.0], [20.5, 30.5, 40.5])
    assert groups_of(np.column_stack([np.tile(dose.ravel(), 20), np.tile(heat.ravel(), 20)])) is None
    words = pd.DataFrame({f"w{j}": rng.choice(["yes", "no"], 200) for j in range(4)})
    assert groups_of(words) is None
    counts = sparse.csr_matrix((rng.random((200, 6)) < 0.2).astype(float))
    assert groups_of(counts) is None
    # Of one column nobody can tell.
    assert groups_of(np.round(rng.normal(size=(300, 1)), 2)) is None


def noise_twice(seed, numbers):
    rng = np.random.default_rng([99, seed])
    X, which = repeated(rng, 60, 2, 8)
    y = rng.normal(size=60) if numbers else rng.permutation(np.repeat([0, 1], 30))
    return X, y[which]


@pytest.mark.parametrize("numbers", [False, True])
def test_select_keeps_no_noise_that_is_there_twice(numbers):
    kept = sum(len(fewer.select(*noise_twice(seed, numbers))) > 0 for seed in range(12))
    # One in ten is promised; of twelve more than four come in one of two hundred cases.
    assert kept <= 4


def test_select_says_so_and_groups_are_stronger():
    X, y = noise_twice(0, False)
    words = "60 rows are exact copies of others: copies stay in the same fold"
    assert any(words in note for note in fewer.select(X, y).meta["data"]["notes"])
    told = fewer.select(X, y, groups=np.arange(120)).meta["data"].get("notes", ())
    assert not any("copies" in note for note in told)


def test_natural_copies_change_nothing(rng):
    X = rng.integers(0, 3, (200, 4)).astype(float)
    y = (X[:, 0] + rng.normal(size=200) > 1).astype(int)
    found = fewer.select(X, y)
    assert "notes" not in found.meta["data"]
    assert found.kept_names[0] == "x0"


def test_compare_keeps_copies_in_one_fold():
    X, y = noise_twice(1, False)
    found = fewer.compare(X, y, ["FTest"], ["neighbours"], [2, 4], cv=5, naive=False)
    assert not found.best().beats_chance
    assert found.meta["protocol"].endswith("copies of a row together")
    assert any("60 rows are exact copies of others" in note for note in found.meta["data"]["notes"])
    assert found.n_test.tolist() == [24] * 5
    given = fewer.compare(X, y, ["FTest"], ["neighbours"], [2, 4], cv=5, naive=False, groups=np.arange(120))
    assert "copies" not in given.meta["protocol"]
    assert given.best().honest > found.best().honest + 0.1


def test_rows_alike_by_what_is_missing_or_usual_are_natural(rng):
    blocks = np.where(rng.random((300, 1)) < 0.5, np.nan, rng.normal(size=(300, 4)))
    assert groups_of(blocks) is None
    amounts = np.where(rng.random((400, 3)) < 0.6, 0.0, rng.lognormal(3, 1, (400, 3)))
    assert groups_of(amounts) is None
    assert groups_of(sparse.csr_matrix(amounts)) is None
    # Real copies among them are found, and they alone.
    full = np.flatnonzero((amounts != 0).sum(axis=1) >= 2)
    twice = np.vstack([amounts, amounts[full]])
    groups = groups_of(twice)
    assert (groups[400:] == groups[full]).all()
    assert groups.max() == 399


@pytest.mark.parametrize("seed", range(5))
def test_rounded_measurements_are_equal_by_chance(seed):
    rng = np.random.default_rng(seed)
    base = rng.normal(15, 3, 60)
    heat = np.round(base[:, None] + rng.normal(0, 0.3, (60, 4)), 0)
    assert groups_of(heat) is None
    for d in (2, 3):
        assert groups_of(np.round(rng.normal(size=(100, d)), 1)) is None
        alike = rng.normal(size=(200, 1)) + 0.1 * rng.normal(size=(200, d))
        assert groups_of(np.round(alike, 1)) is None
    price = rng.choice([4.99, 9.99, 14.99, 19.99, 24.5, 29.9, 49.0], 100)
    assert groups_of(np.column_stack([price, rng.integers(0, 3, 100)])) is None
    age = np.column_stack([rng.integers(18, 90, 150), rng.integers(0, 2, 150)])
    assert groups_of(age) is None


def test_select_uses_what_is_missing_in_blocks():
    r = np.random.default_rng(0)
    m = r.random((300, 1)) < 0.5
    X = np.where(m, np.nan, r.normal(size=(300, 4)))
    y = np.where(m[:, 0], r.random(300) < 0.95, r.random(300) < 0.05).astype(int)
    found = fewer.select(X, y)
    assert len(found) > 0
    assert found.meta["score"]["value"] > 0.7
