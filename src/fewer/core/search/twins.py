"""Columns that stand for each other, so that each separates the other from a target and both would be lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from fewer.core.criteria.independence_contract import pair_of
from fewer.core.search.questions import Asked, Questions


def twins_of(questions: Questions, j: int, target: int, kept: Collection[int] = ()) -> tuple[int, ...]:
    """Return which columns of the set that separated a column from the target it stands for as they do for it.

    Given the rest of that set all of them depend on the target, but none does once the others are known, too. In a
    graph that cannot be: d-separation of each given the others would separate all from the target given the rest alone
    (the axiom of intersection). Near copies of one cause do so.

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
    given = separator.given
    able = []
    for other in (other for other in given if other not in kept):
        asked = questions.ask([other], (*(i for i in given if i != other), j), target)[0]
        if asked.independent and asked.free:
            able.append(other)
    if _stand_together(questions, j, target, given, able):
        return tuple(able)
    return tuple(other for other in able if _stand_together(questions, j, target, given, [other]))


def _stand_together(questions: Questions, j: int, target: int, given: Iterable[int], block: Sequence[int]) -> bool:
    """Return whether a column and a block of those that separated it depend clearly on the target given the others."""
    rest = [i for i in given if i not in block]
    return bool(block) and _clearly(questions, questions.ask([j, *block], rest, target))


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


def strongest_lost(
    questions: Questions, target: int, blanket: Sequence[int], back: Mapping[int, Sequence[int]] = {}
) -> tuple[int, list[int]] | None:
    """Return who depends clearly on the target given its whole blanket, and all whom others that were lost separated.

    Whoever is outside a blanket is independent of the target given it, or given more than it. So someone who is not was
    lost by mistake, together with some of the columns that separated it: larger groups of near copies, of which several
    together separate each. The strongest comes back, of equal ones the lower number, if no subset of the blanket
    separates it. Where rows are too few to ask, nobody does. Of those that were lost with one that is back already, who
    depends on the target at all comes back: the verdict about them rested on columns that are not there.

    Parameters
    ----------
    questions : Questions
        Whom to ask, after a search.
    target : int
        Whose blanket it is.
    blanket : sequence of int
        All members that were found, spouses too.
    back : mapping of int to sequence of int
        Who came back before, with those that were lost together with it.
    """
    links = _links(questions, target, blanket)
    known = {i for others in back.values() for i in others if i in links}
    doubtful = set[int]().union(*(_connected(links, i) for i in known))
    lost = [j for j in sorted(links) if not questions.test.short_of_rows(questions.view, j, blanket, target)]
    answers = questions.ask(lost, blanket, target) if lost else []
    able = [
        (asked.order, j)
        for asked, j in zip(answers, lost)
        if _clearly(questions, [asked]) or (asked.dependent and j in doubtful)
    ]
    for _, j in sorted(able):
        if questions.first_separator(j, target, blanket, range(len(blanket) + 1)) is None:
            return j, sorted(_connected(links, j) - {j})
    return None


def _links(questions: Questions, target: int, blanket: Sequence[int]) -> dict[int, set[int]]:
    """Return who is outside a blanket and was separated by others outside, linked to these, and these to it."""
    out: dict[int, set[int]] = {}
    for j in (j for j in questions.others(target) if j not in blanket):
        separator = questions.separators.get(pair_of(j, target))
        for other in separator.given if separator is not None else ():
            if other not in blanket:
                out.setdefault(j, set()).add(other)
                out.setdefault(other, set()).add(j)
    return out


def _connected(twins: dict[int, set[int]], j: int) -> set[int]:
    """Return the group of one column: its twins, theirs, and so on."""
    group, waiting = {j}, [j]
    while waiting:
        new = twins[waiting.pop()] - group
        group |= new
        waiting.extend(new)
    return group
