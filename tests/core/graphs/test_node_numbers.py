"""Questions about nodes that a graph does not have."""

import pytest

from fewer.core.graphs.dag import DAG
from fewer.core.records.errors import InputError

COLLIDER = DAG.of_edges(3, [(0, 2), (1, 2)])


@pytest.mark.parametrize(
    "ask",
    [
        lambda: COLLIDER.connected(0, [-1]),
        lambda: COLLIDER.connected(-3),
        lambda: COLLIDER.separated(0, 3),
        lambda: COLLIDER.blanket(-3),
        lambda: COLLIDER.spouses(-3),
        lambda: COLLIDER.ancestors([-1]),
    ],
)
def test_a_number_that_is_no_node_is_refused(ask):
    with pytest.raises(InputError, match="A DAG of 3 nodes was asked about node"):
        ask()


def test_nodes_may_come_one_at_a_time():
    assert COLLIDER.ancestors(iter([2])) == {0, 1, 2}
