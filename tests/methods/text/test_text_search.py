"""The search over all settings against an exhaustive one, and its early stops (chapter 13)."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, log_loss
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import FeatureUnion, make_pipeline

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.runners.progress import listen
from fewer.core.views.row_splits import make_splits
from fewer.measures import count_terms, term_scores
from fewer.methods.text._fold_views import _without_rounding
from fewer.methods.text._joint_search import size_grid
from oracles import text_search as oracle

GRID = {"alpha": [0.01, 1.0, 10.0]}


def documents(seed, n=90, d=40, k=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    rates = rng.gamma(0.3, 0.6, (k, d)) * 0.4 + rng.gamma(0.4, 0.4, d)
    return scipy.sparse.csr_array(rng.poisson(rates[y]).astype(float)), y


def rank(X, y, score):
    counts = count_terms(X, y, occurrences=True)
    # Equal but for rounding is equal.
    values = np.array([float(f"{value:.11g}") for value in term_scores(counts, score)])
    return [j for j in np.argsort(-values, kind="stable") if counts.holding[j] >= 2]


def fit_predict(X, y, new, params):
    return MultinomialNB(**params).fit(X, y).predict(new)


def test_sizes_of_the_catalogue():
    wanted = [100, 150, 225, 338, 506, 759, 1139, 1709, 2563, 3844, 5767, 8650]
    assert size_grid(12_500) == [*wanted, "all"]
    assert size_grid(100) == size_grid(1) == ["all"]
    assert size_grid(101) == [100, "all"]


@pytest.mark.parametrize("cv", [4, "2x3", "time:3"])
@pytest.mark.parametrize("seed", range(4))
def test_the_winner_is_that_of_exhaustive_search(seed, cv):
    X, y = documents(seed)
    sizes, scores = [2, 5, 12, "all"], ("chi2", "ig", "pip_poisson")
    settings = [(s, n, {"alpha": a}) for s in scores for n in sizes for a in GRID["alpha"]]
    made = make_splits(cv, y, "classification")
    errors, best = oracle.exhaustive(X, y, list(zip(made.train, made.test)), settings, rank, fit_predict)
    tested = sum(map(len, made.test))
    n_folds = len(made)
    for early_stop in (True, False):
        found = fewer.TextSearch(
            None, scores, sizes, MultinomialNB(), param_grid=GRID, cv=cv, early_stop=early_stop
        ).fit(X, y)
        score, size, params = settings[best]
        assert found.best_setting_ == {"generator": "counts", "score": score, "features": size, "parameters": params}
        assert found.best_score_ == pytest.approx(1 - errors[best] / tested)
        assert found.n_fits_ + found.n_saved_ == n_folds * len(settings)
        assert (found.n_saved_ > 0) == early_stop
        table = found.selection_.tables["settings"].columns
        for number, (value, folds, bound) in enumerate(zip(table["accuracy"], table["folds"], table["at most"])):
            if folds == n_folds:
                assert value == pytest.approx(1 - errors[number] / tested)
            else:
                # It was given up rightly: even with no further error it could not have won.
                assert early_stop
                assert 1 - errors[number] / tested <= bound + 1e-12 <= found.best_score_ + 1e-9
        order = rank(X, y, score)
        assert found.selection_.indices.tolist() == (order if size == "all" else order[:size])


def test_a_setting_ends_with_the_fold_that_reaches_the_best():
    """As in the text: 80 errors of the best, and 80 made by the fourth fold."""
    X, y = documents(1, n=200)

    class Wrong(MultinomialNB):
        def __init__(self, fraction=0.0, alpha=1.0):
            super().__init__(alpha=alpha)
            self.fraction = fraction

        def predict(self, X):
            said = np.full(X.shape[0], 7)
            said[int(self.fraction * len(said)) :] = 0
            return said

    search = fewer.TextSearch(
        None, "chi2", ["all"], Wrong(), param_grid={"fraction": [0.4, 1.0, 0.4, 0.0]}, cv=10, min_df=1
    ).fit(X, (np.arange(200) >= 198).astype(int))
    folds = search.selection_.tables["settings"].columns["folds"]
    # 8 of 20 wrong per fold and more in the last; all 20 wrong reach that after five folds.
    assert folds[0] == 10
    assert folds[1] == 5
    assert search.best_setting_["parameters"] == {"fraction": 0.0}


def test_of_equal_settings_the_earlier_wins():
    X, y = documents(0)
    found = fewer.TextSearch(None, "ig", ["all", 40], MultinomialNB(), param_grid={"alpha": [1.0, 1]}, cv=3, min_df=1)
    for early_stop in (True, False):
        best = found.set_params(early_stop=early_stop).fit(X, y).best_setting_
        assert best["features"] == "all"


def test_without_errors_nothing_more_is_tried():
    X = scipy.sparse.csr_array(np.repeat(np.eye(2), 20, axis=0))
    found = fewer.TextSearch(None, ("ig", "chi2"), [2, "all"], MultinomialNB(), cv=4).fit(X, np.repeat([0, 1], 20))
    assert (found.n_fits_, found.n_saved_, found.best_score_) == (4, 12, 1.0)


@pytest.mark.parametrize("scoring", ["f1_macro", "f1_weighted", "f1"])
def test_f_measures_are_pooled_and_refuse_early_stops(scoring):
    X, y = documents(2)
    y = y > 0 if scoring == "f1" else y
    made = fewer.TextSearch(None, "chi2", [5, "all"], MultinomialNB(), scoring=scoring, cv=3)
    with pytest.raises(ParameterError, match=rf"early_stop=True with scoring='{scoring}'.*; pass early_stop=False"):
        made.fit(X, y)
    found = made.set_params(early_stop=False).fit(X, y)
    splits, values = make_splits(3, np.asarray(y).astype(int), "classification"), []
    for size in (5, None):
        said, true = [], []
        for train, test in zip(splits.train, splits.test):
            columns = sorted(rank(X[train], np.asarray(y)[train].astype(int), "chi2")[:size])
            said.extend(MultinomialNB().fit(X[train][:, columns], y[train]).predict(X[test][:, columns]))
            true.extend(y[test])
        values.append(f1_score(true, said, average="binary" if scoring == "f1" else scoring.split("_")[1]))
    np.testing.assert_allclose(found.selection_.tables["settings"].columns[scoring], values)
    assert found.best_score_ == pytest.approx(max(values))


def test_log_loss_adds_up_and_may_stop_early():
    X, y = documents(3)
    grid = {"C": [0.01, 1.0, 100.0]}
    options = {"estimator": LogisticRegression(), "param_grid": grid, "scoring": "neg_log_loss", "cv": 4}
    quick = fewer.TextSearch(None, "ig", [4, "all"], **options).fit(X, y)
    whole = fewer.TextSearch(None, "ig", [4, "all"], early_stop=False, **options).fit(X, y)
    assert quick.best_setting_ == whole.best_setting_
    assert quick.best_score_ == whole.best_score_
    splits, total = make_splits(4, y, "classification"), 0.0
    setting = whole.best_setting_
    for train, test in zip(splits.train, splits.test):
        size = None if setting["features"] == "all" else setting["features"]
        columns = sorted(rank(X[train], y[train], "ig")[:size])
        made = LogisticRegression(**setting["parameters"]).fit(X[train][:, columns], y[train])
        total += log_loss(y[test], made.predict_proba(X[test][:, columns]), normalize=False, labels=made.classes_)
    assert whole.best_score_ == pytest.approx(-total / len(y))


TEXTS = ["the red ball", "a red star", "the blue ball", "a blue star and ball", "red", "blue moon"] * 6
LABELS = ["r", "r", "b", "b", "r", "b"] * 6


def test_texts_generators_and_prediction():
    generators = {"words": fewer.Words(), "phrases": fewer.Phrases(), "sklearn": CountVectorizer(min_df=2)}
    found = fewer.TextSearch(generators, ("chi2", "bns"), [1, 2, "all"], BernoulliNB(), cv=3).fit(TEXTS, LABELS)
    assert found.best_setting_["generator"] == "words"
    assert found.selection_.kept_names == ["word:blue"]
    assert found.predict(["blue sky", "red sky"]).tolist() == ["b", "r"]
    assert found.selected_counts(["blue blue", "sky"]).toarray().tolist() == [[2], [0]]
    assert set(found.selection_.tables["settings"].columns["generator"]) == set(generators)
    assert (
        fewer.TextSearch([fewer.Words(), fewer.Words()], "ig", [1], BernoulliNB(), cv=3)
        .fit(TEXTS, LABELS)
        .best_setting_["generator"]
        == "Words 1"
    )


def test_the_result_says_that_the_score_is_optimistic_and_is_written():
    X, y = documents(0)
    seen = []
    with listen(lambda what, done, total: seen.append(what)):
        found = fewer.TextSearch(None, "ig", [2, 8, "all"], MultinomialNB(), cv=3, early_stop=False).fit(X, y)
    assert "settings" in seen
    assert any("too high" in note for note in found.selection_.meta["data"]["notes"])
    again = fewer.Selection.from_json(found.selection_.to_json())
    curve = again.tables["curve"].columns
    assert curve["features"] == [2, 8, int((np.bincount(X.indices) >= 2).sum())]
    assert curve["accuracy"] == found.selection_.tables["settings"].columns["accuracy"]
    assert json.loads(found.selection_.to_json())["meta"]["method"] == "TextSearch"
    assert "settings" in str(again.reason(int(again.indices[0])))


def test_no_test_row_chooses_terms():
    """A term that only test rows of a fold hold is no candidate in that fold, even of all terms."""
    X = scipy.sparse.csr_array(np.column_stack([np.arange(12) < 6, np.arange(12) >= 6, np.arange(12) == 0]) * 1.0)
    seen = []

    class Width(MultinomialNB):
        def fit(self, X, y):
            seen.append(X.shape[1])
            return super().fit(X, y)

    folds = [(np.arange(1, 12), np.array([0])), (np.arange(11), np.array([11]))]
    fewer.TextSearch(None, "chi2", ["all"], Width(), cv=folds, min_df=1).fit(X, np.arange(12) // 6)
    assert seen == [2, 3, 3]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scores": "binormal"}, "knows accuracy, .*; pass one of these"),
        ({"scores": []}, "takes one name of a score or several"),
        ({"sizes": [0]}, "whole numbers from 1 and 'all'; pass such"),
        ({"sizes": ["most"]}, "whole numbers from 1 and 'all'"),
        ({"sizes": []}, "needs one at least"),
        ({"generators": 3}, "among its generators"),
        ({"cv": 1}, "cv=1"),
    ],
)
def test_what_is_no_setting_is_refused(options, words):
    X, y = documents(0)
    with pytest.raises(ParameterError, match=words):
        fewer.TextSearch(**options).fit(X, y)


def test_what_cannot_be_searched_is_refused():
    X, y = documents(0)
    with pytest.raises(InputError, match="no term is in so many rows; pass a smaller number"):
        fewer.TextSearch(min_df=1000).fit(X, y)
    with pytest.raises(InputError, match="Negative values"):
        fewer.TextSearch().fit(-X, y)
    with pytest.raises(InputError, match="has no predict_proba"):
        fewer.TextSearch(scoring="neg_log_loss", sizes=["all"]).fit(X, y)
    with pytest.raises(ValueError, match="one class"):
        fewer.TextSearch().fit(X, np.zeros(90))


def test_rounding_makes_no_order():
    values = np.array([0.3, 0.1 + 0.2, 1.0, 1e-18, 0.0, -np.inf, np.inf])
    assert np.argsort(-_without_rounding(values), kind="stable").tolist() == [6, 2, 0, 1, 3, 4, 5]


def noise(seed):
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(3000, size=60).astype(str)) for _ in range(60)]
    return texts, rng.permutation(np.repeat([0, 1], 30))


@pytest.mark.parametrize(("score", "size"), [("bns", "all"), ("bns", 60), ("ig", 20)])
def test_no_fold_sees_terms_that_its_test_rows_chose(score, size):
    # Words say nothing of the classes: whoever is right in more than half of the rows has seen them.
    options = {"scores": score, "sizes": [size], "estimator": MultinomialNB(), "cv": 5}
    right = []
    for seed in range(3):
        texts, y = noise(seed)
        found = fewer.TextSearch(fewer.TwoPassTerms(max_terms=30), **options).fit(texts, y)
        right.append(found.best_score_)
        splits = make_splits(5, y, "classification")
        errors = 0
        for train, test in zip(splits.train, splits.test):
            # A loop that never sees the test rows: the 30 best of the training rows, of these the best of the setting.
            words = fewer.Words().fit([texts[i] for i in train])
            X, new = (words.transform([texts[i] for i in rows]) for rows in (train, test))
            best = rank(X, y[train], "bns")[:30]
            again = [j for j in rank(X, y[train], score) if j in set(best)]
            kept = sorted(again if size == "all" else again[:size])
            errors += np.count_nonzero(MultinomialNB().fit(X[:, kept], y[train]).predict(new[:, kept]) != y[test])
        assert found.best_score_ == pytest.approx(1 - errors / len(y))
        assert len(found.selection_.indices) == (30 if size != 20 else 20)
    assert np.mean(right) < 0.65


def test_generators_that_learn_of_test_rows_are_refused():
    texts, y = noise(0)
    for made, words in [
        (TfidfVectorizer(), "use_idf=True, which weighs terms by all documents"),
        (FeatureUnion([("a", TfidfVectorizer())]), "a__use_idf=True"),
        (FeatureUnion([("a", fewer.TwoPassTerms())]), "TwoPassTerms in a generator, which chooses by all rows"),
        (make_pipeline(CountVectorizer(), SelectKBest(chi2)), "SelectKBest in a generator, which chooses by all rows"),
    ]:
        with pytest.raises(ParameterError, match=words):
            fewer.TextSearch(made, sizes=[5], cv=2).fit(texts, y)


def test_texts_without_generator_and_regressors_are_refused_in_one_sentence():
    texts, y = noise(0)
    with pytest.raises(InputError, match=r"TextSearch got texts and generators=None.*pass what makes terms"):
        fewer.TextSearch().fit(texts, y)
    with pytest.raises(ParameterError, match="got estimator=Ridge, a regressor"):
        fewer.TextSearch(fewer.Words(), estimator=Ridge()).fit(texts, y)


def test_streams_and_probabilities():
    texts = ["good day", "good night", "bad day", "bad night"] * 5
    y = ["+", "+", "-", "-"] * 5
    generators = [fewer.Words(), fewer.Phrases()]
    found = fewer.TextSearch(generators, sizes=[2], estimator=MultinomialNB(), cv=2).fit(iter(texts), y)
    np.testing.assert_allclose(found.predict_proba(["bad"])[0], found.estimator_.predict_proba([[1.0, 0.0]])[0])
    assert found.classes_[found.predict_proba(["bad"]).argmax()] == "-"
    assert not hasattr(fewer.TextSearch(estimator=Ridge()), "predict_proba")
