"""R2W2: the bound and its gradient against definitions, the descent, the elimination, refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

import fewer
from fewer.core.records.errors import InputError
from fewer.methods.embedded._r2w2_descent import Bound, descend
from oracles import svm_rankers as oracle

KERNELS = [
    {"kind": "linear", "gamma": 1.0, "coef0": 0.0, "degree": 1},
    {"kind": "poly", "gamma": 0.3, "coef0": 1.0, "degree": 3},
    {"kind": "rbf", "gamma": 0.2, "coef0": 0.0, "degree": 1},
]
by_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kind"])


def rows(n=18, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(0.3, 1.0, size=(n, d))
    return X, np.where(X[:, 1] + X[:, 3] > 0.6, 1.0, -1.0), rng.uniform(0.3, 2.0, d)


def bound_of(X, y, kernel, C=2.0):
    return Bound(X, y, kernel["kind"], kernel["gamma"], kernel["coef0"], kernel["degree"], C)


@by_kernel
@pytest.mark.parametrize("seed", range(3))
def test_the_bound_is_that_of_two_quadratic_programs(kernel, seed):
    X, y, scales = rows(seed=seed)
    value, _ = bound_of(X, y, kernel).value(scales)
    assert np.exp(value) == pytest.approx(oracle.bound(X, y, scales, 2.0, **kernel), rel=1e-5)


@by_kernel
@pytest.mark.parametrize("C", [0.1, 2.0, 1e4])
def test_the_gradient_is_that_of_differences(kernel, C):
    X, y, scales = rows(30, 6, 1)
    _, slope = bound_of(X, y, kernel, C).value(scales)
    h, differences = 1e-5, []
    for i in range(6):
        up, down = scales.copy(), scales.copy()
        up[i] *= np.exp(h)
        down[i] *= np.exp(-h)
        # Each from nothing, so that no start leads the other.
        rise = bound_of(X, y, kernel, C).value(up)[0] - bound_of(X, y, kernel, C).value(down)[0]
        differences.append(rise / (2 * h))
    np.testing.assert_allclose(slope, differences, rtol=1e-5, atol=1e-7)


@by_kernel
def test_the_bound_falls_with_every_step_and_scales_keep_their_mean(kernel):
    X, y, _ = rows(40, 12, 2)
    scales, values = descend(bound_of(X, y, kernel), np.ones(12), 1e-6, 60)
    assert len(values) > 3
    assert (np.diff(values) < 0).all()
    assert (scales > 0).all()
    assert scales.mean() == pytest.approx(1.0)


def test_the_minimum_is_stationary():
    X, y, _ = rows(40, 4, 3)
    bound = bound_of(X, y, KERNELS[2])
    scales, _ = descend(bound, np.ones(4), 1e-11, 1000)
    slope = bound.value(scales)[1]
    # No scale can grow at the expense of the others.
    assert np.abs(slope - scales / 4 * slope.sum()).max() < 1e-3


@pytest.mark.parametrize("step", [None, 1, 0.2])
def test_the_features_of_the_problem_of_its_authors_are_found(step):
    for seed in range(2):
        data = fewer.synth.make_weston_nonlinear(100, 50, random_state=seed)
        found = fewer.R2W2(2, step=step).fit(data.X, data.y).selection_
        assert sorted(found.indices) == sorted(data.relevant)


def test_elimination_goes_on_from_the_scales_that_are_left():
    X, y, _ = rows(40, 12, 4)
    once, again = fewer.R2W2(3).fit(X, y).selection_, fewer.R2W2(3, step=1).fit(X, y).selection_
    assert len(once.tables["rounds"]) == 2
    assert len(again.tables["rounds"]) == 10
    assert len(again.tables["bound"]) > len(once.tables["bound"])
    # The first to leave has the smallest scale of the first descent.
    assert again.order[-1] == once.order[-1]
    assert once.scores[once.order].tolist() == sorted(once.scores, reverse=True)


def test_copies_share_and_constants_never_win():
    X, y, _ = rows(40, 4, 5)
    X = np.column_stack([X, X[:, 1], np.ones(40)])
    found = fewer.R2W2(2).fit(X, y).selection_
    assert found.scores[1] == pytest.approx(found.scores[4], rel=1e-9)
    assert found.order.tolist().index(1) < found.order.tolist().index(4)
    assert fewer.R2W2(1, kernel="linear").fit(np.zeros((40, 3)), y).selection_.indices.tolist() == [0]


def test_more_than_two_classes_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match="two classes"):
        fewer.R2W2().fit(X, y)


@pytest.mark.parametrize("options", [{}, {"kernel": "linear"}, {"kernel": "rbf"}, {"step": 1}, {"standardize": False}])
def test_columns_with_one_value_come_last_and_change_nothing(options):
    X, y, _ = rows(40, 4, 6)
    wide = np.insert(X, [0, 2], 7.0, axis=1)
    gamma = {"gamma": 0.25} if options.get("kernel") != "linear" else {}
    plain = fewer.R2W2(None, **options, **gamma).fit(X, y).selection_
    found = fewer.R2W2(None, **options, **gamma).fit(wide, y).selection_
    assert found.order.tolist() == [*np.array([1, 2, 4, 5])[plain.order], 0, 3]
    np.testing.assert_allclose(found.scores, np.insert(plain.scores, [0, 2], 0.0), rtol=1e-9)


def test_sums_of_columns_are_found_by_default():
    found = 0
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(50, 6))
        found += set(fewer.R2W2(2).fit(X, X[:, 0] + X[:, 1] > 0).selection_.indices) == {0, 1}
    assert found >= 8


def test_kernels_out_of_range_and_descents_without_end_are_said():
    X, y, _ = rows(30, 4, 7)
    for made in (fewer.R2W2(2, degree=900), fewer.RMRanker(2, degree=900), fewer.DMRanker(2, degree=900)):
        with pytest.raises(InputError, match=r"kernel whose largest value is .* lower degree"):
            made.set_params(gamma=1.0).fit(3 * X, y)
    with pytest.warns(ConvergenceWarning, match="max_iter=2 steps .* still fell"):
        fewer.R2W2(2, max_iter=2).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fewer.R2W2(2).fit(X, y).selection_
        # The miss of optimality has no unit.
        raw = fewer.R2W2(2, kernel="linear", standardize=False).fit(1e60 * X, y).selection_
    assert max(found.meta["gap"], raw.meta["gap"]) < 1e-7
