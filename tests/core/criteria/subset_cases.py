"""Views, data and estimators for the tests of subset criteria, and scikit-learn's own answer."""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import CodesBlock, DenseBlock, SparseBlock
from fewer.core.views.view import View


def view_of(X, y, weight=None, n_jobs=1):
    """Return a view as the reading layer makes it."""
    y, classes = np.asarray(y), None
    if y.dtype.kind != "f":
        classes, y = np.unique(y, return_inverse=True)
    if scipy.sparse.issparse(X):
        block = SparseBlock(scipy.sparse.csc_array(X), y, weight)
    else:
        block = DenseBlock(np.ascontiguousarray(X), y, weight)
    return View(
        ThreadRunner(n_jobs), [block], block.kind, *X.shape, nominal=np.zeros(X.shape[1], bool), classes=classes
    )


def codes_of(X, y, weight=None):
    """Return a view of level numbers."""
    classes, y = np.unique(y, return_inverse=True)
    levels = X.max(axis=0).astype(np.int64) + 1
    block = CodesBlock(np.ascontiguousarray(X.astype(np.uint8)), levels, y, weight)
    return View(
        ThreadRunner(1), [block], "codes", *X.shape, np.zeros(X.shape[1], bool), classes=classes, n_levels=levels
    )


def truth(estimator, X, y, subset, scoring=None, cv=None, **more):
    """Return the fold scores that scikit-learn finds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cross_val_score(estimator, X[:, sorted(subset)], y, scoring=scoring, cv=cv, **more)


def numbers(seed, n=60, d=7):
    return np.random.default_rng(seed).normal(size=(n, d))


def classes_of(X, seed, n_classes=2):
    noise = np.random.default_rng(seed + 1).normal(size=len(X))
    signal = X[:, 0] + X[:, 1] + noise
    cuts = np.quantile(signal, np.arange(1, n_classes) / n_classes)
    return np.array(["ant", "bee", "cat", "dog"])[np.digitize(signal, cuts)]


def levels(seed, n=60, d=7, most=4):
    return np.random.default_rng(seed).integers(0, most, size=(n, d)).astype(float)


def target_of(X, seed):
    return X[:, 0] - 2 * X[:, 1] + np.random.default_rng(seed + 1).normal(size=len(X)) + 3.0


CLASSIFIERS = {
    "knn": (KNeighborsClassifier(), numbers),
    "knn1": (KNeighborsClassifier(n_neighbors=1), numbers),
    "knn20": (KNeighborsClassifier(n_neighbors=20, metric="euclidean"), numbers),
    "gaussian": (GaussianNB(), numbers),
    "gaussian smooth": (GaussianNB(var_smoothing=0.3), numbers),
    "bernoulli": (BernoulliNB(), numbers),
    "bernoulli flat": (BernoulliNB(alpha=0.2, binarize=0.5, fit_prior=False), numbers),
    "categorical": (CategoricalNB(min_categories=4), levels),
    "discriminant": (LinearDiscriminantAnalysis(), numbers),
    "ridge classes": (RidgeClassifier(), numbers),
}
REGRESSORS = {
    "knn": KNeighborsRegressor(n_neighbors=3),
    "ridge": Ridge(alpha=2.0),
    "ridge through zero": Ridge(fit_intercept=False, solver="cholesky"),
    "least squares": LinearRegression(),
    "least squares through zero": LinearRegression(fit_intercept=False),
}
