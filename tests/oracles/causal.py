"""Slow truths about searches for blankets: the published steps word by word, one question at a time.

``ask(x, given)`` and ``ask_pair(x, target, given)`` return (independent, p, -strength); nothing is remembered.
"""

from __future__ import annotations

from itertools import chain, combinations


def subsets(pool, most):
    pool = list(pool)
    top = len(pool) if most is None else min(most, len(pool))
    return chain.from_iterable(combinations(pool, k) for k in range(top + 1))


def shrunk(ask, members, target):
    members = list(members)
    again = True
    while again:
        again = False
        for x in list(members):
            if ask(x, target, [m for m in members if m != x])[0]:
                members.remove(x)
                again = True
    return members


def grow_shrink(ask, others, target):
    order = sorted(others, key=lambda x: (*ask(x, target, [])[1:], x))
    members, again = [], True
    while again:
        again = False
        for x in order:
            if x not in members and not ask(x, target, members)[0]:
                members.append(x)
                again = True
    return shrunk(ask, members, target)


def iamb(ask, others, target):
    members = []
    while True:
        outside = [x for x in others if x not in members]
        if not outside:
            break
        best = min(outside, key=lambda x: (*ask(x, target, members)[1:], x))
        if ask(best, target, members)[0]:
            break
        members.append(best)
    return shrunk(ask, members, target)


def hiton_pc(ask, others, target, most):
    alone = [x for x in others if not ask(x, target, [])[0]]
    members = []
    for v in sorted(alone, key=lambda x: (*ask(x, target, [])[1:], x)):
        members.append(v)
        for x in [v, *[m for m in members if m != v]]:
            rest = [m for m in members if m != x]
            if any(ask(x, target, z)[0] for z in subsets(rest, most)):
                members.remove(x)
                if x == v:
                    break
    return members


def mmpc(ask, others, target, most):
    members, left = [], list(others)
    while True:
        weakest = {}
        for x in list(left):
            asked = [ask(x, target, z) for z in subsets(members, most)]
            if any(found[0] for found in asked):
                left.remove(x)
            else:
                weakest[x] = max(found[1:] for found in asked)
        if not weakest:
            break
        best = min(weakest, key=lambda x: (weakest[x], x))
        members.append(best)
        left.remove(best)
    for x in list(members):
        if any(ask(x, target, z)[0] for z in subsets([m for m in members if m != x], most)):
            members.remove(x)
    return members
