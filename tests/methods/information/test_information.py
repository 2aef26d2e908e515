"""The greedy information filters against plain loops, on random, degenerate and duplicated data."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
import scipy.sparse

import fewer
from fewer.core.reading.table import ArrayTable
from oracles import information as oracle

NAMES = list(oracle.SCORES)
STREAMING = [n for n in NAMES if fewer.get(n).method_tags.streams]


def fit(name, X, y, k, **more):
    return fewer.get(name)(k, discretizer=None, **more).fit(X, y)


def assert_follows_oracle(name, X, y, k):
    """Every choice must be the oracle's, or tied with it to round-off."""
    got = fit(name, X, y, k).selection_
    chosen, values, _ = oracle.greedy(name, X, y, k)
    assert got.indices.tolist() == chosen
    np.testing.assert_allclose(got.trace.values, values, atol=1e-10)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_random_codes(name, seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 90)), 12
    levels = rng.integers(2, 6, d)
    y = rng.integers(0, int(rng.integers(2, 5)), n)
    X = np.column_stack([rng.integers(0, L, n) for L in levels])
    X[:, 3] = (y + (rng.random(n) < 0.3)) % levels[3]
    X[:, 7] = (X[:, 3] + (rng.random(n) < 0.2)) % levels[7]
    assert_follows_oracle(name, X, y, 6)


@pytest.mark.parametrize("name", NAMES)
def test_duplicates_constants_and_more_features_than_rows(name):
    rng = np.random.default_rng(9)
    X = rng.integers(0, 3, (15, 20))
    y = rng.integers(0, 2, 15)
    X[:, 4] = 1
    X[:, 11] = X[:, 2]
    X[:, 12] = X[:, 2]
    X[:, 13] = X[:, 5]
    assert_follows_oracle(name, X, y, 5)


@pytest.mark.parametrize("name", NAMES)
def test_many_levels_beside_few(name):
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, L, 400) for L in (2, 300, 5, 80, 2, 17, 300)])
    y = (X[:, 2] + X[:, 5] > 10).astype(int)
    X[:, 6] = X[:, 1]
    assert_follows_oracle(name, X, y, 3)


@pytest.mark.parametrize("name", ["MRMR", "JMI", "CMIM", "JMIM"])
def test_forty_copies_of_four_features_are_chosen_in_order(name):
    """The lower number wins every tie, whatever the number of threads."""
    rng = np.random.default_rng(1)
    four = rng.integers(0, 4, (200, 4))
    y = (four[:, 0] + four[:, 1] > 3).astype(int)
    X = np.tile(four, 40)
    one, two = fit(name, X, y, 20, n_jobs=1), fit(name, X, y, 20, n_jobs=2)
    np.testing.assert_array_equal(one.selection_.indices, two.selection_.indices)
    assert set(one.selection_.indices[:2].tolist()) == {0, 1}
    assert_follows_oracle(name, X[:, :12], y, 5)


def ways(view_sums, keys, n_groups, n_classes):
    return {
        "lanes": view_sums._by_lanes(keys, n_groups, n_classes),
        "planes": view_sums._by_planes(keys, n_groups, n_classes),
    }


def test_what_was_asked_for_some_features_is_not_remembered_for_all():
    from fewer.core.criteria.joint_sums import JointSums
    from fewer.core.runners.threads import ThreadRunner
    from fewer.core.views.blocks import CodesBlock
    from fewer.core.views.view import View

    rng = np.random.default_rng(0)
    rows, levels = rng.integers(0, 4, (500, 600)).astype(np.uint8), np.full(600, 4)
    block = CodesBlock(rows, levels, rng.integers(0, 2, 500))

    def sums():
        nothing = np.zeros(600, bool)
        return JointSums(
            View(ThreadRunner(1), [block], "codes", 500, 600, nothing, classes=np.arange(2), n_levels=levels)
        )

    expected, shared = sums().redundancy_with(7), sums()
    few = np.arange(0, 600, 3)
    np.testing.assert_array_equal(shared.redundancy_of(few, 7), expected[few])
    np.testing.assert_array_equal(shared.redundancy_with(7), expected)
    np.testing.assert_array_equal(shared.redundancy_with(7), expected)


@pytest.mark.parametrize("n", [1, 63, 64, 300, 1000, 70_000])
def test_all_ways_of_counting_agree_to_the_last_bit(n):
    from fewer.core.criteria.joint_sums import JointSums
    from fewer.core.kernels import joint_cells
    from fewer.core.runners.threads import ThreadRunner
    from fewer.core.summaries.counts import PairCounts
    from fewer.core.views.blocks import CodesBlock
    from fewer.core.views.view import View

    rng = np.random.default_rng(n)
    levels = np.array([1, 2, 5, 3, 9, 4] * 50, np.int64)
    rows = np.column_stack([rng.integers(0, L, n) for L in levels]).astype(np.uint8)
    y = rng.integers(0, 3, n)
    view = View(
        ThreadRunner(1), [CodesBlock(rows, levels, y)], "codes", n, 300, np.zeros(300, bool),
        classes=np.arange(3), n_levels=levels,
    )  # fmt: skip
    sums = JointSums.of(view)
    keys = rows[:, 4].astype(np.int64) * 3 + y
    expected = sums._from_counts(view.fold(PairCounts(4, 3)), 3)
    for way, got in ways(sums, keys, 27, 3).items():
        for a, b in zip(got, expected):
            np.testing.assert_array_equal(a, b[sums._few], err_msg=way)
    masks = sums.bits.with_classes(4)
    for a, b in zip(sums._plane_sums(masks, np.array([0, len(masks)]), 3), expected):
        np.testing.assert_array_equal(a[0], b[sums._few])
    pair, triple = np.empty(300, np.int64), np.empty(300, np.int64)
    order, bounds = np.argsort(keys, kind="stable"), np.searchsorted(np.sort(keys), np.arange(28))
    joint_cells.column_sums(
        view.whole().columns, np.arange(300), levels, order, bounds, 3, sums.xlogx, 0, 300, pair, triple
    )
    np.testing.assert_array_equal(pair, expected[0])
    np.testing.assert_array_equal(triple, expected[1])


@pytest.mark.parametrize("name", ["CMIM", "JMIM", "NJMIM"])
@pytest.mark.parametrize("seed", range(5))
def test_looking_at_fewer_tables_changes_nothing(name, seed, monkeypatch):
    from fewer.methods.information import minimum

    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (150, 60))
    y = rng.integers(0, 3, 150)
    X[:, 5] = (y + (rng.random(150) < 0.4)) % 4
    X[:, 30] = X[:, 5]
    lazy = fit(name, X, y, 15).selection_
    monkeypatch.setattr(minimum, "can_be_lazy", lambda sums: False)
    full = fit(name, X, y, 15).selection_
    np.testing.assert_array_equal(lazy.indices, full.indices)
    np.testing.assert_allclose(lazy.trace.values, full.trace.values, atol=1e-12)
    assert lazy.trace.evaluations < full.trace.evaluations


@pytest.mark.parametrize("name", ["CMIM", "JMIM", "NJMIM"])
@pytest.mark.parametrize("seed", range(5))
def test_no_table_is_looked_at_that_the_choice_does_not_need(name, seed):
    """Only features whose bound was not below the best score are looked at, and of equal ones the lowest wins."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (90, 40))
    X[:, 20:30] = X[:, :10]
    y = (X[:, 0] + rng.integers(0, 2, 90)) % 3
    criterion, k = fewer.get(name)(12, discretizer=None)._criterion(), 12
    view = codes_view_of(X, y)
    bounds, open_to_choice, chosen = criterion.start(view).copy(), np.ones(40, bool), []
    chosen.append(int(np.argmax(bounds)))
    for _ in range(1, k):
        open_to_choice[chosen] = False
        bounds, seen = criterion.add(view, chosen).copy(), criterion.lazy.seen.copy()
        best, score, looked = criterion.refine(view, chosen, open_to_choice)
        assert looked == (criterion.lazy.seen - seen).sum()
        # Bounds fall at every look, so all that were looked at had to be: they were not below the best one.
        assert (bounds[criterion.lazy.seen > seen] >= score).all()
        assert (criterion.smallest[open_to_choice] <= score).all()
        ties = np.flatnonzero(open_to_choice & (criterion.smallest == score))
        assert best == ties[0]
        assert criterion.lazy.seen[best] == len(chosen)
        chosen.append(best)


def test_features_closed_from_outside_leave_the_heap():
    """Groups and fixed features join without having been the best."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (200, 30)), rng.integers(0, 3, 200)
    X[:, 7] = (y + (rng.random(200) < 0.5)) % 3
    criterion = fewer.CMIM(discretizer=None)._criterion()
    view = codes_view_of(X, y)
    first = criterion.start(view).copy()
    order = np.argsort(-first, kind="stable")
    open_to_choice = np.ones(30, bool)
    open_to_choice[order[:10]] = False
    criterion.add(view, [int(order[5])])
    best, score, _ = criterion.refine(view, [int(order[5])], open_to_choice)
    plain = fewer.CMIM(discretizer=None)._criterion()
    plain.start(view)
    term = plain.term(plain.sums.with_feature(int(order[5])))
    expected = np.where(open_to_choice, np.minimum(first, term), -np.inf)
    assert best == int(np.argmax(expected))
    assert score == expected[best]


def codes_view_of(X, y):
    from fewer.core.runners.threads import ThreadRunner
    from fewer.core.views.blocks import CodesBlock
    from fewer.core.views.view import View

    (n, d), levels = X.shape, X.max(axis=0) + 1
    block = CodesBlock(X.astype(np.uint8), levels, y)
    return View(
        ThreadRunner(1), [block], "codes", n, d, np.zeros(d, bool), classes=np.arange(y.max() + 1), n_levels=levels
    )


def test_identities():
    """I(f,s;y) = I(s;y) + I(f;y|s); I(f;s) + I(f;y|s) = I(f;y) + I(f;s|y); the pair with itself adds nothing."""
    from fewer.core.criteria.joint_sums import JointSums
    from fewer.core.runners.threads import ThreadRunner
    from fewer.core.views.blocks import CodesBlock
    from fewer.core.views.view import View

    rng = np.random.default_rng(0)
    rows = rng.integers(0, 4, (300, 6)).astype(np.uint8)
    y = rng.integers(0, 3, 300)
    levels = np.full(6, 4)
    view = View(
        ThreadRunner(1), [CodesBlock(rows, levels, y)], "codes", 300, 6, np.zeros(6, bool), classes=np.arange(3),
        n_levels=levels,
    )  # fmt: skip
    sums = JointSums.of(view)
    terms = sums.with_feature(2)
    for f in range(6):
        a, s = rows[:, f], rows[:, 2]
        assert terms.joint[f] == pytest.approx(oracle.mutual(oracle.joined(a, s), y), abs=1e-12)
        assert terms.redundancy[f] == pytest.approx(oracle.mutual(a, s), abs=1e-12)
        assert terms.class_redundancy[f] == pytest.approx(oracle.shared_within(a, s, y), abs=1e-12)
        assert terms.joint_entropy[f] == pytest.approx(oracle.entropy(oracle.joined(a, s, y)), abs=1e-12)
    np.testing.assert_allclose(terms.joint, terms.anchor_relevance + terms.conditional, atol=1e-12)
    assert terms.conditional[2] == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(sums.redundancy_with(2), terms.redundancy, atol=1e-12)


@pytest.mark.parametrize("name", STREAMING)
def test_streamed_sparse_and_weighted_equal_memory(name):
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 4, (160, 15)), rng.integers(0, 3, 160)
    X[:, 3] = (y + (rng.random(160) < 0.3)) % 4
    memory = fit(name, X, y, 6).selection_
    table = ArrayTable(X.astype(float), y, classes=np.arange(3), batch_rows=37)
    streamed = fewer.get(name)(6, discretizer=None).fit(table).selection_
    np.testing.assert_array_equal(streamed.indices, memory.indices)
    np.testing.assert_array_equal(streamed.trace.values, memory.trace.values)
    sparse = fit(name, scipy.sparse.csr_array(X), y, 6).selection_
    np.testing.assert_array_equal(sparse.indices, memory.indices)
    w = rng.integers(1, 4, 160)
    weighted = fewer.get(name)(6, discretizer=None).fit(X, y, sample_weight=w).selection_
    repeated = fit(name, np.repeat(X, w, axis=0), np.repeat(y, w), 6).selection_
    np.testing.assert_array_equal(weighted.indices, repeated.indices)
    np.testing.assert_allclose(weighted.trace.values, repeated.trace.values, atol=1e-10)


@pytest.mark.dask
def test_a_cluster_gives_the_same_choices(cluster):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(300, 12)), rng.integers(0, 3, 300)
    X[:, 4] += y
    for name in ("MRMR", "JMI", "CMIM", "MIFS", "CIFE", "DISR"):
        here = fewer.get(name)(12).fit(X, y).selection_
        with fewer.use(cluster):
            there = fewer.get(name)(12).fit(X, y).selection_
        assert there.meta["runner"] == "dask"
        np.testing.assert_array_equal(there.indices, here.indices)
        np.testing.assert_array_equal(there.trace.values, here.trace.values)


def test_reasons_name_the_feature_and_the_amount():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 500)
    X = np.column_stack([y, rng.integers(0, 3, 500), y, np.zeros(500, int), (y + (rng.random(500) < 0.1)) % 3])
    for name in ("MRMR", "JMI", "CMIM", "JMIM"):
        selection = fit(name, X, y, 1).selection_
        copy = selection.reason(2)
        assert (copy.kind, copy.related) == ("redundant", ("x0",))
        assert copy.amount == pytest.approx(oracle.entropy(y))
        assert selection.reason(3).kind == "irrelevant"


def test_levels_without_rows_give_no_degrees_of_freedom():
    """A feature with the numbers 0 and 30 for its two levels is as significant as one with 0 and 1."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    X = np.column_stack([y, *(np.where(rng.random(100) < 0.3, y, rng.integers(0, 2, 100)) for _ in range(10))])
    near, far = fit("MIM", X, y, 1).selection_, fit("MIM", 30 * X, y, 1).selection_
    np.testing.assert_array_equal(far.reasons.kind, near.reasons.kind)
    assert {near.reason(j).kind for j in range(1, 11)} == {"redundant"} | {far.reason(j).kind for j in range(1, 11)}
    assert "irrelevant" not in {near.reason(j).kind for j in range(11) if oracle.mutual(X[:, j], y) > 0.02}


def test_many_kept_features_share_the_doubt(rng):
    """Of many kept features one is like a given feature by chance, so each must be beyond 1 % over all of them."""
    y = rng.integers(0, 2, 200)
    X = np.where(rng.random((200, 80)) < 0.25, y[:, None], rng.integers(0, 2, (200, 80)))
    got = fit("MIM", X, y, 12).selection_
    expected = oracle.reasons(X, y, got.indices.tolist())
    left = [j for j, (kind, _, _) in expected.items() if kind == "not reached"]
    alone = (j for j in left if any(oracle.reasons(X[:, [j, s]], y, [1])[0][0] == "redundant" for s in got.indices))
    assert len(list(islice(alone, 2))) == 2, "a kept feature would make them redundant if it were the only one"
    for j, (kind, first, second) in expected.items():
        assert got.reason(j).kind == kind
        if kind == "redundant":
            assert (got.reason(j).related, got.reason(j).amount) == ((f"x{first}",), pytest.approx(second))


def test_noise_is_neither_redundant_nor_called_so():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(500, 200))
    y = Z[:, 0] > 0
    for name in ("MRMR", "CMIM", "MIM"):
        found = fewer.get(name)(5).fit(Z, y).selection_
        kinds = [found.reason(j).kind for j in range(200)]
        assert kinds.count("redundant") <= 3


@pytest.mark.parametrize("name", NAMES)
def test_relabelled_copies_and_exact_independence(name):
    """Equal on paper is equal here: a copy with other level numbers ties, the lower number wins."""
    rng = np.random.default_rng(6)
    X = rng.integers(0, 5, (90, 8))
    y = rng.integers(0, 3, 90)
    X[:, 7] = np.array([3, 0, 4, 1, 2])[X[:, 1]]
    X[:, 6] = np.array([2, 4, 1, 0, 3])[X[:, 3]]
    order = fit(name, X, y, 8).selection_.order.tolist()
    assert order.index(1) < order.index(7)
    assert order.index(3) < order.index(6)
    grid = np.array([(a, b, c) for a in range(3) for b in range(7) for c in range(3)])
    got = fit(name, grid, grid[:, 1], 1).selection_
    if name != "JIM":
        assert got.scores[0] == 0 or np.isnan(got.scores[0])
    assert got.reason(0).kind == got.reason(2).kind == "irrelevant"


def test_fractional_and_huge_weights():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    y = np.repeat([0, 1], 4)
    for w in (0.5, 0.75, 1.0, 1e6, 1e300):
        got = fewer.JMI(2, discretizer=None).fit(X, y, sample_weight=np.full(8, w)).selection_
        np.testing.assert_allclose(got.trace.values, [0, 0], atol=1e-12)


def test_reasons_do_not_depend_on_the_way_of_counting():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    X = np.where(rng.random((400, 30)) < 0.4, y[:, None], rng.integers(0, 3, (400, 30)))
    X[:, 20] = X[:, 3]
    for name in ("CMIM", "JMIM", "MRMR"):
        a = fewer.get(name)(6, discretizer=None).fit(X, y).selection_
        b = fewer.get(name)(6, discretizer=None).fit(X, y, sample_weight=np.ones(400)).selection_
        np.testing.assert_array_equal(a.indices, b.indices)
        np.testing.assert_array_equal(a.reasons.kind, b.reasons.kind)
        assert a.reasons.related == b.reasons.related


def test_numeric_targets_are_cut_into_levels():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    y = 2 * X[:, 2] + X[:, 5] + 0.1 * rng.normal(size=400)
    assert set(fewer.JMI(2).fit(X, y).selection_.indices.tolist()) == {2, 5}
    assert set(fewer.JMI(2).fit(ArrayTable(X, y, batch_rows=100)).selection_.indices.tolist()) == {2, 5}
    with pytest.raises(ValueError, match="needs classes"):
        fewer.JMI(2, discretizer="mdl").fit(X, y)


def test_mrmr_quotient_and_mifs_weight():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 3, (200, 8)), rng.integers(0, 2, 200)
    chosen = fewer.MRMR(3, scheme="quotient", discretizer=None).fit(X, y).selection_
    first = chosen.indices[0]
    quotient = [
        oracle.mutual(X[:, j], y) / max(oracle.mutual(X[:, j], X[:, first]), 1e-12) if j != first else -1
        for j in range(8)
    ]
    assert chosen.indices[1] == np.argmax(quotient)
    assert chosen.trace.values[1] == pytest.approx(max(quotient))
    none = fewer.MIFS(4, beta=0.0, discretizer=None).fit(X, y).selection_.indices
    np.testing.assert_array_equal(none, fewer.MIM(4, discretizer=None).fit(X, y).selection_.indices)


def test_a_search_may_stop_by_gain():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 3, (300, 12)), rng.integers(0, 2, 300)
    X[:, 2] = y
    selection = fewer.CMIM("threshold:0.05", discretizer=None).fit(X, y).selection_
    assert selection.indices.tolist() == [2]
