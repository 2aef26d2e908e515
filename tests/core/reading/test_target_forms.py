"""The same target in another form gives the same result: orders, intervals, dates, masks, labels of one name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import fewer
from fewer.core.records.errors import InputError

RNG = np.random.default_rng(3)
PLACES = RNG.integers(0, 3, 90)
X = RNG.normal(size=(90, 4)) + np.outer(PLACES, [1.0, -0.5, 0.0, 0.0])
ORDER = ["low", "middle", "high"]
TEXT = np.array(ORDER)[PLACES]
ORDERED = pd.Series(pd.Categorical(TEXT, categories=ORDER, ordered=True))


@pytest.mark.parametrize("name", ["Pearson", "Spearman", "Kendall", "GramSchmidtRanker"])
@pytest.mark.parametrize("y", [ORDERED, pl.Series(TEXT.tolist(), dtype=pl.Enum(ORDER))], ids=["pandas", "polars"])
def test_methods_for_numbers_take_the_order_of_an_ordered_categorical(name, y):
    expected = fewer.get(name)(None).fit(X, PLACES).scores_
    np.testing.assert_allclose(fewer.get(name)(None).fit(X, y).scores_, expected)


def test_two_ordered_texts_are_numbered_by_their_order_and_not_by_the_alphabet():
    y = pd.Series(pd.Categorical(np.where(PLACES > 0, "high", "low"), categories=["low", "high"], ordered=True))
    assert fewer.Pearson(None).fit(X, y).selection_.columns["correlation"][0] > 0


def test_ordered_numbers_stay_what_they_are():
    values = np.array([1, 2, 10])[PLACES]
    y = pd.Series(pd.Categorical(values, categories=[1, 2, 10], ordered=True))
    np.testing.assert_allclose(fewer.Pearson(None).fit(X, y).scores_, fewer.Pearson(None).fit(X, values).scores_)


def test_a_chain_hands_the_order_on():
    chain = fewer.Chain([fewer.InformationGain(None), fewer.Pearson(None)]).fit(X, ORDERED)
    expected = fewer.Pearson(None).fit(X, PLACES).selection_.columns["correlation"]
    np.testing.assert_allclose(chain.selection_.columns["correlation by Pearson"], expected)


@pytest.mark.parametrize("method", [fewer.SequentialSelector(), fewer.DefaultRecipe(), fewer.OrderedFS()], ids=str)
def test_estimators_are_trained_on_a_target_that_was_cut_into_intervals(method):
    cut = pd.cut(pd.Series(X[:, 0]), 3)
    expected = fewer.select(X, cut.cat.codes.to_numpy(), method)
    assert fewer.select(X, cut, method).indices.tolist() == expected.indices.tolist()


def test_dates_are_numbers_to_methods_that_take_both():
    days = pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(90), "D"))
    expected = fewer.JMI(None).fit(X, np.arange(90) / 7).selection_
    assert fewer.JMI(None).fit(X, days).selection_.order.tolist() == expected.order.tolist()


def test_masked_values_are_missing_ones():
    with pytest.raises(InputError, match=r"missing values \(NaN or None\) in some rows \(1 of 90\)"):
        fewer.FTest().fit(X, np.ma.masked_array(PLACES, mask=np.arange(90) == 5))


def test_one_sparse_column_is_one_value_per_row():
    y = (PLACES > 0).astype(int)
    found = fewer.InformationGain(None).fit(X, scipy.sparse.csr_matrix(y[:, None]))
    np.testing.assert_array_equal(found.scores_, fewer.InformationGain(None).fit(X, y).scores_)


def test_labels_that_read_alike_are_all_counted():
    Y = np.column_stack([PLACES > 0, PLACES > 1, np.arange(90) % 2]).astype(int)
    expected = fewer.InformationGain(None).fit(X, Y).scores_
    found = fewer.InformationGain(None).fit(X, pd.DataFrame(Y, columns=["a", "a", "a (2)"]))
    np.testing.assert_array_equal(found.scores_, expected)
    assert len(found.selection_.meta["data"]["labels"]) == 3
    sets = [{label for label, has in zip((1, "1", "b"), row) if has} for row in Y]
    np.testing.assert_array_equal(fewer.InformationGain(None).fit(X, sets).scores_, expected)


@pytest.mark.filterwarnings("ignore:A column-vector y")
def test_one_sparse_column_is_one_value_per_row_in_one_call():
    y = (PLACES > 0).astype(int)
    expected = fewer.select(X, y, "InformationGain").scores
    found = fewer.select(X, scipy.sparse.csr_matrix(y[:, None]), "InformationGain")
    np.testing.assert_array_equal(found.scores, expected)


@pytest.mark.parametrize("ask", [fewer.select, fewer.rank, fewer.compare])
def test_a_sparse_target_that_lies_about_itself_is_refused(ask, monkeypatch):
    Y = scipy.sparse.csr_matrix(np.column_stack([PLACES > 0, PLACES > 1]).astype(int))
    Y.indices[3] = 3
    # What would write outside of its memory.
    monkeypatch.setattr(Y, "toarray", lambda *_: pytest.fail("unpacked before it was looked at"))
    with pytest.raises(InputError, match="contradict each other"):
        ask(X, Y)
