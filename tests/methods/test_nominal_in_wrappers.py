"""Estimators of strangers in every wrapper: nominal columns and missing values reach them as they were given."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import fewer
from fewer import registry
from fewer.core.records.errors import RequirementError

# Takes no estimator but criteria that never fall; normalizes spectra, which are numbers.
OTHERS = ("BranchAndBoundSelector", "FeatureVoting")
WRAPPERS = [
    e.name
    for e in registry.METHODS
    if e.family in ("wrappers", "ensembles") and "estimator" in fewer.get(e.name)._get_param_names()
]
SMALL = {
    "cv": 2, "max_evaluations": 3, "max_iter": 2, "n_permutations": 2, "random_state": 0, "importance": "permutation",
    "n_repeats": 1, "step": 3,
}  # fmt: skip
N = 40
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
FRAME = pd.DataFrame(
    {
        "town": pd.Series(np.where(Y == 1, "a", RNG.choice(["b", "c"], N)), dtype=object),
        "size": pd.Categorical(RNG.choice(["s", "m"], N), categories=["s", "m", "l"]),
        "x": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
        "flag": RNG.random(N) < 0.5,
    }
)
FRAME.loc[3, "town"] = FRAME.loc[4, "size"] = None


class ByTypes(ClassifierMixin, BaseEstimator):
    """Asks every column for the type that it was given in."""

    def fit(self, X, y):
        for name, column in X.items():
            assert column.dtype == FRAME[name.removeprefix("copy of ").split(" (")[0]].dtype
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        self.feature_importances_ = np.arange(X.shape[1], 0.0, -1.0)
        return self

    def predict(self, X):
        assert isinstance(X, pd.DataFrame)
        return self.classes_[np.zeros(len(X), int)]


def pipeline():
    hot = OneHotEncoder(handle_unknown="ignore")
    columns = make_column_transformer((hot, ["town", "size"]), (SimpleImputer(keep_empty_features=True), ["x", "flag"]))
    return make_pipeline(columns, DecisionTreeClassifier(max_depth=2, random_state=0))


MODELS = {"by types": ByTypes(), "columns": pipeline(), "boosting": HistGradientBoostingClassifier(max_iter=2)}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", [n for n in WRAPPERS if n not in OTHERS])
def test_a_strangers_estimator_works_in_every_wrapper(name, model):
    made = fewer.get(name)
    given = {key: value for key, value in SMALL.items() if key in made._get_param_names()}
    if name in ("IPE", "ACE"):
        given.pop("importance")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = made(estimator=MODELS[model], **given).fit(FRAME, Y).selection_
    assert found.feature_names == tuple(FRAME.columns)


def test_the_estimator_decides_by_the_nominal_column():
    for model in (pipeline(), HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)):
        found = fewer.SequentialSelector(model, 1, cv=2).fit(FRAME, Y).selection_
        assert found.kept_names == ["town"]


def test_columns_that_are_counted_are_refused():
    counted = HistGradientBoostingClassifier(categorical_features=[0, 1])
    with pytest.raises(RequirementError, match="counts them and would mean others"):
        fewer.SequentialSelector(counted).fit(FRAME, Y)
    named = HistGradientBoostingClassifier(categorical_features=["size"], max_iter=2)
    fewer.SequentialSelector(named, 1, cv=2).fit(FRAME[["size", "x", "flag"]], Y)
