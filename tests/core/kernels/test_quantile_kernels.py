from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels import order_statistics


@pytest.mark.parametrize("bins", [2, 3, 10, 40])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_found_quantiles_are_order_statistics(bins, dtype):
    rng = np.random.default_rng(bins)
    n = 1500
    X = np.column_stack(
        [
            rng.normal(size=n) * 1000,
            rng.standard_cauchy(size=n) * 1000,
            rng.integers(0, 5, size=n),
            np.exp(rng.normal(size=n) * 2) * 100,
            np.where(rng.random(n) < 0.4, 0, rng.normal(size=n) * 100),
            np.repeat(7, n),
            np.arange(n),
        ]
    ).astype(dtype)
    out, high = np.empty((X.shape[1] - 1, bins - 1)), np.empty(X.shape[1] - 1)
    found = order_statistics.dense_quantiles(X, bins, np.ones(X.shape[1], bool), 1, X.shape[1], out, high)
    assert found[[0, 1, 5]].all()
    assert not found[4]
    ordered = np.sort(X[:, 1:], axis=0)
    ranks = [-(-k * n // bins) - 1 for k in range(1, bins)]
    assert (out[found] == ordered[ranks].T[found]).all()
    assert (high[found] == ordered[-1][found]).all()


def test_missing_values_do_not_count_and_short_columns_are_left_to_sorting():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 40))
    X[rng.random(X.shape) < 0.3] = np.nan
    X[:1000, 3] = np.nan
    out, high = np.empty((40, 3)), np.empty(40)
    found = order_statistics.dense_quantiles(X, 4, np.arange(40) != 7, 0, 40, out, high)
    assert not found[[3, 7]].any()
    for j in np.flatnonzero(found):
        present = np.sort(X[:, j][~np.isnan(X[:, j])])
        assert out[j].tolist() == [present[-(-k * len(present) // 4) - 1] for k in (1, 2, 3)]
    assert found.sum() == 38
