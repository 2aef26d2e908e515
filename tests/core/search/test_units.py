from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.records.errors import ParameterError
from fewer.core.search.keys import Keys
from fewer.core.search.units import Units, as_units, with_unit, without

NAMES = ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    "groups",
    [[[1, 3], [4]], [["b", "d"]], [(3, 1)], ["p", "q", "r", "q", "s"], np.array([0, 1, 2, 1, 3]), [[], {1, 3}]],
)
def test_groups_by_numbers_names_or_labels(groups):
    units = Units.of(5, groups, names=NAMES)
    assert units.groups == ((0,), (1, 3), (2,), (4,))
    assert units.columns((0, 1)) == (0, 1, 3)
    assert units.single.tolist() == [True, False, True, True]


def test_a_group_with_a_fixed_column_is_fixed():
    for fixed in ([3], "d", [False, False, False, True, False]):
        units = Units.of(5, [[1, 3]], fixed, NAMES)
        assert units.groups == ((0,), (2,), (4,))
        assert units.fixed == ((1, 3),)
        assert units.columns((1,)) == (1, 2, 3)
        assert units.n_fixed == 1


@pytest.mark.parametrize(
    ("groups", "fixed", "words"),
    [
        ([[0, 1], [1, 2]], None, "two groups"),
        ([0, 0, 1], None, "3 labels"),
        ([[0, 9]], None, "9"),
        (None, [-1], "from 0 to 4"),
        (None, ["aa"], "Did you mean a"),
        (None, [True, False], "True"),
    ],
)
def test_what_is_no_group_is_refused(groups, fixed, words):
    with pytest.raises(ParameterError, match=words):
        Units.of(5, groups, fixed, NAMES)


@given(st.sets(st.integers(0, 40)), st.integers(0, 40))
def test_units_join_and_leave_and_keys_follow(members, unit):
    subset, keys = as_units(members), Keys(41)
    assert subset == tuple(sorted(members))
    changed = without(subset, unit) if unit in subset else with_unit(subset, unit)
    assert changed == tuple(sorted(members ^ {unit}))
    assert keys.changed(keys.of(subset), [unit]) == [keys.of(changed)]
    assert keys.of(subset) == Keys(41).of(subset)
    assert keys.of(subset) != keys.of(changed)
