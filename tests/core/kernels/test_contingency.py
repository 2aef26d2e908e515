import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.kernels import bits, contingency, hashing
from oracles import summaries as oracle


def table_of(rng, n, n_levels):
    return np.column_stack([rng.integers(0, L, n) for L in n_levels]).astype(np.uint8)


def _transposed(rows):
    columns = np.empty(rows.shape[::-1], rows.dtype)
    bits.transpose(rows, columns)
    return columns


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 300])
@pytest.mark.parametrize("n_other", [1, 3, 7])
def test_all_ways_of_counting_agree_with_the_loop(n, n_other):
    rng = np.random.default_rng(n * 10 + n_other)
    n_levels = np.array([1, 2, 5, 3, 5, 9], dtype=np.int64)
    rows, other = table_of(rng, n, n_levels), rng.integers(0, n_other, n)
    offsets = np.concatenate([[0], np.cumsum(n_levels)])
    expected = oracle.counts(rows, other, n_levels, n_other)
    columns = np.ascontiguousarray(rows.T)

    out = np.zeros_like(expected)
    contingency.count_rows(rows, other, offsets, 0, 6, out)
    np.testing.assert_array_equal(out, expected)

    out = np.zeros_like(expected)
    contingency.count_columns(columns, other, offsets, 0, 6, out)
    np.testing.assert_array_equal(out, expected)

    planes = np.zeros((offsets[-1], (n + 63) // 64), np.uint64)
    bits.pack_planes(columns, offsets, 0, 6, planes)
    from_rows = np.zeros_like(planes)
    bits.pack_planes_from_rows(rows, offsets, 9, 0, from_rows.shape[1], from_rows)
    np.testing.assert_array_equal(from_rows, planes)
    np.testing.assert_array_equal(_transposed(rows), columns)
    masks = np.zeros((n_other, (n + 63) // 64), np.uint64)
    bits.pack_planes(other[None, :], np.array([0, n_other]), 0, 1, masks)
    out = np.zeros_like(expected)
    bits.count_planes(planes, masks, 0, offsets[-1], out)
    np.testing.assert_array_equal(out, expected)

    order, bounds = np.empty(n, np.int64), np.empty(n_other + 1, np.int64)
    contingency.group_rows(other, n_other, order, bounds)
    cube = np.zeros((n_other, 9, 6), np.int64)
    contingency.count_lanes(rows, order, bounds, 9, 0, 6, cube)
    for j, L in enumerate(n_levels):
        np.testing.assert_array_equal(cube[:, :L, j].T, expected[offsets[j] : offsets[j + 1]])
        assert (cube[:, L:, j] == 0).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize(("n", "d"), [(1, 1), (7, 3), (8, 70), (63, 2), (65, 129), (129, 64), (200, 5), (700, 260)])
def test_planes_are_one_bit_per_row_and_level(dtype, n, d):
    rng = np.random.default_rng(n + d)
    most = 300 if dtype == np.uint16 and d < 10 else 6
    n_levels = rng.integers(1, most + 1, d)
    rows = (rng.random((n, d)) * n_levels).astype(dtype)
    ends = np.concatenate([[0], np.cumsum(n_levels)])
    # What stood there before is written over.
    planes = np.full((ends[-1], (n + 63) // 64), 2**64 - 1, np.uint64)
    # In two parts, as threads would.
    cut = planes.shape[1] // 2
    for first, last in ((cut, planes.shape[1]), (0, cut)):
        bits.pack_planes_from_rows(rows, ends, int(n_levels.max()), first, last, planes)
    for j in range(d):
        for a in range(n_levels[j]):
            whole = sum(1 << i for i in range(n) if rows[i, j] == a)
            words = [(whole >> (64 * w)) & (2**64 - 1) for w in range(planes.shape[1])]
            assert planes[ends[j] + a].tolist() == words


def test_byte_counters_do_not_overflow():
    rows = np.zeros((700, 3), np.uint8)
    order, bounds = np.arange(700), np.array([0, 700])
    cube = np.zeros((1, 2, 3), np.int64)
    contingency.count_lanes(rows, order, bounds, 2, 0, 3, cube)
    np.testing.assert_array_equal(cube[0], [[700] * 3, [0] * 3])


def test_tiles_count_only_their_features(rng):
    n_levels = np.array([3, 2, 4], dtype=np.int64)
    rows, other = table_of(rng, 40, n_levels), rng.integers(0, 2, 40)
    offsets = np.concatenate([[0], np.cumsum(n_levels)])
    out = np.zeros((6, 2), np.int64)
    contingency.count_rows(rows, other, offsets, 1, 3, out)
    np.testing.assert_array_equal(out, oracle.counts(rows, other, n_levels, 2)[3:])


def test_weighted_counts(rng):
    n_levels = np.array([3, 2], dtype=np.int64)
    rows, other, weight = table_of(rng, 50, n_levels), rng.integers(0, 2, 50), rng.random(50)
    out = np.zeros((5, 2))
    contingency.count_rows_weighted(rows, other, weight, np.array([0, 3, 5]), 0, 2, out)
    np.testing.assert_allclose(out, oracle.counts(rows, other, n_levels, 2, weight), rtol=1e-12)


def test_group_rows_keeps_row_order(rng):
    keys = rng.integers(0, 4, 30)
    order, bounds = np.empty(30, np.int64), np.empty(6, np.int64)
    contingency.group_rows(keys, 5, order, bounds)
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(bounds, np.searchsorted(np.sort(keys), np.arange(6)))


@given(st.lists(st.integers(0, 2**63), min_size=1, max_size=60))
def test_number_keys_numbers_in_order_of_appearance(values):
    keys = np.array(values, np.uint64)
    n = len(keys)
    size = 1 << max(4, (2 * n - 1).bit_length())
    ids, first = np.empty(n, np.int64), np.empty(n, np.int64)
    found = hashing.number_keys(keys, np.empty(size, np.uint64), np.full(size, -1, np.int64), ids, first)
    seen = {}
    for i, key in enumerate(values):
        seen.setdefault(key, (len(seen), i))
    assert found == len(seen)
    assert ids.tolist() == [seen[key][0] for key in values]
    assert first[:found].tolist() == [row for _, row in seen.values()]


@given(st.integers(0, 2**64 - 1))
def test_popcount_counts_ones(word):
    planes = np.array([[word]], np.uint64)
    out = np.zeros((1, 1), np.int64)
    bits.count_planes(planes, np.array([[2**64 - 1]], np.uint64), 0, 1, out)
    assert out[0, 0] == bin(word).count("1")
