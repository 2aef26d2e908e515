"""What models say themselves, and how they see a view."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.ensemble import BaggingClassifier, HistGradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, PolynomialFeatures, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from fewer.core.importance.native import native_importance
from fewer.core.records.errors import RequirementError

X, y = make_classification(150, 6, n_informative=4, n_redundant=0, n_classes=3, random_state=0)


def test_importances_of_trees_are_their_own():
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    assert np.array_equal(native_importance(model, 6), model.feature_importances_)
    assert np.array_equal(native_importance(model, 6, "square"), model.feature_importances_**2)


def test_coefficients_of_classes_are_added_up():
    model = LogisticRegression().fit(X, y)
    assert np.allclose(native_importance(model, 6), np.abs(model.coef_).sum(axis=0))
    assert np.allclose(native_importance(model, 6, "square"), (model.coef_**2).sum(axis=0))
    one = Ridge().fit(X, y)
    assert np.allclose(native_importance(one, 6), np.abs(one.coef_))


def test_meta_estimators_are_opened():
    plain = native_importance(LogisticRegression().fit(StandardScaler().fit_transform(X), y), 6)
    assert np.allclose(native_importance(make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y), 6), plain)
    search = GridSearchCV(make_pipeline(StandardScaler(), LogisticRegression()), {"logisticregression__C": [1.0]}, cv=2)
    assert np.allclose(native_importance(search.fit(X, y), 6), plain)
    several = OneVsRestClassifier(LinearSVC(random_state=0)).fit(X, y)
    expected = np.mean([np.abs(m.coef_).sum(axis=0) for m in several.estimators_], axis=0)
    assert np.allclose(native_importance(several, 6), expected)
    calibrated = CalibratedClassifierCV(LogisticRegression(), cv=2).fit(X, y)
    inner = [np.abs(m.estimator.coef_).sum(axis=0) for m in calibrated.calibrated_classifiers_]
    assert np.allclose(native_importance(calibrated, 6), np.mean(inner, axis=0))


def test_unlike_models_vote_by_fractions():
    model = VotingClassifier([("a", DecisionTreeClassifier(random_state=0)), ("b", LogisticRegression())]).fit(X, y)
    tree, line = (native_importance(m, 6) for m in model.estimators_)
    assert np.allclose(native_importance(model, 6), (tree / tree.sum() + line / line.sum()) / 2)


def test_bagging_of_some_columns_knows_them():
    model = BaggingClassifier(LogisticRegression(), 4, max_features=0.5, random_state=0).fit(X, y)
    expected = np.zeros(6)
    for inner, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        expected[columns] += np.abs(inner.coef_).sum(axis=0) / 4
    assert np.allclose(native_importance(model, 6), expected)


def test_columns_that_a_step_left_have_none():
    model = make_pipeline(SelectKBest(f_classif, k=2), LogisticRegression()).fit(X, y)
    found = native_importance(model, 6)
    assert np.array_equal(found > 0, model[0].get_support())
    assert np.allclose(found[found > 0], np.abs(model[1].coef_).sum(axis=0))


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (SVC(), "SVC has neither feature_importances_ nor coef_"),
        (HistGradientBoostingClassifier(max_iter=2), "importance='permutation'"),
        (make_pipeline(PolynomialFeatures(), Ridge()), "pipeline with the step PolynomialFeatures"),
    ],
)
def test_models_without_importances_are_refused(model, says):
    with pytest.raises(RequirementError, match=says):
        native_importance(model.fit(X, y), 6)


def _ordered(*parts, **more):
    return ColumnTransformer(list(parts), **more)


@pytest.mark.parametrize(
    "step",
    [
        _ordered(("s", StandardScaler(), [4]), remainder="passthrough"),
        _ordered(("s", StandardScaler(), [4, 1]), ("m", MinMaxScaler(), slice(2, 4)), remainder=StandardScaler()),
        _ordered(("p", make_pipeline(StandardScaler(), SelectKBest(k=1)), [3, 2]), ("q", "passthrough", [0])),
        _ordered(("n", "drop", [0]), ("m", "passthrough", np.arange(6) > 3)),
        _ordered(("s", SimpleImputer(), lambda X: [5, 0]), ("f", FunctionTransformer(), [2])),
        make_pipeline(_ordered(("s", StandardScaler(), [4]), remainder="passthrough"), SelectKBest(k=3)),
    ],
)
def test_importances_go_to_the_columns_that_steps_move(step):
    model = make_pipeline(step, LogisticRegression()).fit(X, y)
    made = clone(step).fit(X, y).transform(X)
    # Where a column comes from is seen by its rank order.
    ranks, before = (np.argsort(np.argsort(values, axis=0), axis=0) for values in (made, X))
    sources = [next(j for j in range(6) if np.array_equal(before[:, j], column)) for column in ranks.T]
    expected = np.zeros(6)
    expected[sources] = np.abs(model[-1].coef_).sum(axis=0)
    assert np.allclose(native_importance(model, 6), expected)


def test_names_of_columns_lead_back():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcdef"))
    step = _ordered(("s", StandardScaler(), ["c", "b"]), ("t", "passthrough", ["a"]))
    model = make_pipeline(step, Ridge()).fit(frame, y)
    assert np.allclose(native_importance(model, 6), [*np.abs(model[-1].coef_)[[2, 1, 0]], 0, 0, 0])


@pytest.mark.parametrize(
    "step",
    [PCA(), _ordered(("p", PCA(2), [0, 1]), remainder="passthrough"), FunctionTransformer(np.abs), KMeans(6, n_init=1)],
)
def test_steps_that_make_other_columns_are_refused(step):
    with pytest.raises(RequirementError, match=r"with the step (PCA|FunctionTransformer|KMeans) were .*permutation"):
        native_importance(make_pipeline(step, Ridge()).fit(X, y), 6)
