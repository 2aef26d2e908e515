"""Selectors of scikit-learn as competitors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.feature_selection import (
    RFE,
    RFECV,
    SelectFdr,
    SelectFromModel,
    SelectKBest,
    SequentialFeatureSelector,
    VarianceThreshold,
    chi2,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.evaluate.comparison import Comparison


class Boruta(BaseEstimator):
    """Keeps what correlates; tells it by support_ and ranking_ alone, as some packages do."""

    def fit(self, X, y):
        r = np.abs(np.corrcoef(X.T, y)[-1, :-1])
        self.support_ = r > 0.25
        self.ranking_ = np.where(self.support_, 1, 2)
        return self


class Nothing(BaseEstimator):
    """Says that it has support_, and has none."""

    def fit(self, X, y):
        return self


def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 5)), columns=list("abcde"))
    y = (X["a"] + X["b"] + 0.4 * rng.normal(size=120) > 0).to_numpy().astype(int)
    X.loc[::7, "c"] = np.nan
    X["k"] = pd.Categorical(rng.choice(list("xyz"), 120))
    return X, y


@pytest.fixture(scope="module")
def found():
    tree = DecisionTreeClassifier(max_depth=3)
    methods = {
        "best": SelectKBest(k=3),
        "fdr": SelectFdr(),
        "rfe": RFE(LogisticRegression()),
        "rfecv": RFECV(tree, cv=2),
        "model": SelectFromModel(tree),
        "steps": SequentialFeatureSelector(tree, cv=2),
        "spread": VarianceThreshold(),
        "shadow": Boruta(),
        "chi2": SelectKBest(chi2),
        "nothing": Nothing(),
        "lot": "RandomRanking",
        "own": "JMI",
    }
    return fewer.compare(*data(), methods, "naive Bayes", [1, 2, 6], cv=2, naive=False)


def test_sizes_hold_where_there_is_an_order(found):
    kept = {m: found.kept[found.number_of(m)][:, 0].tolist() for m in found.methods}
    assert kept["best"] == kept["rfe"] == kept["steps"] == [1, 2, 6]
    # A rule of its own holds besides.
    assert kept["fdr"] == [1, 2, 2]
    assert kept["model"][0] == 1
    assert kept["model"][-1] < 6
    assert [found.names[j] for j in found.final("best", 2)] in (["a", "b"], ["b", "a"])
    assert {found.names[j] for j in found.final("steps", 2)} == {"a", "b"}


def test_what_knows_no_order_keeps_its_own_number(found):
    kept = {m: found.kept[found.number_of(m)] for m in ("spread", "shadow")}
    assert (kept["spread"] == 6).all()
    assert found.chosen("spread", 1, 0).tolist() == [0, 1, 2, 3, 4, 5]
    assert (kept["shadow"] == 2).all()
    again = Comparison.from_json(found.to_json())
    assert again.final("shadow", 1).tolist() == [0, 1]


def test_what_cannot_be_used_says_so(found):
    words = {one.method: one.words for one in found.failures}
    assert "non-negative" in words["chi2"]
    assert words["nothing"].startswith("Nothing does not say which of the 6 features it keeps; after fit it needs")
    assert set(words) == {"chi2", "nothing"}


def test_the_call_names_what_was_given():
    X, y = data()
    found = fewer.compare(X[["a", "b"]], y, [SelectKBest(k=1), SelectKBest(chi2)], "naive Bayes", [1], cv=2)
    assert found.methods == ("SelectKBest(k=1)",)
    assert [one.method for one in found.failures] == ["SelectKBest(score_func=chi2)"]
    assert "'SelectKBest(k=1)': SelectKBest(k=1)" in found.meta["command"]
    assert found.meta["summaries"]["SelectKBest(k=1)"].startswith("Select features according to the k highest")


def test_weights_go_to_those_that_take_them():
    X, y = data()
    weight = np.arange(120) % 3 + 1.0
    with pytest.raises(InputError, match="SelectKBest takes no sample_weight"):
        fewer.compare(X[["a", "b"]], y, [SelectKBest()], "naive Bayes", [1], cv=2, sample_weight=weight)
    found = fewer.compare(
        X[["a", "b"]], y, [SelectFromModel(DecisionTreeClassifier(), threshold=0.0)], "naive Bayes", [1], cv=2,
        sample_weight=weight,
    )  # fmt: skip
    assert found.failures == ()


def test_weights_are_not_given_to_those_that_refuse_them():
    X, y = data()
    forward = SequentialFeatureSelector(LogisticRegression(), n_features_to_select=1, cv=2)
    with pytest.raises(InputError, match="SequentialFeatureSelector takes no sample_weight"):
        fewer.compare(X[["a", "b"]], y, [forward], "naive Bayes", [1], cv=2, sample_weight=np.ones(120))


def test_what_was_fitted_before_and_pipelines_are_refused_in_one_line():
    X, y = data()
    model = DecisionTreeClassifier().fit(X[["a", "b"]], y)
    steps = make_pipeline(StandardScaler(), SelectKBest(k=1))
    for method, words in ((SelectFromModel(model, prefit=True), "prefit=False"), (steps, "which is no selector")):
        with pytest.raises(ParameterError, match=words) as caught:
            fewer.compare(X[["a", "b"]], y, [method], "naive Bayes", [1], cv=2)
        assert "\n" not in str(caught.value)
