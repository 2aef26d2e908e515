"""Checksums of the columns of a query, which need no DuckDB."""

from __future__ import annotations

import pyarrow as pa

from fewer.core.reading.io.query import _Marks


def test_checksums_do_not_depend_on_batches_but_on_values_order_and_gaps():
    def marks(*pieces):
        made = _Marks()
        for piece in pieces:
            made.add(pa.array(piece) if isinstance(piece, list) else piece)
        return made.told

    for whole in ([1.0, None, 3.0, 4.0], ["a", "bc", None, ""], [True, False, None, True]):
        want = marks(whole)
        # Also of slices, whose buffers hold the rest, too.
        assert marks(pa.array(whole)[:1], pa.array(whole)[1:3], pa.array(whole)[3:]) == want
        assert marks(whole[::-1]) != want
        assert marks([*whole[:1], *whole[2:], None]) != want
    assert marks(["ab", "c"]) != marks(["a", "bc"])
