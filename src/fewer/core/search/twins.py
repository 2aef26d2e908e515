"""Columns that stand for each other, so that each separates the other from a target and both would be lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fewer.core.criteria.independence_contract import pair_of
from fewer.core.search.questions import Asked, Questions


def twins_of(questions: Questions, j: int, target: int, kept: Collection[int] = ()) -> tuple[int, ...]:
    """Return which columns of the set that separated a column from the target it stands for as they do for it.

    Given the rest of that set both depend on the target, but neither does once the other is known, too. In a graph that
    cannot be: d-separation of both pairs would separate both from the target given the rest alone (the axiom of
    intersection). Near copies of one cause do so.

    Parameters
    ----------
    questions : Questions
        Whom to ask.
    j, target : int
        The pair that some set separated.
    kept : collection of int
        Columns that are not lost and so no twins.
    """
    separator = questions.separators.get(pair_of(j, target))
    if separator is None or not separator.free:
        return ()
    out = []
    for other in separator.given:
        if other in kept:
            continue
        rest = [i for i in separator.given if i != other]
        each = questions.ask([other], (*rest, j), target)[0]
        if each.independent and each.free and _clearly(questions, questions.ask([j, other], rest, target)):
            out.append(other)
    return tuple(out)


def _clearly(questions: Questions, answers: Iterable[Asked]) -> bool:
    """Return whether dependences are so clear that they cannot have been lost for lack of rows alone.

    P-values by permutations have a smallest one, which must do.
    """
    limit = max(questions.alpha**2, questions.step)
    return all(asked.dependent and asked.pvalue <= limit for asked in answers)


def readmitted(questions: Questions, target: int, kept: Collection[int], lost: Iterable[int]) -> dict[int, list[int]]:
    """Return who comes back of columns that were lost together, each with all that it stands for.

    Of a group of twins one comes back, the strongest that no subset of those who are there separates from the target,
    of equal ones the lower number.
    """
    twins: dict[int, set[int]] = {}
    for j in lost:
        for other in twins_of(questions, j, target, kept):
            twins.setdefault(j, set()).add(other)
            twins.setdefault(other, set()).add(j)
    alone = questions.ask(sorted(twins), (), target) if twins else []
    out: dict[int, list[int]] = {}
    covered: set[int] = set()
    for _, j in sorted((asked.order, j) for asked, j in zip(alone, sorted(twins))):
        there = [*kept, *out]
        if j not in covered and questions.first_separator(j, target, there, range(len(there) + 1)) is None:
            group = _connected(twins, j)
            out[j] = sorted(group - {j})
            covered |= group
    return out


def _connected(twins: dict[int, set[int]], j: int) -> set[int]:
    """Return the group of one column: its twins, theirs, and so on."""
    group, waiting = {j}, [j]
    while waiting:
        new = twins[waiting.pop()] - group
        group |= new
        waiting.extend(new)
    return group
