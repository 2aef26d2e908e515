from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_examples import small, stepwise, with_redundancy

from fewer.core.records.reasons import IRRELEVANT, NOT_REACHED, REDUNDANT, Reason, Reasons
from fewer.report.words import column, counts, headline, listed, number, rest_in_words, shortened, why


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        (float("nan"), ""),
        (np.float64("nan"), ""),
        (float("inf"), "∞"),
        (-float("inf"), "-∞"),
        (0.0, "0"),
        (-0.25, "-0.25"),
        (1 / 3, "0.3333"),
        (1234567, "1,234,567"),
        (np.int64(12), "12"),
        (123456.7, "123,457"),
        (True, "True"),
        ("quantile", "quantile"),
    ],
)
def test_number(value, expected):
    assert number(value) == expected


@given(st.floats(-1e300, 1e300))
def test_number_keeps_four_digits(value):
    assert float(number(value).replace(",", "")) == pytest.approx(value, rel=5.1e-4, abs=0)


def test_column_has_one_number_of_decimals_and_never_rounds_to_zero():
    assert column([0.5, 0.25, 0.00001, 0.0, None, math.nan, math.inf]) == [
        "0.5000", "0.2500", "1e-05", "0", "", "", "∞"
    ]  # fmt: skip
    assert column([1200.0, 3.4, 0.2]) == ["1200", "3", "0.2"]
    assert column([2e-9, 1e-9]) == ["2.000e-09", "1.000e-09"]
    assert column(["a", "b"]) == ["a", "b"]
    assert column([]) == []


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_column_never_turns_the_order_around(values):
    # Sorting in the browser reads the text back, so text must be sorted as the numbers are.
    values = sorted(values)
    read = [float(text.replace(",", "")) for text in column(values)]
    assert read == sorted(read)


def test_listed():
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c", "d"]) == "a, b, c and d"
    assert listed(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"


@given(st.text(), st.integers(2, 50))
def test_shortened_keeps_the_beginning(name, most):
    short = shortened(name, most)
    assert short == name or (short.endswith("…") and name.startswith(short[:-1]) and len(short) <= most)


def test_wide_letters_count_twice():
    assert shortened("日本語の特徴", 7) == "日本語…"
    assert shortened("abcdef", 6) == "abcdef"


def test_headline_of_every_size():
    assert headline(small([1, 2, 3], [2])) == "1 of 3 features kept"
    assert headline(small([1, 2, 3], [])) == "None of 3 features kept"
    assert headline(small([1, 2, 3], [2, 1, 0])) == "All 3 features kept"
    assert headline(small([1], [0], meta={"method": "Chi2"})) == "The only feature was kept by Chi2"
    assert headline(small([1], [])) == "None of 1 feature kept"
    assert headline(small([], [])) == "No features to select from"


def test_the_rest_in_words():
    assert rest_in_words(small([1, 2, 3], [2])) == "The other 2 are irrelevant."
    assert rest_in_words(small([1, 2, 3], [2, 1])) == "The other one is irrelevant."
    assert rest_in_words(small([1, 2], [])) == "The 2 are irrelevant."
    assert rest_in_words(small([1, 2], [1, 0])) == ""
    assert rest_in_words(stepwise()) == "Of the other 24, 3 are irrelevant and 21 were not reached."


def test_counts_add_up():
    selection = with_redundancy()
    assert sum(counts(selection).values()) == selection.n_features
    assert counts(selection)["kept"] == len(selection)


def test_why_tells_what_the_columns_do_not():
    assert why(Reason("x", "kept", 0.5, 1, rule="the 3 best.")) == "Kept: the 3 best."
    assert why(Reason("x", "irrelevant", 0.01, 9, 0.05)) == "Irrelevant: needed 0.05."
    assert why(Reason("x", "redundant", related=("a", "b"), amount=0.9)) == "Redundant to a and b by 0.9."
    assert why(Reason("x", "not reached")) == "Not reached."
    assert why(Reason("x", "kept", note="n" * 3)) == "Kept: nnn."


def test_all_kinds_have_a_place_in_the_counts():
    kind = np.array([NOT_REACHED, REDUNDANT, IRRELEVANT, 0], dtype=np.uint8)
    assert list(counts(small([1, 2, 3, 4], [3], reasons=Reasons(kind)))) == [
        "kept", "redundant", "irrelevant", "not reached"
    ]  # fmt: skip
