"""Counts of comparisons: by definition, over row blocks, in narrow integers, and what fits."""

import numpy as np
import pytest

from fewer.core.records.errors import RequirementError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries import pair_orders
from fewer.core.summaries.pair_orders import OrderCounts, check_fits, narrowest
from fewer.core.views.row_ranks import RankBlock, order_codes


def block(n_rows, n, seed=0, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n_rows, n)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, rng.integers(0, n_classes, n_rows)


@pytest.mark.parametrize("columns", [None, (4, 0, 2)])
def test_counts_are_those_of_the_definition(columns):
    X, y = block(40, 6, n_classes=3)
    got = ThreadRunner(2).fold(OrderCounts(3, columns), [RankBlock(order_codes(X), y)])
    for c in range(3):
        Z = X[y == c] if columns is None else X[y == c][:, columns]
        np.testing.assert_array_equal(got.before[c], (Z[:, :, None] < Z[:, None, :]).sum(axis=0))
        np.testing.assert_array_equal(got.balance(c), np.sign(np.nan_to_num(Z[:, None, :] - Z[:, :, None])).sum(axis=0))
    assert got.rows.tolist() == np.bincount(y, minlength=3).tolist()


def test_row_blocks_add_up_in_wider_integers():
    X, y = block(700, 5)
    codes = order_codes(X)
    whole = ThreadRunner(1).fold(OrderCounts(2), [RankBlock(codes, y)])
    parts = [RankBlock(codes[top : top + 100], y[top : top + 100]) for top in range(0, 700, 100)]
    cut = ThreadRunner(1).fold(OrderCounts(2), parts)
    assert cut.before.dtype == whole.before.dtype == np.uint16
    np.testing.assert_array_equal(cut.before, whole.before)
    assert ThreadRunner(1).fold(OrderCounts(2), parts[:1]).before.dtype == np.uint8


def test_narrow_integers():
    assert [narrowest(v) for v in (255, 256, 65536)] == [np.uint8, np.uint16, np.uint32]
    assert [narrowest(v, signed=True) for v in (127, 128)] == [np.int8, np.int16]


def test_too_many_features_are_refused_with_what_fits(monkeypatch):
    check_fits(7129, 3, 1)
    with pytest.raises(RequirementError, match=r"100000 features in 2 classes needs 18.6 GiB.*enough for 23170"):
        check_fits(100_000, 2, 1)
    monkeypatch.setattr(pair_orders, "MOST_BYTES", 40)
    X, y = block(10, 6)
    with pytest.raises(RequirementError, match="ranking such as"):
        ThreadRunner(1).fold(OrderCounts(2), [RankBlock(order_codes(X), y)])
