"""An array that stays in its archive is held against the checksum of the archive, as numpy does with those it loads."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from fewer.core.records.errors import FileError


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("place", [0.2, 0.5, 0.8])
def test_a_flipped_bit_is_one_sentence(tmp_path, place, order):
    rng = np.random.default_rng(0)
    X, path = rng.normal(size=(400, 5)), tmp_path / "rows.npz"
    np.savez(path, X=np.asarray(X, order=order), y=(X[:, 0] > 0).astype(int))
    whole = fewer.select(path, method="FTest").scores
    assert np.array_equal(whole, fewer.select(X, (X[:, 0] > 0).astype(int), "FTest").scores)
    damaged = bytearray(path.read_bytes())
    damaged[int(place * X.nbytes)] ^= 16
    path.write_bytes(damaged)
    with pytest.raises(FileError, match=r"rows.npz could not be read as npz .*checksum.*make it again"):
        fewer.select(path, method="FTest")
