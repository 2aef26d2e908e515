"""FGA against loops over all candidates, and planted letters that it must find."""

from __future__ import annotations

import json

import numpy as np
import pytest

import fewer
from fewer.methods.sequences._conjuncts import grow
from fewer.methods.sequences._words import WordKind, count_words
from fewer.synth import make_planted_sequences
from oracles import sequences as slow


def letters_of(texts):
    from fewer.core.records.alphabets import NAMED
    from fewer.core.views.letters import Letters

    return Letters.of("test", texts, NAMED["dna"])


def drawn(rng, n=60, length=6, letters="ACGTN"):
    return ["".join(rng.choice(list(letters), length)) for _ in range(n)], rng.integers(0, 2, n)


def test_coupled_conjunctions_agree_with_loops(rng):
    for round_ in range(6):
        texts, y = drawn(rng, letters="ACGTN" if round_ % 2 else "AC")
        score = ("ig", "chi2", "kl")[round_ % 3]
        want = slow.coupled(texts, y.tolist(), range(6), 3, 12, score)
        made = fewer.FGA("conjunction", max_letters=3, n_per_level=12, score=score).fit(texts, y)
        names = {" & ".join(f"{s}@{p + 1}" for p, s in one) for k in (2, 3) for one in want[k]}
        assert set(made.get_feature_names_out()) == names


def test_chunks_of_parents_and_blocks_of_rows_change_nothing(rng, monkeypatch):
    texts, y = drawn(rng, n=90)
    want = fewer.FGA("conjunction", max_letters=4, n_per_level=9).fit(texts, y).selection_
    monkeypatch.setattr("fewer.methods.sequences._conjuncts.BLOCK_CELLS", 50)
    monkeypatch.setattr("fewer.methods.sequences._conjuncts.BLOCK_ROWS", 16)
    found = fewer.FGA("conjunction", max_letters=4, n_per_level=9).fit(texts, y).selection_
    assert found.feature_names == want.feature_names
    np.testing.assert_array_equal(found.order, want.order)


def test_keeping_all_couples_nothing(rng):
    """Uncoupled is all there is; coupled with everything kept is the same (section 18.3.3)."""
    texts, y = drawn(rng, n=40)
    for types in ("conjunction", "position", "general", "floating"):
        free = fewer.FGA(types, max_letters=3, n_per_level=None, coupled=False).fit(texts, y)
        bound = fewer.FGA(types, max_letters=3, n_per_level=None, coupled=True).fit(texts, y)
        assert free.get_feature_names_out().tolist() == bound.get_feature_names_out().tolist()
    every = fewer.Conjunctions((2, 3)).fit(texts).get_feature_names_out()
    free = fewer.FGA("conjunction", max_letters=3, n_per_level=None, coupled=False).fit(texts, y)
    assert set(free.get_feature_names_out()) == set(every)


def test_uncoupled_levels_keep_the_best_of_all(rng):
    texts, y = drawn(rng, n=80, length=8, letters="ACGT")
    made = fewer.FGA("general", max_letters=3, n_per_level=5, score="ig").fit(texts, y)
    for k in (2, 3):
        words = slow.seen_words(texts, k)
        rated = [(-round(slow.information_gain([w in t for t in texts], y.tolist()), 12), w) for w in words]
        best = {word for _, word in sorted(rated)[:5]}
        assert {n for n in made.get_feature_names_out() if len(n) == k} == best


def test_coupled_words_begin_with_kept_words(rng):
    """{ac, cg} grows to {aca, acc, acg, act, cga, cgc, cgg, cgt}, and ac_2 to aca_2 ... act_2 (section 18.3.1)."""
    texts = slow.all_texts(3)
    letters, zeros = letters_of(texts), np.zeros(64, np.int64)
    kind = WordKind()
    found = count_words(letters, kind, 3, zeros, 1, kept=np.array([1, 6]))
    assert kind.names(found.ids, 3, letters.alphabet) == [
        "ACA",
        "ACC",
        "ACG",
        "ACT",
        "CGA",
        "CGC",
        "CGG",
        "CGT",
    ]
    at = WordKind(length=3)
    assert at.names(np.array([1 * 16 + 1]), 2, letters.alphabet) == ["AC@2"]
    made = fewer.FGA("position", max_letters=3, n_per_level=3, coupled=True).fit(*drawn(rng, length=8))
    names = made.get_feature_names_out()
    for name in names:
        word, at = name.split("@")
        assert len(word) == 1 or f"{word[:-1]}@{at}" in names


def test_two_letters_give_8_n_minus_9_pairs():
    """From a_1 and g_2 come 8 (n - 1) - 1 different pairs, a_1 and g_2 together once (1,271 for n = 160)."""
    rng = np.random.default_rng(0)
    n = 20
    texts = ["".join(rng.choice(list("ACGT"), n)) for _ in range(3000)]
    letters, y = letters_of(texts), np.zeros(3000, np.int64)
    basics = np.arange(4 * n)
    found = grow(letters, y, 1, np.array([[0], [4 + 2]]), basics, lambda c: c[:, 0], 10_000, once=False)
    assert len(found.basics) == 8 * (n - 1) - 1
    # No conjunction is in more sequences than its parts.
    single = grow(letters, y, 1, np.zeros((1, 0), np.int64), basics, lambda c: c[:, 0], None, once=True)
    alone = dict(zip(single.basics[:, 0].tolist(), single.counts[:, 0]))
    assert all(count <= min(alone[a], alone[b]) for (a, b), count in zip(found.basics.tolist(), found.counts[:, 0]))


@pytest.mark.parametrize("seed", range(3))
def test_planted_conjunctions_are_recovered(seed):
    motif = ("A@3 & C@6 & G@9", "T@2 & T@11 & A@14 & C@20", "G@5 & G@17")[seed]
    data = make_planted_sequences(1000, 24, motif, strength=0.6, random_state=seed)
    k = motif.count("@")
    made = fewer.FGA("conjunction", 1, max_letters=k, n_per_level=200).fit(data.sequences, data.y)
    gains = made.selection_.columns["information gain"]
    assert made.selection_.feature_names[int(np.argmax(gains))] == motif
    table = made.selection_.to_frame(table="levels")
    assert table["letters"].tolist() == list(range(2, k + 1))


def test_planted_words_are_recovered():
    data = make_planted_sequences(600, 40, "GATTACA", random_state=1)
    made = fewer.FGA(("general", "floating"), max_letters=6, n_per_level=40).fit(data.sequences, data.y)
    gains = made.selection_.columns["information gain"]
    assert made.selection_.feature_names[int(np.argmax(gains))] in ("GATTAC", "ATTACA")
    gapped = make_planted_sequences(600, 40, "A***C***G", random_state=2)
    found = fewer.FGA("floating", 1, max_letters=3, window=9, n_per_level=100).fit(gapped.sequences, gapped.y)
    gains = found.selection_.columns["information gain"]
    assert found.selection_.feature_names[int(np.argmax(gains))] == "A***C***G"


def test_the_result_tells_counts_rounds_and_reasons(rng):
    data = make_planted_sequences(300, 16, random_state=3)
    made = fewer.FGA(max_letters=3, n_features_to_select=20, n_per_level=60, step=50).fit(data.sequences, data.y)
    selection = made.selection_
    assert len(selection) == 20 == made.transform(data.sequences).shape[1]
    assert [n for n, kept in zip(selection.feature_names, selection.support) if kept] == list(made.feature_names_)
    motifs = selection.to_frame(table="motifs")
    for name, zero, one in motifs.itertuples(index=False):
        has = np.array([slow.value(t, name, {"up": (1, 8), "down": (9, 16)}) > 0 for t in data.sequences])
        assert (zero, one) == (has[data.y == 0].sum(), has[data.y == 1].sum())
    assert selection.table()["feature"][:20] == motifs["motif"].tolist()
    rounds = selection.columns["round"]
    assert (rounds[selection.indices] == 0).all()
    sizes = np.bincount(rounds.astype(int))[1:]
    left = selection.n_features
    for size in sizes:
        # A block is 50, at most half of what is left, and not more than must leave.
        assert size == min(50, (left + 1) // 2, left - 20)
        left -= size
    assert all(str(selection.reason(j)).endswith(".") for j in range(selection.n_features))
    again = fewer.Selection.from_json(selection.to_json())
    assert json.loads(again.to_json()) == json.loads(selection.to_json())
    whole = fewer.FGA(max_letters=3, n_per_level=60).fit(data.sequences, data.y)
    assert len(whole.selection_) == whole.selection_.n_features


def test_a_conjunction_side_by_side_is_a_word_at_a_position(rng):
    texts, y = drawn(rng, length=5)
    made = fewer.FGA(("position", "conjunction"), max_letters=2, n_per_level=None).fit(texts, y)
    values = made.transform(texts).toarray()
    names = made.get_feature_names_out()
    assert not [n for n in names if "&" in n and int(n.split("@")[2]) - int(n.split("@")[1].split()[0]) == 1]
    assert len(set(names)) == len(names)
    assert values.shape[1] == len(names)


def test_places_instead_of_sequences():
    """In four texts of two As each, A is everywhere; places tell that class 1 has more of them."""
    texts, y = ["AAAA", "AAAC", "ACCC", "ACCC"] * 5, [1, 1, 0, 0] * 5
    counts = {}
    for event in ("presence", "occurrence"):
        made = fewer.FGA("general", max_letters=2, n_per_level=1, score="mi_abs", event=event).fit(texts, y)
        counts[event] = made.get_feature_names_out().tolist()
    assert counts["occurrence"] == ["AA"]
    letters = letters_of(texts)
    found = count_words(letters, WordKind(), 1, np.array(y), 2, event="occurrence")
    assert found.counts.tolist() == [[10, 35], [30, 5]]
    assert found.sizes.tolist() == [40, 40]
    with pytest.raises(ValueError, match="only kl, mi_max and mi_abs"):
        fewer.FGA("general", score="ig", event="occurrence").fit(texts, y)


def test_thresholds_and_several_classes(rng):
    texts, _ = drawn(rng, n=90, length=8, letters="ACGT")
    y = np.array([t[0] for t in texts])
    made = fewer.FGA("position", max_letters=1, threshold=30.0).fit(texts, y)
    assert set(made.get_feature_names_out()) == {"A@1", "C@1", "G@1", "T@1"}
    assert made.classes_.tolist() == ["A", "C", "G", "T"]
    with pytest.raises(ValueError, match="kept no feature"):
        fewer.FGA("position", max_letters=1, threshold=1e9).fit(texts, y)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"types": "words"}, "types='words'"),
        ({"types": ()}, "types="),
        ({"types": ("general", "general")}, "each once"),
        ({"max_letters": 1}, "max_letters=1"),
        ({"types": "conjunction", "n_per_level": 0.5}, "whole number"),
        ({"score": {"up": "best"}}, "score='best' for the type 'up'"),
        ({"types": "up", "score": {"down": "ig"}}, "score for down"),
        ({"coupled": {"up": 3}}, "coupled=3"),
        ({"n_per_level": {"up": -1}}, "n_per_level=-1"),
        ({"types": "conjunction", "basic_positions": [1]}, "1 position"),
        ({"score": "mi_avg"}, "score"),
    ],
)
def test_options_that_do_not_fit(params, words):
    with pytest.raises(ValueError, match=words):
        fewer.FGA(**params).fit(["ACGT", "AAAA", "CCCC"], [0, 1, 0])


def test_targets_that_do_not_fit():
    with pytest.raises(ValueError, match="requires y"):
        fewer.FGA().fit(["ACGT", "AAAA"])
    with pytest.raises(ValueError, match="one class"):
        fewer.FGA().fit(["ACGT", "AAAA"], [1, 1])
    with pytest.raises(ValueError, match="2 .*3|3 .*2"):
        fewer.FGA().fit(["ACGT", "AAAA"], [1, 0, 1])


def test_a_pattern_without_gaps_is_a_word(rng):
    """Names stay unique when k-mers and letters at distances are collected."""
    texts, y = drawn(rng, length=8)
    made = fewer.FGA(("floating", "general"), max_letters=3, window=4, n_per_level=None).fit(texts, y)
    names = made.get_feature_names_out().tolist()
    assert len(set(names)) == len(names)
    words = fewer.Kmers((2, 3)).fit(texts).get_feature_names_out().tolist()
    gaps = fewer.FloatingConjunctions((2, 3), window=4).fit(texts).get_feature_names_out().tolist()
    assert set(names) == {*words, *gaps}
    few = fewer.FGA(("floating", "general"), max_letters=2, n_per_level={"general": 1, "floating": None}).fit(texts, y)
    assert sorted(few.get_feature_names_out()) == sorted(fewer.FloatingConjunctions(2).fit(texts).feature_names_)


def test_min_count_counts_sequences_also_where_places_are_scored():
    texts, y = ["AAAA", "CCCG", "CCGG", "GGCC"], [0, 1, 0, 1]
    made = fewer.FGA("general", max_letters=2, n_per_level=None, event="occurrence", min_count=2).fit(texts, y)
    assert made.get_feature_names_out().tolist() == ["CC", "CG", "GG"]


def test_two_planted_motifs_are_the_last_two():
    """The last block took 600 of 602 features by one machine, and motifs with them."""
    found = 0
    for seed in range(4):
        motifs = ("A@3 & C@6 & G@9", "T@12 & T@15 & A@18")
        data = make_planted_sequences(300, 20, motifs, random_state=seed)
        made = fewer.FGA(("position", "conjunction"), 2, max_letters=3, n_per_level=300).fit(data.sequences, data.y)
        found += len({*motifs} & {*made.get_feature_names_out()})
    assert found >= 7


def test_uncoupled_conjunctions_are_scored_once(rng):
    texts, y = drawn(rng, length=5)
    made = fewer.FGA("conjunction", max_letters=3, n_per_level=9, coupled=False).fit(texts, y)
    scored = made.selection_.to_frame(table="levels")["scored"].tolist()
    assert scored == [len(fewer.Conjunctions(k).fit(texts).feature_names_) for k in (2, 3)]
