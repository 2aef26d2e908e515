"""The criterion Importance: folds, p-values, conditional and dropped columns, Shapley values, functions, refusals."""

from __future__ import annotations

import pickle
import sys
import types

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import fewer
from fewer.core.importance.criterion import corrected_pvalues
from fewer.core.importance.fold_work import Native, work_of
from fewer.core.records.errors import (
    FewerError,
    InputError,
    MissingExtraError,
    NothingFoundWarning,
    ParameterError,
    RequirementError,
)
from fewer.criteria import Importance
from oracles.importance import corrected_pvalue, dropped_falls


def ranking(X, y, model, importance, **more):
    return fewer.FromModel(model, None, importance=importance, **more).fit(X, y).selection_


def test_pvalues_are_those_of_the_corrected_test():
    rng = np.random.default_rng(0)
    values = rng.normal(0.1, 0.2, size=(5, 30))
    values[:, 0], values[:, 1], values[:, 2] = 0.0, 0.3, -0.3
    splits = list(KFold(5).split(np.zeros((50, 1))))
    expected = [corrected_pvalue(column.tolist(), 40, 10) for column in values.T]
    np.testing.assert_allclose(corrected_pvalues(values, splits), expected, rtol=1e-9)


def test_pvalues_under_the_null_are_not_small_too_often():
    """Of noise 5 % may have a p-value of at most 0.05; the test is approximate, and cautious here."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(120, 60)), rng.normal(size=120)
    found = ranking(X, y, Ridge(), "permutation", n_repeats=2)
    assert (found.columns["pvalue"] <= 0.05).mean() < 0.12
    assert len(fewer.FromModel(Ridge(), "fdr:0.05", importance="permutation").fit(X, y).selection_) <= 2


def test_relevant_features_have_small_pvalues():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = X[:, 1] + 0.7 * X[:, 4] + 0.2 * rng.normal(size=200)
    made = fewer.FromModel(Ridge(), "p:0.01", importance="permutation").fit(X, y).selection_
    assert made.indices[:2].tolist() == [1, 4]
    assert made.columns["pvalue"][[1, 4]].max() < 0.005
    assert made.columns["standard deviation"].shape == (6,)


def test_a_feature_that_only_goes_with_a_relevant_one_is_seen_through():
    """Strobl et al. 2008: features that matter only by their correlation lose most of their importance."""
    rng = np.random.default_rng(0)
    a, noise = rng.normal(size=(2, 600))
    X = np.column_stack([a, a + 0.3 * rng.normal(size=600), noise])
    y = a + 0.3 * rng.normal(size=600)
    model = RandomForestRegressor(20, min_samples_leaf=5, max_features=1, random_state=0)
    free = ranking(X, y, model, "permutation", cv=3, n_repeats=3).scores
    held = ranking(X, y, model, "conditional", cv=3, n_repeats=3).scores
    assert free[1] > 0.1
    assert held[1] < 0.4 * free[1]
    assert held[0] > held[1]
    # What goes with nothing is permuted freely.
    assert held[2] == free[2]


def test_without_correlations_conditional_is_marginal():
    X, y = make_regression(90, 4, n_informative=2, random_state=0)
    free = ranking(X, y, Ridge(), "permutation")
    held = ranking(X, y, Ridge(), "conditional", min_correlation=1.1)
    np.testing.assert_array_equal(free.scores, held.scores)


def test_dropped_columns_are_a_plain_loop_of_fits():
    X, y = make_classification(80, 5, random_state=0)
    splits = list(StratifiedKFold(4).split(X, y))
    expected = dropped_falls(LogisticRegression(), lambda m, Z, t: m.score(Z, t), X, y, splits, [[j] for j in range(5)])
    found = ranking(X, y, LogisticRegression(), "drop", cv=4)
    np.testing.assert_allclose(found.scores, expected.mean(axis=0), atol=1e-12)
    both = ranking(X, y, LogisticRegression(), "drop", cv=4, feature_groups=[[1, 3]])
    expected = dropped_falls(LogisticRegression(), lambda m, Z, t: m.score(Z, t), X, y, splits, [[1, 3]])
    assert both.scores[1] == both.scores[3] == pytest.approx(expected.mean())
    assert both.tables["groups"].columns["features"] == [1, 2, 1, 1]


def test_native_on_folds_is_the_mean_of_their_models():
    X, y = make_regression(60, 4, random_state=0)
    found = ranking(X, y, Ridge(), "native", cv=KFold(3))
    expected = np.mean([np.abs(Ridge().fit(X[a], y[a]).coef_) for a, _ in KFold(3).split(X)], axis=0)
    np.testing.assert_allclose(found.scores, expected, rtol=1e-12)
    np.testing.assert_allclose(ranking(X, y, Ridge(), "native").scores, np.abs(Ridge().fit(X, y).coef_), rtol=1e-12)


def test_a_function_sees_rows_that_were_held_out():
    X, y = make_regression(60, 4, random_state=0)
    told = []

    def function(model, Z, t):
        told.append((Z.shape, t.shape))
        return np.abs(model.coef_) * Z.std(axis=0)

    found = ranking(X, y, Ridge(), function, cv=KFold(3))
    assert told == [((20, 4), (20,))] * 3
    expected = [np.abs(Ridge().fit(X[a], y[a]).coef_) * X[b].std(axis=0) for a, b in KFold(3).split(X)]
    np.testing.assert_allclose(found.scores, np.mean(expected, axis=0), rtol=1e-12)
    with pytest.raises(RequirementError, match="one number per feature"):
        ranking(X, y, Ridge(), lambda model, Z, t: np.ones(3))


def test_shap_is_an_extra(monkeypatch):
    X, y = make_regression(40, 3, random_state=0)
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(MissingExtraError, match=r"pip install fewer\[shap\]"):
        ranking(X, y, Ridge(), "shap")


def test_shapley_values_are_averaged_over_held_out_rows(monkeypatch):
    """A stand-in for the package: of a linear model on independent features they are known."""

    class Explainer:
        def __init__(self, function, background, seed):
            self.function, self.background = function, background

        def __call__(self, Z):
            zero = self.function(np.zeros((1, Z.shape[1])))
            weights = np.array([self.function(row[None])[0] - zero[0] for row in np.eye(Z.shape[1])])
            return types.SimpleNamespace(values=(Z - self.background.mean(axis=0)) * weights)

    class TreeExplainer:
        def __init__(self, model):
            raise TypeError("no trees")

    monkeypatch.setitem(sys.modules, "shap", types.SimpleNamespace(Explainer=Explainer, TreeExplainer=TreeExplainer))
    X, y = make_regression(60, 4, random_state=0)
    found = ranking(X, y, Ridge(), "shap", cv=KFold(3))
    expected = [
        (np.abs(X[b] - X[a].mean(axis=0)) * np.abs(Ridge().fit(X[a], y[a]).coef_)).mean(axis=0)
        for a, b in KFold(3).split(X)
    ]
    np.testing.assert_allclose(found.scores, np.mean(expected, axis=0), rtol=1e-9)


def test_the_real_package_agrees_with_what_is_known_of_linear_models():
    pytest.importorskip("shap")
    X, y = make_regression(60, 4, random_state=0)
    found = ranking(X, y, Ridge(), "shap", cv=KFold(2))
    expected = [
        (np.abs(X[b] - X[a].mean(axis=0)) * np.abs(Ridge().fit(X[a], y[a]).coef_)).mean(axis=0)
        for a, b in KFold(2).split(X)
    ]
    np.testing.assert_allclose(found.scores, np.mean(expected, axis=0), rtol=1e-6)
    forest = ranking(X, (y > 0).astype(int), RandomForestClassifier(5, random_state=0), "shap", cv=2)
    assert (forest.scores >= 0).all()
    assert forest.scores.sum() > 0


def test_nominal_columns_are_told_to_boosting():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=240), "town": pd.Categorical(rng.choice(list("pqrstu"), 240))})
    y = frame["town"].isin(["p", "s", "t"]).to_numpy().astype(int)
    frame.loc[::9, "a"] = np.nan
    frame.loc[::11, "town"] = None
    model = HistGradientBoostingClassifier(max_iter=10, min_samples_leaf=5)
    for importance in ("permutation", "conditional", "drop"):
        found = fewer.FromModel(model, 1, importance=importance, cv=3, n_repeats=2).fit(frame, y).selection_
        assert found.indices.tolist() == [1]
    assert model.get_params()["categorical_features"] == "from_dtype"
    with pytest.raises(InputError, match="nominal columns were given"):
        fewer.FromModel(LogisticRegression(), 1).fit(frame, y)


def test_a_column_transformer_sees_names_and_labels():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=200), "town": pd.Categorical(rng.choice(list("pqr"), 200))})
    y = (frame["town"] == "q").to_numpy() * 2.0 + 0.1 * rng.normal(size=200)
    model = make_pipeline(ColumnTransformer([("hot", OneHotEncoder(), ["town"])], remainder="passthrough"), Ridge())
    found = fewer.FromModel(model, 1, importance="permutation").fit(frame, y).selection_
    assert found.indices.tolist() == [1]


def test_weights_reach_fits_and_scores():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.where(np.arange(200) % 2, X[:, 0], X[:, 1])
    heavy = np.where(np.arange(200) % 2, 1.0, 1e-6)
    for importance in ("native", "permutation", "drop"):
        found = fewer.FromModel(Ridge(), 1, importance=importance).fit(X, y, sample_weight=heavy).selection_
        assert found.indices.tolist() == [0]
    with pytest.raises(ValueError, match="KNeighborsClassifier|weight"):
        fewer.FromModel(KNeighborsClassifier(), 1, importance="permutation").fit(X, y > 0, sample_weight=heavy)


def test_a_model_of_one_class_is_told_and_rows_of_one_class_are_refused():
    X, y = make_classification(60, 4, random_state=0)
    with pytest.warns(NothingFoundWarning, match="DummyClassifier gives all rows that were held out the same class"):
        found = ranking(X, y, DummyClassifier(strategy="most_frequent"), "permutation", scoring="accuracy")
    assert not found.scores.any()
    with pytest.raises(InputError, match="rows of one class"):
        fewer.FromModel(GaussianNB(), 2, importance="permutation", cv=[(np.flatnonzero(y == 0), np.arange(60))]).fit(
            X, y
        )


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: Importance(Ridge), ParameterError, "takes an estimator with fit"),
        (lambda: Importance(Ridge(), "gini"), ParameterError, "takes one of 'native'"),
        (lambda: ranking(np.eye(6), np.arange(6.0), Ridge(alpha=-1.0), "native"), InputError, "could not be fitted"),
        (lambda: ranking(np.eye(6)[:, :1], np.arange(6.0), Ridge(), "drop", cv=2), InputError, "at least two features"),
    ],
)
def test_refusals(make, error, says):
    with pytest.raises(error, match=says):
        make()


def test_work_travels_and_inputs_stay():
    X, y = make_classification(60, 4, random_state=0)
    before = X.copy(), y.copy()
    model = RandomForestClassifier(3)
    first, second = (ranking(X, y, model, "permutation", n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(first.scores, second.scores)
    assert model.random_state is None
    assert not hasattr(model, "estimators_")
    np.testing.assert_array_equal(X, before[0])
    views = []

    class Seen(Importance):
        def scores(self, view):
            views.append(view)
            return super().scores(view)

    fewer.Selector(Seen(model), "top", 2).fit(X, y)
    splits = [(np.arange(40), np.arange(40, 60))]
    work = work_of(views[0], model, splits, np.array([3]), Native("norm"))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(work))(0), work(0))


def test_numbers_of_columns_inside_a_model_are_refused_where_columns_are_left_out():
    model = HistGradientBoostingClassifier(max_iter=2, categorical_features=[False, True])
    with pytest.raises(RequirementError, match=r"importance='drop' fits without .* categorical_features="):
        Importance(model, "drop")
    Importance(model, "permutation")
    Importance(HistGradientBoostingClassifier(), "drop")


def test_errors_of_a_function_and_odd_seeds_are_told_in_one_sentence():
    X, y = make_classification(40, 4, random_state=0)
    with pytest.raises(InputError, match=r"failed on LogisticRegression and 8 rows \(ZeroDivisionError"):
        ranking(X, y, LogisticRegression(), lambda model, X, y: 1 / 0)
    with pytest.raises(ValueError, match="random_state"):
        ranking(X, y, LogisticRegression(), "native", random_state="a")


def test_weights_go_to_the_last_step_of_a_pipeline():
    X, y = make_regression(60, 4, noise=5.0, random_state=0)
    weight = np.where(np.arange(60) < 30, 0.2, 3.0)
    model = make_pipeline(make_pipeline(StandardScaler(), Ridge()))
    made = fewer.FromModel(model, None).fit(X, y, sample_weight=weight).selection_
    expected = Ridge().fit(StandardScaler().fit_transform(X), y, sample_weight=weight)
    np.testing.assert_allclose(made.scores, np.abs(expected.coef_))
    by_fall = fewer.FromModel(model, None, importance="permutation", n_repeats=1).fit(X, y, sample_weight=weight)
    assert np.isfinite(by_fall.scores_).all()
    with pytest.raises(FewerError, match="weight"):
        fewer.FromModel(make_pipeline(KNeighborsClassifier()), None, importance="permutation").fit(
            X, y > 0, sample_weight=weight
        )
