"""Normalised mutual information."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from fewer.core.records.errors import FewerError
from fewer.evaluate import nmi
from oracles import coclusters as oracle


def test_the_numbers_of_the_catalogue():
    z, found = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]
    information, first, second = oracle.mutual_information_of_labels(found, z)
    assert (information, first, second) == pytest.approx((2 / 3, 1.5849625, 1.0), abs=1e-7)
    assert nmi(found, z) == pytest.approx(0.5158037430, abs=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_it_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n, k, l = rng.integers(1, 12, 3)
    a, b = rng.integers(0, k, n), rng.integers(-1, l, n)
    assert nmi(a, b) == pytest.approx(normalized_mutual_info_score(a, b), abs=1e-12)
    assert nmi(a, b) == pytest.approx(nmi(b, a))
    assert nmi(a, (7 - a) * 3) == 1.0


def test_texts_are_labels_and_other_lengths_are_refused():
    assert nmi(["a", "b", "a"], [1, 0, 1]) == 1.0
    assert nmi([0, 0, 0], [0, 1, 2]) == 0.0
    with pytest.raises(FewerError, match=r"shape \(2,\)"):
        nmi([0, 1], [0, 1, 2])
