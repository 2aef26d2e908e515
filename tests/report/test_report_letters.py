"""Bounds on the width of words, against the metrics of the widest common font."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from fewer.report.letters import fitted, widest, width

LATIN = [chr(code) for code in (*range(0x20, 0x7F), *range(0xC0, 0x180))]


def metrics(name: str) -> dict[str, float]:
    """Return how far each letter advances, in parts of the size of the font."""
    font = TTFont(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name)
    advances, unit = font["hmtx"], font["head"].unitsPerEm
    return {chr(code): advances[glyph][0] / unit for code, glyph in font.getBestCmap().items()}


@pytest.mark.parametrize(("file", "bold"), [("DejaVuSans.ttf", False), ("DejaVuSans-Bold.ttf", True)])
def test_no_letter_is_wider_than_its_bound(file, bold):
    real = metrics(file)
    for letter in [*LATIN, *"…—–·×≤≥±∞−’“”€"]:
        assert real[letter] <= width(letter, 1.0, bold) + 1e-9, letter


def test_words_of_other_alphabets_are_not_wider_than_their_bound():
    real = metrics("DejaVuSans.ttf")
    for words in ("щегол и жук", "Ширина ЛИСТА", "μήκος φύλλου", "ΜΗΚΟΣ ΦΥΛΛΟΥ"):
        assert sum(real[letter] for letter in words) <= width(words, 1.0) <= 1.6 * sum(real[letter] for letter in words)


def test_widths_of_accents_and_of_square_letters():
    assert width("e\u0301") == width("é") == width("e")
    assert width("x\u0321") == width("x"), "what stands on a letter takes no place"
    assert width("長さ", 10.0) >= 20.0
    assert widest([]) == 0.0
    assert widest(["a", "mm", "i"]) == width("mm")


@given(st.text(max_size=40), st.floats(0, 300), st.booleans())
def test_fitted_words_fit_and_keep_their_beginning(words, room, bold):
    short = fitted(words, room, 12.0, bold)
    assert short == words or (short.endswith("…") and words.startswith(short[:-1]))
    assert width(short, 12.0, bold) <= max(room, width("…", 12.0, bold)) + 1e-6
    if short == words + "…":
        raise AssertionError("dots where nothing was cut")
