"""Many greedy steps against exact arithmetic: sums neither overflow nor lose a tie."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine

import fewer
from fewer.core.reading.table import ArrayTable
from oracles import exact_information as oracle

SUMS = ["MIFS", "MRMR", "CIFE", "ICAP", "JMI"]
ALL = [*SUMS, "DISR", "CMIM", "JMIM", "NJMIM"]


def fit(name, X, y, k, **more):
    return fewer.get(name)(k, discretizer=None, **more).fit(X, y).selection_


def assert_exact(name, X, y, k):
    got = fit(name, X, y, k)
    chosen, values = oracle.greedy(name, X, y, k)
    assert got.indices.tolist() == chosen
    np.testing.assert_allclose(got.trace.values, values, rtol=1e-12, atol=1e-12)


def noisy_copies(n, d, n_classes, n_levels, seed):
    """Features that tell much about many classes and share much, with copies and mirrored copies."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    level = rng.integers(2, n_levels + 1, d)
    level[0] = n_levels
    X = np.where(rng.random((n, d)) < 0.8, (y[:, None] * 3 + np.arange(d)) % level, rng.integers(0, level, (n, d)))
    X[:, d - 1], X[:, d - 2] = X[:, 3], level[5] - 1 - X[:, 5]
    return X, y


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("n", "n_classes", "n_levels"), [(120, 20, 64), (80, 2, 8), (150, 10, 20)])
def test_sixty_steps(name, n, n_classes, n_levels):
    X, y = noisy_copies(n, 64, n_classes, n_levels, n)
    assert_exact(name, X, y, 60)


def test_pairs_of_many_chosen_features():
    X, y = noisy_copies(60, 20, 20, 64, 0)
    assert_exact("JMI3", X, y, 16)


def test_wine_by_pairs():
    """The ninth score was -0.58."""
    X, y = load_wine(return_X_y=True)
    got = fewer.JMI3().fit(X, y).selection_
    edges = np.quantile(X, np.arange(1, 10) / 10, axis=0, method="inverted_cdf")
    codes = np.column_stack([np.searchsorted(edges[:, j], X[:, j], side="left") for j in range(13)])
    chosen, values = oracle.greedy("JMI3", codes, y, 10)
    assert values[8] == pytest.approx(1.062, abs=0.0005)
    assert got.indices.tolist() == chosen
    np.testing.assert_allclose(got.trace.values, values, rtol=1e-12)


def test_thirty_rows_of_ten_classes():
    """The tenth score was negative."""
    rng, y = np.random.default_rng(0), np.arange(30) % 10
    X = np.column_stack([(y + rng.integers(0, 3, 30)) % 10 for _ in range(30)])
    assert_exact("JMI", X, y, 12)
    assert_exact("JMI3", X[:, :15], y, 12)


@pytest.mark.parametrize("name", ["MRMR", "MIFS"])
def test_a_long_run_on_genes(name):
    """Default bins, few rows, features that go together: sums of redundancies overflowed after some dozen steps."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    genes = rng.normal(size=(60, 8)) @ rng.normal(size=(8, 200)) + rng.normal(size=(60, 200))
    genes[:, :20] += 1.5 * y[:, None]
    codes = np.argsort(np.argsort(genes, axis=0), axis=0) // 6
    by_bins = fewer.get(name)(100).fit(genes, y).selection_
    chosen, values = oracle.greedy(name, codes, y, 100)
    assert by_bins.indices.tolist() == chosen
    np.testing.assert_allclose(by_bins.trace.values, values, rtol=1e-12)


@pytest.mark.parametrize("name", [*SUMS, "DISR"])
def test_streamed_long_runs_are_the_same_to_the_last_bit(name):
    X, y = noisy_copies(90, 40, 12, 30, 4)
    memory, two = fit(name, X, y, 40), fit(name, X, y, 40, n_jobs=2)
    table = ArrayTable(X.astype(float), y, classes=np.arange(12), batch_rows=37)
    streamed = fewer.get(name)(40, discretizer=None).fit(table).selection_
    for other in (two, streamed):
        np.testing.assert_array_equal(other.indices, memory.indices)
        np.testing.assert_array_equal(other.trace.values, memory.trace.values)


@pytest.mark.parametrize("name", ALL)
def test_streamed_whole_weights_keep_ties(name):
    """Rows that count whole numbers of times were summed in floats where they streamed by: copies lost their tie."""
    rng = np.random.default_rng(5)
    X, y, weight = rng.integers(0, 3, (60, 12)), rng.integers(0, 3, 60), rng.integers(0, 4, 60).astype(float)
    X[:, 9], X[:, 10], X[:, 11] = (X[:, 2] + 1) % 3, X[:, 3], 2 - X[:, 1]
    memory = fewer.get(name)(12, discretizer=None).fit(X, y, sample_weight=weight).selection_
    table = ArrayTable(X.astype(float), y, weight=weight, classes=np.arange(3), batch_rows=17)
    streamed = fewer.get(name)(12, discretizer=None).fit(table).selection_
    np.testing.assert_array_equal(streamed.indices, memory.indices)
    np.testing.assert_array_equal(streamed.trace.values, memory.trace.values)
    repeated = fit(name, np.repeat(X, weight.astype(int), axis=0), np.repeat(y, weight.astype(int)), 12)
    np.testing.assert_array_equal(memory.indices, repeated.indices)


@pytest.mark.parametrize("name", [*ALL, "JMI3"])
def test_turning_a_wheel_changes_no_score(name):
    """Five features take the same terms with five chosen ones, each in another order: all five stay tied."""
    rng = np.random.default_rng(7)
    spokes, rim, y = rng.integers(0, 3, (40, 5)), rng.integers(0, 4, (40, 5)), rng.integers(0, 3, 40)
    spokes[:, :] = np.where(rng.random((40, 5)) < 0.5, y[:, None], spokes)
    rim[:, 0] = np.where(rng.random(40) < 0.5, spokes[:, 1], rim[:, 0])
    rim[:, 3] = np.where(rng.random(40) < 0.5, spokes[:, 0], rim[:, 3])
    turned = [np.hstack([np.roll(spokes, k, axis=1), np.roll(rim, k, axis=1)]) for k in range(5)]
    X, y = np.vstack(turned), np.tile(y, 5)
    criterion = fewer.get(name)(5, discretizer=None)._criterion()
    scores = scored(criterion, X, y, range(5))
    assert len(set(scores[5:].tolist())) == 1


def scored(criterion, X, y, chosen):
    """The scores when these are chosen, whatever the search would choose."""
    from fewer.core.runners.threads import ThreadRunner
    from fewer.core.views.blocks import CodesBlock
    from fewer.core.views.view import View

    (n, d), levels, classes = X.shape, X.max(axis=0) + 1, np.unique(y)
    block = CodesBlock(X.astype(np.uint8), levels, y)
    view = View(ThreadRunner(1), [block], "codes", n, d, np.zeros(d, bool), classes=classes, n_levels=levels)
    criterion.start(view)
    chosen = list(chosen)
    for k in range(len(chosen)):
        scores = criterion.add(view, chosen[: k + 1])
    scores, left = scores.copy(), np.ones(d, bool)
    while criterion.lazy and left.any():
        best, score, _ = criterion.refine(view, chosen, left)
        scores[best], left[best] = score, False
    return scores


@pytest.mark.parametrize("copies", [1, 2, 3, 5, 7, 10, 20])
def test_mifs_keeps_exact_ties(copies):
    """With 1 / beta copies of the class chosen, whatever is a function of the class scores 0 on paper."""
    y = np.repeat(np.arange(20), 3)
    parts = [y % 2, y % 4, y % 5, y // 7, y // 3, y // 2, y % 3, y % 7, y // 11]
    X = np.column_stack([y] * copies + parts)
    got = fit("MIFS", X, y, copies + 1, beta=1 / copies)
    assert got.indices.tolist() == list(range(copies + 1))
    assert got.scores[copies:].tolist() == [0.0] * len(parts)


def test_mifs_ties_of_different_parts():
    """Relevance and redundancy differ, what is left after two steps does not."""
    grid = np.array([(a, b, c) for a in range(3) for b in range(5) for c in range(7)])
    a, b, c = grid.T
    y = a * 5 + b
    X = np.column_stack([y, c, b * 7 + c, a * 7 + c, c])
    got = fit("MIFS", X, y, 3)
    assert got.indices.tolist() == [0, 1, 2]
    assert len(set(got.scores[2:].tolist())) == 1


@pytest.mark.parametrize("beta", [0.7, 2**-0.5, 1e-9, 1e9])
def test_mifs_of_any_weight(beta):
    X, y = noisy_copies(100, 12, 5, 6, 2)
    got = fit("MIFS", X, y, 12, beta=beta)
    data = oracle.Data(X, y)
    for k in range(1, 12):
        chosen, j = got.indices[:k].tolist(), int(got.indices[k])
        score = data.joint(j) / oracle.NAT - beta * sum(data.shared(j, s) for s in chosen) / oracle.NAT
        assert got.trace.values[k] == pytest.approx(score / data.n, rel=1e-9, abs=1e-12)
