"""Backward elimination on orders: definitions, facts of the text, stops, streams."""

import warnings

import numpy as np
import pytest

from fewer.core.measures.orders import subset_divergence
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import RequirementError
from fewer.core.runners import progress
from fewer.methods.rank_order.rank_elimination import RankOrderElimination
from oracles import orders as oracle

CRITERIA = ("spoilers", "cdv", "kl", "koller-sahami")


def of_words(*words):
    """Rows of ranks of orders written from the lowest to the highest feature."""
    letters = sorted(words[0])
    return np.array([[word.index(letter) + 1.0 for letter in letters] for word in words])


FIG5 = of_words("afecbd", "afbced", "afebdc", "fdcbea", "bfceda", "fdceab", "cbefda", "ecfdba", "ecfdba")
FIG5_CLASSES = np.repeat([1, 2, 3], 3)
FIG14, FIG14_CLASSES = of_words("wxyz", "xwzy", "yxzw", "wzyx"), np.array([1, 1, 2, 2])


def data(seed):
    rng = np.random.default_rng(seed)
    n, m, c = int(rng.integers(2, 9)), int(rng.integers(5, 14)), int(rng.integers(2, 4))
    y = np.concatenate([np.arange(c), rng.integers(0, c, m - c)])
    kind = seed % 3
    X = (
        rng.integers(0, 4, (m, n)).astype(float)
        if kind == 0
        else rng.normal(size=(m, n)) + rng.normal(size=n) * y[:, None]
    )
    if kind == 2:
        X[rng.random(X.shape) < 0.2] = np.nan
    return X, y


def removal(X, y, **params):
    selector = RankOrderElimination(1, **params)
    return selector.fit(X, y).selection_.order[:0:-1].tolist()


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(12))
def test_every_step_is_that_of_the_definition(criterion, seed):
    X, y = data(seed)
    size = 1 + seed % 3
    assert removal(X, y, criterion=criterion, blanket_size=size) == oracle.eliminate(X, y, criterion, size)


@pytest.mark.parametrize("seed", range(4))
def test_centres_agree_where_many_candidates_and_cuts_are_needed(seed):
    """More features than lanes of a table; the tables are cut again many times."""
    rng = np.random.default_rng(seed)
    n, classes = 150, 2 + seed % 2
    y = np.arange(9 + seed) % classes
    X = rng.normal(size=(len(y), n)) + 2 * rng.normal(size=n)
    if seed == 1:
        X = np.round(X)
    left, first = list(range(n)), whole_distances(X, y, list(range(n)))
    got = removal(X, y, criterion="cdv", n_jobs=2)
    for k in got[:25]:
        costs = {
            j: sum((a - b) ** 2 for a, b in zip(whole_distances(X, y, [i for i in left if i != j]), first))
            for j in left
        }
        assert k == min(left, key=lambda j: (costs[j], -j))
        left.remove(k)


@pytest.mark.parametrize("seed", range(6))
def test_equal_rank_sums_and_copies(seed):
    """Copies and few rows give equal rank sums, which a removal parts in either direction, in every lane of a table."""
    rng = np.random.default_rng(seed)
    y = np.arange(4) % 2
    X = rng.integers(0, 3, (4, 9)).astype(float)
    X = np.column_stack([X, X[:, :3], np.full(4, 1.0)])
    left, first = list(range(X.shape[1])), whole_distances(X, y, list(range(X.shape[1])))
    for k in removal(X, y, criterion="cdv"):
        costs = {j: (whole_distances(X, y, [i for i in left if i != j])[0] - first[0]) ** 2 for j in left}
        assert k == min(left, key=lambda j: (costs[j], -j))
        left.remove(k)


def whole_distances(X, y, left):
    """Four times the distances between class centres, in whole numbers."""
    from itertools import combinations

    from scipy.stats import rankdata

    twice = [np.rint(2 * rankdata(np.rint(2 * rankdata(X[y == c][:, left], axis=1)).sum(axis=0))) for c in np.unique(y)]
    return [int(((a - b) ** 2).sum()) for a, b in combinations(twice, 2)]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_divergence_is_that_of_what_is_left(criterion):
    for seed in range(6):
        X, y = data(seed)
        selection = RankOrderElimination(1, criterion=criterion).fit(X, y).selection_
        left = list(range(X.shape[1]))
        for j in selection.order[:0:-1].tolist():
            left.remove(j)
            assert selection.columns["divergence"][j] == pytest.approx(oracle.divergence(X, y, left), abs=1e-9)


def test_figure_14_x_must_stay():
    """Every feature except x can be removed without loss; spoilers and centres drop w or z first (Fig. 14)."""
    lost = [subset_divergence(FIG14, FIG14_CLASSES, [i for i in range(4) if i != j]) for j in range(4)]
    assert [round(v, 12) == 0 for v in lost] == [True, False, True, True]
    for criterion in ("spoilers", "cdv"):
        assert removal(FIG14, FIG14_CLASSES, criterion=criterion)[0] in (0, 3)
    selection = RankOrderElimination(2, criterion="spoilers").fit(FIG14, FIG14_CLASSES).selection_
    assert set(selection.indices) == {1, 2}


def test_figure_5_greedy_divergence_finds_a_harmless_triple():
    """Exactly {b, c, d} and {b, d, e} can be removed at no loss (section 5); greedy KL keeps 0 as long as it can."""
    selection = RankOrderElimination(1, criterion="kl").fit(FIG5, FIG5_CLASSES).selection_
    first_two = selection.order[:3:-1]
    assert (selection.columns["divergence"][first_two] == 0).all()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_bound_on_the_divergence_ends_the_elimination(criterion):
    selector = RankOrderElimination(1, criterion=criterion, max_divergence=0.3).fit(FIG5, FIG5_CLASSES)
    kept = selector.selection_.indices
    assert subset_divergence(FIG5, FIG5_CLASSES, kept) <= 0.3
    if len(kept) > 1:
        assert subset_divergence(FIG5, FIG5_CLASSES, kept[:-1]) > 0.3
        assert "divergence 0.3" in str(selector.selection_.reason(int(selector.selection_.order[-1])))
    assert len(RankOrderElimination(4, criterion=criterion, max_divergence=9).fit(FIG5, FIG5_CLASSES).selection_) == 4


def test_streams_give_the_same_counts():
    X, y = data(7)
    for criterion in ("spoilers", "cdv"):
        memory = RankOrderElimination(2, criterion=criterion).fit(X, y).selection_
        table = ArrayTable(X, y, classes=np.unique(y), batch_rows=3)
        streamed = RankOrderElimination(2, criterion=criterion).fit(table).selection_
        np.testing.assert_array_equal(streamed.order, memory.order)
    with pytest.raises(RequirementError, match="in memory"):
        RankOrderElimination(2, criterion="kl").fit(table)
    with pytest.raises(RequirementError, match="in memory"):
        RankOrderElimination(2, max_divergence=0.1).fit(table)


def test_an_interrupted_elimination_returns_what_is_left():
    X = np.random.default_rng(0).normal(size=(10, 12))
    y = np.arange(10) % 2

    def interrupt(what, done, total):
        if what == "removing features" and done == 4:
            raise KeyboardInterrupt

    with progress.listen(interrupt), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        got = RankOrderElimination(2).fit(X, y).selection_
    whole = RankOrderElimination(2).fit(X, y).selection_
    assert len(got) == 8
    assert any("interrupted with 8 features" in str(w.message) for w in caught)
    np.testing.assert_array_equal(got.order[:7:-1], whole.order[:7:-1])


def test_a_column_that_is_never_known_leaves_first():
    X, y = data(1)
    X = np.column_stack([np.full(len(X), np.nan), X])
    assert RankOrderElimination(1).fit(X, y).selection_.order[-1] == 0


@pytest.mark.dask
@pytest.mark.parametrize("criterion", ["spoilers", "cdv"])
def test_a_cluster_removes_the_same_features(criterion, cluster):
    import fewer

    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(60, 15)), rng.integers(0, 3, 60)
    here = RankOrderElimination(2, criterion=criterion).fit(X, y).selection_
    with fewer.use(cluster):
        there = RankOrderElimination(2, criterion=criterion).fit(X, y).selection_
    assert there.meta["runner"] == "dask"
    np.testing.assert_array_equal(there.order, here.order)
