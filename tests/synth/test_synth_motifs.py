"""Sequences with planted letters."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.synth import make_planted_sequences
from oracles.sequences import places


def test_letters_are_planted_in_class_one_and_there_by_chance_in_the_other():
    data = make_planted_sequences(4000, 15, "A@3 & C@6", strength=0.5, random_state=0)
    has = np.array([t[2] == "A" and t[5] == "C" for t in data.sequences])
    assert has[data.y == 1].mean() == pytest.approx(0.5 + 0.5 / 16, abs=0.03)
    assert has[data.y == 0].mean() == pytest.approx(1 / 16, abs=0.02)
    assert data.relevant == (2, 5)
    assert np.bincount(data.y).tolist() == [2000, 2000]
    assert data.names[:2] == ("p1", "p2")


def test_words_stand_anywhere_and_several_motifs_share_the_rows():
    data = make_planted_sequences(400, 30, ["TTT*AAA", "C@1 & C@30"], strength=1.0, random_state=1)
    one = [t for t, label in zip(data.sequences, data.y) if label]
    word, ends = [bool(places(t, "TTT*AAA")) for t in one], [t[0] == t[-1] == "C" for t in one]
    assert all(a or b for a, b in zip(word, ends))
    assert 60 < sum(word) < 140
    starts = {places(t, "TTT*AAA")[0] for t, has in zip(one, word) if has}
    assert min(starts) == 0
    assert max(starts) == 23
    again = make_planted_sequences(400, 30, ["TTT*AAA", "C@1 & C@30"], strength=1.0, random_state=1)
    assert again.sequences == data.sequences


def test_other_alphabets():
    data = make_planted_sequences(20, 9, "HP", alphabet="HP", random_state=0)
    assert set("".join(data.sequences)) == {"H", "P"}


@pytest.mark.parametrize("motif", ["A@0", "A@31", "A@3 & C@3", "X", "AX@2", "A@b", "", "*A", "A & C@2", []])
def test_motifs_that_do_not_fit(motif):
    with pytest.raises(ValueError, match="motif"):
        make_planted_sequences(20, 30, motif)
