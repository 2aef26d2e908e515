"""Bits that repeat the class with a known probability."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.synth import make_binary_channels


def test_bits_and_their_information_are_as_stated():
    data = make_binary_channels(50_000, (0.9, 0.7, 0.5, 0.0, 1.0), random_state=0)
    assert np.bincount(data.y).tolist() == [50_000, 50_000]
    same = data.y[:, None] == data.X
    for c in (0, 1):
        np.testing.assert_allclose(same[data.y == c].mean(axis=0), [0.9, 0.7, 0.5, 0, 1], atol=0.01)
    np.testing.assert_allclose(data.importance, [0.368064, 0.082283, 0, np.log(2), np.log(2)], atol=5e-7)
    assert data.importance[2] == 0
    assert data.relevant == (0, 1, 3, 4)
    assert make_binary_channels().X.shape == (200, 3)
    np.testing.assert_array_equal(make_binary_channels(random_state=1).X, make_binary_channels(random_state=1).X)


@pytest.mark.parametrize("wrong", [{"n_per_class": 0}, {"p": [1.5]}, {"p": []}, {"p": 0.5}, {"p": "a"}])
def test_refusals(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        make_binary_channels(**wrong)
