"""Labels in place of pairs: how they are read, and that nothing changes but the cost."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import fewer
from fewer import RCA, ConstraintProjection, Pairs, XingMetric

X = np.random.default_rng(0).normal(size=(12, 3))
NAN = float("nan")
KNOWN = ([(0, 1), (2, 3)], [(0, 2), (0, 3), (1, 2), (1, 3)])
FORMS = {
    "minus one beside text": ["a", "a", "b", "b"] + [-1] * 8,
    "minus one as text": np.array(["a", "a", "b", "b"] + [-1] * 8),
    "NaN beside text": ["a", "a", "b", "b"] + [NAN] * 8,
    "None": ["a", "a", "b", "b"] + [None] * 8,
    "large and NaN": [2**53, 2**53, 2**53 + 1, 2**53 + 1] + [NAN] * 8,
    "too large for int64": [2**63, 2**63, 2**63 + 1, 2**63 + 1] + [-1] * 8,
    "masked": np.ma.masked_array([0, 0, 1, 1] + [0] * 8, [False] * 4 + [True] * 8),
    "booleans": [True, True, False, False] + [None] * 8,
    "Int64": pd.Series([0, 0, 1, 1] + [None] * 8, dtype="Int64"),
    "column": np.array([[0], [0], [1], [1]] + [[-1]] * 8),
}


@pytest.mark.parametrize("form", FORMS)
def test_rows_without_a_label_are_in_no_pair(form):
    want = ConstraintProjection(2).fit(X, pairs=KNOWN).eigenvalues_
    np.testing.assert_allclose(ConstraintProjection(2).fit(X, FORMS[form]).eigenvalues_, want)
    must, cannot = fewer.synth.sample_pairwise_constraints(np.ravel(FORMS[form]) if form == "column" else FORMS[form],
                                                           6, fraction=1.0, random_state=0)  # fmt: skip
    assert sorted(must.tolist()) == [[0, 1], [2, 3]]
    assert len(cannot) == 4


@pytest.mark.parametrize("groups", [["a", -1, "a", -1], ["a", NAN, "a", NAN], np.array(["a", "-1", "a", "-1"])])
def test_groups_of_must_links_leave_rows_out(groups):
    assert Pairs(4, groups).must.tolist() == [[0, 2]]


@pytest.mark.parametrize("seed", range(20))
def test_pairs_of_labels_are_those_made_one_by_one(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(-1, 3, 14)
    lazy = Pairs.of_labels(y)
    plain = Pairs(14, lazy.must, lazy.cannot)
    assert repr(lazy) == repr(plain)
    M = rng.normal(size=(14, 2))
    np.testing.assert_allclose(lazy.signed_sum(M, -0.3, 0.7), plain.signed_sum(M, -0.3, 0.7), atol=1e-12)
    np.testing.assert_array_equal(lazy.groups, plain.groups)
    np.testing.assert_array_equal(np.sort(lazy.apart, axis=0), np.sort(plain.apart, axis=0))
    rows = rng.integers(0, 14, 10)
    some, same = lazy[rows], plain[rows]
    assert (repr(some), some.n_dropped) == (repr(same), same.n_dropped)
    assert {tuple(p) for p in some.must.tolist()} == {tuple(p) for p in same.must.tolist()}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("sparse", [False, True])
def test_more_pairs_than_rows_give_the_same_axes(seed, sparse):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(5, 9)), int(rng.integers(2, 14))
    A, y = rng.normal(size=(n, d)) + (1e6 if seed % 2 else 0), rng.integers(0, 2, n)
    pairs, beta = Pairs.of_labels(y), float(rng.choice([0, 0.3, 0.9]))
    Q = np.zeros((d, d))
    for kind, weight in ((pairs.cannot, 1 - beta), (pairs.must, -beta)):
        for i, j in kind:
            Q += weight * np.outer(A[i] - A[j], A[i] - A[j])
    want = np.linalg.eigvalsh(Q)[::-1]
    found = ConstraintProjection(d, beta=beta, axes="all")
    with pytest.warns(UserWarning, match="say nothing") if n <= d else nullcontext():
        found.fit(scipy.sparse.csr_array(A) if sparse else A, pairs=pairs)
    np.testing.assert_allclose(found.eigenvalues_, want, atol=1e-6 * np.abs(want).max())
    axes = found.components_
    np.testing.assert_allclose(np.diag(axes @ Q @ axes.T), want, atol=1e-6 * np.abs(want).max())


def test_many_labels_need_no_pair_each():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 6000)
    rows = rng.normal(size=(6000, 4))
    rows[:, 2] += 3 * y
    assert ConstraintProjection(1).fit(rows, y).selection_.indices.tolist() == [2]
    within = np.vstack([rows[y == c] - rows[y == c].mean(axis=0) for c in range(3)])
    W = RCA().fit(rows, y).components_
    np.testing.assert_allclose(W @ (within.T @ within / 6000) @ W.T, np.eye(4), atol=1e-9)
    with pytest.raises(ValueError, match="stands for 17,997,000 pairs"):
        XingMetric().fit(rows, y)


def test_labels_must_fit_the_rows():
    with pytest.raises(ValueError, match="y with 2 labels, but X has 12 rows"):
        ConstraintProjection().fit(X, [0, 1])
    for n_rows in (-3, "5", 2.5, None):
        with pytest.raises(ValueError, match="number of rows of X"):
            Pairs(n_rows)


def test_nmi_of_any_labels():
    assert fewer.evaluate.nmi(["a", None, NAN], [0, 1, 1]) == 1.0
    assert fewer.evaluate.nmi([2**53, 2**53 + 1, NAN], [0, 1, 2]) == 1.0
