"""Terms that are counted before they are stored, beside those of one pass (section 13.4)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import FeatureUnion

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.views.row_splits import make_splits
from fewer.measures import count_terms, term_scores


def texts(seed, n=60, k=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    words = [f"w{j}" for j in range(50)]
    p = rng.dirichlet(np.full(50, 0.3), k)
    return [" ".join(rng.choice(words, 8, p=p[c])) for c in y], y


def generators():
    both = [("w", fewer.Words()), ("p", fewer.Phrases())]
    return [fewer.Words(), fewer.CharacterNgrams((2, 3)), FeatureUnion(both, verbose_feature_names_out=False)]


def kept_by_one_pass(X, y, parts, score, most, min_df):
    kept = set()
    for rows in (np.arange(len(y)), *parts):
        counts = count_terms(X[rows], y[rows], n_classes=y.max() + 1)
        values = np.array([float(f"{value:.11g}") for value in term_scores(counts, score)])
        order = [j for j in np.argsort(-values, kind="stable") if counts.holding[j] >= min_df]
        kept |= set(order[:most])
    return sorted(kept)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("score", ["bns", "chi2"])
@pytest.mark.parametrize("batch_size", [1, 7, 1000])
def test_two_passes_are_one_pass_on_the_kept_terms(number, score, batch_size):
    docs, y = texts(number)
    one = generators()[number]
    X = scipy.sparse.csr_array(one.fit_transform(docs))
    names = one.get_feature_names_out()
    splits = make_splits(4, y, "classification")
    wanted = kept_by_one_pass(X, y, splits.train, score, 10, 2)
    two = fewer.TwoPassTerms(generators()[number], score=score, max_terms=10, cv=4, batch_size=batch_size)
    got = two.fit(docs, y).transform(docs)
    assert two.get_feature_names_out().tolist() == names[wanted].tolist()
    np.testing.assert_array_equal(got.toarray(), X[:, wanted].toarray())
    assert two.n_terms_seen_ == X.shape[1]
    for fold, train in enumerate(splits.train):
        np.testing.assert_array_equal(
            two.fold_counts_.training(fold).documents, count_terms(X[train], y[train]).documents[:, wanted]
        )


def test_documents_are_read_in_batches_and_may_be_a_stream():
    docs, y = texts(0)
    largest = []

    class Watched(fewer.Words):
        def fit_transform(self, X, y=None):
            largest.append(len(X))
            return super().fit_transform(X, y)

    streamed = fewer.TwoPassTerms(Watched(), batch_size=9, cv=3).fit(iter(docs), y)
    assert max(largest) == 9
    whole = fewer.TwoPassTerms(cv=3).fit(docs, y)
    assert streamed.terms_.tolist() == whole.terms_.tolist()
    np.testing.assert_array_equal(streamed.transform(iter(docs)).toarray(), whole.transform(docs).toarray())


def test_terms_that_occur_once_are_dropped():
    found = fewer.TwoPassTerms(cv=2).fit(["a b", "a c", "a d", "a e"], [0, 1, 0, 1])
    assert found.terms_.tolist() == ["word:a"]
    assert found.n_terms_seen_ == 5


@pytest.mark.parametrize("seed", range(3))
def test_a_search_on_kept_terms_finds_what_one_on_all_finds(seed):
    docs, y = texts(seed, n=80)
    options = {"scores": "chi2", "sizes": [3, 6, 12], "estimator": MultinomialNB(), "cv": 4, "early_stop": False}
    all_terms = fewer.TextSearch(fewer.Words(), **options).fit(docs, y)
    kept = fewer.TextSearch(fewer.TwoPassTerms(score="chi2", max_terms=12), **options).fit(docs, y)
    for table in ("settings", "curve"):
        assert (
            kept.selection_.tables[table].columns["accuracy"] == all_terms.selection_.tables[table].columns["accuracy"]
        )
    assert kept.selection_.kept_names == all_terms.selection_.kept_names
    assert kept.predict(docs).tolist() == all_terms.predict(docs).tolist()


def test_what_cannot_be_counted_is_refused():
    docs, y = texts(0)
    for made, error, words in [
        (fewer.TwoPassTerms(cv="3x2"), ParameterError, "folds that share no rows"),
        (fewer.TwoPassTerms(score="pip_poisson"), ParameterError, "counts documents only; pass"),
        (fewer.TwoPassTerms(score="nothing"), ParameterError, "pass one of these"),
        (fewer.TwoPassTerms(fewer.Words(min_df=3)), ParameterError, "give min_df to TwoPassTerms"),
        (fewer.TwoPassTerms(min_df=500), InputError, "in so many training documents"),
    ]:
        with pytest.raises(error, match=words):
            made.fit(docs, y)
    with pytest.raises(InputError, match="requires y"):
        fewer.TwoPassTerms().fit(docs)
    for some in (docs[:-1], [*docs, "x"]):
        with pytest.raises(InputError, match="one entry per sample"):
            fewer.TwoPassTerms().fit(some, y)


def records(docs):
    return [{"a": text, "b": "" if i % 3 else text} for i, text in enumerate(docs)]


@pytest.mark.parametrize("batch_size", [1, 2, 7])
@pytest.mark.parametrize("kind", ["words", "union", "fields", "frame", "vectorizer"])
def test_batches_without_terms_of_some_kind(kind, batch_size):
    docs, y = texts(0, n=24, k=2)
    docs[0], docs[5], docs[6], docs[23] = "", "w1", "w2", ""
    both = FeatureUnion([("w", fewer.Words()), ("p", fewer.Phrases())])
    made = {"union": both, "fields": fewer.TextFields(), "vectorizer": CountVectorizer()}.get(kind, fewer.Words())
    given = records(docs) if kind == "fields" else pd.Series(docs) if kind == "frame" else docs
    whole = fewer.TwoPassTerms(made, max_terms=9, cv=3).fit(given, y)
    found = fewer.TwoPassTerms(made, max_terms=9, cv=3, batch_size=batch_size).fit(given, y)
    assert sorted(found.terms_) == sorted(whole.terms_)
    assert found.n_terms_seen_ == whole.n_terms_seen_
    order = [whole.terms_.tolist().index(name) for name in found.terms_]
    np.testing.assert_array_equal(found.transform(given).toarray(), whole.transform(given).toarray()[:, order])
    np.testing.assert_array_equal(found.fold_terms_, whole.fold_terms_[:, order])


def test_a_short_document_is_predicted():
    docs, y = texts(1)
    both = FeatureUnion([("w", fewer.Words()), ("p", fewer.Phrases())])
    found = fewer.TwoPassTerms(both, max_terms=9, cv=3).fit(docs, y)
    name = next(name for name in found.terms_ if name.startswith("w__"))
    got = found.transform([name.split(":")[1]]).toarray()
    assert found.terms_[got[0] > 0].tolist() == [name]
    assert found.transform([""]).toarray().sum() == 0


def test_documents_without_any_term_are_refused():
    with pytest.raises(InputError, match="no term is in so many"):
        fewer.TwoPassTerms(cv=2).fit(["", "", "", ""], [0, 1, 0, 1])


@pytest.mark.parametrize("option", [{"max_features": 5}, {"max_df": 0.9}, {"max_df": 1}, {"min_df": 2}])
def test_what_looks_at_all_documents_is_refused(option):
    docs, y = texts(0)
    with pytest.raises(ParameterError, match=f"{next(iter(option))}=.*applied to every batch alone"):
        fewer.TwoPassTerms(CountVectorizer(**option)).fit(docs, y)
    with pytest.raises(ParameterError, match="pass use_idf=False instead"):
        fewer.TwoPassTerms(TfidfVectorizer()).fit(docs, y)


def test_folds_say_which_terms_they_chose():
    docs, y = texts(2)
    found = fewer.TwoPassTerms(score="chi2", max_terms=10, cv=4).fit(docs, y)
    words = fewer.Words()
    X, names = scipy.sparse.csr_array(words.fit_transform(docs)), words.get_feature_names_out()
    for chosen, rows in zip(found.fold_terms_, (*make_splits(4, y, "classification").train, np.arange(len(y)))):
        wanted = kept_by_one_pass(X[rows], y[rows], (), "chi2", 10, 2)
        assert found.terms_[chosen].tolist() == names[wanted].tolist()
