"""The search for a Markov blanket that grows a set and shrinks it again."""

from __future__ import annotations

from dataclasses import dataclass

from fewer.core.search.questions import Asked, Questions

ADMIT = ("in order", "best", "all")


@dataclass(frozen=True)
class GrowShrinkSearch:
    """Grow: admit what depends on the target given all members. Shrink: drop what does not, given the other members.

    An answer for which rows are too few neither admits nor drops.

    Attributes
    ----------
    admits : {"in order", "best", "all"}
        "in order" goes through the candidates by falling association with the target alone and admits each that is
        dependent, again until a pass admits none; "best" admits the strongest given the members, one at a time; "all"
        admits all that are dependent, the strongest first, as long as there are rows enough, shrinks, and goes on.
    interleaved : bool
        Whether to shrink after each admission. If that leads in a circle, it only grows from there, and shrinks last.
    """

    admits: str = "best"
    interleaved: bool = False

    def run(self, questions: Questions, target: int) -> list[int]:
        """Return the members, in the order of admission."""
        if self.admits == "all":
            return self._by_many(questions, target)
        members: list[int] = []
        order = self._order(questions, target)
        seen: set[frozenset[int]] = set()
        shrinks = self.interleaved
        while (newcomer := self._next(questions, order, members, target)) is not None:
            members.append(newcomer)
            if shrinks:
                self._shrink(questions, members, target)
                shrinks = frozenset(members) not in seen
                seen.add(frozenset(members))
        self._shrink(questions, members, target)
        return members

    def _order(self, questions: Questions, target: int) -> list[int]:
        others = questions.others(target)
        alone = questions.ask(others, (), target)
        return [j for _, j in sorted((asked.order, j) for j, asked in zip(others, alone))]

    def _next(self, questions: Questions, order: list[int], members: list[int], target: int) -> int | None:
        """Return whom to admit next, if anybody."""
        if self.admits == "in order" and members:
            # The pass goes on behind whom it has admitted last, then begins again.
            place = order.index(members[-1]) + 1
            order = order[place:] + order[:place]
        outside = [j for j in order if j not in members]
        found = questions.ask(outside, members, target) if outside else []
        able = [(asked.order, j) for j, asked in zip(outside, found) if asked.dependent]
        if self.admits == "in order":
            return able[0][1] if able else None
        return min(able)[1] if able else None

    def _shrink(self, questions: Questions, members: list[int], target: int) -> bool:
        """Drop members that are independent given the others, the first one found, until none is; say if any was."""
        dropped = False
        again = True
        while again:
            again = False
            for j in list(members):
                others = [i for i in members if i != j]
                if questions.ask([j], others, target)[0].independent:
                    members.remove(j)
                    dropped = again = True
        return dropped

    def _by_many(self, questions: Questions, target: int) -> list[int]:
        members: list[int] = []
        seen: set[frozenset[int]] = set()
        while True:
            outside = [j for j in questions.others(target) if j not in members]
            found = questions.ask(outside, members, target) if outside else []
            able = [j for _, j in sorted((asked.order, j) for j, asked in zip(outside, found) if asked.dependent)]
            if not able:
                return members
            all_in = True
            for j in able:
                if not questions.test.enough_rows(questions.view, [j], members, target)[0]:
                    all_in = False
                    break
                members.append(j)
            dropped = self._shrink(questions, members, target)
            if not all_in and not dropped:
                self._ended(questions, members, target)
                return members
            if frozenset(members) in seen:
                return members
            seen.add(frozenset(members))

    def _ended(self, questions: Questions, members: list[int], target: int) -> None:
        """Ask who was left outside when rows did not suffice, so that it is known of whom they say nothing."""
        outside = [j for j in questions.others(target) if j not in members]
        found = questions.ask(outside, members, target) if outside else []
        left = sum(not asked.independent for asked in found)
        if left:
            questions.remarks.append(
                f"The search ended because rows are too few to admit more than {len(members)} members; {left} of the "
                "others were not found to be independent given these."
            )


def decided(questions: Questions, target: int, kept: list[int]) -> dict[int, Asked]:
    """Return the answer that decided about every other column.

    Of a kept one the weakest dependence, of another what separated it; where nothing did, the answer for which rows
    were too few, or else the weakest dependence.
    """
    out: dict[int, Asked] = {}
    for j in questions.others(target):
        pair = (j, target) if j < target else (target, j)
        first = questions.weakest if j in kept else questions.separators
        for answers in (first, questions.unsure, questions.weakest, questions.separators):
            if pair in answers:
                out[j] = answers[pair]
                break
    return out
