"""One rule says what a target is, on every way in."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fewer
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import InputError, ParameterError, TargetWarning

MIXED = ["MRMR", "GaussianMRMR", "SPERanker", "DefaultRecipe", "OrderedFS", "SequentialSelector"]


def rows(n_labels, n=240):
    rng = np.random.default_rng(0)
    y = np.arange(n) % n_labels
    return rng.normal(size=(n, 4)) + np.column_stack([y % 3, y % 2, y * 0, y * 0]), y


def read_as(fitted):
    facts = fitted.selection_.meta["data"]
    assert facts["target_read_as"] == ("classes" if "classes" in facts else "numbers")
    return facts["target_read_as"]


def silently(fit, *args, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("error", TargetWarning)
        return fit(*args, **more)


@pytest.mark.parametrize("name", MIXED)
def test_more_than_twenty_whole_numbers_are_read_as_numbers_and_that_is_said(name):
    X, y = rows(24)
    for target in (y, y.astype(float), pd.Series(y)):
        with pytest.warns(TargetWarning, match=f"{name} reads the target as numbers, because it holds 24 different"):
            found = fewer.get(name)().fit(X, target)
        assert read_as(found) == "numbers"
        assert "24 different whole numbers" in found.selection_.meta["data"]["target_read_because"]
    X, y = rows(20)
    assert read_as(silently(fewer.get(name)().fit, X, y)) == "classes"
    fractions = silently(fewer.get(name)().fit, X, y + 0.5)
    assert "target_read_because" not in fractions.selection_.meta["data"]


@pytest.mark.parametrize("name", MIXED)
def test_names_are_classes_however_many(name):
    X, y = rows(24)
    scores = []
    # Text with leading zeros has the order of the numbers.
    text = np.char.zfill(y.astype(str), 2)
    for target in (text, pd.Series(y, dtype="category"), pl.Series(text).cast(pl.Categorical)):
        found = silently(fewer.get(name)().fit, X, target)
        assert read_as(found) == "classes"
        assert len(found.selection_.meta["data"]["classes"]) == 24
        scores.append(found.scores_)
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


@pytest.mark.parametrize("name", MIXED)
def test_the_user_says_what_the_target_is_for(name):
    X, y = rows(24)
    classes = silently(fewer.select, X, y, name, task="classification")
    assert len(classes.meta["data"]["classes"]) == 24
    text = fewer.select(X, np.char.zfill(y.astype(str), 2), name)
    np.testing.assert_array_equal(classes.scores, text.scores)
    numbers = silently(fewer.select, X, y, name, task="regression")
    assert numbers.meta["data"]["target"]["max"] == 23.0
    few = silently(fewer.select, *rows(4), name, task="regression")
    assert few.meta["data"]["target"]["max"] == 3.0


def test_methods_for_classes_alone_take_any_whole_numbers_for_classes():
    X, y = rows(24)
    assert len(silently(fewer.InformationGain(2).fit, X, y).selection_.meta["data"]["classes"]) == 24


def test_defaults_of_select_and_rank_follow_the_same_rule(tmp_path):
    X, y = rows(24)
    path = tmp_path / "numbers.csv"
    pd.DataFrame(X, columns=list("abcd")).assign(y=y).to_csv(path, index=False)
    for args in ((X, y), (path, "y"), (ArrayTable(X, y),)):
        with pytest.warns(TargetWarning, match="24 different whole numbers"):
            assert fewer.rank(*args).meta["method"] == "VarianceReduction"
    assert silently(fewer.rank, X, y, task="classification").meta["method"] == "SymmetricalUncertainty"
    assert silently(fewer.rank, path, "y", task="classification").meta["method"] == "SymmetricalUncertainty"
    assert silently(fewer.rank, *rows(20)).meta["method"] == "SymmetricalUncertainty"
    with pytest.warns(TargetWarning, match="DefaultRecipe reads the target as numbers"):
        assert fewer.select(X, y).meta["data"]["target_read_as"] == "numbers"


def test_tables_and_dask_say_it_too():
    import dask.array as da

    X, y = rows(24)
    for streamed in (ArrayTable(X, y, batch_rows=50), ArrayTable(X, y).load()):
        with pytest.warns(TargetWarning, match="GaussianMRMR reads the target as numbers"):
            found = fewer.GaussianMRMR(2).fit(streamed)
        assert "24 different" in found.selection_.meta["data"]["target_read_because"]
    declared = silently(fewer.GaussianMRMR(2).fit, ArrayTable(X, y, task="classification"))
    assert declared.selection_.meta["data"]["target_read_as"] == "classes"
    with pytest.warns(TargetWarning, match="GaussianMRMR reads the target as numbers"):
        found = fewer.GaussianMRMR(2).fit(da.from_array(X, chunks=(60, 4)), da.from_array(y, chunks=60))
    assert found.selection_.meta["data"]["target_read_as"] == "numbers"


def test_comparisons_read_all_rows_and_some_alike():
    X, y = rows(24, n=480)
    more = {"methods": ["MRMR", "InformationGain"], "estimators": ["neighbours"], "sizes": [1], "cv": 2}
    found = silently(fewer.compare, X, y, task="classification", **more)
    assert set(found.methods) == {"MRMR", "InformationGain"}
    assert len(found.selections["MRMR"].meta["data"]["classes"]) == 24


def test_contradictions_are_refused():
    X, y = rows(4)
    with pytest.raises(ParameterError, match="InformationGain is for classification, but task='regression'"):
        fewer.select(X, y, "InformationGain", task="regression")
    with pytest.raises(ParameterError, match="allowed are 'classification' and 'regression'"):
        fewer.rank(X, y, task="classes")
    with pytest.raises(ParameterError, match="pass task to open_table"):
        fewer.rank(ArrayTable(X, y), task="regression")


def test_categoricals_of_numbers_are_classes_whatever_they_are(tmp_path):
    """Of a Feather file more than 20 of them were numbers; fractions were refused."""
    X, y = rows(24)
    for values in (y, y / 8):
        frame = pd.DataFrame(X, columns=list("abcd")).assign(y=pd.Categorical(values))
        frame.to_feather(tmp_path / "rows.feather")
        table = fewer.open_table(tmp_path / "rows.feather", target="y")
        assert table.classes.tolist() == np.unique(values).tolist()
        read = [silently(fewer.MRMR(2).fit, table.load()), silently(fewer.MRMR(2).fit, X, frame["y"])]
        assert [read_as(one) for one in read] == ["classes", "classes"]
        np.testing.assert_array_equal(read[0].scores_, read[1].scores_)
        # Methods for numbers take the numbers.
        np.testing.assert_allclose(fewer.Pearson().fit(table).scores_, fewer.Pearson().fit(X, values).scores_)


@pytest.mark.parametrize("name", ["InformationGain", "MRMR", "Pearson"])
def test_numbers_and_booleans_as_objects_are_what_they_are(name):
    X, y = rows(3)
    for target in (y, y == 1, y.astype(float)):
        expected = fewer.get(name)().fit(X, target).scores_
        for given in (target.astype(object), pd.Series(target.astype(object)), target.tolist()):
            np.testing.assert_array_equal(fewer.get(name)().fit(X, given).scores_, expected)


def test_text_is_no_numeric_target_on_any_way_in(tmp_path):
    X, y = rows(2)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame.assign(y=np.where(y, "p", "q")).to_csv(tmp_path / "two.csv", index=False)
    frame.assign(y="p").to_csv(tmp_path / "one.csv", index=False)
    for data in ((X, np.where(y, "p", "q")), (str(tmp_path / "two.csv"), "y")):
        with pytest.raises(InputError, match="text, but regression needs numbers"):
            fewer.select(*data, "Pearson", task="regression")
    for data in ((X, ["p"] * len(X)), (fewer.open_table(tmp_path / "one.csv", target="y"),)):
        with pytest.raises(InputError, match="two classes, but .* holds 1 text label;"):
            fewer.Pearson().fit(*data)


@pytest.mark.parametrize("held", [False, True])
def test_a_method_for_classes_alone_takes_any_whole_numbers_from_files_too(tmp_path, held):
    rng = np.random.default_rng(0)
    y = np.arange(240) % 24
    X = rng.normal(size=(240, 3)) + np.column_stack([y, np.zeros((240, 2))])
    path = tmp_path / "labels.csv"
    np.savetxt(path, np.column_stack([X, y]), delimiter=",", header="a,b,c,y", comments="", fmt="%.17g")
    own = fewer.InformationGain(1).fit(X, y).selection_
    table = fewer.open_table(path, target="y")
    table = table.load() if held else table
    for found in (fewer.InformationGain(1).fit(table).selection_, fewer.select(path, "y", fewer.InformationGain(1))):
        assert found.indices.tolist() == own.indices.tolist() == [0]
        np.testing.assert_array_equal(found.scores, own.scores)
    said = fewer.open_table(path, target="y", task="regression")
    with pytest.raises(InputError, match="needs classes"):
        fewer.InformationGain(1).fit(said)
