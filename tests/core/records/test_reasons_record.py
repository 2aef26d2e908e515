"""Reasons carry what was measured and needed, print it so that it can be seen, and settle themselves."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fewer
from fewer.core.records.needs import AT_MOST, MORE_THAN, Need, apart
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reason, Reasons
from fewer.core.records.result import Selection


def kinds(reasons, scores=None):
    return reasons.settled(None if scores is None else np.asarray(scores, float)).kind.tolist()


def test_irrelevant_needs_a_line_that_the_feature_misses_or_a_note():
    kind = np.array([KEPT, IRRELEVANT, IRRELEVANT, IRRELEVANT], np.uint8)
    assert kinds(Reasons(kind), [3, 1, 1, 1]) == [KEPT, NOT_REACHED, NOT_REACHED, NOT_REACHED]
    assert kinds(Reasons(kind, 1.5), [3, 1, 1.5, np.nan]) == [KEPT, IRRELEVANT, NOT_REACHED, NOT_REACHED]
    assert kinds(Reasons(kind, 1.5, above=True), [3, 1, 1.5, 2]) == [KEPT, IRRELEVANT, IRRELEVANT, NOT_REACHED]
    assert kinds(Reasons(kind, note={2: "constant", 3: ""})) == [KEPT, NOT_REACHED, IRRELEVANT, NOT_REACHED]
    need = Need("p-value", np.array([0.01, 0.5, 0.1, np.nan]), 0.1, how=AT_MOST)
    assert kinds(Reasons(kind, needs=(need,))) == [KEPT, IRRELEVANT, NOT_REACHED, NOT_REACHED]


def test_redundant_features_lead_to_kept_ones():
    # 1 leads to the kept one by 2; 3 and 4 only to each other; 5 to one that was not reached; 6 to nothing.
    kind = np.array([KEPT, *[REDUNDANT] * 6, NOT_REACHED], np.uint8)
    related = {1: (2, 0), 2: (0,), 3: (4,), 4: (3,), 5: (7, 0)}
    settled = Reasons(kind, related=related, amount=dict.fromkeys(related, 1.0)).settled(None)
    assert settled.kind.tolist() == [KEPT, REDUNDANT, REDUNDANT, *[NOT_REACHED] * 5]
    assert set(settled.related) == set(settled.amount) == {1, 2}


def test_a_long_chain_settles_in_one_go():
    n = 20_000
    kind = np.full(n, REDUNDANT, np.uint8)
    kind[-1] = KEPT
    reasons = Reasons(kind, related={j: (j + 1,) for j in range(n - 1)})
    assert (reasons.settled(None).kind[:-1] == REDUNDANT).all()


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_different_numbers_look_different_and_keep_their_order(a, b):
    shown = apart(a, b)
    assert (shown[0] == shown[1]) == (a == b) or float(shown[0]) == float(shown[1]) == 0
    assert (float(shown[0]) < float(shown[1])) == (a < b)


def test_the_quantity_that_decided_is_named_beside_what_it_needed():
    need = Need("information about the target", np.array([0.9, 0.0704999999]), 0.0705, "nats", why="to be significant")
    s = Selection(
        np.array([0]), np.array([0, 1]), Reasons(np.array([KEPT, IRRELEVANT]), needs=(need,)), np.array([1.0, -0.339])
    )
    assert str(s.reason(1)) == (
        "x1 is irrelevant: rank 2; score -0.339; information about the target 0.0704999999 nats; "
        "needed 0.0705 to be significant."
    )
    assert (s.reason(1).threshold, s.reason(1).measured, s.reason(1).needed) == (None, 0.0704999999, 0.0705)
    assert s.reason(0).needed is None


def test_scores_are_printed_beside_their_line():
    kind = np.array([KEPT, IRRELEVANT, IRRELEVANT])
    scores = np.array([1.0, 0.25, 0.24999999])
    s = Selection(np.array([0]), np.arange(3), Reasons(kind, 0.25, above=True), scores, columns={"pvalue": scores})
    assert str(s.reason(1)) == "x1 is irrelevant: rank 2; score 0.25; needed more than 0.25; p-value 0.25."
    assert "score 0.24999999; needed more than 0.25;" in str(s.reason(2))


def test_json_keeps_needs_and_reads_files_that_have_none():
    need = Need("gain", np.array([1.0, np.nan, -np.inf]), np.array([np.nan, 2.0, 0.5]), how=MORE_THAN)
    reasons = Reasons(
        np.array([KEPT, NOT_REACHED, IRRELEVANT]), np.inf, above=np.array([True, False, True]), needs=(need,)
    )
    s = Selection(np.array([0]), np.arange(3), reasons, np.zeros(3))
    again = Selection.from_json(s.to_json())
    assert [str(again.reason(j)) for j in range(3)] == [str(s.reason(j)) for j in range(3)]
    assert again.to_json() == s.to_json()
    old = json.loads(Selection(np.array([0]), np.arange(2), Reasons(np.array([0, 1]), 2.0), np.ones(2)).to_json())
    del old["reasons"]["above"], old["reasons"]["needs"]
    assert str(Selection.from_json(json.dumps(old)).reason(1)) == "x1 is irrelevant: rank 2; score 1; needed 2."


def test_a_chain_says_by_which_selector_and_which_number(rng):
    from fewer.methods.compose import Chain

    y = rng.integers(0, 2, 200)
    X = rng.normal(size=(200, 8)) + np.outer(y, [3, 2, 0, 0, 0, 0, 0, 0])
    chain = Chain([fewer.FTest("p:0.9"), fewer.InformationGain("threshold:0.1")])
    selection = chain.fit(X, y).selection_
    assert selection.indices.tolist() == [0, 1]
    for j in range(2, 8):
        reason = selection.reason(j)
        assert reason.kind == "irrelevant"
        if "selector 2" in reason.note:
            assert (reason.quantity, reason.needed) == ("score by InformationGain", 0.1)
            assert reason.measured < 0.1
        else:
            assert reason.quantity == "p-value"
            assert reason.measured > 0.9


@pytest.mark.parametrize(("score", "shown", "words"), [
    (0.01, "0.0100", "Irrelevant: needed 0.05."),
    (0.0499, "0.050", "Irrelevant: score 0.0499, needed 0.05."),
    (0.04999999, "", "Irrelevant: score 0.04999999, needed 0.05."),
])  # fmt: skip
def test_a_report_tells_the_score_again_where_its_column_hides_the_difference(score, shown, words):
    from fewer.report.words import why

    assert why(Reason("x", "irrelevant", score, 9, 0.05), shown) == words


def test_a_report_names_the_quantity_that_decided():
    from fewer.report.words import why

    reason = Reason("x", "irrelevant", 5.0, 9, quantity="gain", measured=0.0, needed=0.0, how=MORE_THAN, unit="nats")
    assert why(reason) == "Irrelevant: gain 0 nats, needed more than 0."
