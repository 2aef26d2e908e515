"""The forest of covers as an object."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from fewer.core.records.errors import InputError
from fewer.core.records.forest import RedundancyForest
from fewer.core.records.result_table import ResultTable

NAMES = ("rec", "hockei", "motorcycl", "bike", "nhl", "playoff", "alone")
PARENTS = [-1, 0, 0, 2, 1, 1, -1]
WEIGHTS = [0, 0.4426, 0.4372, 0.5609, 0.4530, 0.4067, 0]


@pytest.fixture
def forest():
    return RedundancyForest(PARENTS, WEIGHTS, NAMES)


def test_parts_of_a_forest(forest):
    assert forest.roots.tolist() == [0]
    assert forest.leaves.tolist() == [3, 4, 5]
    assert forest.alone.tolist() == [6]
    assert forest.children(1) == [4, 5]
    assert forest.edges == [(PARENTS[j], j, WEIGHTS[j]) for j in range(1, 6)]
    assert repr(forest) == "<RedundancyForest: 7 features, 1 trees, 3 leaves>"


def test_text_is_an_indented_tree(forest):
    assert str(forest).splitlines() == [
        "rec",
        "  hockei (0.4426)",
        "    nhl (0.453)",
        "    playoff (0.4067)",
        "  motorcycl (0.4372)",
        "    bike (0.5609)",
        "1 feature alone",
    ]
    assert str(RedundancyForest([-1, -1], [0, 0])) == "2 features alone"


def test_plain_values_and_pickle(forest):
    for again in (
        RedundancyForest.from_table(ResultTable.from_dict(json.loads(json.dumps(forest.table().to_dict()))), 7, NAMES),
        pickle.loads(pickle.dumps(forest)),
    ):
        assert again.parents.tolist() == PARENTS
        assert again.weights.tolist() == WEIGHTS
        assert again.names == NAMES


def test_every_node_is_visited_once_below_its_parent(rng):
    parents = [-1, *(int(rng.integers(-1, j)) for j in range(1, 300))]
    forest = RedundancyForest(parents, rng.random(300))
    visited = list(forest.walk())
    assert sorted(j for j, _ in visited) == list(range(300))
    depth = dict(visited)
    assert all(depth[j] == (0 if p < 0 else depth[p] + 1) for j, p in enumerate(parents))


def test_a_chain_may_be_long():
    n = 5000
    forest = RedundancyForest(np.arange(n) - 1, np.zeros(n))
    assert str(forest).splitlines()[-1].startswith("  " * (n - 1))


@pytest.mark.parametrize("parents", [[1, 0], [-1, 7], [1, 2, 0]])
def test_what_is_no_forest_is_refused(parents):
    with pytest.raises(InputError, match="circle"):
        RedundancyForest(parents, np.zeros(len(parents)))


def test_lengths_must_agree():
    with pytest.raises(InputError, match="one of each"):
        RedundancyForest([-1, 0], [0.0])


def test_plot_draws_names_and_edges(forest):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    ax = forest.plot()
    texts = [text.get_text() for text in ax.texts]
    assert set(NAMES[:6]) <= set(texts)
    assert "alone" not in texts
    assert len(ax.lines) == 5
    assert "0.44" in texts
    assert forest.plot(ax) is ax
    ax.figure.canvas.draw()
    assert len(RedundancyForest([-1], [0]).plot().texts) == 0
    plt.close("all")


def test_names_are_not_read_as_formulas():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    ax = RedundancyForest([-1, 0], [0, 1], ("cost $", "a$_$b^")).plot()
    ax.figure.canvas.draw()
    plt.close("all")
