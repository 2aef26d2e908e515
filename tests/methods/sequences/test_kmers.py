"""Words, regions, positions and distances against plain loops over texts, and the facts of the chapter."""

from __future__ import annotations

import pickle
from math import comb

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

import fewer
from fewer.core.records.alphabets import NAMED
from fewer.core.views.letters import Letters
from fewer.methods.sequences._conjuncts import all_conjunctions
from fewer.methods.sequences.kmers import learn_words, word_kind
from oracles import sequences as slow


def drawn(rng, n=30, length=12, letters="ACGTN", ragged=False):
    sizes = rng.integers(3, length + 1, n) if ragged else np.full(n, length)
    return ["".join(rng.choice(list(letters), size)) for size in sizes]


def check(made, texts, regions=None):
    names, found = made.get_feature_names_out(), made.transform(texts).toarray()
    assert len(set(names)) == len(names)
    want = [[slow.value(text, name, regions) for name in names] for text in texts]
    np.testing.assert_array_equal(found, np.array(want).reshape(found.shape))
    return found


def test_words_anywhere_in_regions_and_at_positions(rng):
    for _ in range(3):
        texts = drawn(rng, n=20)
        regions = {"up": (1, 5), "down": (6, 12), "part": (3, 8)}
        check(fewer.Kmers((1, 4)).fit(texts), texts)
        check(fewer.Kmers("1-3", kind="region", regions=regions).fit(texts), texts, regions)
        check(fewer.Kmers(2, kind="region", site=5).fit(texts), texts, regions)
        found = check(fewer.Kmers((1, 3), kind="position").fit(texts), texts)
        assert set(np.unique(found)) <= {0, 1}
        check(fewer.FloatingConjunctions((1, 3), window=4).fit(texts), texts)
        check(fewer.Conjunctions((1, 2)).fit(texts), texts)


def test_texts_of_any_length_and_new_texts(rng):
    texts, others = drawn(rng, ragged=True), drawn(rng, n=9, length=20, ragged=True)
    check(fewer.Kmers((1, 3)).fit(texts), others)
    check(fewer.FloatingConjunctions(2, window=5).fit(texts), others)
    check(fewer.Kmers((1, 9)).fit(["ACG"]), ["ACG"])


def test_general_words_are_those_of_scikit_learn(rng):
    texts = drawn(rng, letters="ACGT", ragged=True)
    made = fewer.Kmers((2, 4)).fit(texts)
    other = CountVectorizer(analyzer="char", ngram_range=(2, 4), lowercase=False).fit(texts)
    order = np.argsort(made.get_feature_names_out())
    np.testing.assert_array_equal(made.get_feature_names_out()[order], other.get_feature_names_out())
    np.testing.assert_array_equal(made.transform(texts).toarray()[:, order], other.transform(texts).toarray())


def test_numbers_of_features_of_the_chapter():
    """5,456 words of 2 to 6 letters, 10,912 in two regions; 640 to 634,880 at 160 positions (section 18.3.1)."""
    text = ["a" * 160]
    assert len(fewer.Kmers(words="all").fit(text).get_feature_names_out()) == 5456
    assert len(fewer.Kmers(kind="region", words="all").fit(text).get_feature_names_out()) == 10912
    letters = Letters.of("test", text, NAMED["dna"])
    sets = learn_words("test", letters, word_kind("test", letters, "position", None), range(1, 7), "all", 1)
    sizes = [len(one) for one in sets]
    assert sizes == [640, 2544, 10112, 40192, 159744, 634880]
    assert len(np.concatenate(list(all_conjunctions(np.arange(160), 4, 2)))) == 203520
    assert comb(160, 3) * 64 == 42_874_880
    names = fewer.Kmers(2, kind="position", words="all").fit(text).get_feature_names_out()
    assert names[[0, -1]].tolist() == ["AA@1", "TT@159"]


def test_sums_of_rows(rng):
    texts = drawn(rng, letters="ACGT")
    for k in (1, 2, 5):
        general = fewer.Kmers(k).fit_transform(texts).sum(axis=1)
        assert (general == 12 - k + 1).all()
        assert (fewer.Kmers(k, kind="position").fit_transform(texts).sum(axis=1) == 12 - k + 1).all()
        # Words across the border are in neither region.
        assert (fewer.Kmers(k, kind="region").fit_transform(texts).sum(axis=1) == general - (k - 1)).all()


def test_all_letters_of_a_window_are_words(rng):
    texts = drawn(rng)
    floating = fewer.FloatingConjunctions(3, window=3).fit(texts)
    words = fewer.Kmers(3).fit(texts)
    assert floating.get_feature_names_out().tolist() == words.get_feature_names_out().tolist()
    np.testing.assert_array_equal(floating.transform(texts).toarray(), words.transform(texts).toarray())


def test_rare_words_are_left_out_and_all_words_have_a_column():
    texts = ["AAAA", "AAAC", "CCCC"]
    assert fewer.Kmers(2, min_count=2).fit(texts).get_feature_names_out().tolist() == ["AA"]
    made = fewer.Kmers(1, words="all").fit(texts)
    assert made.get_feature_names_out().tolist() == list("ACGT")
    assert made.transform(["GG"]).toarray().tolist() == [[0, 0, 2, 0]]


def test_alphabets():
    assert fewer.Kmers(1, alphabet="rna").fit(["acgu"]).get_feature_names_out().tolist() == list("ACGU")
    protein = fewer.Kmers(2, alphabet="protein").fit(["mkWX*k"])
    assert protein.get_feature_names_out().tolist() == ["KW", "MK"]
    own = fewer.Kmers(2, alphabet="Hp").fit(["HHp-H"])
    assert own.get_feature_names_out().tolist() == ["HH", "Hp"]
    for bad in ("A", "AA", "A C", "A>"):
        with pytest.raises(ValueError, match=r"alphabet=.* but takes"):
            fewer.Kmers(alphabet=bad).fit(["AC"])
    with pytest.raises(ValueError, match="found 'U' at position 2 of sequence 1"):
        fewer.Kmers().fit(["ACG", "aUc"])
    with pytest.raises(ValueError, match="found 'h' at position 1 of sequence 0"):
        fewer.Kmers(alphabet="Hp").fit(["hp"])


def test_ways_to_give_sequences(rng):
    texts = ["ACGT", "AACN", "TTTT"]
    want = fewer.Kmers(2).fit_transform(texts).toarray()
    columns = pd.DataFrame([list(t) for t in texts])
    given = [
        np.array(texts), np.array(texts, dtype=object), pd.Series(texts), pd.Series(texts, dtype="category"),
        pd.DataFrame({"s": texts}), pl.DataFrame({"s": texts}), pl.Series(texts), np.array(texts)[:, None],
        columns, columns.astype("category"), columns.to_numpy(), [list(t) for t in texts], tuple(texts),
        [t.encode() for t in texts], ["AC GT", "aacn", " TTTT\n"],
    ]  # fmt: skip
    for X in given:
        np.testing.assert_array_equal(fewer.Kmers(2).fit_transform(X).toarray(), want)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ("ACGT", "single text"),
        ([], "0 sequence"),
        (["AC", ""], "empty text as sequence 1"),
        (["AC", None], "missing value as sequence 1"),
        (["AC", 3], "3 as sequence 1"),
        (pd.DataFrame({"a": ["A", "C"], "b": ["AC", "G"]}), "'AC' in row 0"),
        (np.zeros((3, 2)), "0.0 as sequence 0"),
        (7, "a int"),
        (np.zeros((2, 2, 2)), "shape"),
    ],
)
def test_what_is_no_sequence(X, words):
    with pytest.raises((ValueError, TypeError), match=words):
        fewer.Kmers().fit(X)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (fewer.Kmers(0), "k=0"),
        (fewer.Kmers("a"), "k='a'"),
        (fewer.Kmers((3, 2)), "k="),
        (fewer.Kmers(2.5), "k=2.5"),
        (fewer.Kmers((1, 2, 3)), "k="),
        (fewer.Kmers(40), r"2\^62"),
        (fewer.Kmers(kind="region", site=9), "site=9"),
        (fewer.Kmers(kind="region", regions={"a": (0, 3)}), "region 'a'"),
        (fewer.Kmers(kind="region", regions={}), "no region"),
        (fewer.Kmers(11, words="all"), "4,194,304 features"),
        (fewer.FloatingConjunctions(4, window=3), "window=3"),
        (fewer.Conjunctions(9), "9 for 4 positions|k=9"),
        (fewer.Conjunctions(2, basic_positions="5-6"), "basic_positions='5-6'"),
        (fewer.Conjunctions(2, basic_positions=[0, 1]), "basic_positions"),
        (fewer.Conjunctions(2, basic_positions="left"), "basic_positions='left'"),
        (fewer.Conjunctions(1, n_random=9), "n_random=9"),
    ],
)
def test_parameters_that_do_not_fit(made, words):
    with pytest.raises(ValueError, match=words):
        made.fit(["ACGT", "AAAA"])


def test_positions_need_one_length():
    for made in (fewer.Kmers(kind="position"), fewer.Kmers(kind="region"), fewer.Conjunctions()):
        with pytest.raises(ValueError, match="sequence 1 has 3 letters and the first has 4"):
            made.fit(["ACGT", "ACG"])
    with pytest.raises(ValueError, match="those of fit had 4"):
        fewer.Conjunctions().fit(["ACGT"]).transform(["ACG"])


def test_conjunctions_of_some_positions(rng):
    texts = drawn(rng)
    up = fewer.Conjunctions(2, basic_positions="up", site=4).fit(texts).get_feature_names_out()
    interval = fewer.Conjunctions(2, basic_positions="1-4").fit(texts).get_feature_names_out()
    listed = fewer.Conjunctions(2, basic_positions=[4, 2, 3, 1]).fit(texts).get_feature_names_out()
    assert up.tolist() == interval.tolist() == listed.tolist()
    down = fewer.Conjunctions(2, basic_positions="down", site=4).fit(texts).get_feature_names_out()
    assert not set(up) & set(down)
    whole = fewer.Conjunctions(2, basic_positions="1-12").fit(texts).get_feature_names_out()
    assert whole.tolist() == fewer.Conjunctions(2).fit(texts).get_feature_names_out().tolist()


def test_random_conjunctions(rng):
    """Different ones; in random sequences one of k letters is there with probability 4^-k (section 18.4.2)."""
    texts = drawn(rng, n=400, length=20, letters="ACGT")
    for k in (2, 3):
        made = fewer.Conjunctions(k, n_random=500, random_state=1).fit(texts)
        found = check(made, texts)
        assert found.shape[1] == 500
        assert found.mean() == pytest.approx(4.0**-k, rel=0.1)
        used = np.bincount([int(p.split("@")[1]) for n in made.get_feature_names_out() for p in n.split(" & ")])[1:]
        assert used.min() > 0.6 * 500 * k / 20
        again = fewer.Conjunctions(k, n_random=500, random_state=1).fit(texts)
        assert again.get_feature_names_out().tolist() == made.get_feature_names_out().tolist()


def test_blocks_change_nothing(rng, monkeypatch):
    texts = drawn(rng, n=50)
    kinds = (fewer.Kmers((1, 3)), fewer.Kmers(2, kind="position"), fewer.Conjunctions(2))
    want = [(clone(made).fit(texts).get_feature_names_out(), clone(made).fit_transform(texts)) for made in kinds]
    monkeypatch.setattr("fewer.core.views.letters.BLOCK_LETTERS", 30)
    monkeypatch.setattr("fewer.methods.sequences._conjuncts.BLOCK_CELLS", 40)
    monkeypatch.setattr("fewer.methods.sequences.conjunctions.BLOCK_CELLS", 40)
    for made, (names, values) in zip(kinds, want):
        again = clone(made).fit(texts)
        assert again.get_feature_names_out().tolist() == names.tolist()
        np.testing.assert_array_equal(again.transform(texts).toarray(), values.toarray())


def test_frames_out_pickles_and_pipelines():
    texts = pd.Series(["ACGT", "AACN"], index=["one", "two"])
    made = fewer.Kmers(2).set_output(transform="pandas").fit(texts)
    frame = made.transform(texts)
    assert list(frame.columns) == made.get_feature_names_out().tolist()
    assert list(frame.index) == ["one", "two"]
    assert made.set_output(transform="polars").transform(texts).columns == list(frame.columns)
    plain = pickle.loads(pickle.dumps(fewer.Kmers(2).fit(texts)))
    np.testing.assert_array_equal(plain.transform(texts).toarray(), frame.to_numpy())
    with pytest.raises(Exception, match="not fitted"):
        fewer.Kmers().transform(texts)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (fewer.Kmers(9), "no feature in 2 sequence.*at most 4 letters"),
        (fewer.Kmers(1, min_count=3), "smaller min_count"),
        (fewer.FloatingConjunctions(2, window=2, min_count=2), "no feature"),
        (fewer.Kmers(1, kind="region", regions={"far": (3, 5)}), r"'far' as \(3, 5\).*longest sequence has 4"),
        (fewer.FloatingConjunctions(2, alphabet="A*"), r"alphabet='A\*'"),
    ],
)
def test_nothing_is_made_in_silence(made, words):
    """No columns, a region beyond the end, and names that could be read in two ways."""
    with pytest.raises(ValueError, match=words):
        made.fit(["AACC", "GGTT"])
