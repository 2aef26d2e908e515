"""Joint sums of listed features equal those of all features, to the last bit, however the list changes."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from fewer.core.criteria.joint_sums import JointSums
from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import CodesBlock
from fewer.core.views.view import View

D = 700


def view_of(n, most_levels, run, seed=0):
    rng = np.random.default_rng(seed)
    levels = rng.integers(1, most_levels + 1, D)
    rows = np.column_stack([rng.integers(0, L, n) for L in levels]).astype(np.uint8 if most_levels < 256 else np.uint16)
    y = rng.integers(0, 3, n)
    return View(
        run, [CodesBlock(rows, levels, y)], "codes", n, D, np.zeros(D, bool), classes=np.arange(3), n_levels=levels
    )


# Few rows are counted in lanes, many in bit planes, features of more than 64 levels one by one.
@pytest.mark.parametrize(("n", "most_levels"), [(1, 2), (40, 3), (150, 5), (4000, 2), (60, 100), (50, 300)])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_lists_that_shrink_grow_and_change(n, most_levels, n_jobs):
    with ThreadRunner(n_jobs) as run:
        whole = JointSums(view_of(n, most_levels, run))
        listed = JointSums(view_of(n, most_levels, run))
        rng = np.random.default_rng(1)
        candidates = rng.permutation(D)
        for step in range(14):
            j = int(rng.integers(D))
            assert_same_terms(whole.with_feature(j), listed.terms_of(candidates, j), candidates)
            anchors = [j, *rng.integers(D, size=3).tolist()]
            ((some, shared),) = listed.redundancies_of(candidates, anchors)
            assert some == anchors
            np.testing.assert_array_equal(shared, [whole.redundancy_with(s)[candidates] for s in anchors])
            # Shrinks by little, by much, to one and to nothing, then is another list.
            share = (0.9, 0.95, 0.3, 0.9)[step % 4]
            candidates = candidates[rng.random(len(candidates)) < share]
            if step == 8:
                candidates = candidates[:1]
            elif step == 9:
                candidates = candidates[:0]
            elif step >= 10:
                candidates = rng.permutation(D)[: int(rng.integers(1, D))]


def assert_same_terms(all_terms, terms, candidates):
    for f in fields(terms):
        expected, got = getattr(all_terms, f.name), getattr(terms, f.name)
        np.testing.assert_array_equal(got, expected[candidates] if np.ndim(expected) else expected, err_msg=f.name)


def test_lists_leave_sums_of_all_features_alone():
    with ThreadRunner(1) as run:
        sums, again = JointSums(view_of(80, 4, run)), JointSums(view_of(80, 4, run))
        list(sums.redundancies_of(np.arange(5), [3, 4]))
        sums.terms_of(np.arange(5), 3)
        np.testing.assert_array_equal(sums.redundancy_with(3), again.redundancy_with(3))
        np.testing.assert_array_equal(sums.with_feature(2).triple, again.with_feature(2).triple)


def test_streamed_rows():
    with ThreadRunner(1) as run, StreamRunner(1) as stream:
        memory, streamed = JointSums(view_of(90, 5, run)), JointSums(view_of(90, 5, stream))
        candidates = np.array([3, 1, 600])
        given, again = (list(sums.redundancies_of(candidates, [7, 2])) for sums in (streamed, memory))
        np.testing.assert_array_equal(given[0][1], again[0][1])
        np.testing.assert_array_equal(streamed.terms_of(candidates, 7).triple, memory.terms_of(candidates, 7).triple)
