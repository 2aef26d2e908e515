"""What searches say when rows cannot be split or subsets cannot be scored, and small data where they can."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.methods.recipe import DefaultRecipe

METHODS = [
    fewer.SequentialSelector(),
    fewer.RankSearch(),
    fewer.BIRS(),
    fewer.LVW(patience=3, random_state=0),
    fewer.RVErS(random_state=0),
    fewer.OrderedFS(),
    DefaultRecipe(),
]
BY_NAME = pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)


def some_data(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(3).normal(size=(n, 4))
    return X, (X[:, 1] + 0.3 * X[:, 2] > 0).astype(int)


@BY_NAME
def test_no_selection_out_of_scores_that_are_not_numbers(method):
    # r2 is not defined on a single row: any answer would be made up.
    X, _ = some_data()
    with warnings.catch_warnings(), pytest.raises(InputError, match="NaN with scoring=None.*another cv"):
        warnings.simplefilter("ignore")
        type(method)(**{**method.get_params(), "cv": LeaveOneOut()}).fit(X, X[:, 1] * 2.0 + X[:, 0])


@BY_NAME
def test_a_score_that_does_not_exist_is_named(method):
    X, y = some_data()
    with pytest.raises(ParameterError, match="scoring='acuracy'.*Did you mean accuracy"):
        type(method)(**{**method.get_params(), "scoring": "acuracy"}).fit(X, y)


@BY_NAME
@pytest.mark.parametrize("cv", [1, 0, "five"])
def test_folds_that_cannot_be_are_refused(method, cv):
    X, y = some_data()
    with pytest.raises(ParameterError, match="cv=.*from 2 on"):
        type(method)(**{**method.get_params(), "cv": cv}).fit(X, y)


@BY_NAME
def test_more_folds_than_rows_are_refused(method):
    X, y = some_data()
    with pytest.raises(InputError, match="cv=100.*40 rows"):
        type(method)(**{**method.get_params(), "cv": 100}).fit(X, y)


@BY_NAME
def test_groups_that_do_not_fit_are_refused(method):
    X, y = some_data()
    with pytest.raises(InputError, match="groups has 39 entries, but X has 40 rows"):
        method.fit(X, y, groups=np.arange(39))
    with pytest.raises(InputError, match="groups has 1 different values"):
        method.fit(X, y, groups=np.zeros(40))


def test_more_folds_than_groups_are_refused():
    X, y = some_data()
    with pytest.raises(InputError, match="groups has 3 different values.*in 4 folds"):
        fewer.SequentialSelector(cv=4).fit(X, y, groups=np.arange(40) % 3)


def test_groups_where_all_classes_are_small():
    X, _ = some_data(24)
    y = np.array([f"k{i % 12}" for i in range(24)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = fewer.SequentialSelector(n_features_to_select=2).fit(X, y, groups=np.arange(24) // 2).selection_
    assert len(chosen.indices) == 2


@pytest.mark.parametrize("n", [4, 6, 9])
def test_few_rows_of_numbers_are_split_so_that_r2_exists(n):
    X, _ = some_data(n)
    target = X[:, 2] * 3.0
    sequential = fewer.SequentialSelector(n_features_to_select=1).fit(X, target).selection_
    assert sequential.indices.tolist() == [2]
    assert np.isfinite(sequential.meta["value"])
    assert np.isfinite(fewer.OrderedFS().fit(X, target).selection_.meta["value"])


def test_recipe_takes_missing_values_as_its_estimator_does():
    X, y = some_data(80)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    model = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)
    chosen = DefaultRecipe(1, estimator=model, cv=3).fit(X, y).selection_
    assert chosen.indices.tolist() == [1]
    assert chosen.meta["value"] == pytest.approx(cross_val_score(model, X[:, [1]], y, cv=3).mean())
    with pytest.raises(InputError, match="missing values"):
        DefaultRecipe(estimator=GaussianNB()).fit(X, y)


@pytest.mark.parametrize("name", ["SequentialSelector", "RFE", "DefaultRecipe"])
def test_an_estimator_that_scikit_learn_does_not_know_is_told_what_it_lacks(name):
    class Plain:
        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.zeros(len(X))

    with pytest.raises(ParameterError, match="class Plain was given, which has fit but no get_params") as caught:
        fewer.get(name)(estimator=Plain()).fit(*some_data())
    assert str(caught.value).count(". ") == 0
