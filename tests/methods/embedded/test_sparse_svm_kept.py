"""The sparse machines predict with what they keep, say where a number of features is passed over, and hold rows out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold

import fewer
from fewer.methods.embedded._sparse_svm import SvmPath, unit_variance
from fewer.methods.embedded._svm_path import largest_l1
from fewer.methods.embedded._svm_point import SvmPoint
from oracles import sparse_svm as oracle

NAMES = ("L1SVM", "DrSVM", "HHSVM")


def copies(seed=0, n=60):
    """A feature, two copies of it and its mirror image, and noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = (x + 0.3 * rng.normal(size=n) > 0).astype(int)
    return np.column_stack([x, x, x, -x, rng.normal(size=(n, 3))]), y


def unequal(n_few, shift, n=60, seed=1):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < n_few).astype(int)
    X = rng.normal(size=(n, 6))
    X[:, 0] += shift * y
    return X, y


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_only_kept_features_predict(name, k):
    X, y = copies()
    found = fewer.get(name)(k).fit(X, y)
    kept = found.selection_.indices
    assert len(kept) == (k if name != "L1SVM" else min(k, 4))
    np.testing.assert_array_equal(np.sort(kept), np.flatnonzero(found.coef_))
    other = np.random.default_rng(1).normal(size=X.shape)
    other[:, kept] = X[:, kept]
    np.testing.assert_allclose(found.decision_function(other), found.decision_function(X), atol=1e-12)
    assert found.score(X, y) > 0.8
    if name != "L1SVM":
        assert ("fitted again" in found.selection_.reasons.rule) == (k < 4)


def test_the_model_of_kept_features_is_the_best_one_for_them():
    X, y = copies(2)
    found = fewer.DrSVM(2).fit(X, y)
    kept, signs = np.sort(found.selection_.indices), 2.0 * y - 1
    Z, _ = unit_variance(X[:, kept], signs)
    beta = found.coef_[kept] * X[:, kept].std(axis=0)
    np.testing.assert_allclose(np.sort(beta), np.sort(found.selection_.columns["coefficient"][kept]), atol=1e-12)
    intercept = found.intercept_ + X.mean(axis=0) @ found.coef_
    value = oracle.hinge_value(Z, signs, beta, intercept, found.l1_, 1.0)
    assert value == pytest.approx(oracle.doubly_regularized(Z, signs, found.l1_, 1.0)[0], abs=1e-6)


def test_mirrored_copies_leave_the_first_with_the_whole_coefficient():
    X, y = copies(3)
    for some in ([3, 0, 4], [0, 3, 4], [4, 3, 0]):
        found = fewer.L1SVM(1).fit(X[:, some], y)
        assert found.selection_.indices.tolist() == [min(some.index(0), some.index(3))]


@pytest.mark.parametrize("name", ["L1SVM", "DrSVM"])
def test_a_feature_without_a_coefficient_of_its_own_is_told(name):
    # So few rows of one class that no single feature lowers the hinge loss, but several together do.
    for seed in range(20):
        X, y = unequal(4, 0.8, seed=seed)
        signs = 2.0 * y - 1
        Z, _ = unit_variance(X, signs)
        if largest_l1(Z, signs) > 0.01 and max(largest_l1(Z[:, [j]], signs) for j in range(6)) < 1e-9:
            break
    found = fewer.get(name)(1).fit(X, y)
    (kept,) = found.selection_.indices
    assert not found.coef_.any()
    assert "its coefficient is 0" in str(found.selection_.reason(int(kept)))
    assert (found.predict(X) == 0).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [1, "best", None])
def test_classes_that_no_feature_tells_apart(name, size):
    # The rows of the larger class surround the other one: no penalty lets a feature in under the hinge loss.
    X = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1], [0, 0], [0, 0]] * 4)
    y = np.array([0, 0, 0, 0, 1, 0] * 4)
    found = fewer.get(name)(size, cv=3).fit(X, y)
    assert not len(found.selection_)
    assert "no feature has a coefficient" in found.selection_.reasons.rule
    assert (found.predict(X) == 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_no_feature_has_a_coefficient_at_the_first_penalty(name):
    X, y = unequal(20, 1.0)
    cv = StratifiedKFold(5)
    found = fewer.get(name)("best", cv=cv).fit(X, y)
    table = found.selection_.tables["path"].columns
    assert all(value[0] == 0 for head, value in table.items() if head not in ("l1", "gap", "error"))
    # With fewer rows features enter at smaller penalties, so that all folds say the larger class.
    assert table["error"][0] == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", ["L1SVM", "HHSVM"])
def test_errors_are_those_of_the_penalty(name):
    X, y = unequal(30, 1.5)
    cv = list(KFold(4, shuffle=True, random_state=0).split(X))
    made = fewer.get(name)(None, n_points=8)
    table = made.set_params(n_features_to_select="best", cv=cv).fit(X, y).selection_.tables["path"].columns
    for place, l1 in enumerate(table["l1"]):
        wrong = 0
        for train, test in cv:
            # Columns are scaled to the rows of the fold, as a selector does by itself.
            alone = fewer.get(name)(None, l1=l1, n_points=2).fit(X[train], y[train])
            wrong += (alone.predict(X[test]) != y[test]).sum()
        assert table["error"][place] == pytest.approx(wrong / len(y))


@pytest.mark.parametrize(("size", "step"), [(1, 1), (2, 3), (3, 4), (None, 4)])
def test_the_last_point_with_the_number_is_taken(monkeypatch, size, step):
    X, y = unequal(30, 1.5)
    X = X[:, :3]
    # The end has fewer features than a point before, which a path may come to.
    numbers = [0, 1, 2, 2, 1] if size != 3 else [0, 1, 2, 2, 3]
    points = [
        SvmPoint(10.0 - k, np.where(np.arange(3) < n, 0.1 * k, 0.0), 0.0, np.full(60, 0.5), 0.0)
        for k, n in enumerate(numbers)
    ]
    if size == 1:
        points.pop()
    monkeypatch.setattr(fewer.DrSVM, "_path", lambda self, X, y, least, most: SvmPath(points, True, 0.0))
    assert fewer.DrSVM(size).fit(X, y).l1_ == 10.0 - step


def test_none_goes_to_the_end_even_if_a_feature_has_left(monkeypatch):
    X, y = unequal(30, 1.5)
    points = [
        SvmPoint(10.0 - k, np.where(np.arange(2) < n, 0.1 * k, 0.0), 0.0, np.full(60, 0.5), 0.0)
        for k, n in enumerate([0, 2, 1])
    ]
    monkeypatch.setattr(fewer.DrSVM, "_path", lambda self, X, y, least, most: SvmPath(points, True, 0.0))
    assert fewer.DrSVM(None).fit(X[:, :2], y).l1_ == 8.0
    assert fewer.DrSVM(2).fit(X[:, :2], y).l1_ == 9.0


def test_folds_that_a_plane_separates_have_the_limit_of_small_penalties():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(14, 6)), np.repeat([0, 1], 7)
    Z, _ = unit_variance(X, 2.0 * y - 1)
    signs = 2.0 * y - 1
    (limit,) = fewer.L1SVM()._solutions(Z, signs, np.array([0.0]))
    (small,) = fewer.L1SVM()._solutions(Z, signs, np.array([1e-4]))
    assert (signs * (limit[1] + Z @ limit[0]) > 1 - 1e-6).all()
    # The separating plane with the least sum of absolute coefficients.
    np.testing.assert_allclose(limit[0], small[0], atol=1e-6)
