from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import fewer
from fewer.core.kernels import moments
from fewer.core.kernels._jit import JIT_DISABLED
from oracles import summaries as oracle


def run_class_moments(X, y, n_classes, weight=None, start=0, stop=None, origin=None):
    stop = X.shape[1] if stop is None else stop
    w = np.ones(len(X)) if weight is None else weight
    mean, m2 = np.zeros((n_classes, stop - start)), np.zeros((n_classes, stop - start))
    order, bounds = np.argsort(y, kind="stable"), np.searchsorted(np.sort(y), np.arange(n_classes + 1))
    origin = np.zeros(stop - start) if origin is None else origin
    moments.class_moments(X, order, bounds, w, start, stop, origin, mean, m2)
    return np.bincount(y, weights=w, minlength=n_classes), mean.T, m2.T


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (127, 5), (129, 300), (400, 7)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_class_moments_agree_with_the_loop(shape, dtype):
    rng = np.random.default_rng(shape[0])
    X, y = rng.normal(size=shape).astype(dtype), rng.integers(0, 3, shape[0])
    got = run_class_moments(X, y, 4)
    for a, b in zip(got, oracle.moments(X.astype(float), y, 4)):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def test_a_large_offset_does_not_cancel_the_variance(rng):
    X, y = rng.normal(size=(1000, 2)), rng.integers(0, 2, 1000)
    _, _, m2 = run_class_moments(X, y, 2)
    _, _, far = run_class_moments(X + 1e9, y, 2)
    np.testing.assert_allclose(far, m2, rtol=1e-5)


def test_a_large_offset_does_not_cancel_the_products(rng):
    X, y = rng.normal(size=(1000, 2)), rng.normal(size=1000)
    dy, w, near, far = y - y.mean(), np.ones(1000), np.zeros((3, 2)), np.zeros((3, 2))
    moments.target_products(X, dy, w, 0, 2, np.zeros(2), *near)
    moments.target_products(X + 1e9, dy, w, 0, 2, np.full(2, 1e9), *far)
    np.testing.assert_allclose(far[1:], near[1:], rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("n", [5, 300])
def test_small_differences_of_large_numbers_are_exact(n, rng):
    """Multiples of 2^-23 beside 1e9 are floats, so nothing is lost by moving them there and back."""
    X, y = rng.integers(-20, 20, size=(n, 3)) * 2.0**-23, rng.integers(0, 2, n)
    near = run_class_moments(X, y, 2, origin=X[0])
    far = run_class_moments(1e9 + X, y, 2, origin=1e9 + X[0])
    for a, b in zip(near, far):
        np.testing.assert_allclose(b, a, rtol=1e-9)


def test_weights_count_as_repetitions(rng):
    X, y, w = rng.normal(size=(60, 3)), rng.integers(0, 2, 60), rng.integers(0, 4, 60)
    got = run_class_moments(X, y, 2, w.astype(float))
    expected = oracle.moments(np.repeat(X, w, axis=0), np.repeat(y, w), 2)
    for a, b in zip(got, expected):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("at", [[0], [0, 1, 2, 3, 4], [150], [299]])
def test_the_value_of_a_row_of_weight_zero_does_not_matter(rng, at):
    """Deviations are never taken from such a row, however far it is from all that count."""
    X, y, w = rng.normal(size=(300, 4)), rng.integers(0, 2, 300), rng.random(300)
    y[:5], target = 1, rng.normal(size=300)
    X[at], w[at] = 1e9, 0.0
    rest = np.setdiff1d(np.arange(300), at)
    got, expected = run_class_moments(X, y, 2, w), run_class_moments(X[rest], y[rest], 2, w[rest])
    for a, b in zip(got, expected):
        np.testing.assert_allclose(a, b, rtol=1e-10)
    dy = w * (target - w @ target / w.sum())
    near, far = np.zeros((3, 4)), np.zeros((3, 4))
    moments.target_products(X, dy, w, 0, 4, np.zeros(4), *far)
    moments.target_products(X[rest], dy[rest], w[rest], 0, 4, np.zeros(4), *near)
    np.testing.assert_allclose(far, near, rtol=1e-10)


def test_a_tile_reads_only_its_features(rng):
    X, y = rng.normal(size=(50, 6)), rng.integers(0, 2, 50)
    _, mean, m2 = run_class_moments(X, y, 2, start=2, stop=5)
    _, all_mean, all_m2 = oracle.moments(X, y, 2)
    np.testing.assert_allclose(mean, all_mean[2:5])
    np.testing.assert_allclose(m2, all_m2[2:5])


def test_nan_and_infinity_reach_the_result(rng):
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 2, 300)
    X[200, 1], X[10, 2] = np.nan, np.inf
    _, mean, m2 = run_class_moments(X, y, 2)
    assert np.isfinite(m2[0]).all()
    assert not np.isfinite(mean[1]).all()
    assert not np.isfinite(m2[2]).all()


def test_sparse_columns_equal_dense(rng):
    dense = rng.normal(size=(80, 9)) * (rng.random((80, 9)) < 0.2)
    y, w = rng.integers(0, 3, 80), rng.random(80)
    X = scipy.sparse.csc_array(dense)
    total = np.bincount(y, weights=w, minlength=3)
    mean, m2 = np.zeros((3, 9)), np.zeros((3, 9))
    moments.class_moments_sparse(X.indptr, X.indices, X.data, y, w, total, 0, 9, np.zeros(9), mean, m2)
    _, expected_mean, expected_m2 = oracle.moments(dense, y, 3, w)
    np.testing.assert_allclose(mean.T, expected_mean, atol=1e-12)
    np.testing.assert_allclose(m2.T, expected_m2, atol=1e-12)


def test_target_products_agree_with_the_loop(rng):
    X, y, w = rng.normal(size=(333, 260)), rng.normal(size=333), rng.random(333)
    d = X.shape[1]
    mean_x, m2_x, c_xy = np.zeros(d), np.zeros(d), np.zeros(d)
    mean_y = w @ y / w.sum()
    moments.target_products(X, w * (y - mean_y), w, 0, d, np.zeros(d), mean_x, m2_x, c_xy)
    _, mean, c = oracle.products(np.column_stack([X[:, :5], y]), w)
    np.testing.assert_allclose(mean_x[:5], mean[:5])
    np.testing.assert_allclose(m2_x[:5], np.diag(c)[:5])
    np.testing.assert_allclose(c_xy[:5], c[:5, -1])

    sparse = scipy.sparse.csc_array(X * (rng.random(X.shape) < 0.3))
    out = np.zeros((3, d))
    moments.target_products_sparse(
        sparse.indptr, sparse.indices, sparse.data, y, w, w.sum(), mean_y, 0, d, np.zeros(d), *out
    )
    _, mean, c = oracle.products(np.column_stack([sparse.toarray()[:, :5], y]), w)
    np.testing.assert_allclose(out[0, :5], mean[:5], atol=1e-12)
    np.testing.assert_allclose(out[1, :5], np.diag(c)[:5])
    np.testing.assert_allclose(out[2, :5], c[:5, -1], atol=1e-12)


WHOLE_AND_PARTS = """
import numpy as np
from fewer.core.kernels.moments import class_moments, target_products

rng = np.random.default_rng(0)
n, d = 150, 67
X, weight, order, bounds = rng.normal(size=(n, d)), rng.random(n), np.arange(n), np.array([0, 70, n])
y = rng.normal(size=n)
dy = weight * (y - np.average(y, weights=weight))


def classes(start, stop):
    out = np.zeros((2, 2, stop - start))
    class_moments(X, order, bounds, weight, start, stop, np.zeros(stop - start), *out)
    return out.reshape(4, -1)


def products(start, stop):
    out = np.zeros((3, stop - start))
    target_products(X, dy, weight, start, stop, np.zeros(stop - start), *out)
    return out


for made in (classes, products):
    whole = made(0, d)
    for cut in range(1, d):
        parts = np.concatenate([made(0, cut), made(cut, d)], axis=1)
        assert (parts == whole).all(), (made.__name__, cut)
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize(
    "processor", [{}, {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}], ids=["this", "generic"]
)
def test_how_features_are_cut_changes_no_bit_on_any_processor(processor, tmp_path):
    """Threads cut features; the lanes of a processor and what is left over beside them must round alike."""
    own = {"NUMBA_CACHE_DIR": str(tmp_path)} if processor else {}
    environment = {**os.environ, "PYTHONPATH": str(Path(fewer.__file__).parents[1]), **processor, **own}
    done = subprocess.run(
        [sys.executable, "-c", WHOLE_AND_PARTS], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
