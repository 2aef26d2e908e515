"""What a cluster is told of the size of blocks and summaries, by which it decides what to move."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import scipy.sparse

from fewer.core.summaries.counts import TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.views.blocks import CodesBlock, DenseBlock, SparseBlock, SparseCodesBlock

CODES, LEVELS, Y = np.zeros((500, 8), np.uint8), np.full(8, 3), np.arange(500) % 2
SPARSE = scipy.sparse.csc_array(np.eye(500, 8))


@pytest.mark.parametrize(
    ("block", "least"),
    [
        (DenseBlock(np.zeros((500, 8)), Y), 500 * 8 * 8 + Y.nbytes),
        (CodesBlock(CODES, LEVELS, Y), CODES.nbytes + Y.nbytes),
        (SparseBlock(SPARSE, Y), SPARSE.data.nbytes + SPARSE.indices.nbytes + Y.nbytes),
        (SparseCodesBlock(SPARSE.astype(np.uint8), LEVELS, LEVELS, Y), 8 + Y.nbytes),
        (TargetCounts(2).whole(CodesBlock(CODES, LEVELS, Y)), 8 * 3 * 2 * 8),
        (ClassMoments(2).whole(DenseBlock(np.ones((500, 8)), Y)), 2 * 8 * 2 * 8),
    ],
    ids=lambda value: type(value).__name__,
)
def test_sizes_are_those_of_the_arrays(block, least):
    dask = pytest.importorskip("dask.sizeof")
    assert least <= sys.getsizeof(block) <= least + 1000
    assert dask.sizeof(block) == sys.getsizeof(block)
