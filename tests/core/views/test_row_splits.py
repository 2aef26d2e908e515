"""Splits: every protocol tests what it says, and never trains on it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.views.row_splits import make_splits

Y = np.array(["a"] * 13 + ["b"] * 7)


def check(splits, n_rows):
    for train, test in zip(splits.train, splits.test):
        assert not set(train) & set(test)
        assert 0 <= min(train) <= max(train) < n_rows
    for repeat in np.unique(splits.repeat):
        tested = np.concatenate([t for t, r in zip(splits.test, splits.repeat) if r == repeat])
        assert len(np.unique(tested)) == len(tested)


@pytest.mark.parametrize(("cv", "n_splits"), [(5, 5), ("4", 4), ("5x2", 10), ("3x4", 12), ("loo", 20), (None, 10)])
def test_every_repetition_tests_every_row_once(cv, n_splits):
    splits = make_splits(cv, Y, "classification")
    assert len(splits) == n_splits
    check(splits, 20)
    for repeat in np.unique(splits.repeat):
        tested = np.concatenate([t for t, r in zip(splits.test, splits.repeat) if r == repeat])
        assert sorted(tested) == list(range(20))


@pytest.mark.parametrize("k", [2, 3, 7])
def test_fractions_of_the_classes_differ_by_one_row_at_most(k):
    splits = make_splits(k, Y, "classification")
    for label in "ab":
        counts = [int((Y[test] == label).sum()) for test in splits.test]
        assert max(counts) - min(counts) <= 1
    sizes = [len(test) for test in splits.test]
    assert max(sizes) - min(sizes) <= 1


def test_rare_classes_are_spread_and_do_not_reduce_the_folds():
    y = np.array(["a"] * 30 + ["b"] * 3 + ["c"] * 2 + ["d"])
    splits = make_splits(None, y, "classification")
    assert len(splits) == 10
    check(splits, len(y))
    for train, test in zip(splits.train, splits.test):
        assert set(y[train]) == set("abcd")
        assert (y[test] == "b").sum() <= 1
    # The one row of d is never tested, all others once.
    assert sorted(np.concatenate(splits.test)) == list(range(35))
    assert "the classes b, c have fewer rows than folds" in splits.words
    assert "the class d has one row, trained on and never tested" in splits.words
    assert "rows" not in make_splits(5, Y, "classification").words


def test_rows_all_of_different_classes_are_dealt_as_they_are():
    splits = make_splits(None, np.arange(8), "classification")
    assert sorted(np.concatenate(splits.test)) == list(range(8))


def test_groups_stay_together():
    groups = np.repeat(np.arange(8), [1, 2, 3, 4, 1, 2, 3, 4])
    for cv in (4, "2x4", "loo", None):
        splits = make_splits(cv, Y, "classification", groups)
        check(splits, 20)
        for train, test in zip(splits.train, splits.test):
            assert not set(groups[train]) & set(groups[test])


def test_time_never_runs_backwards():
    splits = make_splits("time:4", np.arange(23.0), "regression")
    assert len(splits) == 4
    assert [len(test) for test in splits.test] == [4, 4, 4, 4]
    assert all(train.max() < test.min() for train, test in zip(splits.train, splits.test))
    assert splits.test[-1][-1] == 22


def test_given_splits_and_splitters():
    pairs = [([0, 1, 2], [3, 4]), (np.arange(20) > 9, np.arange(20) < 5), ([5, 6], [3])]
    splits = make_splits(pairs, Y, "classification")
    assert splits.test[1].tolist() == [0, 1, 2, 3, 4]
    assert splits.repeat.tolist() == [0, 1, 2]
    found = make_splits(ShuffleSplit(3, random_state=0), Y, "classification")
    assert len(found) == 3
    assert "ShuffleSplit" in found.words


def test_the_seed_decides():
    a, b, c = (make_splits(5, Y, "classification", random_state=seed) for seed in (1, 1, 2))
    assert all(np.array_equal(x, y) for x, y in zip(a.test, b.test))
    assert not all(np.array_equal(x, y) for x, y in zip(a.test, c.test))


def test_what_is_no_split_is_refused():
    for cv in (1, 21, "1x1", "0x2", "5 by 2", "time:99", 2.5, object(), [], True):
        with pytest.raises(ParameterError, match="cv"):
            make_splits(cv, Y, "classification")
    with pytest.raises(InputError, match="trains and tests on the same rows"):
        make_splits([([0, 1], [1, 2])], Y, "classification")
    with pytest.raises(InputError, match="row numbers from 0 to 19"):
        make_splits([([0, 1], [20])], Y, "classification")
    with pytest.raises(InputError, match="is empty"):
        make_splits([([0, 1], [])], Y, "classification")
    with pytest.raises(InputError, match="one group per row"):
        make_splits(2, Y, "classification", groups=[1, 2])
    with pytest.raises(ParameterError, match="takes no groups"):
        make_splits("time", Y, "classification", groups=np.arange(20))
    with pytest.raises(InputError, match="the row 4 2 times"):
        make_splits([([4, 1, 4], [2])], Y, "classification")
    with pytest.raises(InputError, match="whole row numbers"):
        make_splits([([0.5, 1.7], [2])], Y, "classification")
    with pytest.raises(InputError, match="mask of 20"):
        make_splits([(np.ones(19, dtype=bool), [2])], Y, "classification")
