"""The boolean order of rows as a transformer: figure 1 of the text, ties, missing values, names and memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import fewer
from fewer.core.records.errors import InputError
from fewer.core.views.row_ranks import boolean_order
from fewer.methods.rank_order import boolean_order as module
from fewer.methods.rank_order.boolean_order import BooleanOrder

FIGURE_1 = np.array([[20, 40, 65, 33], [50, 25, 55, 99], [88, 76, 10, 60]])


@parametrize_with_checks([BooleanOrder(ties="half")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def by_loops(X, equal):
    out = []
    for row in X:
        pairs = [(a, b) for i, a in enumerate(row) for b in row[i + 1 :]]
        out.append([np.nan if np.isnan([a, b]).any() else 1 if a < b else 0 if a > b else equal for a, b in pairs])
    return np.array(out, dtype=float)


def test_figure_1():
    expected = [[1, 1, 1, 1, 0, 0], [0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1]]
    assert BooleanOrder().fit_transform(FIGURE_1).tolist() == expected
    ranks = [[1, 3, 4, 2], [2, 1, 3, 4], [4, 3, 1, 2]]
    assert BooleanOrder().fit_transform(ranks).tolist() == expected


@pytest.mark.parametrize(("ties", "equal"), [("state", 2.0), ("half", 0.5)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_equal_and_missing_values(rng, ties, equal, dtype):
    X = rng.integers(0, 4, (30, 7)).astype(dtype)
    X[rng.random(X.shape) < 0.2] = np.nan
    got = BooleanOrder(ties=ties).fit(X).transform(X)
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, by_loops(X, equal))
    states = boolean_order(X)
    np.testing.assert_array_equal(np.where(np.isnan(got), -1, np.where(got == equal, 2, got)), states)


def test_whole_numbers_beyond_those_of_floats_are_compared_exactly():
    X = np.array([[2**60, 2**60 + 1, 2**60]])
    assert BooleanOrder().fit_transform(X).tolist() == [[1.0, 2.0, 0.0]]


def test_a_change_of_scale_that_differs_from_row_to_row_changes_nothing(rng):
    X = rng.normal(size=(20, 5))
    changed = np.exp(X) * rng.uniform(1, 9, (20, 1)) + rng.normal(size=(20, 1))
    np.testing.assert_array_equal(BooleanOrder().fit_transform(X), BooleanOrder().fit_transform(changed))


def test_names_and_frames():
    frame = pd.DataFrame(FIGURE_1, columns=["f1", "f2", "f3", "f4"], index=[7, 8, 9])
    made = BooleanOrder().fit(frame)
    names = ["f1<f2", "f1<f3", "f1<f4", "f2<f3", "f2<f4", "f3<f4"]
    assert made.get_feature_names_out().tolist() == names
    for library in ("pandas", "polars"):
        out = made.set_output(transform=library).transform(frame)
        assert list(out.columns) == names
        np.testing.assert_array_equal(out.to_numpy(), boolean_order(FIGURE_1))
    assert BooleanOrder().fit(FIGURE_1).get_feature_names_out()[0] == "x0<x1"
    with pytest.raises(ValueError, match="input_features"):
        made.get_feature_names_out(["a", "b"])


LEVELS = ["low", "mid", "high"]


@pytest.mark.parametrize(
    "as_level",
    [
        lambda values: pd.Series(values, dtype=pd.CategoricalDtype(LEVELS, ordered=True)),
        lambda values: pl.Series(values, dtype=pl.Enum(LEVELS)),
    ],
)
def test_ordered_categoricals_compare_by_their_order(as_level):
    """As text "high" comes before "low", and None before nothing."""
    a, b = as_level(["low", "high", "mid", None]), as_level(["high", "low", "mid", "mid"])
    frame = (pl.DataFrame if isinstance(a, pl.Series) else pd.DataFrame)({"a": a, "b": b})
    made = BooleanOrder().fit(frame)
    np.testing.assert_array_equal(made.transform(frame), [[1.0], [0.0], [2.0], [np.nan]])
    assert made.get_feature_names_out().tolist() == ["a<b"]


def test_categoricals_of_numbers_compare_as_numbers():
    """As text 10 comes before 9."""
    for ten in (10, "10"):
        frame = pd.DataFrame({"a": pd.Categorical([ten, type(ten)(9), None]), "b": [9.5, 9.5, 1.0]})
        np.testing.assert_array_equal(BooleanOrder().fit_transform(frame), [[0.0], [1.0], [np.nan]])


def test_text_without_an_order_is_refused():
    ordered = pd.CategoricalDtype(LEVELS, ordered=True)
    level = pd.Series(LEVELS, dtype=ordered)
    others = (
        pd.Series([1.0, 2.0, 3.0]),
        pd.Series(LEVELS, dtype="category"),
        pd.Series(LEVELS, dtype=pd.CategoricalDtype(LEVELS[::-1], ordered=True)),
        pd.Series(LEVELS),
    )
    for other in others:
        frame = pd.DataFrame({"a": level, "b": other})
        with pytest.raises(InputError, match="'a' holds text whose order is not that of all columns; give ordered"):
            BooleanOrder().fit(frame)
        with pytest.raises(InputError, match="'a' holds text"):
            BooleanOrder().fit(pd.DataFrame({"a": [1, 2], "b": [1, 2]})).transform(frame)
        for classifier in (fewer.RankOrderNB(), fewer.KendallKNN(1)):
            with pytest.raises(InputError, match="'a' holds text"):
                classifier.fit(frame, [0, 1, 1])


def test_the_classifiers_of_orders_read_categoricals_alike():
    ordered = pd.CategoricalDtype(LEVELS, ordered=True)
    words = pd.DataFrame({"a": LEVELS * 2, "b": LEVELS[1:] * 3, "c": LEVELS[::-1] * 2}).astype(ordered)
    places = words.apply(lambda column: column.cat.codes)
    for classifier in (fewer.RankOrderNB(), fewer.KendallKNN(1)):
        want = classifier.fit(places, [0, 1] * 3).predict_proba(places)
        np.testing.assert_array_equal(classifier.fit(words, [0, 1] * 3).predict_proba(words), want)
    words.iloc[2, 0], places = None, places.astype(float)
    places.iloc[2, 0] = np.nan
    want = fewer.RankOrderNB().fit(places, [0, 1] * 3).predict_proba(places)
    np.testing.assert_array_equal(fewer.RankOrderNB().fit(words, [0, 1] * 3).predict_proba(words), want)


def test_naive_bayes_on_it_is_rank_order_naive_bayes(rng):
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 3, 60)
    ours = fewer.RankOrderNB(0.5).fit(X[:40], y[:40]).predict_proba(X[40:])
    theirs = make_pipeline(BooleanOrder(), BernoulliNB(alpha=0.5)).fit(X[:40], y[:40]).predict_proba(X[40:])
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_a_selector_can_follow(rng):
    X, y = rng.normal(size=(100, 6)), rng.integers(0, 2, 100)
    X[:, 2], X[:, 4] = 5 + (2 * y - 1), 5 - (2 * y - 1)
    made = make_pipeline(BooleanOrder(), fewer.InformationGain(1)).fit(X, y)
    assert made.get_feature_names_out().tolist() == ["x2<x4"]


def test_too_many_numbers_are_refused_and_nothing_else_of_this_size_is_made(rng, monkeypatch):
    X = rng.normal(size=(50, 200))
    made = BooleanOrder().fit(X)
    tracemalloc.start()
    out = made.transform(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * out.nbytes
    monkeypatch.setattr(module, "MOST_CELLS", out.size - 1)
    with pytest.raises(InputError, match=r"19,900 numbers of a row with 200 features, 995,000 in 50 rows"):
        made.transform(X)


def test_what_cannot_be_compared_is_refused(rng):
    with pytest.raises(InputError, match=r"1 feature\(s\)"):
        BooleanOrder().fit(rng.normal(size=(5, 1)))
    with pytest.raises(ValueError, match="infinity"):
        BooleanOrder().fit([[1.0, np.inf]])
    with pytest.raises(TypeError, match="[Ss]parse"):
        BooleanOrder().fit(scipy.sparse.eye_array(4).tocsr())
    with pytest.raises(ValueError, match="ties"):
        BooleanOrder(ties="none").fit(FIGURE_1)
    with pytest.raises(ValueError, match="selects no features"):
        fewer.select(FIGURE_1, [0, 1, 0], "BooleanOrder")
