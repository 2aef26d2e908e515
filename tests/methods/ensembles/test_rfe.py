"""Recursive elimination: step by step as scikit-learn's, sizes by cross-validation, blocks, ties, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestClassifier
from sklearn.feature_selection import RFE as TheirRFE
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, PredefinedSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import ExtraTreeRegressor

import fewer
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from oracles.importance import eliminated


def problem(seed):
    """A random problem with a model that reports importances without ties."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(40, 90)), int(rng.integers(4, 16))
    kept, step = int(rng.integers(1, d)), [1, 2, 3, 0.2, 0.5][seed % 5]
    if seed % 2:
        X, y = make_regression(n, d, n_informative=max(1, d // 2), noise=5.0, random_state=seed)
        return X, y, [Ridge(), LinearRegression(), make_pipeline(StandardScaler(), Ridge())][seed % 3], kept, step
    X, y = make_classification(n, d, n_informative=2, n_redundant=0, n_repeated=0, random_state=seed)
    models = [LogisticRegression(), SVC(kernel="linear"), RandomForestClassifier(12, max_features=1, random_state=1)]
    return X, y, models[seed % 3], kept, step


@pytest.mark.parametrize("seed", range(50))
def test_blocks_are_those_of_scikit_learn(seed):
    X, y, model, kept, step = problem(seed)
    getter = "named_steps.ridge.coef_" if hasattr(model, "steps") else "auto"
    theirs = TheirRFE(model, n_features_to_select=kept, step=step, importance_getter=getter).fit(X, y)
    ours = fewer.RFE(model, kept, step=step).fit(X, y)
    # Of equal importances any may leave there.
    assert len(np.unique(ours.scores_)) == X.shape[1]
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    rounds = ours.selection_.columns["round"]
    ranking = np.where(rounds == 0, 1, rounds.max() + 2 - rounds)
    np.testing.assert_array_equal(ranking, theirs.ranking_)


@pytest.mark.parametrize("step", [1, 3, 0.4])
def test_scores_by_size_are_those_of_scikit_learn(step):
    X, y = make_classification(120, 9, n_informative=3, n_classes=2, flip_y=0.1, random_state=4)
    cv = StratifiedKFold(4)
    theirs = RFECV(LogisticRegression(), step=step, cv=cv, scoring="accuracy").fit(X, y)
    ours = fewer.RFE(LogisticRegression(), "best", step=step, cv=cv, scoring="accuracy").fit(X, y).selection_
    curve = ours.tables["curve"].columns
    assert curve["features"] == theirs.cv_results_["n_features"].tolist()
    np.testing.assert_allclose(curve["mean score"], theirs.cv_results_["mean_test_score"], rtol=1e-12)
    np.testing.assert_array_equal(ours.support, theirs.support_)


def test_parsimonious_is_the_smallest_within_one_standard_error():
    X, y = make_regression(80, 8, n_informative=3, noise=40.0, random_state=1)
    made = fewer.RFE(Ridge(), "parsimonious", step=1, cv=KFold(5)).fit(X, y).selection_
    curve = {name: np.array(values) for name, values in made.tables["curve"].columns.items()}
    best = int(np.argmax(curve["mean score"]))
    line = curve["mean score"][best] - curve["standard error"][best]
    assert len(made) == curve["features"][curve["mean score"] >= line].min() < curve["features"][best] + 1
    assert "within one standard error" in made.reasons.rule
    few = fewer.RFE(Ridge(), "2-4", step=1, cv=KFold(5)).fit(X, y).selection_
    assert few.tables["curve"].columns["features"] == [2, 3, 4]
    assert 2 <= len(few) <= 4


@pytest.mark.parametrize("block", [1, 2, 5])
def test_measured_importances_are_eliminated_as_a_plain_loop_does(block):
    X, y = make_regression(60, 7, n_informative=4, noise=10.0, random_state=2)

    def weights(left):
        return Ridge().fit(X[:, left], y).coef_ ** 2

    left, blocks = eliminated(weights, 7, 2, block)
    made = fewer.RFE(Ridge(), 2, step=block).fit(X, y).selection_
    assert sorted(made.indices.tolist()) == left
    assert [list(step.removed) for step in made.trace if step.removed] == blocks
    for j in (j for gone in blocks for j in gone):
        assert "left in round" in str(made.reason(j))


def test_of_equal_importances_the_lower_number_stays():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 60))
    X = np.column_stack([a, b, a, b])
    made = fewer.RFE(Ridge(), 2, step=1).fit(X, 3 * a + 2 * b).selection_
    assert sorted(made.indices.tolist()) == [0, 1]
    assert [step.removed for step in made.trace] == [(), (3,), (2,)]


def test_all_features_are_ordered_and_kept():
    X, y = make_regression(60, 5, n_informative=5, random_state=0)
    made = fewer.RFE(Ridge(), None, step=1).fit(X, y).selection_
    assert made.indices.tolist() == made.order.tolist()
    assert sorted(made.columns["round"].tolist()) == [0, 1, 2, 3, 4]


def test_any_model_by_permutation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5))
    y = (X[:, 1] + X[:, 3] > 0).astype(int)
    made = fewer.RFE(GaussianNB(), 2, step=1, importance="permutation").fit(X, y).selection_
    assert sorted(made.indices.tolist()) == [1, 3]
    sized = fewer.RFE(GaussianNB(), "parsimonious", step=1, importance="permutation", cv=3).fit(X, y).selection_
    assert sorted(sized.indices.tolist()) == [1, 3]


def test_nominal_columns_and_missing_values_of_boosting():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    X[:, 2] = rng.integers(0, 6, 200)
    y = np.isin(X[:, 2], [0, 3, 4]).astype(int)
    X[rng.random((200, 4)) < 0.05] = np.nan
    model = HistGradientBoostingClassifier(max_iter=10, min_samples_leaf=5)
    made = fewer.RFE(model, 1, importance="permutation", categorical_features=[2], cv=3, n_repeats=2).fit(X, y)
    assert made.selection_.indices.tolist() == [2]


def test_threads_and_checkpoint_change_nothing(tmp_path):
    X, y = make_classification(80, 6, random_state=0)
    plain = fewer.RFE(ExtraTreeRegressor(), "best", cv=3).fit(X, y + 0.5).selection_
    for more in ({"n_jobs": 2}, {"checkpoint": tmp_path / "fits"}, {"checkpoint": tmp_path / "fits"}):
        again = fewer.RFE(ExtraTreeRegressor(), "best", cv=3, **more).fit(X, y + 0.5).selection_
        assert again.order.tolist() == plain.order.tolist()
        assert again.tables["curve"].columns == plain.tables["curve"].columns
    lines = (tmp_path / "fits").read_text().splitlines()
    assert sum('"fit"' in line for line in lines) == 3


def test_groups_of_rows_stay_together():
    X, y = make_classification(60, 5, random_state=0)
    made = fewer.RFE(LogisticRegression(), "best", cv=3).fit(X, y, groups=np.arange(60) // 6).selection_
    assert 1 <= len(made) <= 5


@pytest.mark.parametrize("as_list", [True, False])
def test_given_splits_choose_the_size_of_measured_importances(as_list):
    X, y = make_classification(90, 5, n_informative=2, n_redundant=0, random_state=0)
    given = PredefinedSplit(np.arange(90) % 3)
    cv = list(given.split()) if as_list else given
    made = fewer.RFE(LogisticRegression(), "best", importance="permutation", cv=cv, n_repeats=2).fit(X, y).selection_
    assert 1 <= len(made) <= 5


def test_leaving_features_out_goes_down_to_one():
    X, y = make_regression(60, 4, n_informative=1, random_state=0)
    made = fewer.RFE(Ridge(), 1, importance="drop", cv=3).fit(X, y).selection_
    assert made.indices.tolist() == [int(np.argmax(np.abs(Ridge().fit(X, y).coef_)))]
    assert np.isfinite(made.scores).all()
    assert len(fewer.RFE(Ridge(), "best", importance="drop", cv=3).fit(X, y).selection_) >= 1


@pytest.mark.parametrize(
    ("params", "error", "says"),
    [
        ({"estimator": GaussianNB()}, RequirementError, "neither feature_importances_ nor coef_"),
        ({"estimator": Ridge}, ParameterError, "takes an estimator with fit"),
        ({"estimator": Ridge(), "n_features_to_select": "gain:0.1"}, RequirementError, "RFE"),
        ({"estimator": Ridge(), "n_features_to_select": "fdr:0.1"}, RequirementError, "RFE"),
        ({"estimator": Ridge(alpha=-1.0)}, InputError, "Ridge could not be fitted on 40 rows and 12 features"),
        (
            {"estimator": HistGradientBoostingRegressor(categorical_features=[1]), "importance": "drop"},
            RequirementError,
            r"categorical_features=\[1\], which counts them .* 'from_dtype'",
        ),
        ({"estimator": ExtraTreeRegressor(monotonic_cst=[1] * 12)}, RequirementError, "monotonic_cst"),
        (
            {"estimator": make_pipeline(ColumnTransformer([("s", StandardScaler(), [1])]), Ridge())},
            RequirementError,
            r"ColumnTransformer got columns=\[1\]",
        ),
        ({"estimator": Ridge(), "step": 0}, ValueError, "step"),
        ({"estimator": Ridge(), "importance": "permute"}, ParameterError, "Did you mean permutation"),
    ],
)
def test_refusals(params, error, says):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 12)), np.tile([0, 1], 20) + 0.5
    if isinstance(params["estimator"], GaussianNB):
        y = np.tile([0, 1], 20)
    with pytest.raises(error, match=says):
        fewer.RFE(**params).fit(X, y)
