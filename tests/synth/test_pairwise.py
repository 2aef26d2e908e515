"""Random pairs of rows."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.records.errors import FewerError
from fewer.synth import sample_pairwise_constraints


def test_pairs_are_different_agree_with_the_labels_and_come_from_half_of_the_rows(rng):
    y = rng.integers(0, 4, 101)
    must, cannot = sample_pairwise_constraints(y, 300, random_state=1)
    both = np.concatenate([must, cannot])
    assert len(both) == len({tuple(pair) for pair in both.tolist()}) == 300
    assert (both[:, 0] < both[:, 1]).all()
    assert (y[must[:, 0]] == y[must[:, 1]]).all()
    assert (y[cannot[:, 0]] != y[cannot[:, 1]]).all()
    assert len(np.unique(both)) <= 51


def test_the_share_of_pairs_that_belong_together_is_that_of_the_labels():
    y = np.repeat([0, 1, 2], [400, 300, 300])
    must, cannot = sample_pairwise_constraints(y, 20_000, fraction=1.0, random_state=0)
    assert len(must) / (len(must) + len(cannot)) == pytest.approx(0.16 + 0.09 + 0.09, abs=0.015)


def test_all_pairs_can_be_drawn_and_no_more():
    must, cannot = sample_pairwise_constraints(np.zeros(9), 36, fraction=1.0, random_state=0)
    assert sorted(map(tuple, must.tolist())) == [(i, j) for i in range(9) for j in range(i + 1, 9)]
    assert len(cannot) == 0
    with pytest.raises(FewerError, match="36 different pairs"):
        sample_pairwise_constraints(np.zeros(9), 37, fraction=1.0)
    with pytest.raises(FewerError, match="fraction=0"):
        sample_pairwise_constraints(np.zeros(9), 3, fraction=0)


def test_large_pair_numbers_are_decoded_exactly():
    must, cannot = sample_pairwise_constraints(np.arange(60_000), 2000, fraction=1.0, random_state=3)
    assert len(must) == 0
    assert (cannot[:, 0] < cannot[:, 1]).all()
    assert cannot.max() < 60_000
