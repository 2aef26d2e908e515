"""Partial correlations against residuals of regressions, on every runner."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from independence_cases import RUNNERS, Y, numbers_on
from scipy import stats

import fewer.core.criteria.fisher_z as module
from fewer.core.criteria.fisher_z import FisherZ
from fewer.core.records.errors import InputError
from oracles import independence as oracle


def related(rng, n=80, d=7):
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.4 * rng.normal(size=(d, d))) + 100.0 * rng.normal(size=d)
    return X, X[:, 0] - X[:, 2] + rng.normal(size=n)


def column(X, y, j):
    return y if j == Y else X[:, j]


def assert_as_oracle(found, X, y, candidates, given, target):
    for k, j in enumerate(candidates):
        others = [column(X, y, z) for z in given]
        p, z, dof = oracle.fisher_z(column(X, y, j), column(X, y, target), others)
        np.testing.assert_allclose([found.statistic[k], found.pvalue[k]], [z, p], rtol=1e-8, atol=1e-10)
        # What cannot vary has no degrees of freedom.
        assert found.dof[k] == (dof if z > 0 else 0)


@pytest.mark.parametrize("most_paired", [4096, 2], ids=["all pairs", "column by column"])
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_answers_agree_with_residuals(rng, monkeypatch, sparse, most_paired):
    monkeypatch.setattr(module, "MOST_PAIRED", most_paired)
    X, y = related(rng)
    if sparse:
        X = np.where(rng.random(X.shape) < 0.5, X, 0.0)
    view = numbers_on("one thread", X, y, sparse=sparse)
    for given, target in [((), Y), ((1,), Y), ((1, 3, 6), Y), ((Y,), 4), ((Y, 2), 5), ((0, 1, 2), 3)]:
        candidates = [j for j in range(Y, 7) if j not in (*given, target)]
        found = FisherZ().pvalues(view, candidates, given, target)
        assert_as_oracle(found, X, y, candidates, given, target)
        assert found.reliable.all()


@pytest.mark.dask
@pytest.mark.parametrize("most_paired", [4096, 2], ids=["all pairs", "column by column"])
@pytest.mark.parametrize("runner", RUNNERS[1:])
def test_every_runner_agrees(rng, monkeypatch, runner, most_paired, cluster):
    monkeypatch.setattr(module, "MOST_PAIRED", most_paired)
    X, y = related(rng, n=257)
    one, view = numbers_on("one thread", X, y), numbers_on(runner, X, y, client=cluster)
    for given in [(), (2,), (1, 3, 6)]:
        candidates = [j for j in range(7) if j not in given]
        for a, b in zip(FisherZ().pvalues(view, candidates, given), FisherZ().pvalues(one, candidates, given)):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)


def test_whole_weights_count_rows(rng):
    X, y = related(rng)
    weight = rng.integers(1, 4, len(X))
    often = np.repeat(np.arange(len(X)), weight)
    weighted = FisherZ().pvalues(numbers_on("one thread", X, y, weight.astype(float)), [0, 4], (1,))
    for a, b in zip(weighted, FisherZ().pvalues(numbers_on("one thread", X[often], y[often]), [0, 4], (1,))):
        np.testing.assert_allclose(a, b, rtol=1e-9)


def test_collinear_given_columns_count_once(rng):
    X, y = related(rng)
    X[:, 5] = 2.0 * X[:, 1] - X[:, 3] + 7.0
    X[:, 6] = 3.0
    view = numbers_on("one thread", X, y)
    found = FisherZ().pvalues(view, [0, 2], (1, 3, 5, 6))
    assert_as_oracle(found, X, y, [0, 2], (1, 3), Y)


def test_what_the_given_columns_determine_is_independent(rng):
    X, y = related(rng)
    X[:, 5] = 2.0 * X[:, 1] - X[:, 3] + 7.0
    X[:, 6] = 1e9 + 0.1
    view = numbers_on("one thread", X, y)
    found = FisherZ().pvalues(view, [5, 6, 0], (1, 3))
    assert found.pvalue[:2].tolist() == [1.0, 1.0]
    assert found.reliable.all()
    assert found.pvalue[2] < 0.01
    # The same when it is the target.
    assert FisherZ().pvalues(view, [0], (1, 3), 5).pvalue[0] == 1.0


def test_a_copy_is_certain(rng):
    X, y = related(rng)
    X[:, 4] = 5.0 - 0.25 * X[:, 2]
    found = FisherZ().pvalues(numbers_on("one thread", X, y), [4], (0, 1), 2)
    assert found.statistic[0] == np.inf
    assert found.pvalue[0] == 0.0


@for_all(st.integers(2, 9), st.integers(0, 4))
def test_too_few_rows_are_an_answer(n, n_given):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 6))
    found = FisherZ().pvalues(numbers_on("one thread", X), [5], range(n_given), 4)
    rank = min(n_given, n - 1)
    assert found.dof[0] == max(n - rank - 3, 0)
    if n - rank - 3 <= 0:
        assert found.pvalue[0] == 1.0
    # Few rows let the given columns determine everything, which is no sign of too few.
    assert not found.reliable[0] or n - rank - 3 >= 10 or n_given >= n - 1


def test_two_classes_are_0_and_1(rng):
    X, y = related(rng)
    classes = (y > 0).astype(np.int64)
    view = numbers_on("one thread", X, classes, classes=np.array(["no", "yes"]))
    assert_as_oracle(FisherZ().pvalues(view, [0, 1], (2,)), X, classes.astype(float), [0, 1], (2,), Y)


def test_without_given_columns_p_is_about_that_of_pearson(rng):
    x, y = rng.normal(size=(2, 2000))
    y += 0.05 * x
    found = FisherZ().pvalues(numbers_on("one thread", x[:, None], y), [0])
    np.testing.assert_allclose(found.pvalue[0], stats.pearsonr(x, y).pvalue, rtol=5e-3)


def test_missing_values_are_refused_by_name(rng):
    X, y = related(rng)
    X[3, 2] = np.nan
    with pytest.raises(InputError, match="Column 2 holds NaN"):
        FisherZ().pvalues(numbers_on("one thread", X, y), [0])
