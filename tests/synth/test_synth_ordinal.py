"""The Kano-type generator: what its definition promises."""

import numpy as np
import pytest

from fewer.core.records.errors import ParameterError
from fewer.synth import make_ordinal_kano
from fewer.synth.ordinal import EFFECTS


@pytest.mark.parametrize("n", [5, 7, 500, 1003])
def test_class_levels_are_equally_frequent(n):
    """Catalogue, companion of ordEval."""
    sizes = np.bincount(make_ordinal_kano(n, random_state=0).y, minlength=5)
    assert sizes.sum() == n
    assert sizes.max() - sizes.min() <= 1


def test_classes_ascend_with_the_sum_of_the_effects():
    s = make_ordinal_kano(400, random_state=1)
    total = [sum(EFFECTS[name][int(row[j]) - 1] for j, name in enumerate(EFFECTS)) for row in s.X]
    for a in range(4):
        lower = [t for t, c in zip(total, s.y) if c == a]
        higher = [t for t, c in zip(total, s.y) if c == a + 1]
        assert max(lower) <= min(higher)


def test_features_are_uniform_but_the_last():
    s = make_ordinal_kano(20000, random_state=2)
    assert set(np.unique(s.X)) == {1, 2, 3, 4, 5}
    assert (s.names[6], s.names[7]) == ("irrelevant_uniform", "irrelevant_normal")
    assert s.irrelevant == (6, 7)
    shares = np.array([np.bincount(column.astype(int), minlength=6)[1:] / 20000 for column in s.X.T])
    assert np.abs(shares[:7] - 0.2).max() < 0.015
    assert shares[7, 2] > 0.4
    assert shares[7, [0, 4]].max() < 0.05


def test_noise_replaces_a_share_of_the_classes():
    plain, noisy = (make_ordinal_kano(5000, noise=share, random_state=3) for share in (0.0, 0.4))
    np.testing.assert_array_equal(plain.X, noisy.X)
    # One in five random labels is the old one.
    assert np.mean(plain.y != noisy.y) == pytest.approx(0.4 * 0.8, abs=0.02)


def test_what_cannot_be_is_said():
    with pytest.raises(ParameterError, match="n_samples"):
        make_ordinal_kano(4)
    with pytest.raises(ParameterError, match="noise"):
        make_ordinal_kano(noise=1.5)
