from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from fewer.core.discretize.cuts import Cuts
from fewer.core.kernels import encode
from oracles.discretise import codes as slow_codes

RNG = np.random.default_rng(7)


def random_cuts(d, most, renamed=False, rng=RNG):
    edges = [np.unique(rng.normal(size=rng.integers(0, most + 1)).round(1)) for _ in range(d)]
    states = [rng.integers(0, 3, size=len(e) + 1) for e in edges] if renamed else None
    return Cuts.from_lists(edges, states)


def expected(X, cuts, nominal, missing_code):
    out = np.empty(X.shape, int)
    for j in range(X.shape[1]):
        if nominal[j]:
            out[:, j] = [missing_code[j] if x != x else int(x) for x in X[:, j]]
        else:
            out[:, j] = slow_codes(X[:, j].tolist(), cuts.of(j), cuts.states_of(j), missing_code[j])
    return out


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.uint8])
@pytest.mark.parametrize("out_type", [np.uint8, np.uint16])
@pytest.mark.parametrize("most", [0, 9, 16, 40])
def test_codes_are_states_of_the_number_of_smaller_edges(dtype, out_type, most):
    d = 23
    X = (3 * np.abs(RNG.normal(size=(300, d))).round(1)).astype(dtype)
    cuts = random_cuts(d, most, renamed=most == 9)
    nominal = np.zeros(d, bool)
    out = np.full((300, d), 255, out_type)
    has_missing = encode.encode_rows(X, cuts.edges, cuts.offsets, cuts.states, nominal, cuts.n_levels, 0, d, out)
    assert (out == expected(X.astype(float), cuts, nominal, cuts.n_levels)).all()
    assert not has_missing.any()


def test_missing_nominal_and_feature_range_together():
    d, n = 600, 150
    X = RNG.normal(size=(n, d))
    nominal = RNG.random(d) < 0.2
    X[:, nominal] = RNG.integers(0, 300, size=(n, int(nominal.sum())))
    X[RNG.random((n, d)) < 0.05] = np.nan
    X[:, ::7] = np.where(np.isnan(X[:, ::7]), 0.0, X[:, ::7])
    cuts, missing_code = random_cuts(d, 30), np.arange(d) % 50 + 300
    want = expected(X, cuts, nominal, missing_code)
    for start, stop in ((0, d), (3, 40), (100, 100), (511, 600)):
        out = np.zeros((n, stop - start), np.uint16)
        found = encode.encode_rows(X, cuts.edges, cuts.offsets, cuts.states, nominal, missing_code, start, stop, out)
        assert (out == want[:, start:stop]).all()
        assert (found == np.isnan(X[:, start:stop]).any(axis=0)).all()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(allow_nan=False), max_size=30),
    st.lists(st.floats(allow_nan=True), min_size=1, max_size=30),
)
def test_equals_searchsorted_for_any_floats(edges, values):
    edges = np.unique(edges)
    cuts = Cuts.from_lists([edges])
    X = np.array(values)[:, None]
    out, has_missing = cuts.encode(X)
    want = np.where(np.isnan(X), len(edges) + 1, np.searchsorted(edges, X, side="left"))
    assert (out == want).all()
    assert has_missing[0] == np.isnan(X).any()


def test_sparse_codes_equal_dense_codes():
    X = sparse.random(80, 40, density=0.2, random_state=3, format="csc")
    X.data[:] = RNG.normal(size=X.nnz).round(1) + 0.05
    X.data[::9] = np.nan
    cuts = random_cuts(40, 20, renamed=True)
    codes, zero_code, has_missing = cuts.encode_sparse(X)
    rebuilt = np.tile(zero_code, (80, 1))
    rows, columns = X.nonzero()
    rebuilt[X.indices, np.repeat(np.arange(40), np.diff(X.indptr))] = codes
    dense, dense_missing = cuts.encode(np.ascontiguousarray(X.toarray()))
    assert (rebuilt == dense).all()
    assert (has_missing == dense_missing).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.uint8, np.uint16, np.uint64])
def test_integer_codes_are_cast(dtype):
    X = RNG.integers(0, 200, size=(50, 30)).astype(dtype)
    out = np.zeros((50, 20), np.uint8)
    largest, problem = encode.integer_codes(X, 5, 25, out)
    assert (out == X[:, 5:25]).all()
    assert (largest == X[:, 5:25].max(axis=0)).all()
    assert not problem.any()


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (np.nan, encode.MISSING),
        (-1, encode.NEGATIVE),
        (-0.5, encode.NEGATIVE),
        (0.5, encode.FRACTION),
        (65535.5, encode.TOO_LARGE),
        (65536, encode.TOO_LARGE),
        (np.inf, encode.TOO_LARGE),
        (-np.inf, encode.NEGATIVE),
        (1e300, encode.TOO_LARGE),
        (65535, encode.FITS),
    ],
)
def test_integer_codes_name_the_misfit(value, problem):
    X = np.ones((20, 3))
    X[11, 1] = value
    largest, found = encode.integer_codes(X, 0, 3, np.zeros((20, 3), np.uint16))
    assert found.tolist() == [0, problem, 0]
    assert largest[0] == 1


def test_integer_codes_of_huge_whole_numbers():
    X = np.array([[2**62, -(2**62), 3]])
    largest, problem = encode.integer_codes(X, 0, 3, np.zeros((1, 3), np.uint16))
    assert problem.tolist() == [encode.TOO_LARGE, encode.NEGATIVE, encode.FITS]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_column_max(dtype):
    X = RNG.integers(0, 256, size=(40, 33)).astype(dtype)
    assert (encode.column_max(X) == X.max(axis=0)).all()
    assert (encode.column_max(X[:0]) == 0).all()
