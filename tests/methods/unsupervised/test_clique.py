"""CLIQUE against an enumeration of all subspaces, its facts, and planted subspaces."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.dense_units import mdl_cut
from fewer.core.discretize.binning import EqualWidth
from fewer.core.records.errors import InputError
from oracles import subspaces as oracle


def table(seed, n=80, d=5):
    rng = np.random.default_rng(seed)
    X = rng.random((n, d))
    X[: n // 2, :2] = 0.3 + 0.1 * rng.random((n // 2, 2))
    if seed % 3 == 1:
        X[:, 3] = 7.0
    if seed % 3 == 2:
        X = np.round(X * 3)
    return X


def as_sets(fitted):
    """Return clusters as the oracle does."""
    return {
        (columns, frozenset(map(tuple, units.tolist()))): frozenset(fitted.members(c).tolist())
        for c, (columns, units) in enumerate(zip(fitted.subspaces_, fitted.units_))
    }


@pytest.mark.parametrize("seed", range(9 * EXAMPLES))
def test_clusters_are_those_of_an_enumeration(seed):
    X = table(seed, n=[80, 31, 130][seed % 3])
    bins, density, max_dim = [3, 4, 6][seed % 3], [0.05, 0.1, 0.02][seed // 3 % 3], [None, 2][seed % 2]
    fitted = fewer.CLIQUE(bins=bins, density=density, max_dim=max_dim).fit(X)
    codes = EqualWidth(bins).fit_transform(X)
    want = oracle.clusters(codes, density, max_dim)
    assert as_sets(fitted) == want
    assert fitted.clusters_.columns["rows"] == [len(fitted.members(c)) for c in range(len(want))]
    # Every row is in the cluster of most columns, and then of most rows.
    for i, label in enumerate(fitted.labels_.tolist()):
        mine = [(len(columns), len(rows)) for (columns, _), rows in want.items() if i in rows]
        assert (label < 0) == (not mine)
        if mine:
            assert i in fitted.members(label)
            assert (len(fitted.subspaces_[label]), len(fitted.members(label))) == max(mine)


def test_every_projection_of_a_dense_unit_is_dense():
    X = table(0, 200, 6)
    fitted = fewer.CLIQUE(bins=5, density=0.03).fit(X)
    units = {
        tuple(zip(columns, cell)) for columns, cells in zip(fitted.subspaces_, fitted.units_) for cell in cells.tolist()
    }
    assert max(map(len, units)) > 2
    for unit in units:
        for p in range(len(unit) if len(unit) > 1 else 0):
            assert unit[:p] + unit[p + 1 :] in units


def test_more_density_leaves_fewer_units():
    X, before = table(0, 200, 6), None
    for density in (0.0, 0.01, 0.03, 0.1, 0.5, 1.0):
        found = fewer.CLIQUE(bins=4, density=density).fit(X)
        units = {
            (columns, tuple(cell)) for columns, cells in zip(found.subspaces_, found.units_) for cell in cells.tolist()
        }
        assert before is None or units < before or units == before == set()
        before = units
    assert before == set()
    assert (found.labels_ == -1).all()
    assert len(found.selection_.indices) == 0


def test_planted_subspaces_are_found():
    for seed in range(5):
        data = fewer.synth.make_subspace_clusters(600, 3, 3, random_state=seed)
        found = fewer.CLIQUE(bins=7, density=0.01).fit(data.X)
        for c in range(3):
            own = set(range(3 * c, 3 * c + 3))
            rows = set(np.flatnonzero(data.y == c).tolist())
            near = [
                len(rows & set(found.members(k).tolist())) / len(rows | set(found.members(k).tolist()))
                for k, columns in enumerate(found.subspaces_)
                if set(columns) == own
            ]
            # Rows in cells that an edge of the grid cuts off are lost.
            assert max(near) > 0.9


@pytest.mark.parametrize("seed", range(30 * EXAMPLES))
def test_description_length_cuts_where_loops_do(seed):
    rng = np.random.default_rng(seed)
    coverage = rng.integers(1, [5, 50, 5000][seed % 3], rng.integers(1, 12))
    assert mdl_cut(coverage).tolist() == oracle.mdl_kept(coverage.tolist())


def test_pruning_leaves_whole_subspaces_of_large_coverage():
    X = table(0, 300, 6)
    every = fewer.CLIQUE(bins=5, density=0.04).fit(X)
    for coverage in (0.3, "mdl"):
        some = fewer.CLIQUE(bins=5, density=0.04, coverage=coverage).fit(X)
        assert as_sets(some).items() < as_sets(every).items()
        if coverage == 0.3:
            for columns in set(every.subspaces_):
                covered = sum(len(rows) for (c, _), rows in as_sets(every).items() if c == columns)
                assert (columns in some.subspaces_) == (covered >= 0.3 * len(X))


def test_order_of_columns_and_rows_does_not_matter():
    X = table(0, 120, 5)
    first = fewer.CLIQUE(bins=4).fit(X)
    order, rows = np.array([3, 0, 4, 2, 1]), np.random.default_rng(1).permutation(120)
    other = fewer.CLIQUE(bins=4).fit(X[rows][:, order])
    there = set()
    for columns, members in zip(other.subspaces_, map(other.members, range(len(other.subspaces_)))):
        there.add((tuple(sorted(order[list(columns)].tolist())), frozenset(rows[members].tolist())))
    here = {(c, frozenset(first.members(k).tolist())) for k, c in enumerate(first.subspaces_)}
    assert here == there


def test_too_many_units_are_refused_and_numbers_of_clusters_checked():
    with pytest.raises(InputError, match="max_units=1000 dense units"):
        fewer.CLIQUE(density=0.0, max_units=1000).fit(np.random.default_rng(0).random((30, 20)))
    found = fewer.CLIQUE().fit(table(0))
    with pytest.raises(InputError, match="found"):
        found.members(len(found.subspaces_))


def test_a_fraction_is_not_exceeded_by_rounding():
    X = np.repeat([0.0, 1.0], [71, 29])[:, None]
    assert fewer.CLIQUE(density=0.29).fit(X).clusters_.columns["rows"] == [71]
    assert fewer.CLIQUE(density=0.2899).fit(X).clusters_.columns["rows"] == [71, 29]
    # 0.07 * 100 is more than 7 in floating point; the other rows are alone in their bins.
    y = np.concatenate([np.zeros(7), np.arange(1, 94)])[:, None]
    assert fewer.CLIQUE(bins=93, density=0.06, coverage=0.07).fit(np.maximum(y, 1.5 * (y > 0))).subspaces_ == [(0,)]


def test_members_of_no_cluster_are_refused():
    found = fewer.CLIQUE().fit(np.random.default_rng(0).random((50, 3)))
    for wrong in ("a", -1, 99, 1.0):
        with pytest.raises(InputError, match="members got cluster="):
            found.members(wrong)
