"""Predictions, surrogates and biases of trees: against plain loops, and what chapter 7 says of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fewer.core.forest.binned import Binned, binned
from fewer.core.forest.importances import tree_importances
from fewer.core.forest.masking import masking_matrix
from fewer.core.forest.predictions import boosted_trees, predictions
from fewer.core.forest.trees import Grower, TreeRules
from fewer.core.reading.memory import read_memory
from fewer.core.runners.threads import ThreadRunner


def association(left, weight, column, nominal, gap):
    """The largest lambda over all splits of a column, by trying them."""
    codes = sorted(set(column.tolist()))
    ordered = [c for c in codes if c != gap]
    if nominal:
        sets = [set(s) for r in range(len(codes) + 1) for s in itertools.combinations(codes, r)]
    else:
        low = [set(ordered[:k]) for k in range(len(ordered) + 1)]
        sets = [*low, *(set(ordered) - s for s in low)]
        sets += [s | {gap} for s in sets] if gap in codes else []
    total, one = weight.sum(), weight[left].sum()
    agree = max(weight[np.isin(column, list(s)) == left].sum() for s in sets)
    return (min(one, total - one) - (total - agree)) / min(one, total - one)


@pytest.mark.parametrize("kind", ["numbers", "nominal", "missing"])
def test_masking_is_what_all_surrogates_tried_give(kind):
    rng = np.random.default_rng(2)
    codes = np.asfortranarray(rng.integers(0, 4, (40, 3)).astype(np.uint8))
    codes[:, 1] = np.clip(3 - codes[:, 0] + (rng.random(40) < 0.2), 0, 3)
    gap = 3 if kind == "missing" else -1
    data = Binned(codes, np.full(3, kind == "nominal"), np.full(3, gap))
    target = codes[:, 0] + rng.normal(size=40)
    wanted, count = np.zeros((3, 3)), 0
    grower = Grower(data, target, 0, TreeRules(2, 3, 2.0))
    for tree in grower.trees(0, range(3)):
        count += 1
        for row, drop in zip(tree.nodes, tree.drops):
            if row[0] >= 0:
                rows = tree.rows[row[1] : row[3]]
                left = np.arange(len(rows)) < row[2] - row[1]
                for j in range(3):
                    found = association(left, tree.bag[rows], codes[rows, j], kind == "nominal", gap)
                    wanted[row[0], j] += drop * max(found, 0.0)
    found = masking_matrix(data, grower.trees(0, range(3)))
    np.testing.assert_allclose(found, wanted / count, atol=1e-12)
    importance = tree_importances(data, target, 0, numbers=range(3), seed=0, max_features=2, max_depth=3, min_leaf=2.0)
    np.testing.assert_allclose(np.diag(found), importance.mean(axis=0), rtol=1e-9)


def test_predictions_are_means_of_leaves_over_trees():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 8, (30, 3)).astype(np.uint8)
    target = codes[:, 0] + rng.normal(size=30) + 100.0
    data, rules = Binned.of(codes), TreeRules(3, 2, 2.0)
    everywhere, outside = np.zeros((4, 30)), np.full((4, 30), np.nan)
    for number, tree in enumerate(Grower(data, target, 0, rules).trees(1, range(4))):
        for row in tree.nodes[tree.nodes[:, 0] < 0]:
            bag, out = tree.rows[row[1] : row[3]], tree.out[row[4] : row[6]]
            value = np.average(target[bag], weights=tree.bag[bag])
            everywhere[number, bag] = everywhere[number, out] = outside[number, out] = value
    found = predictions(data, target, rules, numbers=range(4), seed=1)
    np.testing.assert_allclose(found.everywhere, everywhere.mean(axis=0))
    seen = ~np.isnan(outside).all(axis=0)
    np.testing.assert_allclose(found.outside[seen], np.nanmean(outside[:, seen], axis=0))
    np.testing.assert_allclose(found.outside[~seen], found.everywhere[~seen])


def test_boosted_trees_take_away_what_they_explain():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 8, (60, 2)).astype(np.uint8)
    target = codes[:, 0].astype(float)
    roots = [
        (tree.bag * 1.0, tree.drops.sum())
        for tree in boosted_trees(
            Binned.of(codes), target, TreeRules(2, 3), numbers=range(20), seed=0, learning_rate=0.5
        )
    ]
    assert roots[-1][1] < 1e-3 * roots[0][1]


def test_out_of_bag_importance_does_not_grow_with_levels():
    rng, trees = np.random.default_rng(4), []
    for _ in range(4):
        codes = np.column_stack([rng.integers(0, levels, 150) for levels in (2, 8, 32)]).astype(np.uint8)
        data = Binned(np.asfortranarray(codes), np.ones(3, bool), np.full(3, -1))
        y = rng.normal(size=150)
        trees.append(
            [
                tree_importances(
                    data, y, 0, numbers=range(40), seed=1, max_features=1, max_depth=1, min_leaf=5.0, select=select
                ).mean(axis=0)
                for select in ("in-bag", "own")
            ]
        )
    inside, outside = np.mean(trees, axis=0)
    assert inside[0] < inside[1] < inside[2]
    assert inside[2] > 5.0 * inside[0]
    assert outside[2] < 2.0 * outside[0]


def test_contrasts_are_permutations_of_their_columns():
    data = Binned.of(np.random.default_rng(0).integers(0, 9, (20, 3)))
    both = data.with_contrasts(np.random.default_rng(1))
    np.testing.assert_array_equal(both.codes[:, :3], data.codes)
    np.testing.assert_array_equal(np.sort(both.codes[:, 3:], axis=0), np.sort(data.codes, axis=0))
    assert not np.array_equal(both.codes[:, 3:], data.codes)


def test_columns_become_codes_with_one_for_missing_values():
    import fewer

    X = np.array([[0.5, 3.0], [np.nan, 1.0], [0.1, 2.0], [0.5, 2.0]])
    selector = fewer.IPE()
    with ThreadRunner() as run:
        view = read_memory(selector, X, np.arange(4.0), None, selector.method_tags, None, run)
        found = binned(view, 16)
    assert found.codes.tolist() == [[1, 2], [2, 0], [0, 1], [1, 1]]
    assert found.missing.tolist() == [2, -1]


def test_rare_levels_share_a_code():
    from fewer.core.forest.binned import _frequent

    column = np.concatenate([np.arange(400), np.repeat(np.arange(300, 310), 3)])
    found = _frequent(column)
    assert found.dtype == np.uint8
    assert found[300:310].tolist() == list(range(10))
    assert set(found[column == 399]) == {255}
