"""Bridge: thresholds, the lasso and ridge regression as special cases, objectives, choices."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold

import fewer
from fewer.core.kernels.bridge import shrunk
from fewer.methods.embedded._bridge import BridgeFit, threshold
from fewer.methods.embedded._columns import UnitColumns
from oracles.sparse_paths import bridge_objective, bridge_scalar, scikit_learn_elastic_net


def data(n_rows=50, n_features=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    return X, 3 * X[:, 1] - 2 * X[:, 4] + 0.5 * rng.normal(size=n_rows)


@pytest.mark.parametrize(
    ("q", "penalty", "tau", "jump"), [(0.5, 1.0, 0.944941, 0.629961), (0.3, 2.0, 1.480057, 1.218871)]
)
def test_thresholds_and_jumps_of_the_catalogue(q, penalty, tau, jump):
    assert [round(value, 6) for value in threshold(penalty, q)] == [tau, jump]
    exact, _ = threshold(penalty, q)
    assert shrunk(exact * (1 - 1e-9), penalty, q) == 0
    assert shrunk(exact * (1 + 1e-9), penalty, q) == pytest.approx(jump, rel=1e-4)
    near, small = threshold(penalty, 1 - 1e-9)
    assert near == pytest.approx(penalty / 2, rel=1e-6)
    assert small == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("q", [0.2, 0.5, 0.9, 1.0, 1.3, 2.0, 3.5])
def test_single_coefficients_are_minima(q):
    rng = np.random.default_rng(1)
    for _ in range(60):
        z, penalty = float(rng.normal(scale=3)), float(rng.exponential(2))
        ours = shrunk(z, penalty, q)
        value = [(b - z) ** 2 + penalty * abs(b) ** q for b in (ours, bridge_scalar(z, penalty, q))]
        assert value[0] <= value[1] * (1 + 1e-9) + 1e-12
    assert shrunk(0.0, 1.0, q) == 0
    assert shrunk(-1.5, 0.0, q) == -1.5
    assert shrunk(-2.0, 0.4, q) == -shrunk(2.0, 0.4, q)


def test_one_is_the_lasso_and_two_is_ridge():
    X, y = data()
    unit = UnitColumns.of(X, y)
    lasso, _, _ = BridgeFit(1.0, 1e-12, 5000).path(unit, np.array([3.0]))
    np.testing.assert_allclose(lasso[0], scikit_learn_elastic_net(unit.rows.T, unit.target, 3.0, 0.0), atol=1e-8)
    ridge, _, _ = BridgeFit(2.0, 1e-12, 5000).path(unit, np.array([3.0]))
    wanted = Ridge(alpha=3.0, fit_intercept=False).fit(unit.rows.T, unit.target).coef_
    np.testing.assert_allclose(ridge[0], wanted, rtol=1e-7)


def test_concave_penalties_find_a_minimum_that_no_other_start_beats_by_much():
    for seed in range(5):
        X, y = data(30, 5, seed)
        unit = UnitColumns.of(X, y)
        fit = BridgeFit(0.5, 1e-10, 2000)
        penalty = float(fit.grid(unit, 10)[4])
        (beta,), (start,), _ = fit.path(unit, np.array([penalty]))
        ours = fit.objective(unit, beta, penalty)
        assert ours == pytest.approx(bridge_objective(unit.rows.T, unit.target, beta, penalty, 0.5))
        # All subsets, fitted without penalty, are starts.
        others = []
        for mask in range(32):
            on = np.array([mask >> j & 1 for j in range(5)], dtype=bool)
            guess = np.zeros(5)
            guess[on] = np.linalg.lstsq(unit.rows[on].T, unit.target, rcond=None)[0]
            found, _ = fit.from_start(unit, guess, penalty, 0.5)
            others.append(fit.objective(unit, found, penalty))
        assert ours <= min(others) * 1.02
        assert start in ("zero", "the lasso")


def test_largest_penalty_of_the_grid_leaves_nothing():
    X, y = data(seed=3)
    unit = UnitColumns.of(X, y)
    for q in (0.4, 1.0):
        fit = BridgeFit(q, 1e-10, 1000)
        grid = fit.grid(unit, 5)
        betas, _, _ = fit.path(unit, np.append(grid[0] * 1.0001, grid))
        assert (betas[0] == 0).all()
        assert (betas[-1] != 0).any()


def test_kept_features_are_fitted_again_and_predict():
    X, y = data()
    X[:, 6] = 2.0
    fitted = fewer.Bridge(1, q=1.5).fit(X, y)
    assert fitted.selection_.indices.tolist() == [1]
    assert np.flatnonzero(fitted.coef_).tolist() == [1]
    two = fewer.Bridge(2).fit(X, y)
    assert set(two.selection_.indices) == {1, 4}
    np.testing.assert_allclose(two.coef_[[1, 4]], [3, -2], atol=0.3)
    assert two.score(X, y) > 0.95
    assert "constant, its coefficient is 0" in str(two.selection_.reason(6))
    assert two.selection_.meta["start"] == two.start_
    table = two.selection_.tables["path"]
    assert table.kind == "path"
    assert list(table.columns)[:3] == ["penalty", "features", "error"]


def test_a_given_penalty_holds_no_rows_out():
    X, y = data()
    fitted = fewer.Bridge(None, q=0.5, penalty=2.0).fit(X, y)
    assert fitted.penalty_ == 2.0
    unit = UnitColumns.of(X, y)
    beta = fitted.coef_ * unit.lengths
    assert fitted.objective_ == pytest.approx(bridge_objective(unit.rows.T, unit.target, beta, 2.0, 0.5))
    assert "error" not in fitted.selection_.tables["path"].columns
    free = fewer.Bridge(None, q=0.5, penalty=0.0, tol=1e-12).fit(X, y)
    exact = np.linalg.lstsq(np.column_stack([np.ones(50), X]), y, rcond=None)[0]
    np.testing.assert_allclose(free.coef_, exact[1:], atol=1e-6)


def test_the_penalty_with_the_least_error_is_taken():
    X, y = data(40, 6, 2)
    cv = KFold(4)
    fitted = fewer.Bridge(None, q=1.0, n_penalties=8, cv=cv).fit(X, y)
    unit = UnitColumns.of(X, y)
    fit = BridgeFit(1.0, 1e-8, 1000)
    grid = fit.grid(unit, 8)
    total = np.zeros(8)
    for train, test in cv.split(X):
        part = UnitColumns.of(X[train], y[train])
        for i, penalty in enumerate(grid):
            coefficients, intercept = part.given(
                scikit_learn_elastic_net(part.rows.T, part.target, float(penalty), 0.0)
            )
            total[i] += ((y[test] - X[test] @ coefficients - intercept) ** 2).sum()
    np.testing.assert_allclose(fitted.selection_.tables["path"].columns["error"], total / 40, rtol=1e-5)
    assert fitted.penalty_ == pytest.approx(grid[np.argmin(total[1:]) + 1])


def test_errors_are_those_of_as_many_features_as_are_kept():
    X, y = data(40, 6, 2)
    cv = KFold(4)
    fitted = fewer.Bridge(2, q=1.0, n_penalties=8, cv=cv).fit(X, y)
    grid = BridgeFit(1.0, 1e-8, 1000).grid(UnitColumns.of(X, y), 8)
    total = np.zeros(8)
    for train, test in cv.split(X):
        for i, penalty in enumerate(grid):
            part = UnitColumns.of(X[train], y[train])
            beta = scikit_learn_elastic_net(part.rows.T, part.target, float(penalty), 0.0)
            two = np.sort(np.argsort(-np.abs(beta))[:2])
            alone = UnitColumns.of(X[np.ix_(train, two)], y[train])
            again = scikit_learn_elastic_net(alone.rows.T, alone.target, float(penalty), 0.0)
            coefficients, intercept = alone.given(again)
            total[i] += ((y[test] - X[np.ix_(test, two)] @ coefficients - intercept) ** 2).sum()
    found = fitted.selection_
    np.testing.assert_allclose(found.tables["path"].columns["error"], total / 40, rtol=1e-5)
    assert fitted.penalty_ == pytest.approx(grid[np.argmin(total[1:]) + 1])
    assert float(found.reasons.rule.rsplit(" ", 1)[1]) == pytest.approx(total[1:].min() / 40, rel=1e-4)
    np.testing.assert_array_equal(found.columns["coefficient"], fitted.coef_)
    assert set(np.flatnonzero(fitted.coef_)) == set(found.indices)


@pytest.mark.parametrize("parameters", [{"q": 0}, {"q": -1.0}, {"penalty": -1.0}, {"n_penalties": 1}])
def test_bad_parameters_of_bridge_are_refused(parameters):
    X, y = data()
    with pytest.raises(ValueError, match=next(iter(parameters))):
        fewer.Bridge(**parameters).fit(X, y)
