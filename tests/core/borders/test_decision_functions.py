"""Decision functions of fitted classifiers against scikit-learn's values and against differences of them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler, PolynomialFeatures, RobustScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC, NuSVC
from sklearn.tree import DecisionTreeClassifier

from fewer.core.borders.looked_at import check_smooth
from fewer.core.borders.smooth_classifiers import decision_of
from fewer.core.records.errors import InputTypeError, RequirementError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
ANALYTIC = {
    "linear": SVC(kernel="linear"),
    "poly": SVC(kernel="poly", degree=3, coef0=1.0),
    "rbf": SVC(),
    "sigmoid": SVC(kernel="sigmoid", gamma=0.05),
    "nu": NuSVC(nu=0.3),
    "linear svc": LinearSVC(),
    "logistic": LogisticRegression(),
    "ridge": RidgeClassifier(),
    "lda": LinearDiscriminantAnalysis(),
    "qda": QuadraticDiscriminantAnalysis(),
    "nb": GaussianNB(),
    "mlp": MLPClassifier((6,), activation="logistic", max_iter=60, random_state=0),
    "deep": MLPClassifier((6, 5), activation="tanh", max_iter=60, random_state=0),
    "relu": MLPClassifier((20, 10), max_iter=60, random_state=0),
    "scaled": make_pipeline(StandardScaler(), SVC()),
    "ranges": make_pipeline(MinMaxScaler(), RobustScaler(), LogisticRegression()),
    "rotated": make_pipeline(StandardScaler(), PCA(3, whiten=True), MLPClassifier((4,), max_iter=60, random_state=0)),
    "chosen": make_pipeline("passthrough", SelectKBest(k=3), GaussianNB()),
    "tuned": GridSearchCV(SVC(), {"C": [0.1, 1.0]}, cv=2),
    "pairs": OneVsOneClassifier(SVC(gamma=0.3)),
}
NUMERIC = {
    "process": GaussianProcessClassifier(),
    "terms": make_pipeline(PolynomialFeatures(2), LogisticRegression(max_iter=1000)),
    "calibrated": CalibratedClassifierCV(GaussianNB(), cv=2),
    "rest": OneVsRestClassifier(SVC(gamma=0.3)),
}


@pytest.fixture(params=[2, 4], ids=["two", "four"])
def problem(request, rng):
    y = rng.permutation(np.arange(120) % request.param)
    X = rng.normal(size=(120, 4)) * [1, 3, 0.5, 10] + np.array([0, 5, -1, 3]) + y[:, None] * [0.8, -1, 0.3, 0]
    return X, np.array(["d", "a", "c", "b"])[y]


def plain_scores(model, X, i, j):
    """What scikit-learn itself says of two classes, by its public methods only."""
    n = len(model.classes_)
    if hasattr(model, "best_estimator_"):
        model = model.best_estimator_
    last = model[-1] if hasattr(model, "steps") else model
    if isinstance(last, OneVsOneClassifier):
        place = [(a, b) for a in range(n) for b in range(a + 1, n)].index((i, j))
        return -model.estimators_[place].decision_function(X)
    if isinstance(last, (SVC, NuSVC)) and n > 2:
        last.decision_function_shape = "ovo"
        place = [(a, b) for a in range(n) for b in range(a + 1, n)].index((i, j))
        return model.decision_function(X)[:, place]
    if isinstance(last, (MLPClassifier, GaussianNB)) or not hasattr(model, "decision_function"):
        p = model.predict_proba(X)
        return np.log(p[:, i]) - np.log(p[:, j])
    h = model.decision_function(X)
    return -h if n == 2 else h[:, i] - h[:, j]


@pytest.mark.parametrize("name", [*ANALYTIC, *NUMERIC])
def test_values_and_gradients_are_those_of_the_classifier(name, problem, rng):
    X, y = problem
    model = {**ANALYTIC, **NUMERIC}[name].fit(X, y)
    decision = decision_of(model, X)
    points = X[:25] + 0.1 * rng.normal(size=(25, 4))
    last = len(decision.classes) - 1
    # Classes far apart in their order too: there the coefficients of pairs lie in different rows.
    for i, j in {(0, 1), (0, last), (last - 1, last)}:
        border, other = decision.pair(i, j), decision.pair(j, i)
        assert border.analytic == (name in ANALYTIC)
        expected = plain_scores(model, points, i, j)
        np.testing.assert_allclose(border.values(points), expected, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(other.values(points), -expected, rtol=1e-6, atol=1e-8)
        slow = np.empty(points.shape)
        for f in range(4):
            shift = np.eye(4)[f] * 1e-5
            slow[:, f] = (plain_scores(model, points + shift, i, j) - plain_scores(model, points - shift, i, j)) / 2e-5
        size = np.abs(slow).max()
        np.testing.assert_allclose(border.gradients(points), slow, rtol=1e-3, atol=1e-4 * size)
        np.testing.assert_allclose(other.gradients(points), -slow, rtol=1e-3, atol=1e-4 * size)
        normals, has = border.normals(points)
        assert has.mean() > 0.9
        np.testing.assert_allclose((normals**2).sum(axis=1), has)


@pytest.mark.parametrize("name", ["linear", "rbf", "poly", "qda", "mlp", "scaled"])
def test_differences_agree_with_formulas(name, problem):
    X, y = problem
    model = ANALYTIC[name].fit(X, y)
    exact, near = decision_of(model, X).pair(0, 1), decision_of(model, X, normals="differences").pair(0, 1)
    assert exact.analytic
    assert not near.analytic
    np.testing.assert_allclose(near.normals(X)[0], exact.normals(X)[0], atol=1e-5)


def test_numbers_far_from_the_origin_and_of_tiny_size(rng):
    X, y = rng.normal(size=(80, 3)), np.arange(80) % 2
    X[:, 0] += y
    for scale, shift in ((1.0, 1e9), (1e-100, 0.0), (1e100, 0.0)):
        model = make_pipeline(StandardScaler(), SVC()).fit(X * scale + shift, y)
        border = decision_of(model, X * scale + shift).pair(0, 1)
        plain = decision_of(make_pipeline(StandardScaler(), SVC()).fit(X, y), X).pair(0, 1)
        np.testing.assert_allclose(border.normals(X * scale + shift)[0], plain.normals(X)[0], atol=1e-4)


def test_one_class_against_the_nearest_other(problem):
    X, y = problem
    decision = decision_of(QuadraticDiscriminantAnalysis().fit(X, y), X)
    border = decision.against_rest(0)
    others = [decision.pair(0, c) for c in range(1, len(decision.classes))]
    values = np.array([[o.values(x[None])[0] for o in others] for x in X])
    np.testing.assert_allclose(border.values(X), values.min(axis=1))
    expected = [others[k].gradients(x[None])[0] for k, x in zip(values.argmin(axis=1), X)]
    np.testing.assert_allclose(border.gradients(X), expected)


def lonely(model):
    class Unknown:
        """A classifier whose type nobody knows."""

        classes_ = property(lambda self: model.classes_)
        predict_proba = staticmethod(model.predict_proba)

    return Unknown()


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(),
        RandomForestClassifier(5),
        KNeighborsClassifier(),
        KNeighborsClassifier(weights="distance"),
        AdaBoostClassifier(n_estimators=3),
        BaggingClassifier(n_estimators=3),
        make_pipeline(StandardScaler(), DecisionTreeClassifier()),
        make_pipeline(PolynomialFeatures(), RandomForestClassifier(5)),
        OneVsOneClassifier(DecisionTreeClassifier()),
    ],
)
def test_piecewise_constant_ones_are_refused_by_type(model, problem):
    X, y = problem
    with pytest.raises(RequirementError, match=r"DecisionBoundary needs .* smooth.* LogisticRegression"):
        decision_of(model.fit(X, y), X, "DecisionBoundary")


@pytest.mark.parametrize(
    "model",
    [
        lonely(RandomForestClassifier(7, random_state=0)),
        make_pipeline(KBinsDiscretizer(4), LogisticRegression()),
        VotingClassifier(
            [("tree", DecisionTreeClassifier(max_depth=3)), ("b", RandomForestClassifier(4))], voting="soft"
        ),
    ],
    ids=["unknown", "bins", "votes"],
)
def test_piecewise_constant_ones_are_refused_by_a_look(model, problem, rng):
    X, y = problem
    inner = RandomForestClassifier(7, random_state=0).fit(X, y)
    model = lonely(inner) if type(model).__name__ == "Unknown" else model.fit(X, y)
    with pytest.raises(RequirementError, match="constant piece by piece"):
        check_smooth(decision_of(model, X, "U"), X, model, "U")


@pytest.mark.parametrize("name", [*ANALYTIC, *NUMERIC])
def test_smooth_ones_pass_the_look(name, problem):
    X, y = problem
    model = {**ANALYTIC, **NUMERIC}[name].fit(X, y)
    check_smooth(decision_of(model, X, normals="differences"), X, model, "U")


def test_what_has_no_formula_or_no_score_is_refused(problem):
    X, y = problem
    with pytest.raises(RequirementError, match='normals="auto"'):
        decision_of(GaussianProcessClassifier().fit(X, y), X, "U", normals="analytic")

    class Bare:
        classes_ = np.array([0, 1])

    with pytest.raises(InputTypeError, match="neither decision_function nor predict_proba; pass"):
        decision_of(Bare(), X, "U")
    if len(set(y)) > 2:
        with pytest.raises(RequirementError, match="made of votes; pass one of the kernels"):
            decision_of(SVC(kernel=lambda a, b: a @ b.T).fit(X, y), X, "U")
