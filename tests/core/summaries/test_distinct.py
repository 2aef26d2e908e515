"""Different values against sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.distinct import DistinctValues
from fewer.core.views.blocks import DenseBlock, SparseBlock


def block_of(X, weight, kind):
    if kind == "dense":
        return DenseBlock(np.ascontiguousarray(X), weight=weight)
    matrix = sparse.csc_matrix(X)
    matrix.sort_indices()
    return SparseBlock(matrix, weight=weight)


def check(found, X, weight, most):
    for j in range(X.shape[1]):
        column = X[:, j] if weight is None else X[weight > 0, j]
        want = sorted({float(x) + 0.0 for x in column if x == x})
        assert found.number[j] == min(len(want), most + 1)
        if len(want) <= most:
            assert found.few[j]
            assert found.values[j, : len(want)].tobytes() == np.array(want).tobytes()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([0.0, -0.0, 1.0, -2.5, 3.0, np.nan]), min_size=1, max_size=30), st.integers(1, 5))
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("weighted", [False, True])
def test_values_are_those_of_a_set(kind, weighted, values, most):
    X = np.column_stack([values, values[::-1]])
    weight = np.arange(len(X)) % 2 * 1.5 if weighted else None
    summary = DistinctValues(most)
    with ThreadRunner(1) as run:
        check(run.fold(summary, [block_of(X, weight, kind)]), X, weight, most)
    pieces = [slice(a, a + 4) for a in range(0, len(X), 4)]
    blocks = [block_of(X[p], None if weight is None else weight[p], kind) for p in pieces]
    with StreamRunner() as run:
        apart = run.fold(summary, blocks)
    check(apart, X, weight, most)
    rows = X if weight is None else X[weight > 0]
    low = [np.nanmin(x) if (x == x).any() else np.inf for x in rows.T] if len(rows) else [np.inf] * 2
    assert apart.low.tolist() == low


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8])
def test_wide_tables_of_other_types_are_read_to_the_end_of_few_valued_columns(dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 200, size=(500, 70)).astype(dtype)
    X[:, ::3] = rng.integers(0, 2, size=(500, 24))
    X[-1, 6] = 77
    for extent in (True, False):
        with ThreadRunner(2) as run:
            check(run.fold(DistinctValues(5, extent), [DenseBlock(X)]), X.astype(float), None, 5)
