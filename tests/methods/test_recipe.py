"""The default recipe: what it drops, what it orders by, and how many it keeps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import GroupKFold
from sklearn.neighbors import KNeighborsClassifier

import fewer
from fewer.core.records.errors import InputError, NothingFoundWarning, ParameterError
from fewer.methods.recipe import DefaultRecipe


@pytest.fixture(scope="module")
def planted():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = rng.normal(size=(300, 12))
    X[:, 4] += 2.0 * y
    X[:, 7] += 2.0 * (y == 1)
    X[:, 2] = 5.0
    X[:, 9] = X[:, 4]
    X[:, 10] = X[:, 0]
    return X, y


def test_constant_and_duplicate_columns_have_their_reasons(planted):
    selection = DefaultRecipe().fit(*planted).selection_
    assert set(selection.indices.tolist()) == {4, 7}
    assert selection.reason(2).kind == "irrelevant"
    assert "one value" in str(selection.reason(2))
    assert selection.reason(9).kind == "redundant"
    assert selection.reason(9).related == ("x4",)
    # A copy of a feature that was dropped shares its reason.
    assert selection.reason(10).kind == selection.reason(0).kind != "kept"
    assert sum(selection.reason(j).kind == "kept" for j in range(12)) == 2


def test_a_copy_of_what_was_not_kept_is_told_by_name(planted):
    X, y = planted
    X = np.column_stack([X, X[:, 0]])
    dropped = DefaultRecipe(1).fit(X, y).selection_
    assert 0 not in dropped.indices
    assert str(dropped.reason(X.shape[1] - 1)).endswith("the same values as x0 in every row.")
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    assert "the same values as f0 in" in str(DefaultRecipe(1).fit(frame, y).selection_.reason(X.shape[1] - 1))


def test_an_estimator_of_ones_own_makes_it_ordered_fs_behind_the_dropped_columns(planted):
    X, y = planted
    left = [0, 1, 3, 4, 5, 6, 7, 8, 11]
    recipe = DefaultRecipe("best", cv=5).fit(X, y).selection_
    order = fewer.MRMR(9).fit(X[:, left], y).selection_.order
    assert recipe.indices.tolist() == [left[j] for j in order[: len(recipe)]]
    assert recipe.tables["curve"].columns["features"] == list(range(1, 10))


def test_it_says_metric_guess_and_fractions(planted):
    selection = DefaultRecipe().fit(*planted).selection_
    score = selection.meta["score"]
    assert score["metric"] == "accuracy"
    assert score["guess"] == pytest.approx(np.bincount(planted[1]).max() / 300)
    assert score["words"] == selection.reasons.rule
    assert f"with 2 features, a guess {score['guess']:.3f}" in score["words"]
    assert set(selection.columns) == {"pvalue", "fraction_of_folds"}
    assert (selection.columns["fraction_of_folds"][[4, 7]] == 1).all()
    assert selection.columns["pvalue"][4] < 1e-10 < 0.01 < selection.columns["pvalue"][8]
    assert selection.tables["curve"].columns["features"] == list(range(1, 10))
    assert str(selection.reason(8)).count("p-value") == 2
    uneven = DefaultRecipe().fit(planted[0], np.arange(300) % 8 == 0).selection_
    assert uneven.meta["score"]["metric"] == "balanced_accuracy"
    assert uneven.meta["score"]["guess"] == 0.5


def test_sizes_that_are_asked_for(planted):
    X, y = planted
    assert len(DefaultRecipe(5).fit(X, y).selection_) == 5
    assert len(DefaultRecipe("3-4").fit(X, y).selection_) in (3, 4)
    assert len(DefaultRecipe(None).fit(X, y).selection_) == 9
    X, y = load_breast_cancer(return_X_y=True)
    assert len(DefaultRecipe("parsimonious").fit(X, y).selection_) < len(DefaultRecipe().fit(X, y).selection_)
    wide = np.random.default_rng(0).normal(size=(60, 230))
    selection = DefaultRecipe(210).fit(wide, np.arange(60) % 2).selection_
    assert len(selection) == 210
    assert np.isnan(selection.meta["value"])


def test_twins_are_redundant_to_what_is_kept():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = rng.normal(size=(400, 6))
    X[:, 0] += 2 * y
    X[:, 3] += y
    X[:, 5] = X[:, 0] + 0.05 * rng.normal(size=400)
    selection = DefaultRecipe().fit(X, y).selection_
    twin = selection.reason(5 if 0 in selection.indices else 0)
    assert twin.kind == "redundant"
    assert twin.amount > 0.99
    assert "redundant" not in {selection.reason(j).kind for j in (1, 2, 3, 4)}
    assert {selection.reason(j).kind for j in (2, 4)} == {"irrelevant"}


def test_frames_with_text_and_missing_values(planted):
    X, y = planted
    frame = pd.DataFrame(X.copy(), columns=[f"f{j}" for j in range(12)])
    frame["f7"] = np.where(frame["f7"] > 1, "high", "low")
    frame.loc[::5, "f4"] = np.nan
    frame["f9"] = frame["f4"]
    selection = DefaultRecipe().fit(frame, np.array(["a", "b", "c"])[y]).selection_
    assert set(selection.kept_names) == {"f4", "f7"}
    assert selection.reason("f9").related == ("f4",)
    numbers = DefaultRecipe().fit(frame, y + 0.01 * np.arange(300)).selection_
    assert "f4" in numbers.kept_names


def test_numbers_as_target():
    X, y = load_diabetes(return_X_y=True)
    X = np.column_stack([X, X[:, 2]])
    selection = DefaultRecipe().fit(X, y).selection_
    assert {2, 8} <= set(selection.indices.tolist())
    assert selection.reason(10).related == ("x2",)


def test_numbers_as_target_of_levels():
    """The columns are standardised for the estimator; the order is still that of the levels."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (60, 5))
    y = rng.normal(size=60) + 2 * X[:, 1] + X[:, 3]
    selection = fewer.select(X, y, discretizer=None, n_features_to_select="best")
    assert set(selection.indices[:2].tolist()) == {1, 3}
    own = fewer.select(X, y, discretizer=None, cv=5)
    order = fewer.MRMR(5, discretizer=None).fit(X, y).selection_.order
    assert own.indices.tolist() == order[: len(own)].tolist()
    with pytest.raises(InputError, match="With discretizer=None every column must hold level numbers"):
        fewer.select(X + 0.5, y, discretizer=None)


def test_scale_of_a_numeric_target_and_columns_does_not_matter():
    X, y = load_diabetes(return_X_y=True)
    a = DefaultRecipe().fit(X, y).selection_
    for large, small in ((1e6, 1e3), (2.0**660, 1.0), (2.0**-660, 1.0)):
        b = DefaultRecipe().fit(X * large, y / small).selection_
        np.testing.assert_array_equal(a.indices, b.indices)
    for size in (1e200, 1e-200):
        with pytest.raises(InputError, match="The target varies .*flow"):
            DefaultRecipe().fit(X, y * size)


def test_own_estimator_splits_weights_and_groups(planted):
    X, y = planted
    groups = np.arange(300) // 10
    own = DefaultRecipe(estimator=KNeighborsClassifier(), cv=GroupKFold(4)).fit(X, y, groups=groups).selection_
    assert {4, 7} <= set(own.indices.tolist())
    weighted = DefaultRecipe().fit(X, y, sample_weight=np.where(y == 1, 0.01, 1.0)).selection_
    assert weighted.indices[0] == 4


def test_what_cannot_be_used_is_explained(planted):
    X, y = planted
    with pytest.raises(InputError, match="constant"):
        DefaultRecipe().fit(np.ones((30, 3)), np.arange(30) % 2)
    with pytest.raises(ParameterError, match="leak"):
        DefaultRecipe(discretizer="mdl").fit(X, y)
    with pytest.raises(ParameterError, match="looks at all sizes"):
        DefaultRecipe("gain:0.1").fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        DefaultRecipe(estimator=KNeighborsClassifier()).fit(np.where(X > 3, np.nan, X), y)


def test_threads_change_nothing(planted):
    a, b = (DefaultRecipe(n_jobs=n).fit(*planted).selection_ for n in (1, 2))
    np.testing.assert_array_equal(a.order, b.order)
    np.testing.assert_array_equal(a.scores, b.scores)


@pytest.mark.parametrize(
    "given",
    [{"cv": 4}, {"scoring": "f1_macro"}, {"estimator": KNeighborsClassifier()}],
    ids=["cv", "scoring", "estimator"],
)
def test_own_parts_are_held_against_a_guess(planted, given):
    X, y = planted
    score = DefaultRecipe(**given).fit(X, y).selection_.meta["score"]
    assert score["better_than_guess"]
    assert score["value"] > score["guess"]
    noise = np.random.default_rng(7).normal(size=(120, 4))
    labels = np.arange(120) % 2
    with pytest.raises(InputError, match="nothing is better than a guess .* a guess 0"):
        DefaultRecipe(if_nothing="error", **given).fit(noise, labels)
    with pytest.warns(NothingFoundWarning, match="keeps the one best feature"):
        assert len(DefaultRecipe(**given).fit(noise, labels).selection_) == 1
    none = DefaultRecipe(if_nothing="none", **given).fit(noise, labels).selection_
    assert len(none) == 0
    assert not none.meta["score"]["better_than_guess"]
    assert len(DefaultRecipe(2, **given).fit(noise, labels).selection_) == 2


def test_text_of_many_levels_shares_nothing_by_chance():
    rng = np.random.default_rng(0)
    y = (rng.random(1000) < 0.3).astype(int)
    text = np.array([f"t{i}" for i in rng.integers(0, 500, 1000)], dtype=object)
    frame = pd.DataFrame({"text": text, "weak": 0.4 * y + rng.normal(size=1000)})
    found = DefaultRecipe().fit(frame, y).selection_
    assert found.scores[0] < 0.8 * found.scores[1]
    assert found.order[0] == 1
