"""ENCLUS against loops over all subspaces, and what holds for entropies."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering import low_entropy
from fewer.core.clustering.low_entropy import chance_degrees, chance_interest, entropy_of_counts
from fewer.core.discretize.binning import EqualWidth
from fewer.core.records.errors import InputError
from oracles import subspaces as oracle


def table(seed, n=90):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 5))
    X[:, 1] = X[:, 0] + 0.05 * rng.random(n)
    X[:, 4] = (np.floor(3 * X[:, 2]) + np.floor(3 * X[:, 3])) % 3
    if seed % 2:
        X[:, 3] = -1.0
    return X


@pytest.mark.parametrize("report", ["minimal", "gain"])
@pytest.mark.parametrize("seed", range(5 * EXAMPLES))
def test_subspaces_are_those_of_an_enumeration(seed, report, monkeypatch):
    X = table(seed)
    codes = EqualWidth(3).fit_transform(X)
    for omega, least in [(2.5, 0.2), (4.0, 0.05), (9.0, 0.5)]:
        # Cells counted in a table, and hashed.
        monkeypatch.setattr(low_entropy, "CELLS_PER_ROW", 0 if least == 0.05 else 4)
        found = fewer.ENCLUS(3, max_entropy=omega, min_interest=least, report=report).fit(X)
        assert {s.columns for s in found.found_} == oracle.low_entropy(codes, omega, least, report == "minimal")
        for s in found.found_:
            assert s.entropy == pytest.approx(oracle.entropy(codes, s.columns))
            assert s.interest == pytest.approx(oracle.interest(codes, s.columns))
        key = [s.interest if report == "minimal" else s.gain for s in found.found_]
        assert key == sorted(key, reverse=True)
        # Clusters are the dense units of CLIQUE in these subspaces.
        want = {k: v for k, v in oracle.clusters(codes, 0.05).items() if k[0] in {s.columns for s in found.found_}}
        have = {
            (c, frozenset(map(tuple, units.tolist()))): frozenset(found.members(k).tolist())
            for k, (c, units) in enumerate(zip(found.subspaces_, found.units_))
        }
        assert have == want


def test_three_columns_that_only_together_depend_are_reported_together():
    found = fewer.ENCLUS(3, max_entropy=9, min_interest=0.5).fit(table(0, 2000))
    assert {s.columns for s in found.found_} == {(0, 1), (2, 3, 4)}
    assert found.found_[0].columns in [(0, 1), (2, 3, 4)]
    assert found.selection_.tables["subspaces"].columns["subspace"][0] in ("x0, x1", "x2, x3, x4")


@pytest.mark.parametrize("report", ["minimal", "gain"])
def test_entropy_must_lie_below_the_bound(report):
    X = table(2)
    codes = EqualWidth(3).fit_transform(X)
    for columns in ((0, 1), (2, 3, 4)):
        edge = oracle.entropy(codes, columns)
        for omega, there in ((edge - 1e-9, False), (edge + 1e-9, True)):
            found = fewer.ENCLUS(3, max_entropy=omega, min_interest=0.5, report=report).fit(X)
            assert (columns in {s.columns for s in found.found_}) == there


def test_entropy_grows_with_columns_and_interest_is_not_negative():
    codes = np.random.default_rng(0).integers(0, 4, (60, 5))
    for k in range(1, 5):
        for s in combinations(range(5), k):
            for j in set(range(5)) - set(s):
                more = tuple(sorted((*s, j)))
                assert oracle.entropy(codes, more) >= oracle.entropy(codes, s) - 1e-12
                assert oracle.interest(codes, more) >= oracle.interest(codes, s) - 1e-12
    assert entropy_of_counts(np.array([5])) == 0.0
    assert entropy_of_counts(np.array([3, 0, 3, 3])) == pytest.approx(np.log(3))


@pytest.mark.parametrize("report", ["minimal", "gain"])
@pytest.mark.parametrize(("n", "p", "bins"), [(400, 6, 10), (500, 6, 5), (300, 6, 4), (200, 7, 3), (40, 8, 2)])
def test_independent_columns_are_not_interesting_by_default(n, p, bins, report):
    alarms = 0
    for seed in range(10):
        found = fewer.ENCLUS(bins, report=report).fit(np.random.default_rng(seed).random((n, p)))
        alarms += found.found_ != []
        assert (found.labels_ == -1).all() or found.found_
    assert alarms <= 1


def test_what_chance_explains_is_chi_squared():
    rng, lines = np.random.default_rng(0), []
    codes = [rng.integers(0, 3, (300, 3)) for _ in range(100)]
    for minimal in (True, False):
        degrees = chance_degrees([3, 3, 3], minimal)
        parts = [max(oracle.interest(c, s) for s in combinations(range(3), 2)) for c in codes] if not minimal else 0.0
        shown = np.array([oracle.interest(c, (0, 1, 2)) for c in codes]) - parts
        lines.append(chance_interest(degrees, 300, 1))
        # The smallest of three gains is less than one of them.
        assert (0.9 if minimal else 0.5) * degrees < (600 * shown).mean() < 1.1 * degrees
        assert (shown > lines[-1]).mean() <= 0.02
    assert lines[0] >= lines[1] >= 0.1
    assert chance_interest(50, 100, 1000) > chance_interest(50, 100, 1)
    assert chance_interest(500, 1000, 1) == pytest.approx(0.5)
    assert chance_interest(4, 20, 45) == pytest.approx(chi2.isf(0.01 / 45, 4) / 40)


def test_planted_subspaces_are_found():
    for seed in range(5):
        data = fewer.synth.make_subspace_clusters(600, 2, 3, random_state=seed)
        found = fewer.ENCLUS().fit(data.X)
        pairs = [s.columns for s in found.found_[:6]]
        assert set(pairs) == {*combinations(range(3), 2), *combinations(range(3, 6), 2)}


def test_too_many_subspaces_are_refused():
    with pytest.raises(InputError, match="max_units=50 subspaces"):
        fewer.ENCLUS(2, max_entropy=9, min_interest=5, max_units=50).fit(np.random.default_rng(0).random((40, 12)))
