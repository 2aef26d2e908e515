"""What methods share that find parents and children first: the two kinds of result."""

from __future__ import annotations

from collections.abc import Callable

from fewer.core.criteria.independence_contract import Y
from fewer.core.records.result import Selection
from fewer.core.search.neighbourhoods import Neighbourhoods
from fewer.core.search.questions import Questions
from fewer.methods.causal._result import EFFECT, NEIGHBOUR, SPOUSE, selection_of, stood_for

Find = Callable[[Questions, int], list[int]]


def parents_and_children(questions: Questions, find: Find, symmetry: bool) -> Selection:
    """Return the parents and children of y."""
    around = Neighbourhoods(questions, find, symmetry)
    kept, _ = around.blanket(Y, all_of_it=False)
    edges = [(j, Y, "--") for j in kept]
    answers = stood_for(questions, around.back[Y], kept)
    return selection_of(questions, kept, dict.fromkeys(kept, (NEIGHBOUR,)), edges, answers)


def blanket(questions: Questions, find: Find, symmetry: bool) -> Selection:
    """Return the parents and children of y, and the spouses: other parents of its children."""
    around = Neighbourhoods(questions, find, symmetry)
    near, spouses = around.blanket(Y)
    # A spouse and y meet in a child, so that these two directions are known.
    children = {child for child, _ in spouses.values()}
    roles = {j: (EFFECT if j in children else NEIGHBOUR,) for j in near} | dict.fromkeys(spouses, (SPOUSE,))
    edges = [(Y, j, "->") if j in children else (j, Y, "--") for j in near]
    edges += [(j, child, "->") for j, (child, _) in spouses.items()]
    answers = stood_for(questions, around.back[Y], near) | {j: asked for j, (_, asked) in spouses.items()}
    return selection_of(questions, [*near, *spouses], roles, edges, answers)
