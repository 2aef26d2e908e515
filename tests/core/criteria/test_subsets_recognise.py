"""Which estimators have a short cut."""

from __future__ import annotations

import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline

from fewer.core.criteria.cross_validated import CrossValidated
from fewer.core.criteria.linear_scores import Linear
from fewer.core.criteria.naive_bayes import NaiveBayes
from fewer.core.criteria.nearest_rows import NearestRows
from fewer.core.criteria.recognise import recognise
from fewer.core.records.errors import ParameterError


class Mine(GaussianNB):
    """Might do anything."""


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [
        (KNeighborsClassifier(3, algorithm="kd_tree"), NearestRows),
        (KNeighborsRegressor(metric="euclidean"), NearestRows),
        (GaussianNB(var_smoothing=1e-3), NaiveBayes),
        (BernoulliNB(alpha=0.5, binarize=None), NaiveBayes),
        (CategoricalNB(min_categories=3), NaiveBayes),
        (LinearDiscriminantAnalysis(store_covariance=True), Linear),
        (Ridge(5.0, solver="svd"), Linear),
        (RidgeClassifier(), Linear),
        (LinearRegression(fit_intercept=False), Linear),
    ],
)
def test_short_cuts(estimator, kind):
    assert type(recognise(estimator)) is kind
    assert type(recognise(estimator, params={"anything": 1})) is CrossValidated


@pytest.mark.parametrize(
    "estimator",
    [
        Mine(),
        KNeighborsClassifier(weights="distance"),
        KNeighborsClassifier(p=1),
        KNeighborsClassifier(metric="manhattan"),
        GaussianNB(priors=[0.5, 0.5]),
        BernoulliNB(class_prior=[0.5, 0.5]),
        BernoulliNB(alpha=[1.0, 2.0]),
        CategoricalNB(min_categories=[2, 3]),
        LinearDiscriminantAnalysis(solver="lsqr"),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        LinearDiscriminantAnalysis(priors=[0.5, 0.5]),
        Ridge(positive=True),
        Ridge(solver="sag"),
        Ridge(alpha=0.0),
        RidgeClassifier(class_weight="balanced"),
        LinearRegression(positive=True),
        LogisticRegression(),
        make_pipeline(GaussianNB()),
    ],
)
def test_everything_else_is_fitted(estimator):
    assert type(recognise(estimator)) is CrossValidated


def test_words_for_ties():
    assert recognise(KNeighborsClassifier(), ties="lowest").ties == "lowest"
    with pytest.raises(ParameterError, match="ties='random'"):
        recognise(KNeighborsClassifier(), ties="random")
