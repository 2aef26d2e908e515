"""L1SVM, DrSVM and HHSVM against slow solutions, their dual gaps, and what is known of their paths."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

import fewer
from fewer.core.records.errors import FewerError
from fewer.methods.embedded._sparse_svm import SvmPath, unit_variance
from fewer.methods.embedded._svm_grid import (
    descend,
    huberized_point,
    huberized_top,
    one_norm_point,
    separable,
)
from fewer.methods.embedded._svm_path import largest_l1, svm_path
from fewer.methods.embedded._svm_point import dual, primal, solve_point
from fewer.synth import make_drsvm_toy
from oracles import sparse_svm as oracle

SETTINGS = [(14, 4, 0.0), (15, 3, 0.5), (12, 20, 0.0), (18, 6, 0.8)]


def scaled(X):
    return unit_variance(X, np.arange(len(X)))[0]


def data(n, p, shift, seed=0, noise=0.7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    y = np.where(X[:, 0] - X[:, 1] + noise * rng.normal(size=n) > shift, 1.0, -1.0)
    y[:2] = [1.0, -1.0]
    return scaled(X), y


def tied(seed):
    """Rows twice, columns twice, few values, a column of zeros."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(20, 4)).astype(float)
    X = np.column_stack([X, X[:, 0], np.zeros(20)])
    y = np.where(X[:, 0] + rng.normal(size=20) > 1, 1.0, -1.0)
    y[:2] = [1.0, -1.0]
    return scaled(np.vstack([X, X[:5]])), np.append(y, y[:5])


def gaps_along(X, y, l2, knots, parts=(0.0, 0.25, 0.5, 0.75)):
    """Dual gaps at and between knots, by the formulas of the oracle's primal and the dual."""
    worst = 0.0
    for one, other in zip(knots, [*knots[1:], knots[-1]]):
        for part in parts:
            mix = [
                (1 - part) * getattr(one, k) + part * getattr(other, k) for k in ("l1", "beta", "intercept", "alpha")
            ]
            l1, beta, intercept, alpha = mix
            assert alpha.min() >= 0
            assert alpha.max() <= 1
            assert abs(alpha @ y) < 1e-9
            value = oracle.hinge_value(X, y, beta, intercept, l1, l2)
            worst = max(worst, value - dual(X, y, alpha, l1, l2))
    return worst


@pytest.mark.parametrize(("n", "p", "shift"), SETTINGS)
@pytest.mark.parametrize("l2", [0.1, 1.0, 30.0])
def test_interior_points_agree_with_quadratic_programming(n, p, shift, l2):
    X, y = data(n, p, shift)
    for l1 in (0.0, 0.5, 3.0):
        found = solve_point(X, y, l1, l2)
        value, beta = oracle.doubly_regularized(X, y, l1, l2)
        assert 0 <= found.gap + 1e-12 < 1e-6
        assert primal(X, y, found.beta, found.intercept, l1, l2) == pytest.approx(value, abs=1e-6)
        # The value is at least l2 |b - b*|^2 above its minimum.
        np.testing.assert_allclose(found.beta, beta, atol=2e-3 / np.sqrt(l2))


@pytest.mark.parametrize(("n", "p", "shift"), SETTINGS)
@pytest.mark.parametrize("l2", [0.05, 1.0, 30.0])
def test_the_dual_gap_is_small_at_knots_and_between(n, p, shift, l2):
    X, y = data(n, p, shift)
    knots = svm_path(X, y, l2, 0.0)
    places = [knot.l1 for knot in knots]
    assert places == sorted(places, reverse=True)
    assert places[-1] == 0.0
    assert not knots[0].beta.any()
    assert gaps_along(X, y, l2, knots) < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_the_gap_is_small_where_rows_and_columns_tie(seed):
    X, y = tied(seed)
    knots = svm_path(X, y, 1.0, 0.0)
    assert gaps_along(X, y, 1.0, knots) < 1e-6
    for knot in knots:
        # Equal columns share their weight; a column of zeros has none.
        assert knot.beta[0] == pytest.approx(knot.beta[4], abs=2e-3)
        assert knot.beta[5] == 0


def test_the_path_passes_the_solutions_of_single_points():
    X, y = data(30, 8, 0.3, seed=3)
    path = SvmPath(svm_path(X, y, 2.0, 0.01), True, 0.0)
    for l1 in np.geomspace(0.02, path.l1[0], 7)[:-1]:
        beta, intercept = path.at(float(l1))
        found = solve_point(X, y, float(l1), 2.0, 1e-12)
        np.testing.assert_allclose(beta, found.beta, atol=1e-5)


def test_the_path_has_corners_only_at_knots():
    X, y = data(16, 5, 0.0, seed=4)
    knots = svm_path(X, y, 30.0, 0.0)
    for one, other in zip(knots, knots[1:]):
        if one.l1 - other.l1 < 1e-3:
            continue
        at = one.l1 + (other.l1 - one.l1) * np.array([0.25, 0.5, 0.75])
        betas = np.array([solve_point(X, y, float(l1), 30.0, 1e-13).beta for l1 in at])
        assert np.abs(betas[0] - 2 * betas[1] + betas[2]).max() < 1e-5


@pytest.mark.parametrize(("n", "p", "shift"), SETTINGS)
def test_without_l1_it_is_the_support_vector_machine(n, p, shift):
    X, y = data(n, p, shift)
    for l2 in (0.1, 2.0):
        last = svm_path(X, y, l2, 0.0)[-1]
        theirs = SVC(kernel="linear", C=1 / (2 * l2), tol=1e-9).fit(X, y)
        np.testing.assert_allclose(last.beta, theirs.coef_[0], atol=1e-4)
        mine = primal(X, y, last.beta, last.intercept, 0.0, l2)
        assert mine <= primal(X, y, theirs.coef_[0], theirs.intercept_[0], 0.0, l2) + 1e-6


def test_with_little_l2_it_is_the_machine_with_one_norm():
    X, y = data(40, 6, 0.2, seed=5)
    for l1 in (0.5, 2.0, 6.0):
        wanted, distance = oracle.one_norm_value(X, y, l1), []
        for l2 in (1e-2, 1e-4, 1e-6):
            found = solve_point(X, y, l1, l2)
            distance.append(primal(X, y, found.beta, found.intercept, l1, 0.0) - wanted)
        assert distance[2] < 1e-6
        assert distance[2] <= distance[0] + 1e-6


@pytest.mark.parametrize(("n", "p", "shift"), SETTINGS)
def test_the_linear_program_agrees_with_its_dual(n, p, shift):
    X, y = data(n, p, shift)
    top = largest_l1(X, y)
    for l1 in (1.001 * top, 0.999 * top, 0.5 * top, 0.1 * top):
        found = one_norm_point(X, y, l1)
        value = oracle.hinge_value(X, y, found.beta, found.intercept, l1, 0.0)
        assert value == pytest.approx(oracle.one_norm_value(X, y, l1), abs=1e-7)
        assert abs(found.gap) < 1e-7
        assert (found.beta != 0).sum() <= n
        assert found.beta.any() == (l1 < top)


@pytest.mark.parametrize("sizes", [(8, 8), (5, 11), (11, 5), (1, 9)])
def test_the_first_penalty_is_where_the_first_feature_enters(sizes):
    rng = np.random.default_rng(sum(sizes))
    y = np.repeat([1.0, -1.0], sizes)
    X = scaled(rng.normal(size=(len(y), 4)) + 0.5 * y[:, None])
    top = largest_l1(X, y)
    for l2 in (0.1, 10.0):
        assert np.abs(solve_point(X, y, 1.01 * top, l2).beta).max() < 1e-4
        assert np.abs(solve_point(X, y, 0.9 * top, l2).beta).max() > 1e-4


@pytest.mark.parametrize("l2", [0.5, 30.0])
def test_grouping_bounds(l2):
    """(20.17) and (20.18) with columns of length sqrt(n), and the sharper bound with 2 l2."""
    for seed in range(5):
        X, y = data(20, 6, 0.0, seed)
        X[:, 1] = X[:, 0] + 0.1 * X[:, 1]
        X[:, 2] = -X[:, 0] + 0.2 * X[:, 2]
        X = scaled(X)
        n, r = len(y), np.corrcoef(X.T)
        for knot in svm_path(X, y, l2, 0.0):
            apart = np.abs(knot.beta[:, None] - knot.beta)
            together = np.abs(knot.beta[:, None] + knot.beta)
            slack = 1e-6 + np.sqrt(max(knot.gap, 0) / l2)
            assert (apart <= n / (2 * l2) * np.sqrt(np.maximum(2 * (1 - r), 0)) + slack).all()
            assert (together <= n / (2 * l2) * np.sqrt(np.maximum(2 * (1 + r), 0)) + slack).all()


@pytest.mark.parametrize(("n", "p", "shift"), SETTINGS)
@pytest.mark.parametrize("delta", [0.1, 2.0])
def test_the_huberized_machine_agrees_with_a_general_solver(n, p, shift, delta):
    X, y = data(n, p, shift)
    for l1, l2 in ((0.1, 0.5), (1.0, 2.0)):
        found, _ = huberized_point(X, y, l1, l2, delta, 1e-9, 100_000, None)
        beta, intercept = oracle.huberized(X, y, l1, l2, delta)
        mine = oracle.huberized_value(X, y, found.beta, found.intercept, l1, l2, delta)
        assert mine <= oracle.huberized_value(X, y, beta, intercept, l1, l2, delta) + 1e-8
        assert found.gap < 1e-8
        np.testing.assert_allclose(found.beta, beta, atol=2e-4)


def test_a_narrow_corner_is_the_hinge_and_a_wide_one_least_squares():
    X, y = data(30, 5, 0.2, seed=6)
    hinge = solve_point(X, y, 1.0, 1.0)
    found, _ = huberized_point(X, y, 1.0, 2.0, 1e-4, 1e-8, 1_000_000, None)
    assert (
        primal(X, y, found.beta, found.intercept, 1.0, 1.0) - primal(X, y, hinge.beta, hinge.intercept, 1.0, 1.0) < 2e-3
    )
    top = huberized_top(X, y, 2.0)
    assert not huberized_point(X, y, 1.0001 * top, 1.0, 2.0, 1e-9, 10_000, None)[0].beta.any()
    assert huberized_point(X, y, 0.99 * top, 1.0, 2.0, 1e-9, 10_000, None)[0].beta.any()


def test_descending_meets_the_number_of_features():
    X, y = data(40, 12, 0.1, seed=7)
    top = huberized_top(X, y, 2.0)
    points = descend(lambda l1, start: huberized_point(X, y, l1, 1.0, 2.0, 1e-8, 9999, start)[0], top, top / 1000, 8, 3)
    assert [int((point.beta != 0).sum()) for point in points][-2] == 3


@pytest.mark.parametrize("name", ["L1SVM", "DrSVM", "HHSVM"])
def test_raw_columns_and_predictions(name):
    toy = make_drsvm_toy(30, random_state=0)
    X = toy.X * [1.0, 10.0, 0.1, 3.0, 2.0] + [5.0, 0.0, 100.0, -3.0, 1.0]
    found = fewer.get(name)(3).fit(X, toy.y)
    assert len(found.selection_) == 3 == (found.coef_ != 0).sum()
    votes = found.decision_function(X)
    np.testing.assert_allclose(votes, X @ found.coef_ + found.intercept_)
    np.testing.assert_array_equal(found.predict(X), np.where(votes > 0, 1, -1))
    assert found.score(X, toy.y) > 0.8
    assert found.gap_ < 1e-6
    plain = fewer.get(name)(3).fit(toy.X, toy.y)
    np.testing.assert_allclose(plain.decision_function(toy.X), votes, atol=1e-5)


@pytest.mark.parametrize("name", ["L1SVM", "DrSVM", "HHSVM"])
def test_a_range_is_chosen_by_held_out_rows(name):
    toy = make_drsvm_toy(20, 8, random_state=1)
    made = fewer.get(name)
    found = made("1-4", cv=3).fit(toy.X, toy.y)
    table = found.selection_.tables["path"]
    assert 1 <= len(found.selection_) <= 4
    errors = np.array(table.columns["error"])
    assert errors.min() >= 0
    assert errors.max() <= 1
    assert np.isfinite(errors).all()
    assert len(made("parsimonious", cv=3).fit(toy.X, toy.y).selection_) >= 0
    assert (np.diff(table.columns["l1"]) < 0).all()
    # The smallest error among the points that are shown is not below that of the one chosen.
    shown = np.array([abs(l1 - found.l1_) for l1 in table.columns["l1"]])
    if shown.min() == 0:
        assert errors[shown.argmin()] <= errors[: shown.argmin() + 1].min() + 1e-12


def test_reasons_tell_where_features_entered():
    toy = make_drsvm_toy(20, 6, random_state=2)
    selection = fewer.DrSVM(3).fit(toy.X, toy.y).selection_
    assert all("entered at step" in str(selection.reason(j)) for j in selection.indices)
    assert "the path was left at step" in str(selection.reason(int(selection.order[-1])))


def test_correlated_features_share_their_weight():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    first = rng.normal(size=(60, 1)) + 2 * y[:, None]
    X = np.hstack([first + 0.01 * rng.normal(size=(60, 3)), rng.normal(size=(60, 4))])
    coef = fewer.DrSVM(None, l2=30.0, l1=5.0).fit(X, y).coef_
    assert np.ptp(coef[:3]) < 0.05 * coef[:3].max()
    assert (fewer.L1SVM(None, l1=5.0).fit(X, y).coef_[:3] != 0).sum() < 3


@pytest.mark.parametrize("name", ["L1SVM", "DrSVM", "HHSVM"])
def test_refusals_are_one_sentence(name):
    toy = make_drsvm_toy(10, random_state=0)
    made = fewer.get(name)
    cases = [
        (made(), toy.X, np.ones(20), "one class"),
        (made(), toy.X, np.arange(20) % 3, "class"),
        (made(l1=-1.0), toy.X, toy.y, "l1"),
        (made("gain:0.1"), toy.X, toy.y, "gain"),
    ]
    if name != "L1SVM":
        cases += [(made(l2=-1.0), toy.X, toy.y, "l2"), (made(l2=0.0), toy.X, toy.y, "l2")]
    for selector, X, y, words in cases:
        with pytest.raises(ValueError, match=words) as caught:
            selector.fit(X, y)
        # What scikit-learn wants to be said of several classes ends with a full stop.
        assert ". " not in str(caught.value).replace("two classes. Only binary", "")


def test_separable_classes_without_a_bound():
    X = np.array([[0.0, 1.0], [1.0, 0.0], [3.0, 1.0], [4.0, 0.5]])
    y = np.array([0, 0, 1, 1])
    with pytest.raises(FewerError, match="plane separates and l1=0"):
        fewer.L1SVM(None, l1=0.0).fit(X, y)
    assert separable(X, 2.0 * y - 1)
    assert not separable(X[:, [1]], 2.0 * y - 1)
    assert fewer.L1SVM(None, l1=1e-3).fit(X, y).score(X, y) == 1.0
    mixed = np.array([0, 1, 0, 1, 1, 0])
    assert fewer.L1SVM(None, l1=0.0).fit(np.arange(6.0)[:, None] ** 2, mixed).l1_ == 0.0


def test_columns_of_zeros_and_more_columns_than_rows():
    X, y = data(12, 40, 0.0, seed=8)
    X[:, 7] = 0.0
    for name in ("L1SVM", "DrSVM", "HHSVM"):
        found = fewer.get(name)(None).fit(X, y)
        assert found.coef_[7] == 0
        assert np.isfinite(found.coef_).all()
    # More features than rows can be kept with a quadratic penalty, at most as many without.
    assert len(fewer.DrSVM(20).fit(X, y).selection_) == 20
    assert len(fewer.L1SVM(None).fit(X, y).selection_) <= 12
