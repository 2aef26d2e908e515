"""Groups of features that say the same."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.synth import GENERATORS, make_elastic_net_groups


def test_groups_are_correlated_within_and_not_between():
    made = make_elastic_net_groups(20_000, random_state=0)
    r = np.corrcoef(made.X.T)
    within = np.abs([r[a, b] for group in (0, 3) for a in range(group, group + 3) for b in range(a) if b >= group])
    # 33.33 / 33.396, because the noise has a variance of 1/16.
    np.testing.assert_allclose(within, 0.99813, atol=5e-4)
    assert np.abs(r[:3, 3:]).max() < 0.03
    assert np.sign(r[0, :3]).tolist() == [1, -1, 1]
    slope = np.linalg.lstsq(np.column_stack([np.ones(20_000), made.X[:, [0, 3]]]), made.y, rcond=None)[0]
    np.testing.assert_allclose(slope[1:], [1, 0.1], atol=0.01)


def test_the_generator_is_listed_and_repeats():
    made = [GENERATORS["elastic_net_groups"].make(10, random_state=3) for _ in range(2)]
    assert np.array_equal(made[0].X, made[1].X)
    assert made[0].X.shape == (10, 6)
    with pytest.raises(ValueError, match="n_samples"):
        make_elastic_net_groups(1)
