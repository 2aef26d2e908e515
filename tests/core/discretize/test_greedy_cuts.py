"""The non-myopic discretizer against plain loops, and the facts of the catalogue (book ch. 9, section 9.7.5)."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

import fewer
from fewer.core.discretize.codes import codes_view
from fewer.core.discretize.named import GreedyDiscretizer, LocalData, MDLDiscretizer, as_discretizer
from fewer.core.kernels.pair_cuts import greedy_pair_cuts
from fewer.core.neighbours import relief_pairs
from fewer.core.records.errors import InputError, RequirementError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View
from oracles import greedy_cuts as oracle
from oracles.measures import mdl_score


@parametrize_with_checks([GreedyDiscretizer(), GreedyDiscretizer(3, n_samples=5), GreedyDiscretizer(measure="mdl")])
def test_is_a_scikit_learn_transformer(estimator, check):
    check(estimator)


def edges_of(X, y, **params):
    cuts = GreedyDiscretizer(**params).fit(X, y).cuts_
    return [cuts.of(j).tolist() for j in range(X.shape[1])]


def truth_of(X, y, k, most, lookahead, rows=None, numeric=False, nominal=None):
    rows = range(len(X)) if rows is None else rows
    nominal = np.zeros(X.shape[1], bool) if nominal is None else nominal
    pairs = oracle.near_pairs(X, y, k, nominal, rows, numeric)
    quality = oracle.rrelieff_quality if numeric else oracle.relieff_quality
    return [
        oracle.greedy_cuts(column, partial(quality, y=y, pairs=pairs, n_rows=len(rows)), most, lookahead)[0]
        for column in X.T
    ]


@pytest.mark.parametrize("lookahead", [0, 1, 3])
@pytest.mark.parametrize("kind", ["two classes", "three classes", "numbers"])
def test_agrees_with_plain_loops(rng, kind, lookahead):
    X = rng.normal(size=(24, 3))
    X[:, 1] = np.round(X[:, 1])
    y = rng.normal(size=24) + X[:, 0] if kind == "numbers" else rng.integers(0, 2 if kind == "two classes" else 3, 24)
    got = edges_of(X, y, n_neighbors=4, lookahead=lookahead, max_bins=6)
    truth = truth_of(X, y, 4, 5, lookahead, numeric=kind == "numbers")
    assert [len(e) for e in got] == [len(e) for e in truth]
    for a, b in zip(got, truth):
        np.testing.assert_allclose(a, b)
    assert sum(map(len, got)) > 0


def test_classes_smaller_than_the_number_of_neighbours(rng):
    X = rng.normal(size=(20, 2))
    y = np.array([0] * 15 + [1] * 4 + [2])
    got = edges_of(X, y, n_neighbors=8, max_bins=4)
    for a, b in zip(got, truth_of(X, y, 8, 3, 0)):
        np.testing.assert_allclose(a, b)


def test_nominal_columns_count_in_the_distance_and_are_not_cut(rng):
    X = np.column_stack([rng.normal(size=20), rng.integers(0, 3, 20), rng.normal(size=20)])
    y = rng.integers(0, 2, 20)
    nominal = np.array([False, True, False])
    view = View(
        ThreadRunner(1),
        [DenseBlock(X, y)],
        "dense",
        20,
        3,
        nominal=nominal,
        classes=np.array([0, 1]),
        labels={1: np.arange(3)},
    )
    cuts = GreedyDiscretizer(4, n_neighbors=3).cuts(view)
    truth = truth_of(X, y, 3, 3, 0, nominal=nominal)
    for j in (0, 2):
        np.testing.assert_allclose(cuts.of(j), truth[j])
    assert len(cuts.of(1)) == 0


def xor(seed, n=300):
    X = np.random.default_rng(seed).random((n, 2))
    return X, ((X[:, 0] < 0.5) != (X[:, 1] < 0.5)).astype(int)


def test_exclusive_or_is_cut_in_the_middle():
    """Catalogue: 300 points, 20 seeds, the first boundary is within 0.05 of one half every time, quality about 0.5."""
    for seed in range(20):
        X, y = xor(seed)
        for j, edges in enumerate(edges_of(X, y, max_bins=2)):
            assert abs(edges[0] - 0.5) < 0.05
            if seed < 2:
                pairs = oracle.near_pairs(X, y, 10, [False, False], range(300))
                levels = [int(v > edges[0]) for v in X[:, j]]
                assert oracle.relieff_quality(levels, y, pairs, 300) == pytest.approx(0.5, abs=0.1)
    X, y = xor(0)
    assert MDLDiscretizer().fit(X, y).cuts_.n_levels.tolist() == [1, 1]


def code_saved(levels, y):
    """Kononenko's measure of levels, in nats."""
    known = [(level, c) for level, c in zip(levels, y.tolist()) if level is not None]
    table = [[known.count((level, c)) for c in sorted(set(y.tolist()))] for level in sorted({v for v, _ in known})]
    return mdl_score(table)


@pytest.mark.parametrize("lookahead", [0, 3])
@pytest.mark.parametrize("charge", [False, True])
def test_code_lengths_agree_with_plain_loops(rng, lookahead, charge):
    X = rng.normal(size=(40, 3))
    y = np.digitize(X[:, 0] + 0.3 * rng.normal(size=40), [-0.5, 0.5])
    X[:, 1] = np.round(X[:, 1])
    X[::9, 2] = np.nan
    got = edges_of(X, y, measure="mdl", lookahead=lookahead, charge_boundary=charge, max_bins=7)
    for column, edges in zip(X.T, got):
        price = np.log(len({v for v in column if v == v}) - 1) / np.isfinite(column).sum() if charge else 0.0

        def quality(levels, price=price):
            return code_saved(levels, y) - price * (len({v for v in levels if v is not None}) - 1)

        np.testing.assert_allclose(edges, oracle.greedy_cuts(column, quality, 6, lookahead)[0])
    assert len(got[0]) > 0


def test_code_lengths_find_a_spurious_cut_unless_its_place_is_charged():
    """Catalogue: exclusive or, 20 seeds; the best single cut saves 0.001 to 0.020 bits, its place costs 0.0274."""
    saved = []
    for seed in range(20):
        X, y = xor(seed)
        (edges, _) = edges_of(X, y, measure="mdl", max_bins=2)
        saved.append(code_saved([int(v > edges[0]) for v in X[:, 0]], y) / np.log(2) if edges else 0.0)
        assert edges_of(X, y, measure="mdl", max_bins=2, charge_boundary=True) == [[], []]
    assert np.count_nonzero(saved) >= 18
    assert max(saved) < np.log2(299) / 300


def test_a_place_costs_the_logarithm_of_the_number_of_places():
    """The cut of 0 0 1 1 saves ln 6 + ln 5 - 2 ln 3 = 1.20, one of three places costs ln 3 = 1.10, of four 1.39."""
    X = np.arange(4.0)[:, None]
    assert edges_of(X, [0, 0, 1, 1], measure="mdl", charge_boundary=True) == [[1.5]]
    assert edges_of(X, [0, 1, 0, 1], measure="mdl", charge_boundary=True) == [[]]


def test_code_lengths_need_classes_and_take_sparse_rows(rng):
    X = rng.normal(size=(60, 4)) * (rng.random((60, 4)) < 0.6)
    y = (X[:, 0] > 0.1).astype(int)
    dense = GreedyDiscretizer(measure="mdl").fit_transform(X, y)
    np.testing.assert_array_equal(GreedyDiscretizer(measure="mdl").fit_transform(scipy.sparse.csr_array(X), y), dense)
    with ThreadRunner() as run, pytest.raises(RequirementError, match="needs classes"):
        GreedyDiscretizer(measure="mdl").cuts(LocalData(DenseBlock(X, X[:, 0]), run))
    with pytest.raises(ValueError, match="Unknown label type"):
        GreedyDiscretizer(measure="mdl").fit(X, X[:, 0])


def test_a_selector_finds_what_single_features_hide():
    rng = np.random.default_rng(1)
    X = rng.random((400, 6))
    y = ((X[:, 2] < 0.5) != (X[:, 4] < 0.5)).astype(int)
    got = fewer.CMIGreedy(2, discretizer="relief", bins=2).fit(X, y).selection_
    levels = GreedyDiscretizer(2).fit_transform(X, y)
    assert np.mean((levels[:, 2] != levels[:, 4]) == y) > 0.95
    assert len(got) == 2


def test_names_and_bins_reach_the_discretiser(rng):
    assert isinstance(as_discretizer("relief", 7), GreedyDiscretizer)
    assert as_discretizer("relief", 7).max_bins == 7
    X, y = xor(3)
    got = fewer.InformationGain(1, discretizer="relief", bins=4).fit(X, y)
    view = View(
        ThreadRunner(1), [DenseBlock(X, y)], "dense", 300, 2, nominal=np.zeros(2, bool), classes=np.array([0, 1])
    )
    assert codes_view(view, as_discretizer("relief", 4)).n_levels.max() <= 4
    assert got.scores_.shape == (2,)
    # Levels that were chosen to fit the target leave no null distribution.
    with pytest.raises(ValueError, match="p-values"):
        fewer.Chi2("fdr:0.1", discretizer="relief").fit(X, y)
    with pytest.raises(ValueError, match="p-values"):
        fewer.Chi2("fdr:0.1", discretizer=GreedyDiscretizer()).fit(X, y)


def test_numbers_as_target_through_a_selector(rng):
    X = rng.random((200, 3))
    y = np.where(X[:, 1] < 0.3, 0.0, 1.0) + 0.01 * rng.normal(size=200)
    got = fewer.VarianceReduction(1, discretizer="relief", bins=2).fit(X, y)
    assert got.selection_.indices.tolist() == [1]
    assert GreedyDiscretizer(2).fit(X, y).cuts_.of(1)[0] == pytest.approx(0.3, abs=0.03)


def test_missing_values_leave_a_pair_out_and_get_a_level(rng):
    X, y = xor(5)
    X = np.column_stack([X, np.full(300, np.nan)])
    X[rng.random(300) < 0.1, 0] = np.nan
    made = GreedyDiscretizer(2).fit(X, y)
    assert abs(made.cuts_.of(0)[0] - 0.5) < 0.05
    assert len(made.cuts_.of(2)) == 0
    levels = made.transform(X)
    assert (levels[np.isnan(X[:, 0]), 0] == 2).all()
    assert (levels[:, 2] == 1).all()


def test_constant_columns_and_constant_targets(rng):
    X = np.column_stack([np.ones(30), rng.random(30)])
    assert edges_of(X, np.zeros(30, int))[0] == []
    assert edges_of(X, np.zeros(30, int)) == [[], []]
    assert edges_of(X, np.full(30, 0.5) + np.zeros(30)) == [[], []]
    same = np.repeat(X[:15], 2, axis=0)
    assert len(edges_of(same, np.tile([0, 1], 15))[0]) == 0
    assert edges_of(np.array([[0.0], [1.0]]), [0, 1]) == [[0.5]]


def test_edges_do_not_reach_the_upper_value():
    low = 1.0
    high = np.nextafter(low, 2.0)
    (edges,) = edges_of(np.array([[low], [low], [high], [high]]), [0, 0, 1, 1], n_neighbors=1)
    assert low <= edges[0] < high


def test_some_rows_look_for_neighbours(rng, monkeypatch):
    X, y = rng.normal(size=(24, 2)), rng.integers(0, 2, 24)
    rows = np.sort(np.random.default_rng(7).choice(24, 10, replace=False))
    truth = truth_of(X, y, 3, 9, 0, rows=rows.tolist())
    for a, b in zip(edges_of(X, y, n_neighbors=3, n_samples=10, random_state=7), truth):
        np.testing.assert_allclose(a, b)
    monkeypatch.setattr(relief_pairs, "MOST_PAIRS", 60)
    assert edges_of(X, y, n_neighbors=3, random_state=7) == edges_of(X, y, n_neighbors=3, n_samples=10, random_state=7)


def test_threads_and_scales_change_nothing(rng):
    X, y = rng.normal(size=(150, 40)), rng.integers(0, 3, 150)
    with ThreadRunner(1) as one, ThreadRunner(2) as two:
        a, b = (GreedyDiscretizer().cuts(LocalData(DenseBlock(X, y), run, 3)) for run in (one, two))
    np.testing.assert_array_equal(a.edges, b.edges)
    np.testing.assert_array_equal(a.offsets, b.offsets)
    levels = GreedyDiscretizer().fit_transform(X, y)
    np.testing.assert_array_equal(GreedyDiscretizer().fit_transform(4.0 * X - 8.0, y), levels)


def test_lookahead_never_lowers_the_quality(rng):
    better = 0
    for seed in range(15):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 1)), rng.integers(0, 2, 30)
        pairs = oracle.near_pairs(X, y, 5, [False], range(30))

        def quality(edges, X=X, y=y, pairs=pairs):
            return oracle.relieff_quality([sum(e < v for e in edges) for v in X[:, 0]], y, pairs, 30)

        plain, far = (quality(edges_of(X, y, n_neighbors=5, lookahead=n, max_bins=30)[0]) for n in (0, 4))
        assert far >= plain - 1e-12
        better += far > plain + 1e-12
    assert better > 0


def test_the_kernel_takes_the_leftmost_of_equal_cuts():
    first, second = np.array([0, 1], np.int32), np.array([3, 2], np.int32)
    places = np.array([0, 1, 2, 3], np.int32)
    out = np.zeros(3, np.int64)
    assert greedy_pair_cuts(first, second, np.array([1.0, -1.0]), places, 4, 3, 0, out) == 1
    assert out[0] == 0
    # The pair in the middle pays for the outer one: nothing is gained by a cut between them.
    assert greedy_pair_cuts(first, second, np.array([-1.0, 1.0]), places, 4, 3, 0, out) == 0


def test_what_cannot_be_cut_is_said(rng):
    X, y = xor(0, 30)
    with pytest.raises(ValueError, match="[Ss]parse|dense"):
        GreedyDiscretizer().fit(scipy.sparse.csr_array(X), y)
    with pytest.raises(InputError, match="dense data"):
        fewer.InformationGain(1, discretizer="relief").fit(scipy.sparse.csr_array(X), y)
    with ThreadRunner() as run, pytest.raises(RequirementError, match="there is none"):
        GreedyDiscretizer().cuts(LocalData(DenseBlock(X), run))
    for bad in ({"max_bins": 0}, {"n_neighbors": 0}, {"lookahead": -1}, {"n_samples": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            GreedyDiscretizer(**bad).fit(X, y)
    frame = pd.DataFrame(X, columns=["a", "b"])
    assert GreedyDiscretizer().set_output(transform="pandas").fit_transform(frame, y).columns.tolist() == ["a", "b"]
