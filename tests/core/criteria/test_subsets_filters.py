"""Criteria without an estimator, against plain formulas and the facts of the catalogue."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from subset_cases import classes_of, codes_of, levels, numbers, view_of

from fewer.core.criteria.merit import Merit
from fewer.core.criteria.scatter import Mahalanobis, ScatterSeparability
from fewer.core.criteria.subset_filters import Agreement, Information
from fewer.core.records.errors import RequirementError
from oracles import redundancy as oracle

TABLES = arrays(np.int64, (14, 5), elements=st.integers(0, 2))
CLASSES = arrays(np.int64, 14, elements=st.integers(0, 2))
ON_CODES = [Merit(), Agreement(), Information()]
ON_NUMBERS = [ScatterSeparability(), Mahalanobis()]


def all_subsets(d):
    return chain.from_iterable(combinations(range(d), k) for k in range(d + 1))


def groups_of(X, subset):
    return np.unique(X[:, list(subset)], axis=0, return_inverse=True)[1].ravel() if subset else np.zeros(len(X), int)


def plain_agreement(X, y, subset, weight=None):
    groups, weight = groups_of(X, subset), np.ones(len(y)) if weight is None else weight
    return sum(max(weight[(groups == g) & (y == c)].sum() for c in set(y)) for g in set(groups)) / weight.sum()


def plain_information(X, y, subset, weight=None):
    groups, weight = groups_of(X, subset), np.ones(len(y)) if weight is None else weight
    total, value = weight.sum(), 0.0
    for g in set(groups):
        for c in set(y):
            both = weight[(groups == g) & (y == c)].sum() / total
            apart = weight[groups == g].sum() * weight[y == c].sum() / total**2
            value += both * np.log(both / apart) if both else 0.0
    return value


def plain_scatter(X, y, subset):
    X = X[:, list(subset)]
    labels, counts = np.unique(y, return_counts=True)
    means = [X[y == c].mean(axis=0) for c in labels]
    within = sum(n / len(X) * np.cov(X[y == c].T, bias=True).reshape(X.shape[1], -1) for c, n in zip(labels, counts))
    between = sum(n / len(X) * np.outer(m - X.mean(axis=0), m - X.mean(axis=0)) for m, n in zip(means, counts))
    return within, between, means


@given(TABLES, CLASSES)
def test_codes_against_plain_formulas(X, y):
    y[:2] = 0, 1
    view = codes_of(X, y)
    for subset in all_subsets(5):
        assert Agreement().value(view, subset) == pytest.approx(plain_agreement(X, y, subset), abs=1e-12)
        assert Information().value(view, subset) == pytest.approx(plain_information(X, y, subset), abs=1e-12)
        merit = oracle.merit(X, y, list(subset)) if subset else 0.0
        assert Merit().value(view, subset) == pytest.approx(merit, abs=1e-11)


@pytest.mark.parametrize("criterion", ON_CODES, ids=lambda c: type(c).__name__)
def test_changes_on_codes(criterion):
    X = levels(0, d=6)
    view = codes_of(X, classes_of(X, 0, 3))
    for subset in all_subsets(6):
        inside, outside = list(subset), [j for j in range(6) if j not in subset]
        np.testing.assert_allclose(
            criterion.values_added(view, subset, outside),
            [criterion.value(view, [*subset, j]) for j in outside],
            atol=2e-12,
        )
        np.testing.assert_allclose(
            criterion.values_removed(view, subset, inside),
            [criterion.value(view, [i for i in subset if i != j]) for j in inside],
            atol=2e-12,
        )


def test_weights_on_codes():
    X = levels(1, d=4)
    y, weight = classes_of(X, 1, 3), np.random.default_rng(0).exponential(size=60)
    view = codes_of(X, y, weight)
    for subset in ((), (0,), (1, 3), (0, 1, 2)):
        assert Agreement().value(view, subset) == pytest.approx(plain_agreement(X, y, subset, weight), abs=1e-12)
        assert Information().value(view, subset) == pytest.approx(plain_information(X, y, subset, weight), abs=1e-12)
    for criterion in (Agreement(), Information()):
        joined = [criterion.value(view, (1, j)) for j in (0, 2, 3)]
        np.testing.assert_allclose(criterion.values_added(view, [1], [0, 2, 3]), joined, atol=1e-12)


def test_the_cube_of_the_catalogue():
    """Catalogue, inconsistency rate: the full 3-bit cube with y = x1 xor x2."""
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    view = codes_of(X, X[:, 0] ^ X[:, 1])
    rates = {(): 0.5, (0,): 0.5, (0, 2): 0.5, (0, 1): 0.0, (0, 1, 2): 0.0}
    for subset, rate in rates.items():
        assert Agreement().value(view, subset) == 1 - rate


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_scatter_against_matrices(seed, n_classes):
    X = numbers(seed) * np.array([1, 5, 1e-3, 1, 1, 100, 1]) + 3.0
    y = classes_of(X / X.std(axis=0), seed, n_classes)
    view = view_of(X, y)
    for subset in ([2], [0, 1], [6, 3, 1], range(7)):
        within, between, means = plain_scatter(X, y, subset)
        trace = np.trace(np.linalg.solve(within, between))
        assert ScatterSeparability().value(view, subset) == pytest.approx(trace, rel=1e-9)
        pooled = np.linalg.inv(within * len(X) / (len(X) - n_classes))
        distances = [(a - b) @ pooled @ (a - b) for a, b in combinations(means, 2)]
        assert Mahalanobis().value(view, subset) == pytest.approx(min(distances), rel=1e-9)


@pytest.mark.parametrize("criterion", ON_NUMBERS, ids=lambda c: type(c).__name__)
def test_changes_on_numbers(criterion):
    X = numbers(2, d=6)
    view = view_of(X, classes_of(X, 2, 3))
    for subset in all_subsets(6):
        inside, outside = list(subset), [j for j in range(6) if j not in subset]
        np.testing.assert_allclose(
            criterion.values_added(view, subset, outside),
            [criterion.value(view, [*subset, j]) for j in outside],
            rtol=1e-10,
        )
        np.testing.assert_allclose(
            criterion.values_removed(view, subset, inside),
            [criterion.value(view, [i for i in subset if i != j]) for j in inside],
            rtol=1e-10,
        )


@pytest.mark.parametrize("seed", range(3))
def test_those_that_say_so_are_monotone(seed):
    X = numbers(seed, n=30)
    X[:, 5], X[:, 6] = X[:, 0] - X[:, 1], 1.0
    y, C = classes_of(X, seed, 3), levels(seed, n=30)
    views = {"dense": view_of(X, y), "codes": codes_of(C, y)}
    for criterion in ON_CODES + ON_NUMBERS:
        assert criterion.monotone is not isinstance(criterion, Merit)
        order = np.random.default_rng(seed).permutation(7)
        values = [criterion.value(views[criterion.requires[0]], order[:k]) for k in range(8)]
        if criterion.monotone:
            assert (np.diff(values) >= -1e-11).all()


def test_scatter_facts():
    """Catalogue, scatter separability: clusters at +-a with variance s^2 give a^2 / s^2; linear maps change nothing."""
    X = np.array([[-3.0], [-1.0], [1.0], [3.0]])
    view = view_of(X, np.array([0, 0, 1, 1]))
    assert ScatterSeparability().value(view, [0]) == pytest.approx(4.0)
    X = numbers(0, d=3)
    y = classes_of(X, 0, 3)
    mixed = X @ np.random.default_rng(1).normal(size=(3, 3))
    for criterion in ON_NUMBERS:
        assert criterion.value(view_of(X, y), range(3)) == pytest.approx(
            criterion.value(view_of(mixed, y), range(3)), rel=1e-9
        )


def test_singular_scatter():
    X = numbers(3, d=6)
    y = classes_of(X, 3, 3)
    X[:, 3] = X[:, 0]
    X[:, 4] = 7.0
    X[:, 5] = (y == "bee") * 2.0
    view = view_of(X, y)
    for criterion in ON_NUMBERS:
        alone = criterion.value(view, [0, 1])
        assert criterion.value(view, [0, 1, 3, 4]) == pytest.approx(alone, rel=1e-9)
        np.testing.assert_allclose(criterion.values_added(view, [0, 1], [3, 4]), alone, rtol=1e-9)
        np.testing.assert_allclose(criterion.values_removed(view, [0, 1, 3], [0, 3]), alone, rtol=1e-9)
        assert criterion.value(view, [4]) == 0
    # A feature that is constant within the classes tells them apart for sure.
    assert ScatterSeparability().value(view, [1, 5]) == np.inf


def test_scatter_takes_no_weights():
    X = numbers(0)
    with pytest.raises(RequirementError, match="Mahalanobis takes no sample_weight.* such as 'inconsistency'"):
        Mahalanobis().value(view_of(X, classes_of(X, 0), np.ones(60)), [0])
