"""Points on borders: crossings on segments, nearest points."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

from fewer.core.borders.contract import GivenBorder
from fewer.core.borders.crossings import crossings
from fewer.core.borders.foot_points import foot_points
from fewer.core.borders.linear_borders import Plane
from fewer.core.borders.opposite_rows import nearest_of
from fewer.core.borders.smooth_classifiers import decision_of


def sphere(radius, p):
    return GivenBorder(lambda X: np.linalg.norm(X, axis=1) - radius, None, np.full(p, 1e-6))


def test_crossings_agree_with_brentq(rng):
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 3)) + y[:, None]
    border = decision_of(SVC(C=50).fit(X, y), X).pair(0, 1)
    h = border.values(X)
    above, below = X[h > 0], X[h < 0]
    n = min(len(above), len(below))
    found = crossings(border, above[:n], below[:n])
    assert found.crossed.all()
    assert not found.jumps.any()
    for a, b, point in zip(above, below, found.points):

        def h_at(t, a=a, b=b):
            return border.values((a + t * (b - a))[None])[0]

        ways = np.linspace(0, 1, 4001)
        values = border.values(a + ways[:, None] * (b - a))
        changes = np.flatnonzero(np.sign(values[1:]) != np.sign(values[:-1]))
        roots = [brentq(h_at, ways[k], ways[k + 1], xtol=1e-14) for k in changes]
        place = (point - a) @ (b - a) / ((b - a) @ (b - a))
        assert np.min(np.abs(np.array(roots) - place)) < 1e-9
        np.testing.assert_allclose(point, a + place * (b - a), atol=1e-12)


def test_segments_that_do_not_cross_say_so(rng):
    border = sphere(1.0, 2)
    found = crossings(border, np.array([[2.0, 0], [0.5, 0], [1.0, 0]]), np.array([[3.0, 0], [2.0, 0], [4.0, 0]]))
    assert found.crossed.tolist() == [False, True, True]
    np.testing.assert_allclose(found.points, [[2, 0], [1, 0], [1, 0]])


@pytest.mark.parametrize("power", [1, 3, 9])
def test_flat_and_steep_functions_are_bracketed_to_the_end(power):
    border = GivenBorder(lambda X: (X[:, 0] - 0.3) ** power, None, np.array([1e-6]))
    found = crossings(border, np.zeros((1, 1)), np.ones((1, 1)) * 7)
    assert abs(found.points[0, 0] - 0.3) < (1e-14 if power == 1 else 1e-14 ** (1 / power) * 10)
    steep = GivenBorder(lambda X: np.tanh(1e8 * (X[:, 0] - 0.3)), None, np.array([1e-6]))
    found = crossings(steep, np.zeros((1, 1)), np.ones((1, 1)) * 7)
    assert abs(found.points[0, 0] - 0.3) < 1e-14
    assert not found.jumps[0]
    step = GivenBorder(lambda X: np.where(X[:, 0] > 0.3, 1.0, -1.0), None, np.array([1e-6]))
    assert crossings(step, np.zeros((1, 1)), np.ones((1, 1))).jumps[0]


def test_the_nearest_point_of_a_plane_is_exact(rng):
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 3)) + 2 * y[:, None]
    model = SVC(kernel="linear").fit(X, y)
    found = foot_points(decision_of(model, X).pair(0, 1), X, X)
    w = model.coef_[0]
    np.testing.assert_allclose(found.distances, np.abs(model.decision_function(X)) / np.linalg.norm(w), rtol=1e-10)
    np.testing.assert_allclose(found.points, X - np.outer(model.decision_function(X) / (w @ w), w), atol=1e-10)
    nothing = foot_points(Plane(np.zeros(3), 1.0), X, X)
    assert np.isinf(nothing.distances).all()


def test_the_nearest_point_of_a_sphere(rng):
    X = rng.normal(size=(80, 4)) * 1.5
    found = foot_points(sphere(2.0, 4), X, X)
    np.testing.assert_allclose(found.distances, np.abs(np.linalg.norm(X, axis=1) - 2), atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(found.points, axis=1), 2.0, atol=1e-10)


def test_the_nearest_point_of_an_ellipse_agrees_with_a_scan(rng):
    border = GivenBorder(lambda X: X[:, 0] ** 2 / 9 + X[:, 1] ** 2 - 1, None, np.full(2, 1e-6))
    X = rng.normal(size=(60, 2)) * [3, 1.5]
    turns = np.linspace(0, 2 * np.pi, 50_001)
    curve = np.c_[3 * np.cos(turns), np.sin(turns)]
    slow = np.array([np.sqrt(((curve - x) ** 2).sum(axis=1).min()) for x in X])
    np.testing.assert_allclose(foot_points(border, X, X).distances, slow, atol=1e-5)


def by_optimizer(border, x, starts):
    """The nearest point of a border by sequential quadratic programs from several starts."""
    best = np.inf
    on_border = {"fun": lambda z: border.values(z[None])[0], "jac": lambda z: border.gradients(z[None])[0]}
    for start in starts:
        done = minimize(
            lambda z: ((z - x) ** 2).sum(),
            start,
            jac=lambda z: 2 * (z - x),
            constraints={"type": "eq", **on_border},
            method="SLSQP",
        )
        if done.success and abs(border.values(done.x[None])[0]) < 1e-6:
            best = min(best, np.sqrt(done.fun))
    return best


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("seed", range(3))
def test_nearest_points_of_curved_borders_agree_with_a_general_optimizer(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 2)) + 1.2 * y[:, None]
    for model in (SVC(gamma=0.5), MLPClassifier((6,), activation="tanh", max_iter=400, random_state=seed)):
        border = decision_of(model.fit(X, y), X).pair(0, 1)
        found = foot_points(border, X, X)
        kept = np.isfinite(found.distances)
        assert kept.all()
        np.testing.assert_allclose(border.values(found.points), 0, atol=1e-8)
        for x, far in list(zip(X, found.distances))[:8]:
            best = by_optimizer(border, x, X[rng.integers(0, 120, 8)])
            # Starts are few: a branch of the border farther away may be overlooked, never one be invented.
            assert far >= best - 1e-5
            assert far <= best * 1.05 + 1e-6


def test_rows_without_another_side_have_no_nearest_point():
    border = GivenBorder(lambda X: np.ones(len(X)), None, np.full(2, 1e-6))
    found = foot_points(border, np.zeros((3, 2)), np.ones((3, 2)))
    assert np.isinf(found.distances).all()
    assert np.isnan(found.points).all()
    here = foot_points(sphere(1.0, 2), np.array([[1.0, 0.0]]), np.zeros((1, 2)))
    assert here.distances[0] == 0


@pytest.mark.parametrize(("p", "k"), [(1, 1), (3, 1), (3, 4), (20, 3)])
def test_nearest_rows_agree_with_plain_sorting(p, k, rng):
    for rows, others in (
        (rng.normal(size=(50, p)), rng.normal(size=(90, p))),
        (rng.integers(0, 2, (50, p)).astype(float), rng.integers(0, 2, (90, p)).astype(float)),
        (rng.normal(size=(5, p)), rng.normal(size=(2, p))),
    ):
        found = nearest_of(rows, others, k)
        for x, got in zip(rows, found):
            away = ((others - x) ** 2).sum(axis=1)
            assert got.tolist() == np.argsort(away, kind="stable")[:k].tolist()
