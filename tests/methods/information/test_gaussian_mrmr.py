"""Gaussian mRMR against pairs of plain correlations, on every kind of data."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_diabetes, load_iris
from sklearn.feature_selection import f_classif, f_regression

from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import InputError
from fewer.methods.information.gaussian_mrmr import GaussianMRMR
from oracles.gaussian_mrmr import gaussian_mrmr, information

SCHEMES = pytest.mark.parametrize("scheme", ["difference", "quotient"])
RELEVANCES = pytest.mark.parametrize("relevance", ["information", "f"])


def data(seed, n_classes):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(10, 60)), int(rng.integers(2, 12))
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 10 * rng.normal(size=d)
    y = rng.permutation(np.arange(n) % n_classes) if n_classes else X[:, 0] + rng.normal(size=n)
    return X, y


@SCHEMES
@RELEVANCES
@pytest.mark.parametrize("n_classes", [0, 2, 4])
@pytest.mark.parametrize("seed", range(5))
def test_order_and_scores_equal_the_plain_ones(seed, n_classes, relevance, scheme):
    X, y = data(seed, n_classes)
    got = GaussianMRMR(None, relevance=relevance, scheme=scheme).fit(X, y).selection_
    order, joined = gaussian_mrmr(X, y, X.shape[1], n_classes > 0, relevance, scheme)
    assert got.indices.tolist() == order
    np.testing.assert_allclose(got.trace.values, joined, rtol=1e-7, atol=1e-9)


def test_the_first_scores_are_those_of_scikit_learn():
    X, y = load_iris(return_X_y=True)
    first = GaussianMRMR(1, relevance="f").fit(X, y).scores_
    np.testing.assert_allclose(first, f_classif(X, y)[0])
    F = f_classif(X, y)[0]
    eta2 = 2 * F / (2 * F + 147)
    np.testing.assert_allclose(GaussianMRMR(1).fit(X, y).scores_, -0.5 * np.log(1 - eta2))
    X, y = load_diabetes(return_X_y=True)
    np.testing.assert_allclose(GaussianMRMR(1, relevance="f").fit(X, y).scores_, f_regression(X, y)[0])


def test_two_classes_tell_as_much_as_their_numbers(rng):
    X, y = rng.normal(size=(50, 4)), rng.integers(0, 2, 50)
    classes = GaussianMRMR(3).fit(X, np.array(["no", "yes"])[y])
    numbers = GaussianMRMR(3).fit(X, y + 0.5)
    np.testing.assert_allclose(classes.scores_, numbers.scores_, rtol=1e-9)


def test_whole_numbers_with_few_values_are_classes_and_others_are_not(rng):
    X, y = rng.normal(size=(90, 3)), rng.integers(0, 3, 90)
    X[:, 1] += 3 * (y == 1)
    assert GaussianMRMR(1).fit(X, y).selection_.indices.tolist() == [1]
    np.testing.assert_array_equal(GaussianMRMR(1).fit(X, y.astype(float)).scores_, GaussianMRMR(1).fit(X, y).scores_)
    r = np.corrcoef(X.T, 10 * y + np.arange(90))[3, :3]
    np.testing.assert_allclose(GaussianMRMR(1).fit(X, 10 * y + np.arange(90)).scores_, -0.5 * np.log(1 - r**2))


def test_a_copy_shares_a_finite_amount_and_is_redundant(rng):
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    X[:, 0] += y
    X[:, 3] = 5 - 3 * X[:, 0]
    got = GaussianMRMR(1).fit(X, y).selection_
    kept, copy = got.indices[0], 3 - got.indices[0]
    assert {kept, copy} == {0, 3}
    assert got.reasons.related[copy] == (kept,)
    assert got.reasons.amount[copy] == pytest.approx(information(1.0), abs=1e-3)
    every = GaussianMRMR(None, scheme="quotient").fit(X, y)
    assert np.isfinite(every.scores_).all()
    assert every.selection_.indices[-1] == copy


@pytest.mark.parametrize("classes", [0, 2, 4])
def test_noise_is_irrelevant_and_seldom_redundant(classes):
    """What is not significant is irrelevant, as the F test says; noise was called redundant to whatever was kept."""
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(120, 150))
    y = np.digitize(X[:, 7], np.linspace(-0.7, 0.7, classes - 1)) if classes else X[:, 7] + rng.normal(size=120)
    X[:, 9] = X[:, 7] + 0.01 * rng.normal(size=120)
    got = GaussianMRMR(5).fit(X, y).selection_
    pvalue = (f_classif if classes else f_regression)(X, y)[1]
    found = [got.reason(j) for j in range(150)]
    dropped = [j for j in range(150) if found[j].kind != "kept"]
    assert [found[j].kind == "irrelevant" for j in dropped] == [pvalue[j] > 0.05 for j in dropped]
    assert all(found[j].measured < found[j].needed for j in dropped if found[j].kind == "irrelevant")
    redundant = {j for j in dropped if found[j].kind == "redundant"}
    assert {7, 9} <= redundant | set(got.indices.tolist())
    assert len(redundant) <= 3


def test_too_few_rows_for_a_test_make_nothing_irrelevant(rng):
    X = rng.normal(size=(3, 5))
    got = GaussianMRMR(2).fit(X, [0, 1, 2]).selection_
    assert {got.reason(j).kind for j in range(5)} == {"kept", "not reached"}


@RELEVANCES
@SCHEMES
def test_degenerate_columns_have_finite_scores(rng, relevance, scheme):
    y = np.array([0, 0, 0, 1, 1, 1])
    X = np.column_stack([y, np.ones(6), 1 - y, rng.normal(size=6), [0, 0, 0, 0, 0, 1e-12]]).astype(float)
    got = GaussianMRMR(None, relevance=relevance, scheme=scheme).fit(X, y)
    assert np.isfinite(got.scores_).all()
    assert got.selection_.indices[0] == 0
    assert GaussianMRMR(1).fit(X, y).scores_[1] == 0
    assert np.isfinite(GaussianMRMR(None, relevance=relevance).fit(X[:3], [0, 1, 2]).scores_).all()


@pytest.mark.parametrize("n_classes", [0, 3])
def test_threads_batches_sparse_and_weights_change_nothing(n_classes):
    X, y = data(3, n_classes)
    X[np.abs(X) < np.median(np.abs(X))] = 0
    plain = GaussianMRMR(4).fit(X, y)
    np.testing.assert_array_equal(GaussianMRMR(4, n_jobs=2).fit(X, y).scores_, plain.scores_)
    classes = np.unique(y) if n_classes else None
    others = [
        GaussianMRMR(4).fit(ArrayTable(X, y, classes=classes, batch_rows=7)),
        GaussianMRMR(4).fit(scipy.sparse.csr_array(X), y),
        GaussianMRMR(4).fit(
            np.vstack([X, X]), np.concatenate([y, y]), sample_weight=np.r_[np.ones(len(y)), 0 * X[:, 0]]
        ),
    ]
    for other in others:
        np.testing.assert_array_equal(other.selection_.indices, plain.selection_.indices)
        np.testing.assert_allclose(other.scores_, plain.scores_, rtol=1e-9, atol=1e-12)


def test_dask_arrays_stay_where_they_are():
    dask = pytest.importorskip("dask.array")
    X, y = data(4, 3)
    plain = GaussianMRMR(3).fit(X, y)
    got = GaussianMRMR(3).fit(dask.from_array(X, chunks=(9, -1)), dask.from_array(y, chunks=9))
    np.testing.assert_array_equal(got.selection_.indices, plain.selection_.indices)
    np.testing.assert_allclose(got.scores_, plain.scores_, rtol=1e-9, atol=1e-12)
    assert got.selection_.meta["runner"] == "dask"


def test_missing_values_are_refused_by_name(rng):
    X = rng.normal(size=(20, 3))
    X[4, 1] = np.nan
    for y in (rng.normal(size=20), rng.integers(0, 2, 20)):
        with pytest.raises(InputError, match="Column 1"):
            GaussianMRMR().fit(X, y)
