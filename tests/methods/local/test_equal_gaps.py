"""Values that many rows share: the place of a row in the data decides nothing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import SVC

import fewer


def votes(seed, n=120):
    """Return answers of yes and no and one number that differs, rows in the order of their classes."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n // 2)
    X = np.where(rng.random((n, 6)) < 0.2, 1 - y[:, None], y[:, None]).astype(float)
    X[:, 5] = rng.normal(size=n)
    return X, y


@pytest.mark.parametrize("made", [fewer.Machete(5), fewer.Scythe(5), fewer.ADAMENN(5, n_near=120, n_wide=120)])
def test_order_of_rows_does_not_make_a_feature_relevant(made):
    X, y = votes(0)
    order = np.random.default_rng(1).permutation(len(X))
    sorted_rows = made.fit(X, y).local_relevance(X[::7])
    assert_allclose(made.fit(X[order], y[order]).local_relevance(X[::7]), sorted_rows, rtol=1e-9, atol=1e-12)


def test_a_feature_that_all_rows_left_share_is_not_relevant():
    """After the first answer decided, it is the same in all rows that are left; no peel goes along it again."""
    X, y = votes(2)
    X[:, 0] = y
    X[::10, 0] = 1 - y[::10]
    for table in fewer.Machete(3, peel=0.4).fit(X, y).peels(X[::11]):
        assert list(table.columns["feature"]).count(0) == 1


def test_equally_far_rows_stay_by_the_distance_of_all_features():
    X = np.array([[0.0, 9.0], [0.0, 8.0], [0.0, 0.2], [0.0, 0.1], [1.0, 0.0], [1.0, 0.3]] * 3)
    X[:, 1] += np.arange(18) * 1e-3
    y = X[:, 0].astype(int)
    found = fewer.Machete(3, peel=0.2, standardize=False).fit(X, y)
    assert_array_equal(np.sort(found.kneighbors([[0.0, 0.15]])[1][0]), [3, 9, 15])


def test_without_standardization_units_are_those_of_the_data():
    X, y = np.random.default_rng(0).normal(size=(60, 3)) * 7, np.arange(60) % 2
    X[:, 0] += 9 * y
    ours, plain = fewer.LaMaNNa(standardize=False, gamma=0.02, C=3.0).fit(X, y), SVC(C=3.0, gamma=0.02).fit(X, y)
    assert_array_equal(ours.svm_.support_, plain.support_)
    assert_allclose(ours.svm_.dual_coef_, plain.dual_coef_, atol=1e-2)
