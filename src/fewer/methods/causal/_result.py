"""From answers about independence to a selection: the blanket, roles, a graph, and the test that decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fewer.core.criteria.independence_contract import Y
from fewer.core.records.evidence import DEPENDENT, INDEPENDENT, TOO_FEW, Evidence
from fewer.core.records.needs import AT_MOST, Need
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.search.grow_shrink import decided
from fewer.core.search.questions import Asked, Questions

MEMBER, NEIGHBOUR, SPOUSE, OUTSIDE = "in the blanket", "parent or child", "spouse", "outside the blanket"
CAUSE, EFFECT = "cause", "effect"


def selection_of(
    questions: Questions,
    kept: Sequence[int],
    roles: Mapping[int, Sequence[str]],
    edges: Sequence[tuple[int, int, str]] = (),
    answers: Mapping[int, Asked] = {},
) -> Selection:
    """Return the blanket of y with roles, graph and reasons.

    Parameters
    ----------
    questions : Questions
        What was asked.
    kept : sequence of int
        The blanket.
    roles : mapping of int to sequence of str
        What its members are, in the order of the roles.
    edges : sequence of (int, int, str)
        The graph: both ends, y as -1, and how the edge is drawn.
    answers : mapping of int to Asked
        What decided about single features, where that is not what the questions say by themselves.
    """
    n = questions.view.n_features
    found = {**decided(questions, Y, list(kept)), **answers}
    kind, scores, pvalue, given = np.full(n, NOT_REACHED, np.uint8), *np.full((3, n), np.nan)
    kind[list(kept)] = KEPT
    tested, related = {}, {}
    for j, asked in found.items():
        scores[j], given[j] = asked.strength, len(asked.given)
        pvalue[j] = asked.pvalue if asked.reliable else np.nan
        tested[j] = _tested(asked, questions.called)
        if kind[j] == KEPT or not asked.independent:
            continue
        covers = bool(asked.given) and all(kind[i] == KEPT for i in asked.given)
        kind[j] = REDUNDANT if covers else IRRELEVANT
        if covers:
            related[j] = asked.given
    order = sorted(kept, key=lambda j: (found[j].order, j))
    rule = f"p <= {questions.alpha:g} needed ({type(questions.test).__name__})"
    dropped = np.where(kind == IRRELEVANT, pvalue, np.nan)
    needs = (Need("p-value", dropped, questions.alpha, how=AT_MOST),)
    reasons = Reasons(kind, rule=rule, related=related, tested=tested, needs=needs)
    columns = {"pvalue": pvalue, "n_given": given}
    selection = Selection.build(order, order, reasons, scores, columns=columns, then=np.nan_to_num(scores, nan=-np.inf))
    return selection.with_tables(**_tables(questions, roles, edges)).with_meta(**_facts(questions))


def stood_for(questions: Questions, back: Mapping[int, Sequence[int]], kept: Sequence[int]) -> dict[int, Asked]:
    """Return what separates features from y that others that were lost did, given those that came back and are kept."""
    out: dict[int, Asked] = {}
    pool = [*back, *(j for j in kept if j not in back)]
    for j in range(questions.view.n_features) if back else ():
        separator = questions.separators.get((Y, j))
        if j in kept or separator is None or set(separator.given) <= set(kept):
            continue
        asked = questions.first_separator(j, Y, pool, range(1, len(pool) + 1))
        if asked is not None:
            out[j] = asked
    return out


def _tested(asked: Asked, called: str) -> Evidence:
    if not asked.reliable:
        return Evidence(_about(TOO_FEW, called), asked.given)
    return Evidence(_about(DEPENDENT if asked.dependent else INDEPENDENT, called), asked.given, asked.pvalue)


def _about(words: str, called: str) -> str:
    """Return a verdict about y with its name."""
    return words.removesuffix("y") + called


def _tables(
    questions: Questions, roles: Mapping[int, Sequence[str]], edges: Sequence[tuple[int, int, str]]
) -> dict[str, ResultTable]:
    n = questions.view.n_features
    words = [", ".join(roles.get(j, (OUTSIDE,))) for j in range(n)]
    first = sorted(range(n), key=lambda j: (j not in roles, j))
    columns: dict[str, Any] = {"feature": first, "role": [words[j] for j in first]}
    columns["confounding"] = ["not examined"] * n
    out = {"roles": ResultTable("Roles beside the target", columns, "rows", ("feature",))}
    if edges:
        # Those of the target first, and last those of which nobody knows whether they exist.
        a, b, drawn = zip(*sorted(edges, key=lambda edge: (edge[2] == "?", Y not in edge[:2])))
        ends = {"from": list(a), "to": list(b), "edge": list(drawn)}
        out["graph"] = ResultTable("Graph around the target", ends, "graph", ("from", "to"), questions.called)
    remarks = [*questions.remarks, *_lost_all(questions, roles)]
    if remarks:
        out["notes"] = ResultTable("What to mind", {"note": remarks})
    return out


def _lost_all(questions: Questions, roles: Mapping[int, Sequence[str]]) -> list[str]:
    """Return a sentence if nothing is kept although features depend on y, each until others of them are given."""
    lost = sum(1 for pair, asked in questions.separators.items() if Y in pair and asked.given)
    if roles or not lost:
        return []
    return [
        f"Nothing is kept, although {lost} features depend on {questions.called} alone: each is independent of it "
        "given others of them, and too weakly dependent for one to come back; IAMB keeps one of such features."
    ]


def _facts(questions: Questions) -> dict[str, Any]:
    memory = questions.test.memory(questions.view)
    too_few = sum(1 for pair in questions.unsure if Y in pair)
    counts = {"asked": memory.asked, "computed": memory.computed, "too_few_rows": too_few}
    return {"tests": {**counts, "near_alpha": questions.near_alpha}}
