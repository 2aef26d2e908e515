"""Selection with few labels against its definition, and the facts of its entry."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import fewer
from oracles import few_labels


def problem(seed, n=None, d=None):
    rng = np.random.default_rng(seed)
    n, d = n or int(rng.integers(12, 40)), d or int(rng.integers(2, 8))
    X = rng.normal(size=(n, d))
    y = rng.integers(0, 2 + seed % 3, n)
    X[:, 0] += 3 * y
    y[:4] = [0, 1, 0, 1]
    known = rng.random(n) < 0.4
    known[:4] = True
    return X, y, known


@pytest.mark.parametrize("seed", range(30))
def test_scores_follow_the_definition(seed):
    X, y, known = problem(seed)
    locality, k = [0.0, 0.1, 0.5, 1.0][seed % 4], 3 + seed % 8
    norm = "sqrt" if seed % 5 == 0 else "max"
    target = np.where(known, y, -1)
    made = fewer.SSelect(None, locality=locality, n_neighbors=k, entropy_norm=norm)
    truth = few_labels.sselect(X, y, known, locality, k, norm)
    np.testing.assert_allclose(made.fit(X, target).scores_, truth, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(made.fit(scipy.sparse.csr_array(X), target).scores_, truth, rtol=1e-7, atol=1e-9)
    missing = np.where(known, y.astype(float), np.nan)
    np.testing.assert_allclose(made.fit(X, missing).scores_, truth, rtol=1e-9, atol=1e-12)


def test_the_graph_alone_is_the_laplacian_score():
    X, y, known = problem(1, 60, 6)
    found = fewer.SSelect(None, locality=1, n_neighbors=5).fit(X, np.where(known, y, -1))
    np.testing.assert_allclose(found.scores_, fewer.LaplacianScore(None).fit(X).scores_)


def test_labels_alone_do_not_see_other_rows():
    X, y, known = problem(2, 50, 5)
    target = np.where(known, y, -1)
    other = X.copy()
    other[~known] = 100 + 50 * np.random.default_rng(0).normal(size=other[~known].shape)
    plain, changed = (fewer.SSelect(None, locality=0).fit(data, target).scores_ for data in (X, other))
    np.testing.assert_allclose(plain, changed)
    assert ((plain >= 0) & (plain <= 1)).all()


def test_of_two_equal_clusterings_the_one_that_agrees_with_the_labels_wins():
    """Figure 1.2 of the book."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.permutation(80) % 2, rng.permutation(80) % 2
        noise = rng.normal(size=80)
        X = np.column_stack([6 * a, 6 * b]) + np.column_stack([noise, noise])
        y = np.full(80, -1)
        y[:10] = b[:10]
        if len(np.unique(y[:10])) == 2 and not (np.array_equal(a[:10], b[:10]) or np.array_equal(a[:10], 1 - b[:10])):
            assert fewer.SSelect(1).fit(X, y).selection_.indices.tolist() == [1]


def test_mirrored_features_score_alike_and_constants_come_last():
    X, y, known = problem(3, 40, 3)
    X = np.column_stack([X, -X, np.ones(40)])
    found = fewer.SSelect(None).fit(X, np.where(known, y, -1))
    np.testing.assert_allclose(found.scores_[:3], found.scores_[3:6])
    assert found.scores_[6] == 0
    assert found.selection_.order[-1] == 6


def test_scores_for_all_weights_are_a_table():
    X, y, known = problem(4, 40, 5)
    found = fewer.SSelect(2, locality=0.3).fit(X, np.where(known, y, -1)).selection_
    table = found.tables["weights"]
    at = table.columns["weight of the graph"].index(0.30000000000000004)
    for j, line in table.coefficients.items():
        assert line[at] == pytest.approx(found.scores[j])


def test_rows_without_a_label_are_so_in_a_list_of_any_kind():
    X, _, _ = problem(6, 20, 3)
    wanted = fewer.SSelect(None).fit(X, [0, 1] * 3 + [-1] * 14).scores_
    for rest in ([-1] * 7 + [float("nan")] * 7, [None] * 14, ["-1"] * 14):
        np.testing.assert_allclose(fewer.SSelect(None).fit(X, ["a", "b"] * 3 + rest).scores_, wanted)


def test_labels_of_one_class_are_refused_in_one_sentence():
    X, _, _ = problem(5, 20, 3)
    with pytest.raises(ValueError, match="class"):
        fewer.SSelect(1).fit(X, [1, 1] + [-1] * 18)
    with pytest.raises(ValueError, match="SSelect"):
        fewer.SSelect(1).fit(X, [-1] * 20)
