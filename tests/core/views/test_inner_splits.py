"""Inner splits: what chooses for a fold never trains or tests on its test rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit

from fewer.core.views.inner_splits import inner_splits
from fewer.core.views.row_splits import make_splits

Y = np.arange(60) % 3


@pytest.mark.parametrize("cv", [2, 3, 4, 10, "loo", "2x5", "5x2", ShuffleSplit(4, random_state=0)])
@pytest.mark.parametrize("grouped", [False, True])
def test_nothing_of_a_fold_chooses_for_it(cv, grouped):
    groups = np.arange(60) // 4 if grouped else None
    cv = cv if not grouped or isinstance(cv, int | str) else 5
    splits = make_splits(cv, Y, "classification", groups)
    inner = inner_splits(splits, Y, "classification", groups)
    served = set()
    for one in inner:
        for rows, folds in zip(one.test, one.serves):
            assert not set(one.train) & set(rows)
            served.update(folds)
            for f in folds:
                assert not set(splits.test[f]) & (set(one.train) | set(rows))
                if grouped:
                    assert not set(groups[splits.test[f]]) & (set(groups[one.train]) | set(groups[rows]))
            if grouped:
                assert not set(groups[one.train]) & set(groups[rows])
    assert served == set(range(len(splits)))


def test_ten_models_choose_for_all_folds_and_five_where_rows_are_many():
    assert [len(inner_splits(make_splits(k, Y, "regression"), Y, "regression")) for k in (5, 10, "loo")] == [10, 10, 10]
    many = np.arange(2400) % 2
    assert len(inner_splits(make_splits(None, many, "classification"), many, "classification")) == 5


def test_in_the_order_of_time_the_folds_before_choose():
    assert inner_splits(make_splits("time:4", Y, "regression"), Y, "regression") == ()


def test_too_few_rows_choose_for_nothing():
    y = np.array([0, 1, 0, 1])
    assert inner_splits(make_splits(2, y, "classification"), y, "classification") == ()
