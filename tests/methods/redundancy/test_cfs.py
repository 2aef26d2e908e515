"""CFS against plain loops, and what the catalogue says of it (book ch. 7)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fewer.core.criteria import uncertainties
from fewer.core.criteria.shapes import as_stepwise, as_subset
from fewer.core.records.errors import FewerError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import CodesBlock
from fewer.core.views.view import View
from fewer.methods.redundancy.cfs import CFS, CFSMerit
from oracles import redundancy as oracle


def fit(X, y, **more):
    return CFS(**{"discretizer": None, **more}).fit(X, y).selection_


def view_of(X, y):
    levels = X.max(axis=0).astype(np.int64) + 1
    block = CodesBlock(np.ascontiguousarray(X.astype(np.uint16)), levels, y)
    return View(
        ThreadRunner(1), [block], "codes", *X.shape, np.zeros(X.shape[1], bool), classes=np.unique(y), n_levels=levels
    )


@pytest.mark.parametrize("name", oracle.DATA)
@pytest.mark.parametrize("k", [None, 5])
def test_plain_loops(name, k):
    X, y = oracle.DATA[name]
    got = fit(X, y, n_features_to_select=k)
    chosen, values = oracle.cfs(X, y, k)
    assert got.indices.tolist() == chosen
    np.testing.assert_allclose(got.trace.values[: len(chosen)], values, atol=2e-12)


@settings(max_examples=30, deadline=None)
@given(arrays(np.int64, (12, 6), elements=st.integers(0, 3)), arrays(np.int64, 12, elements=st.integers(0, 2)))
def test_plain_loops_on_made_up_tables(X, y):
    y[:2] = 0, 1
    got, (chosen, values) = fit(X, y), oracle.cfs(X, y)
    assert got.indices.tolist() == chosen
    np.testing.assert_allclose(got.trace.values[: len(chosen)], values, atol=2e-12)


@pytest.mark.parametrize("name", oracle.DATA)
def test_both_shapes_agree(name):
    """The value of a subset is the merit by which its last feature joined, in whatever order it is given."""
    X, y = oracle.DATA[name]
    view, criterion = view_of(X, y), CFSMerit()
    got = fit(X, y, n_features_to_select=5)
    for k in range(6):
        value = criterion.value(view, got.indices[:k])
        assert value == pytest.approx(oracle.merit(X, y, got.indices[:k].tolist()), abs=2e-12)
        assert value == pytest.approx(criterion.value(view, got.indices[:k][::-1]), abs=2e-12)
        assert k == 0 or value == pytest.approx(got.trace.values[k - 1], abs=2e-12)
    assert as_subset(criterion) is as_stepwise(criterion) is criterion


def test_few_remembered_rows_change_nothing(monkeypatch):
    X, y = oracle.tables(0)
    subset = [3, 7, 9, 0, 1]
    expected = CFSMerit().value(view_of(X, y), subset)
    monkeypatch.setattr(uncertainties, "REMEMBERED", 2 * 8 * X.shape[1])
    view = view_of(X, y)
    assert CFSMerit().value(view, subset) == expected
    assert len(uncertainties.Uncertainties.of(view)._rows) == 2


@pytest.mark.parametrize("seed", range(4))
def test_one_feature_copies_and_noise(seed):
    """Catalogue, CFS: k = 1 gives r_cf; a copy leaves the merit unchanged; an independent feature lowers it."""
    rng = np.random.default_rng(seed)
    y = np.tile([0, 1, 2], 40)
    f = (y + (rng.random(120) < 0.3)) % 3
    # Two levels that meet every level of f and every class equally often are independent exactly.
    X = np.column_stack([np.concatenate([f, f]), np.concatenate([f, f]), np.repeat([0, 1], 120)])
    view, criterion = view_of(X, np.concatenate([y, y])), CFSMerit()
    alone = criterion.value(view, [0])
    assert alone == pytest.approx(oracle.uncertainty(f, y), abs=2e-12)
    assert criterion.value(view, [0, 1]) == alone
    assert criterion.value(view, [0, 2]) == pytest.approx(alone / np.sqrt(2), abs=2e-12)
    assert fit(X, np.concatenate([y, y])).indices.tolist() == [0]


def test_reasons():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 600)
    near = (y + (rng.random(600) < 0.2)) % 3
    X = np.column_stack([near, near, np.zeros(600, int), (near + (rng.random(600) < 0.05)) % 3])
    got = fit(X, y)
    assert got.indices.tolist() == [0]
    copy = got.reason(1)
    assert (copy.kind, copy.related, copy.amount) == ("redundant", ("x0",), pytest.approx(1.0))
    assert got.reason(2).kind == "irrelevant"
    noisy = got.reason(3)
    assert (noisy.kind, noisy.related) == ("redundant", ("x0",))
    assert noisy.amount == pytest.approx(oracle.uncertainty(X[:, 0], X[:, 3]), abs=1e-12)


def test_nothing_to_choose_from():
    """Equal merits of 0 made the lowest number, here a constant, the first choice."""
    X = np.array([[3, 0, 0], [3, 0, 1], [3, 1, 0], [3, 1, 1]])
    got = fit(X, [0, 1, 1, 0])
    assert got.indices.tolist() == []
    assert [got.reason(j).kind for j in range(3)] == ["irrelevant"] * 3
    assert fit(X, [0, 1, 1, 0], n_features_to_select=3).indices.tolist() == [1, 2]
    with pytest.raises((FewerError, ValueError), match="search"):
        CFS(search="best-first").fit(np.zeros((4, 2)), [0, 1, 0, 1])


@pytest.mark.parametrize(("name", "n_genes"), [("colon_alon", 26), ("leukemia_golub", 54)])
def test_numbers_of_genes_in_the_book(shared_data, name, n_genes):
    """Table 17.3: forward CFS chooses 26 of 2,000 colon genes and 54 of 7,129 leukemia genes."""
    stored = shared_data(name)
    assert len(CFS(discretizer="mdl").fit(stored["X"], stored["y"]).selection_) == n_genes
