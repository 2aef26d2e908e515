"""The redundancy tree as a selector."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from fewer.core.measures import as_counts, information_gain
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import InputError, RequirementError
from fewer.methods.redundancy.redundancy_tree import RedundancyTree
from oracles import terms as oracle

# The example of 16 documents in 4 classes of the catalogue: g, h, h2, m, m2, u.
DOCUMENTS = [{0, 1, 2, 3, 4, 5, 6, 8}, {0, 1, 2}, {0, 1}, {4, 5, 6}, {5, 7}, {9, 10, 11, 12}]
G, H, H2, M, M2, U = range(6)
LABELS = np.repeat(["a", "b", "c", "d"], 4)
FORMS = [np.asarray, scipy.sparse.csr_array, scipy.sparse.csc_matrix, lambda X: X.astype(bool), lambda X: 2.5 * X]


def matrix(terms, n):
    return np.array([[float(i in t) for t in terms] for i in range(n)])


def gains(X, y):
    classes = np.unique(y)
    tables = [[[np.sum((x > 0) == a, where=y == c) for c in classes] for a in (False, True)] for x in X.T]
    return information_gain(as_counts(tables))


@pytest.mark.parametrize("form", FORMS)
class TestSixteenDocuments:
    X = matrix(DOCUMENTS, 16)

    def test_tree_rule(self, form):
        got = RedundancyTree().fit(form(self.X), LABELS)
        assert got.selection_.indices.tolist() == [G, U]
        assert {(p, c) for p, c, _ in got.tree_.edges} == {(G, H), (G, H2), (G, M), (G, M2)}
        assert got.tree_.leaves.tolist() == [H, H2, M, M2]
        assert got.tree_.alone.tolist() == [U]
        reason = got.selection_.reason(H2)
        assert (reason.kind, reason.related) == ("redundant", ("x0",))
        assert reason.amount == pytest.approx(0.91719119, abs=5e-9)
        np.testing.assert_allclose(got.scores_, gains(self.X, LABELS))

    def test_matrix_rule(self, form):
        got = RedundancyTree(rule="matrix").fit(form(self.X), LABELS)
        assert got.selection_.indices.tolist() == [G, H, U]
        assert got.selection_.reason(M).related == ("x0",)

    def test_what_is_not_redundant_is_cut_by_information_gain(self, form):
        got = RedundancyTree(1).fit(form(self.X), LABELS)
        assert got.selection_.indices.tolist() == [G]
        assert got.selection_.reason(U).kind == "not reached"
        assert got.selection_.order.tolist() == [G, U, H, M, H2, M2]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rule", ["tree", "matrix"])
def test_selection_agrees_with_loops_over_sets(seed, rule):
    rng = np.random.default_rng(seed)
    n, d = 40, 10
    X = (rng.random((n, d)) < rng.uniform(0.05, 0.5, d)).astype(float)
    X[:, 3] = X[:, 2] * (rng.random(n) < 0.8)
    X[:, 6] = X[:, 5]
    X[:, 8] = 0
    X[:, 9] = 1
    y = rng.integers(0, 3, n)
    # What every row has tells as little as what none has.
    terms = [set(np.flatnonzero(x).tolist()) if x.sum() < n else set() for x in X.T]
    _, cover, redundancy = oracle.matrices(terms, y.tolist())
    sets = oracle.components(cover, 0.6)
    for i in range(d):
        for j in range(d):
            redundancy[i][j] *= sets[i] == sets[j]
    scores = np.round(gains(X, y), 12).tolist()
    best = oracle.best_covers(redundancy, scores)
    edges = oracle.tree_edges(redundancy, best, scores)
    children, parents = {c for _, c in edges}, {p for p, _ in edges}
    redundant = children - parents if rule == "tree" else {i for i in range(d) if best[i] >= 0 and i not in best}
    left = {j for j in range(d) if terms[j]} - redundant
    got = RedundancyTree(rule=rule, tau=0.6).fit(X, y)
    assert {(p, c) for p, c, _ in got.tree_.edges} == edges
    assert {j for j in range(d) if got.selection_.reason(j).kind == "redundant"} == redundant
    assert got.selection_.indices.tolist() == sorted(left, key=lambda j: (-scores[j], j))
    for j in redundant:
        assert got.selection_.reason(j).related == (f"x{best[j]}",)
        assert got.selection_.reason(j).amount == pytest.approx(redundancy[j][best[j]])
        assert best[j] in got.selection_.indices


def test_features_that_no_row_or_every_row_has_are_irrelevant():
    X = np.array([[1, 0, 0], [1, 0, 1], [0, 0, 1], [0, 0, 1]])
    every = RedundancyTree().fit(np.column_stack([np.ones(4), X]), [0, 0, 1, 1]).selection_
    assert 0 not in every.indices
    assert "all rows have it" in str(every.reason(0))
    got = RedundancyTree().fit(X, [0, 0, 1, 1]).selection_
    assert got.reason(1).kind == "irrelevant"
    assert "no row has it" in str(got.reason(1))
    none = RedundancyTree().fit(-np.ones((4, 2)), [0, 0, 1, 1]).selection_
    assert len(none) == 0


def test_only_the_share_of_highest_gain_is_looked_at(rng):
    X = (rng.random((80, 20)) < 0.3).astype(float)
    y = rng.integers(0, 2, 80)
    best = np.argsort(-gains(X, y), kind="stable")[:5]
    got = RedundancyTree(top_fraction=0.25).fit(X, y)
    reached = {j for j in range(20) if got.selection_.reason(j).kind != "not reached"}
    assert reached == set(best.tolist())
    alone = RedundancyTree().fit(X[:, np.sort(best)], y)
    assert got.selection_.indices.tolist() == np.sort(best)[alone.selection_.indices].tolist()
    assert "0.25" in got.selection_.reasons.rule


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.7])
def test_threshold_is_the_same_for_dense_and_sparse(rng, threshold):
    X = np.where(rng.random((60, 7)) < 0.5, rng.normal(size=(60, 7)), 0.0)
    y = rng.integers(0, 2, 60)
    dense = RedundancyTree(threshold=threshold).fit(X, y)
    sparse = RedundancyTree(threshold=threshold).fit(scipy.sparse.csr_array(X), y)
    binary = RedundancyTree().fit((threshold < X).astype(int), y)
    for one in (sparse, binary):
        np.testing.assert_array_equal(one.selection_.order, dense.selection_.order)
        np.testing.assert_array_equal(one.tree_.parents, dense.tree_.parents)
        np.testing.assert_allclose(one.tree_.weights, dense.tree_.weights, rtol=1e-12)


def test_clipping_bounds_the_redundancy():
    X, y = np.array([[1, 1], [1, 1], [0, 0], [1, 0], [0, 1], [0, 0]]), [0, 0, 0, 1, 1, 1]
    assert RedundancyTree().fit(X, y).tree_.weights.max() == pytest.approx(8.1595186604 * 2 / 3)
    assert RedundancyTree(clip=True).fit(X, y).tree_.weights.max() == pytest.approx(2 / 3)


def test_sets_end_where_nobody_covers_enough():
    X = matrix(DOCUMENTS, 16)
    got = RedundancyTree(tau=0.6).fit(X, LABELS)
    # Half of m2 is covered, which is no longer enough.
    assert got.tree_.alone.tolist() == [M2, U]
    assert RedundancyTree(tau=1.0).fit(X, LABELS).tree_.alone.tolist() == [M2, U]


def test_weights_count_as_repetitions(rng):
    X = (rng.random((50, 8)) < 0.4).astype(float)
    y, w = rng.integers(0, 2, 50), rng.integers(0, 4, 50)
    for form in (np.asarray, scipy.sparse.csr_array):
        weighted = RedundancyTree().fit(form(X), y, sample_weight=w)
        repeated = RedundancyTree().fit(form(np.repeat(X, w, axis=0)), np.repeat(y, w))
        np.testing.assert_array_equal(weighted.tree_.parents, repeated.tree_.parents)
        np.testing.assert_allclose(weighted.tree_.weights, repeated.tree_.weights, rtol=1e-9)
        np.testing.assert_array_equal(weighted.selection_.order, repeated.selection_.order)


def test_streamed_rows_and_dask_give_the_same_tree(rng):
    da = pytest.importorskip("dask.array")
    X = (rng.random((90, 8)) < 0.3).astype(float)
    y = rng.integers(0, 3, 90)
    memory = RedundancyTree().fit(X, y)
    streamed = RedundancyTree().fit(ArrayTable(X, y, classes=np.unique(y), batch_rows=17))
    spread = RedundancyTree().fit(da.from_array(X, chunks=(25, 4)), da.from_array(y, chunks=25))
    for one in (streamed, spread):
        np.testing.assert_array_equal(one.tree_.parents, memory.tree_.parents)
        np.testing.assert_array_equal(one.tree_.weights, memory.tree_.weights)
        np.testing.assert_array_equal(one.selection_.order, memory.selection_.order)


def test_names_reach_the_tree(rng):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(matrix(DOCUMENTS, 16), columns=["g", "h", "h2", "m", "m2", "u"])
    assert str(RedundancyTree().fit(frame, LABELS).tree_).splitlines()[0] == "g"


def test_text_data_are_not_made_dense(rng):
    X = scipy.sparse.random_array((400, 3000), density=0.004, random_state=rng, format="csr")
    y = rng.integers(0, 4, 400)
    got = RedundancyTree(top_fraction=0.2).fit(X, y)
    assert 0 < len(got.selection_) < 600


def test_missing_values_nominal_columns_and_p_values_are_refused(rng):
    pd = pytest.importorskip("pandas")
    y = np.array([0, 0, 1, 1])
    with pytest.raises(InputError, match="NaN"):
        RedundancyTree().fit(np.array([[1, np.nan]] * 4), y)
    with pytest.raises(InputError, match="nominal"):
        RedundancyTree().fit(pd.DataFrame({"a": list("uvuv")}), y)
    with pytest.raises(RequirementError, match="RedundancyTree"):
        RedundancyTree("fdr:0.05").fit(np.eye(4), y)
