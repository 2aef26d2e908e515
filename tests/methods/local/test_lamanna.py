"""LaMaNNa: what the chapter proves, and its weights step by step."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from sklearn.svm import SVC

import fewer
from fewer.evaluate import input_space_margin
from oracles import local_metrics as oracle


def problem(seed, n=80, p=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (X[:, 0] + 0.5 * X[:, 1] ** 2 > 0.4).astype(int), rng.normal(size=(8, p))


def test_linear_machines_have_the_foot_of_a_plane():
    """d = x - f(x) w / |w|^2, and R is proportional to |w| for every query."""
    X, y, Q = problem(0)
    fitted = fewer.LaMaNNa(kernel="linear", standardize=False, weighting="linear").fit(X, y)
    w = fitted.svm_.coef_[0]
    there = fitted._scaling.applied(Q)
    f = fitted.svm_.decision_function(there)
    assert_allclose(fitted.foot_points(Q), there - f[:, None] * w / (w @ w), atol=1e-9)
    assert_allclose(fitted.local_relevance(Q), np.tile(np.abs(w) / np.abs(w).sum(), (8, 1)))


@pytest.mark.parametrize("seed", range(3))
def test_weights_by_hand(seed):
    X, y, Q = problem(seed)
    fitted = fewer.LaMaNNa(3, C=2.0, gamma=0.7).fit(X, y)
    Z, there, svm = fitted._scaling.applied(X), fitted._scaling.applied(Q), fitted.svm_
    alpha, support = svm.dual_coef_[0], svm.support_vectors_
    free = support[np.abs(alpha) < 2.0 - 1e-9]
    reach = np.mean([min(np.linalg.norm(z - s) for s in free) for z in Z])
    weights = []
    there, Q = there[:3], Q[:3]
    for q in there:
        f = lambda x: svm.decision_function(x[None])[0]  # noqa: E731
        foot = fitted._border.gradients(q[None])[0][0]
        assert abs(f(foot)) < 1e-9
        # No start of a general solver leads nearer.
        starts = Z[np.sign(svm.decision_function(Z)) != np.sign(f(q))][:3]
        solved = [
            minimize(lambda x, q=q: ((x - q) ** 2).sum(), s, constraints={"type": "eq", "fun": f}, method="SLSQP")
            for s in [foot, *starts]
        ]
        best = min(np.sqrt(s.fun) for s in solved if s.success and abs(f(s.x)) < 1e-6)
        assert np.linalg.norm(foot - q) <= best * (1 + 1e-4)
        slope = sum(-2 * 0.7 * a * np.exp(-0.7 * ((foot - s) ** 2).sum()) * (foot - s) for a, s in zip(alpha, support))
        R = np.abs(slope) / np.linalg.norm(slope)
        A = max(reach - min(np.linalg.norm(q - s) for s in free), 0.0)
        weights.append(np.exp(A * R) / np.exp(A * R).sum())
    assert_allclose(fitted.local_relevance(Q), weights, rtol=1e-6)
    assert_array_equal(fitted.kneighbors(Q)[1], [oracle.nearest(Z, q, w, 3) for q, w in zip(there, weights)])


@pytest.mark.parametrize("weighting", ["exponential", "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(3))
def test_weights_enlarge_the_margin(seed, weighting):
    """Theorem 1 and corollaries 1 to 3 of chapter 11: D^2 <= D_w^2, with equality for equal weights."""
    X, y, _ = problem(seed, p=4)
    fitted = fewer.LaMaNNa(weighting=weighting).fit(X, y)
    Z, weights, feet = fitted._scaling.applied(X), fitted.local_relevance(X), fitted.foot_points(X)
    known = np.isfinite(feet).all(axis=1)
    assert known.mean() > 0.9
    plain = ((Z - feet) ** 2).mean(axis=1)[known]
    ours = (weights * (Z - feet) ** 2).sum(axis=1)[known]
    # The foot is exact to rounding only.
    assert (ours >= plain * (1 - 1e-5)).all()
    unequal = np.ptp(weights[known], axis=1) > 1e-3
    assert (ours[unequal] > plain[unequal]).all()
    found = input_space_margin(fitted.svm_, Z, weights)
    assert_allclose(found.margin, np.sqrt(plain.min()), rtol=1e-6)
    assert found.weighted >= found.margin * (1 - 1e-6)
    assert_allclose(input_space_margin(fitted.svm_, Z, np.full(Z.shape, 0.25)).weighted, found.margin)


def test_far_from_the_border_all_features_count_alike():
    X, y, _ = problem(4)
    fitted = fewer.LaMaNNa().fit(X, y)
    assert_allclose(fitted.local_relevance(np.full((1, 3), 50.0)), 1 / 3)


def test_several_classes_take_the_border_of_the_predicted_class():
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    y = np.repeat([0, 1, 2], 60)
    X = centres[y] + rng.normal(size=(180, 2)) * 0.7
    fitted = fewer.LaMaNNa(weighting="linear").fit(X, y)
    assert fitted.local_relevance([[1.6, 0.0]])[0].argmax() == 0
    assert fitted.local_relevance([[0.0, 1.6]])[0].argmax() == 1
    assert fitted.score(X, y) > 0.97


def test_margins_of_planes_are_their_distances():
    X, y = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]]), [0, 0, 1, 1]
    model = SVC(kernel="linear", C=100.0).fit(X, y)
    found = input_space_margin(model, X)
    assert_allclose(found.margin, 1 / np.sqrt(2), rtol=1e-3)
    assert found.row in (0, 1, 2, 3)
    assert_allclose(found.foot[0], 1.0, atol=1e-3)
    with pytest.raises(ValueError, match="takes a classifier of two classes, but SVC has 3"):
        input_space_margin(SVC().fit([[0.0], [1.0], [2.0]], [0, 1, 2]), [[0.0], [1.0], [2.0]])
    with pytest.raises(ValueError, match="got weights of shape"):
        input_space_margin(model, X, [[1.0, 0.0]])
