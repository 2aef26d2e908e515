"""The selectors of the family against slow truths, on data that are awkward for neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from relief_cases import (
    ALL,
    COMPLETE,
    landed,
    lonely_class,
    numeric_target,
    three_classes,
    two_classes,
)

from oracles.relief import gs_relief, relief, relief_ratio, relieff, rrelieff, surf_family

SURFS = ["SURF", "SURFStar", "MultiSURF", "MultiSURFStar"]
COSTS = np.array([[0, 1, 2], [3, 0, 1], [5, 1, 0]])
OPTIONS = [
    {},
    {"k": 1},
    {"k": 7},
    {"k": 100},
    {"k": 7, "ties": "average"},
    {"k": 7, "sigma": 2.0},
    {"k": 7, "sigma": 2.0, "ties": "average"},
    {"k": 4, "ramp": (0.05, 0.10)},
    {"k": 4, "ramp": (0.0, 0.3), "ties": "average"},
]


def words(option):
    return "-".join(f"{k}={v}" for k, v in option.items()) or "defaults"


def as_given(option):
    """The options of an oracle as parameters of a selector."""
    names = {"k": "n_neighbors", "mode": "cost_mode", "cost": "cost_matrix"}
    given = {names.get(k, k): v for k, v in option.items()}
    return given | ({"neighbor_weights": "exponential"} if "sigma" in given else {})


def scores(name, X, y, kinds, **given):
    """Fit in two ways: with one thread and with two."""
    if kinds is not None:
        given["categorical_features"] = kinds
    one = landed(name)(None, n_jobs=1, **given).fit(X, y).scores_
    two = landed(name)(None, n_jobs=2, **given).fit(X, y).scores_
    np.testing.assert_array_equal(one, two)
    return one


def close(got, expected):
    # Sums over all near rows run in single precision.
    np.testing.assert_allclose(got, expected, rtol=1e-6, atol=2e-7)


@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("option", [{}, {"ties": "average"}, {"ramp": (0.05, 0.10)}], ids=words)
@pytest.mark.parametrize("power", [1, 2])
def test_relief(make, option, power, rng):
    X, kinds = make(rng)
    y = two_classes(rng)
    close(scores("Relief", X, y, kinds, power=power, **option), relief(X, y, kinds, power=power, **option))


@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("option", OPTIONS, ids=words)
def test_relieff(make, option, rng):
    X, kinds = make(rng)
    y = three_classes(rng)
    close(scores("ReliefF", X, y, kinds, **as_given(option)), relieff(X, y, nominal=kinds, **option))


@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
def test_relieff_with_a_class_of_one_row(make, rng):
    X, kinds = make(rng)
    y = lonely_class(rng)
    close(scores("ReliefF", X, y, kinds, n_neighbors=5), relieff(X, y, 5, kinds))


@pytest.mark.parametrize("mode", ["expected", "average"])
@pytest.mark.parametrize("cost", [COSTS, 1 - np.eye(3), COSTS.T * 10], ids=["unequal", "uniform", "turned"])
def test_relieff_with_costs(mode, cost, rng):
    X, y = rng.normal(size=(26, 4)), three_classes(rng)
    got = scores("ReliefF", X, y, None, n_neighbors=3, cost_matrix=cost, cost_mode=mode)
    close(got, relieff(X, y, 3, cost=cost, mode=mode))


@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("option", OPTIONS, ids=words)
def test_rrelieff(make, option, rng):
    X, kinds = make(rng)
    y = numeric_target(rng)
    close(scores("RReliefF", X, y, kinds, **as_given(option)), rrelieff(X, y, nominal=kinds, **option))


@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "option", [{}, {"k": 3}, {"k": 3, "ties": "average"}, {"k": 5, "ramp": (0.05, 0.10)}], ids=words
)
@pytest.mark.parametrize("target", [two_classes, three_classes, lonely_class], ids=lambda f: f.__name__)
def test_relief_ratio(make, option, target, rng):
    X, kinds = make(rng)
    y = target(rng)
    close(scores("ReliefRatio", X, y, kinds, **as_given(option)), relief_ratio(X, y, nominal=kinds, **option))


@pytest.mark.parametrize(
    "make", [f for f in COMPLETE if f.__name__ not in ("nominal", "mixed")], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("target", [two_classes, three_classes], ids=lambda f: f.__name__)
def test_gs_relief(make, target, rng):
    X, _ = make(rng)
    y = target(rng)
    chosen, values = gs_relief(X, y, 3, 5)
    found = landed("GSRelief")(3, n_neighbors=5).fit(X, y).selection_
    assert found.indices.tolist() == chosen
    np.testing.assert_allclose(found.scores[found.indices], values, rtol=1e-6)


@pytest.mark.parametrize("name", SURFS)
@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("target", [two_classes, three_classes, lonely_class], ids=lambda f: f.__name__)
def test_surf_family(name, make, target, rng):
    X, kinds = make(rng)
    y = target(rng)
    close(scores(name, X, y, kinds), surf_family(X, y, name, kinds))


@pytest.mark.parametrize("name", SURFS)
def test_surf_family_with_a_ramp(name, rng):
    X, y = rng.normal(size=(26, 4)), three_classes(rng)
    close(scores(name, X, y, None, ramp=(0.05, 0.3)), surf_family(X, y, name, ramp=(0.05, 0.3)))


@pytest.mark.parametrize(("name", "slow"), [("Relief", relief), ("ReliefF", relieff), ("RReliefF", rrelieff)])
def test_sampled_rows_are_few_rows_of_the_data_without_repeats(name, slow, rng):
    """Some set of rows explains the scores: every one is tried."""
    from itertools import combinations

    X, y = rng.normal(size=(7, 3)), np.array([0, 1, 0, 1, 1, 0, 0])
    got = landed(name)(None, n_samples=3, random_state=4).fit(X, y).scores_
    fits = [rows for rows in combinations(range(7), 3) if np.allclose(slow(X, y, rows=rows), got, atol=1e-9)]
    assert len(fits) == 1
    again = landed(name)(None, n_samples=3, random_state=4).fit(X, y).scores_
    np.testing.assert_array_equal(got, again)


@pytest.mark.parametrize("name", ["Relief", "ReliefF", "RReliefF"])
def test_all_rows_sampled_are_all_rows(name, rng):
    X, y = rng.normal(size=(20, 3)), np.arange(20) % 2
    every = landed(name)(None).fit(X, y).scores_
    sampled = landed(name)(None, n_samples=20, random_state=0).fit(X, y).scores_
    np.testing.assert_allclose(sampled, every, rtol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_levels_with_missing_values_break_ties_exactly(seed):
    """Mean differences are fractions of whole numbers, and equal ones must stay equal."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (40, 6)).astype(float), rng.integers(0, 3, 40)
    X[rng.random(X.shape) < 0.15] = np.nan
    got = scores("ReliefF", X, y, list(range(6)), n_neighbors=5)
    np.testing.assert_allclose(got, relieff(X, y, 5, np.ones(6, bool)), atol=1e-9)


def test_a_narrow_exponential_leaves_the_nearest():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(50, 4)), rng.integers(0, 2, 50)
    narrow = scores("ReliefF", X, y, None, n_neighbors=5, neighbor_weights="exponential", sigma=1e-3)
    close(narrow, scores("ReliefF", X, y, None, n_neighbors=1))
    assert np.abs(narrow).max() > 0.01


def test_costs_that_are_no_costs_are_named():
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    with pytest.raises(ValueError, match="-1.0 in it"):
        landed("ReliefF")(cost_matrix=[[0, -1], [1, 0]]).fit(X, y)
    with pytest.raises(ValueError, match=r"shape \(1, 2\)"):
        landed("ReliefF")(cost_matrix=[[0, 1]]).fit(X, y)


@pytest.mark.parametrize("name", ["ReliefF", "MultiSURF"])
def test_a_range_that_overflows_is_refused(name):
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    X[0, 1], X[1, 1] = 1e308, -1e308
    with pytest.raises(ValueError, match="so large"):
        landed(name)().fit(X, y)
    # The range is finite, but 1 / range has few digits left, and weights were infinite.
    X[0, 1], X[1, 1] = 3e307, -3e307
    with pytest.raises(ValueError, match="so large"):
        landed(name)().fit(X, y)
    X[0, 1], X[1, 1] = 1e307, -1e307
    assert np.isfinite(landed(name)().fit(X, y).scores_).all()
