"""Trees of the histogram forest against trees in exact fractions, and against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fewer.core.forest.binned import Binned
from fewer.core.forest.importances import tree_importances
from fewer.core.forest.trees import Grower, TreeRules, tree_states
from oracles import forest as oracle


def problem(seed, n, p, n_classes, levels=5, nominal=False, missing=False):
    """Return codes and a target of whole numbers with mean 0, so that all sums are exact, or of classes."""
    rng = np.random.default_rng(seed)
    codes = np.asfortranarray(rng.integers(0, levels, (n, p)).astype(np.uint8))
    gaps = np.full(p, -1)
    if missing:
        gaps[: p // 2] = levels
        codes[:, : p // 2][rng.random((n, p // 2)) < 0.3] = levels
    kinds = np.zeros(p, bool)
    kinds[p // 3 :] = nominal
    signal = codes[:, 0].astype(int) + codes[:, -1] // 2 + rng.integers(0, 4, n)
    if n_classes:
        return Binned(codes, kinds, gaps), np.clip(signal * n_classes // (signal.max() + 1), 0, n_classes - 1)
    half = signal[: n // 2]
    target = np.concatenate([half, -half, np.zeros(n % 2, int)])
    return Binned(codes, kinds, gaps), target


def same(data, target, n_classes, rules, seed=0, numbers=(0, 3)):
    """Compare trees node by node."""
    grower, n = Grower(data, np.asarray(target, float if not n_classes else int), n_classes, rules), len(target)
    for tree, state in zip(grower.trees(seed, numbers), tree_states(seed, numbers)):
        # Arrays are used again, and the state has moved on.
        wanted = oracle.tree(
            data.columns, data.nominal, data.missing, target.tolist(), n_classes, [1] * n, rules, state[0]
        )
        assert tree.nodes[:, 0].tolist() == [node[0] for node in wanted]
        np.testing.assert_allclose(grower.scale * tree.drops, [float(node[1]) for node in wanted], atol=1e-12)
        for row, (_, _, inside, outside, _) in zip(tree.nodes, wanted):
            assert set(tree.rows[row[1] : row[3]].tolist()) == inside
            assert set(tree.out[row[4] : row[6]].tolist()) == outside
    return wanted


@pytest.mark.parametrize("select", ["in-bag", "own"])
@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("kind", ["numbers", "missing", "nominal", "both"])
def test_trees_equal_exact_ones(select, n_classes, kind):
    data, target = problem(
        7, 24, 6, n_classes, nominal=kind in ("nominal", "both"), missing=kind in ("missing", "both")
    )
    wanted = same(data, target, n_classes, TreeRules(3, 4, 2.0, select))
    assert len(wanted) > 1


def test_trees_by_in_bag_means_equal_exact_ones():
    rng = np.random.default_rng(3)
    data, _ = problem(3, 50, 6, 0, levels=20)
    target = data.codes[:, 0] + rng.normal(size=50)
    target -= target.mean()
    assert len(same(data, target, 0, TreeRules(3, 3, 5.0, "reference"))) > 1


@pytest.mark.parametrize("select", ["in-bag", "own", "reference"])
def test_degenerate_data_give_a_leaf_or_an_exact_tree(select):
    rules = TreeRules(2, None, 1.0, select)
    two = Binned.of(np.array([[0, 1], [1, 1]]))
    same(two, np.array([1, -1]), 0, rules, numbers=range(4))
    constant = Binned.of(np.ones((12, 3)))
    assert len(same(constant, np.arange(12) - 5, 0, rules)) == 1
    some, _ = problem(0, 12, 3, 0)
    assert len(same(some, np.zeros(12, int), 0, rules)) == 1
    assert len(same(some, np.zeros(12, int), 2, rules)) == 1
    ties = Binned.of(np.tile(np.arange(12) % 2, (5, 1)).T)
    same(ties, np.arange(12) % 2, 2, rules)


@pytest.mark.parametrize("n_classes", [0, 2, 4])
def test_importances_are_those_of_scikit_learn_without_bootstrap(n_classes):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 30, (240, 4)).astype(np.uint8)
    y = 3 * rng.normal(size=240) + codes[:, 1] if not n_classes else rng.integers(0, n_classes, 240)
    found = tree_importances(
        codes, y, n_classes, numbers=range(1), seed=0, max_features=4, max_depth=3, min_leaf=12, bootstrap=False
    )
    kind = DecisionTreeClassifier if n_classes else DecisionTreeRegressor
    theirs = kind(max_depth=3, min_samples_leaf=12, random_state=0).fit(codes, y).tree_
    np.testing.assert_allclose(found[0], theirs.compute_feature_importances(normalize=False), rtol=1e-9)
    leaves = theirs.children_left < 0
    left = theirs.impurity[leaves] @ theirs.weighted_n_node_samples[leaves] / 240
    np.testing.assert_allclose(found.sum(), theirs.impurity[0] - left, rtol=1e-9)


def test_a_tree_depends_on_seed_and_number_alone():
    data, target = problem(2, 40, 5, 2)
    every = {"max_features": 2, "max_depth": 4}
    all_trees = tree_importances(data, target, 2, numbers=range(6), seed=5, **every)
    np.testing.assert_array_equal(all_trees[4:5], tree_importances(data, target, 2, numbers=[4], seed=5, **every))
    assert not np.array_equal(all_trees, tree_importances(data, target, 2, numbers=range(6), seed=6, **every))
    assert len({row.tobytes() for row in all_trees}) == 6


def test_weights_count_as_repeated_rows_do_in_a_tree_of_all_rows():
    rng, times = np.random.default_rng(4), np.arange(60) % 3 + 1
    data, target = problem(4, 60, 4, 0, levels=40)[0], rng.normal(size=60)
    rules = {"numbers": range(1), "seed": 0, "max_features": 4, "max_depth": 3, "bootstrap": False}
    one = tree_importances(data, target, 0, weight=times, min_leaf=9.5 * 60 / times.sum(), **rules)
    many = tree_importances(np.repeat(data.codes, times, axis=0), np.repeat(target, times), 0, min_leaf=9.5, **rules)
    np.testing.assert_allclose(one, many, rtol=1e-9)


def test_about_a_third_of_the_rows_are_out_of_bag():
    data, target = problem(5, 400, 3, 2)
    grower = Grower(data, target, 2, TreeRules(1, 1))
    share = np.mean([len(tree.out) / 400 for tree in grower.trees(0, range(50))])
    assert abs(share - np.exp(-1)) < 0.01
