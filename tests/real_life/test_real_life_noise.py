"""Ten data sets of noise; the script beside this asks about two hundred."""

from __future__ import annotations

import numpy as np

from real_life.noise import CLASSES, bound, made, wrong


def test_noise_is_seldom_kept():
    assert len(wrong("select", range(10))) <= bound("select", 10)


def test_the_data_sets_are_of_all_sizes_and_kinds():
    sets = [made(number) for number in range(40)]
    rows = np.array([len(one.y) for one in sets])
    assert rows.min() < 80 < 700 < rows.max() <= 1_000
    columns = np.array([one.frame.shape[1] for one in sets])
    assert 5 <= columns.min() < 8 < 120 < columns.max() <= 200
    assert sum(one.numbers for one in sets) == 40 // len(CLASSES)
    assert (bound("select", 200), bound("compare", 200)) == (29, 16)
