"""Words, phrases, character n-grams, fields and surface properties: the facts of section 13.2."""

from __future__ import annotations

import pickle
import unicodedata

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import FeatureUnion, make_pipeline

import fewer
from fewer.core.records.errors import InputError, ParameterError


def names(made, texts):
    return made.fit(texts).get_feature_names_out().tolist()


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_an_accented_word_is_one(form):
    assert names(fewer.Words(), [unicodedata.normalize(form, "naïve")]) == ["word:naïve"]


def test_words_of_all_scripts_with_and_without_digits():
    assert names(fewer.Words(), ["ioctl32 日本 שלום under_score"]) == [
        *["word:ioctl32", "word:score", "word:under", "word:שלום", "word:日本"]
    ]
    assert names(fewer.Words("letters"), ["ioctl32"]) == ["word:ioctl"]
    assert names(fewer.Words(lowercase=False), ["US us"]) == ["word:US", "word:us"]


def test_variants_are_merged():
    assert names(fewer.Words(stemmer="porter"), ["hockey connected connections"]) == ["word:connect", "word:hockei"]
    assert names(fewer.Words(stemmer=str.upper), ["ball"]) == ["word:BALL"]
    assert names(fewer.Words(prefix_length=3), ["ball ballet bat"]) == ["word:bal", "word:bat"]
    assert names(fewer.Words(glossary={"oov": "unknown"}), ["OOV unknown"]) == ["word:unknown"]
    # Stop words go before stems are made: "was" is one, its stem "wa" is not.
    assert names(fewer.Words(stop_words="english", stemmer="porter"), ["was it red"]) == ["word:red"]


def test_phrases():
    assert names(fewer.Phrases(stop_words=["of", "the"]), ["head of the household"]) == ["phrase:head household"]
    assert "phrase:united states" in names(fewer.Phrases(), ["United States of America"])
    assert names(fewer.Phrases((2, 3)), ["a b c"]) == ["phrase:a b", "phrase:a b c", "phrase:b c"]


@pytest.mark.parametrize("text", ["", "a", "ab", "abcd", "abcdefghij", "a b c d"])
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_number_of_character_ngrams(text, n):
    made = fewer.CharacterNgrams((n, n)).fit(["abcdefghij a b c d"])
    found = fewer.CharacterNgrams((n, n))._analyzer()(text)
    assert len(found) == max(0, len(text) - n + 1)
    assert made.transform([text]).sum() <= len(found)


def test_ngrams_without_white_space_do_not_see_it():
    texts = ["new york city", "n ewyo rk c ity"]
    made = fewer.CharacterNgrams((3, 4), strip_whitespace=True)
    counts = made.fit_transform(texts).toarray()
    np.testing.assert_array_equal(counts[0], counts[1])


def test_counts_and_minimum_of_documents():
    made = fewer.Words(min_df=2)
    counts = made.fit_transform(["a a b", "a c", None, float("nan")])
    assert made.terms_.tolist() == ["a"]
    assert counts.toarray().ravel().tolist() == made.transform(["a a b", "a c", None, ""]).toarray().ravel().tolist()
    assert counts.toarray().ravel().tolist() == [2, 1, 0, 0]


def test_fields_apart_joined_and_ignored():
    records = pd.DataFrame({"title": ["red ball", "ball"], "body": ["red star", None], "id": ["7", "8"]})
    apart = fewer.TextFields(fewer.Phrases(), fields={"title": "separate", "body": "separate"}).fit(records)
    assert apart.get_feature_names_out().tolist() == ["title/phrase:red ball", "body/phrase:red star"]
    joined = fewer.TextFields(fewer.Phrases(), fields={"title": "join", "body": "join", "id": "ignore"}).fit(records)
    # No phrase "ball red" across the border of two fields.
    assert joined.get_feature_names_out().tolist() == ["title+body/phrase:red ball", "title+body/phrase:red star"]
    assert joined.transform(records).toarray().tolist() == [[1, 1], [0, 0]]
    rows = records[["title", "body"]].to_numpy(object)
    np.testing.assert_array_equal(
        fewer.TextFields().fit_transform(rows).toarray(), fewer.TextFields().fit(rows).transform(rows).toarray()
    )
    head = fewer.TextFields(head=3, fields={"title": "separate"}).fit(records)
    assert head.get_feature_names_out().tolist() == [
        "title/word:ball",
        "title/word:red",
        "title.head/word:bal",
        "title.head/word:red",
    ]


def test_surface_by_hand():
    made = fewer.SurfaceProperties(["!", "words"]).fit(["x"])
    named = [name.split(":", 1)[1] for name in made.get_feature_names_out()]
    found = dict(zip(named, made.transform(["Hello big World!\nok 42"])[0]))
    assert found["characters"] == 22
    assert (found["words"], found["lines"], found["words per line"]) == (5, 2, 2.5)
    assert found["mean word length"] == pytest.approx((5 + 3 + 5 + 2 + 2) / 5)
    assert found["words of 1 to 3 letters"] == pytest.approx(3 / 5)
    assert found["words of 4 to 6 letters"] == pytest.approx(2 / 5)
    assert found["white space"] == pytest.approx(4 / 22)
    assert (found["symbols"], found["digits"], found["capitals"]) == pytest.approx((1 / 22, 2 / 22, 2 / 22))
    assert (found["!"], found['"words"']) == (1, 0)
    assert not made.transform([""]).any()


def test_unions_and_pipelines_keep_names():
    texts, y = ["red ball", "red star", "blue ball", "blue star"] * 3, [0, 0, 1, 1] * 3
    both = FeatureUnion([("w", fewer.Words()), ("p", fewer.Phrases())], verbose_feature_names_out=False)
    piped = make_pipeline(both, fewer.Chi2(2, discretizer=None), fewer.PoissonNB()).fit(texts, y)
    kept = piped[:-1].get_feature_names_out().tolist()
    assert sorted(kept) == ["word:blue", "word:red"]
    assert piped.score(texts, y) == 1.0
    assert pickle.loads(pickle.dumps(piped)).predict(texts).tolist() == y


@pytest.mark.parametrize(
    ("made", "given", "words"),
    [
        (fewer.Words(), "one text", "takes a list of documents; pass"),
        (fewer.Words(), [1, 2], "document of type int"),
        (fewer.Words(), ["", " "], "found no term in 2 documents"),
        (fewer.Words(min_df=3), ["a", "b"], "min_df=3, but no term"),
        (fewer.Words(), np.array([["a", "b"]]), "takes one text per document; pass one column, or use TextFields"),
        (fewer.SurfaceProperties(), 3, "takes a list of texts"),
        (fewer.TextFields(), ["a"], "without fields"),
    ],
)
def test_what_is_no_document_is_refused(made, given, words):
    with pytest.raises(InputError, match=words):
        clone(made).fit(given)


@pytest.mark.parametrize("given", [(0, 2), (3, 2), (1,), (1, 2.5)])
def test_what_is_no_range_is_refused(given):
    for made in (fewer.Phrases(given), fewer.CharacterNgrams(given)):
        with pytest.raises(ParameterError, match=r"takes two whole numbers from 1.*; pass"):
            made.fit(["abc"])


def test_what_is_no_field_is_refused():
    record = [{"title": "a", "body": "b"}]
    with pytest.raises(ParameterError, match="one of 'separate', 'join', 'ignore'; pass such"):
        fewer.TextFields(fields={"title": "keep"}).fit(record)
    with pytest.raises(ParameterError, match="takes fields of the records"):
        fewer.TextFields(fields={"name": "join"}).fit(record)
    with pytest.raises(ParameterError, match="all ignored"):
        fewer.TextFields(fields={"title": "ignore"}).fit(record)
    with pytest.raises(InputError, match="without the field 'body'"):
        fewer.TextFields().fit(record).transform([{"title": "a"}])


def test_marks_belong_to_their_letters():
    assert names(fewer.Words(), ["हिन्दी भाषा"]) == ["word:भाषा", "word:हिन्दी"]
    assert len(names(fewer.Words(), ["İstanbul"])) == 1
    # A letter and an accent that no single character has.
    assert len(names(fewer.Words("letters"), ["q\u0308z 1\u0308"])) == 1


def test_stop_words_and_glossaries_in_any_case():
    made = fewer.Words(stop_words=["The"], glossary={"OOV": "unknown"})
    assert names(made, ["the OOV oov"]) == ["word:unknown"]
    assert made.transform(["The oov"]).toarray().tolist() == [[1]]
    kept = fewer.Words(stop_words=["The"], glossary={"OOV": "unknown"}, lowercase=False)
    assert names(kept, ["the The OOV oov"]) == ["word:oov", "word:the", "word:unknown"]


def test_stemmers_that_leave_nothing():
    assert names(fewer.Words(stemmer=lambda word: word[1:]), ["a ball"]) == ["word:all"]
    assert names(fewer.Phrases(stemmer=lambda word: word[1:]), ["ball a game"]) == ["phrase:all ame"]
    with pytest.raises(InputError, match="stemmer that makes None of 'ball'"):
        fewer.Words(stemmer=lambda word: None).fit(["ball"])


def test_fields_of_vectorizers_without_text_and_missing():
    records = [{"a": "x y", "b": "z"}, {"a": "x", "b": None}]
    joined = {"a": "join", "b": "join"}
    for made in (CountVectorizer(), FeatureUnion([("v", CountVectorizer())])):
        with pytest.raises(
            ParameterError, match="CountVectorizer for fields that are joined, but its terms would span"
        ):
            fewer.TextFields(made, fields=joined).fit(records)
    apart = fewer.TextFields(CountVectorizer(token_pattern=r"\w+"))
    assert apart.fit_transform(records).toarray().tolist() == [[1, 1, 1], [1, 0, 0]]
    with pytest.raises(InputError, match="field 'c' without any text.*name it 'ignore'"):
        fewer.TextFields().fit([{"a": "x", "c": None}, {"a": "y", "c": " "}])


def test_empty_keywords_are_refused():
    with pytest.raises(ParameterError, match="one character at least"):
        fewer.SurfaceProperties(["!", ""]).fit(["a"])
