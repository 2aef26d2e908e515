"""Bad input gets one sentence; odd but good input is read as it is meant."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import fewer
from fewer.core.records.errors import FewerError, InputError


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 30)
    data = pd.DataFrame({"good": rng.normal(size=60) + y, "noise": rng.normal(size=60), "text": np.where(y, "a", "b")})
    data.loc[::9, "text"] = None
    data["constant"], data["copy"] = 1.0, data["good"]
    data["empty"] = np.nan
    return data, pd.Series(y, name="class")


def test_mixed_frames_are_ranked(frame):
    X, y = frame
    got = fewer.SymmetricalUncertainty(None).fit(X, y).selection_
    assert got.kept_names[0] == "text"
    assert got.kept_names.index("good") < got.kept_names.index("copy") < got.kept_names.index("constant")
    assert got.scores[X.columns.get_loc("empty")] == 0
    polars = fewer.SymmetricalUncertainty(None).fit(pl.from_pandas(X), y.to_numpy()).selection_
    np.testing.assert_allclose(polars.scores, got.scores)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda X, y: (X.drop(columns=["text", "empty"]).to_numpy()[:0], y[:0]), "0 sample"),
        (lambda X, y: (X[["good"]].assign(class_=1).rename(columns={"class_": "class"}), y), "also as a column of X"),
        (lambda X, y: (X, y[:10]), "60 rows and y with 10|inconsistent"),
        (lambda X, y: (X, np.zeros(60)), "one class"),
        (lambda X, y: (X, np.linspace(0, 1, 60)), "Unknown label type"),
        (lambda X, y: (X, y.astype(float).where(y.index > 3)), "NaN"),
        (lambda X, y: (X, [None, *["a"] * 59]), "missing values"),
        (lambda X, y: (pd.concat([X, X[["good"]]], axis=1), y), "more than one column named good"),
        (lambda X, y: (X.assign(mixed=[1, "a"] * 30), y), "'mixed' mixes numbers and text"),
        (lambda X, y: (X.assign(big=[np.inf] * 60), y), "infinity"),
        (lambda X, y: (X["good"], y), "2-dimensional"),
        (lambda X, y: (X, None), "y"),
        (lambda X, y: (np.zeros((60, 0)), y), "0 feature"),
    ],
)
def test_bad_input_is_refused_in_words(frame, spoil, message):
    X, y = spoil(*frame)
    with pytest.raises((ValueError, TypeError), match=message):
        fewer.InformationGain().fit(X, y)


def test_codes_are_checked_when_nothing_discretises(frame):
    X, y = frame
    codes = np.random.default_rng(0).integers(0, 300, (60, 4))
    for dtype in (np.uint8, np.uint16, np.int64, np.float64, np.float32):
        values = codes.astype(dtype) if dtype is not np.uint8 else (codes % 200).astype(np.uint8)
        got = fewer.InformationGain(discretizer=None).fit(values, y)
        expected = fewer.InformationGain(discretizer=None).fit(values.astype(int), y)
        np.testing.assert_array_equal(got.scores_, expected.scores_)
    for bad in (-1, 0.5, np.nan, 70_000):
        spoilt = codes.astype(float)
        spoilt[3, 2] = bad
        with pytest.raises(InputError, match="column 2 holds .*discretizer"):
            fewer.InformationGain(discretizer=None).fit(spoilt, y)
    sparse = scipy.sparse.csr_array(codes % 3)
    np.testing.assert_allclose(
        fewer.Chi2(discretizer=None).fit(sparse, y).scores_, fewer.Chi2(discretizer=None).fit(codes % 3, y).scores_
    )


@pytest.mark.parametrize("discretizer", ["quantile", "uniform", "mdl", "sigma", "mixture"])
def test_every_discretizer_gives_codes(frame, discretizer):
    X, y = frame
    got = fewer.InformationGain(2, discretizer=discretizer, bins=4).fit(X, y)
    assert "text" in got.selection_.kept_names
    from sklearn.preprocessing import KBinsDiscretizer

    foreign = KBinsDiscretizer(4, encode="ordinal", strategy="uniform", subsample=None)
    numbers = X[["good", "noise"]]
    a = fewer.InformationGain(2, discretizer=foreign).fit(numbers, y).scores_
    b = fewer.InformationGain(2, discretizer="uniform", bins=4).fit(numbers, y).scores_
    np.testing.assert_allclose(a, b, atol=0.05)


def test_a_transformer_cuts_numeric_columns_only():
    from sklearn.preprocessing import KBinsDiscretizer

    rng = np.random.default_rng(0)
    y, foreign = rng.integers(0, 2, 300), KBinsDiscretizer(5, encode="ordinal", strategy="uniform", subsample=None)
    levels = rng.choice([f"l{i}" for i in range(30)], 300)
    X = pd.DataFrame({"num": rng.normal(size=300), "cat": levels, "other": rng.normal(size=300)})
    holed = X.assign(cat=X["cat"].where(levels != "l7"))
    for name in ("InformationGain", "Chi2"):
        method = getattr(fewer, name)
        for data in (X, holed, X[["cat"]], holed[["cat"]]):
            # The levels of text do not depend on how numbers are cut; a missing text is one of its own.
            column, by_name = data.columns.get_loc("cat"), method().fit(data, y).scores_
            assert method(discretizer=foreign).fit(data, y).scores_[column] == by_name[column]
        numbers = method(discretizer=foreign).fit(X[["num", "other"]], y).scores_
        np.testing.assert_array_equal(method(discretizer=foreign).fit(holed, y).scores_[[0, 2]], numbers)


def test_categorical_features_by_name_number_and_mask(frame):
    _, y = frame
    X = np.column_stack([np.tile([3.0, 1.0, 2.0], 20), np.arange(60.0)])
    expected = fewer.GiniGain(categorical_features=[0]).fit(X, y).scores_
    np.testing.assert_array_equal(fewer.GiniGain(categorical_features=[True, False]).fit(X, y).scores_, expected)
    named = pd.DataFrame(X, columns=["color", "x"])
    np.testing.assert_array_equal(fewer.GiniGain(categorical_features=["color"]).fit(named, y).scores_, expected)
    for bad, message in ((["colour"], "Did you mean color"), ([7], "2 columns"), ([True], "length 1")):
        with pytest.raises(InputError, match=message):
            fewer.GiniGain(categorical_features=bad).fit(named, y)


def test_text_targets_are_classes_or_two_numbers(frame):
    X, y = frame
    words = np.where(y, "yes", "no")
    np.testing.assert_array_equal(
        fewer.Chi2().fit(X, words).scores_,
        fewer.Chi2().fit(X, y).scores_,
    )
    numbers = X[["good", "noise"]]
    np.testing.assert_allclose(fewer.Pearson().fit(numbers, words).scores_, fewer.Pearson().fit(numbers, y).scores_)
    with pytest.raises(InputError, match="3 text labels"):
        fewer.Pearson().fit(numbers, np.tile(["a", "b", "c"], 20))


def test_select_by_column_name_path_and_default(frame, tmp_path):
    X, y = frame
    whole = X.assign(target=np.where(y, "yes", "no"))
    assert fewer.select(whole, "target").meta["method"] == "DefaultRecipe"
    assert fewer.rank(whole, "target").meta["method"] == "SymmetricalUncertainty"
    by_name = fewer.select(whole, "target", "SymmetricalUncertainty", n_features_to_select=2)
    path = tmp_path / "data.csv"
    whole.to_csv(path, index=False)
    assert fewer.select(path, "target").kept_names == fewer.select(whole, "target").kept_names
    assert fewer.select(path, "target").meta["method"] == "DefaultRecipe"
    by_path = fewer.select(path, "target", "SymmetricalUncertainty", n_features_to_select=2)
    assert by_path.kept_names == by_name.kept_names
    np.testing.assert_allclose(by_path.scores, by_name.scores)
    ranked = fewer.rank(whole, "target", "GiniGain")
    assert len(ranked) == X.shape[1]
    for call, message in (
        (lambda: fewer.select(whole, "targt"), "Did you mean target"),
        (lambda: fewer.select(X.to_numpy(), "target"), "no column names"),
        (lambda: fewer.select(X, y, "GiniGan"), "Did you mean GiniGain"),
        (lambda: fewer.select(X, y, "GiniGain", binz=3), "Did you mean bins"),
        (lambda: fewer.select(path, y), "name the target column"),
    ):
        with pytest.raises(FewerError, match=message):
            call()


def test_weights_must_be_usable(frame):
    X, y = frame
    for bad, message in (
        (np.zeros(60), "above zero in 0 of 60 rows, .* but at least 2 must count; give weights above zero"),
        (np.eye(60)[3], "above zero in 1 of 60 rows"),
        (np.where(np.arange(60) == 7, -0.5, 1.0), "-0.5 in row 7, but a weight is a finite number of at least 0"),
        (np.where(np.arange(60) == 7, np.nan, 1.0), "nan in row 7"),
        (np.where(np.arange(60) == 7, np.inf, 1.0), "inf in row 7"),
        (np.ones(59), r"shape \(59,\), but X has 60 rows"),
        (np.ones((60, 1)), r"shape \(60, 1\), but X has 60 rows"),
        (["heavy"] * 60, "holds no numbers"),
    ):
        with pytest.raises(InputError, match=f"Chi2 got sample_weight.*{message}"):
            fewer.Chi2().fit(X, y, sample_weight=bad)


@pytest.mark.parametrize("make", [lambda X: X, pl.from_pandas])
def test_rows_of_weight_zero_leave_every_kind_of_frame(frame, make):
    """Their levels, classes, missing values and targets are never seen."""
    X, y = frame
    odd = X.iloc[:3].assign(text=["other", None, "more"], noise=[1e9, np.nan, np.inf])
    more, labels = pd.concat([odd, X], ignore_index=True), [7, None, 8, *y.tolist()]
    weight = np.r_[np.zeros(3), np.ones(60)]
    got = fewer.InformationGain().fit(make(more), labels, sample_weight=weight)
    expected = fewer.InformationGain().fit(make(X), y, sample_weight=np.ones(60))
    np.testing.assert_array_equal(got.scores_, expected.scores_)
    assert list(got.selection_.meta["data"]["classes"]) == ["0", "1"]
    with pytest.raises(InputError, match="63 rows and y with 60 values"):
        fewer.InformationGain().fit(make(more), y, sample_weight=weight)


def test_dates_and_dictionaries_are_refused(frame):
    X, y = frame
    for bad, message in (
        (X.assign(day=pd.date_range("2020-01-01", periods=60)), "'day' holds dates"),
        ({"a": [1, 2]}, "dictionary"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            fewer.InformationGain().fit(bad, y)
    with pytest.raises(TypeError, match="mixes numbers and text"):
        fewer.InformationGain().fit(X, np.array(["a", 1] * 30, dtype=object))


def test_identifiers_are_warned_of(frame):
    X, y = frame
    with pytest.warns(UserWarning, match="'id' is text with 60 different values"):
        fewer.InformationGain().fit(X.assign(id=[f"row {i}" for i in range(60)]), y)


def test_whole_numbers_as_names_are_kept(frame):
    X, y = frame
    numbers = X[["good", "noise"]].set_axis([10, 20], axis=1)
    assert fewer.FTest().fit(numbers, y).selection_.kept_names == ["10", "20"]


def test_methods_may_be_given_as_names_classes_or_objects(frame):
    X, y = frame
    for method in ("Chi2", fewer.Chi2, fewer.Chi2(2)):
        assert fewer.select(X, y, method, n_features_to_select=2).meta["method"] == "Chi2"
    with pytest.raises(FewerError, match="name, a selector or its class"):
        fewer.select(X, y, 3)
    with pytest.raises(FewerError, match="no method named"):
        fewer.get(3)
    with pytest.raises(AttributeError, match="Did you mean InformationGain"):
        fewer.InformtionGain
