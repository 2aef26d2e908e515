"""How many features a search shall choose, from what users write."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

from fewer.core.base.errors import ParameterError
from fewer.core.stop import All, AnyOf, Budget, Count, Fraction, Gain, Patience, Stop, as_stop

CHOICES = ("best", "parsimonious")
RANGE = re.compile(r"^(?:(best|parsimonious):)?\s*(\d+)\s*-\s*(\d+)$")
FORMS = (
    "a number, a share between 0 and 1, 'best', 'parsimonious', two numbers (fewest, most), a text such as '2-10' or "
    "'parsimonious:2-10', None for all, or a rule that ends a search, such as 'gain:1e-3' or 'patience:5'"
)


@dataclass(frozen=True)
class Wanted:
    """What a search shall find.

    Attributes
    ----------
    low, high : int
        Fewest and most units, those that are always in included.
    choose : {"best", "parsimonious"}
        Which of the visited subsets is the answer.
    gain : float or None
        What a step must gain, where a rule says so.
    patience : int or None
        How many steps in a row may fail, where a rule says so.
    budget : Budget or None
        Limits of work, where a rule gives some.
    free : bool
        Whether the size was left to the search.
    """

    low: int
    high: int
    choose: str = "best"
    gain: float | None = None
    patience: int | None = None
    budget: Budget | None = None
    free: bool = False


def as_wanted(value: Any, n_units: int) -> Wanted:
    """Return what ``n_features_to_select`` asks for, where there are so many units.

    Examples
    --------
    >>> as_wanted((2, 30), 20)
    Wanted(low=2, high=20, choose='best', gain=None, patience=None, budget=None, free=False)
    """
    if isinstance(value, str):
        if value in CHOICES:
            return Wanted(1, n_units, value, free=True)
        found = RANGE.match(value.strip())
        if found:
            return _in_range(value, int(found[2]), int(found[3]), n_units, found[1] or "best")
    if isinstance(value, (tuple, list)):
        if len(value) != 2 or not all(isinstance(v, Integral) and not isinstance(v, bool) for v in value):
            raise ParameterError(f"n_features_to_select got {value!r}; allowed are {FORMS}: pass one of them.")
        return _in_range(value, int(value[0]), int(value[1]), n_units, "best")
    try:
        rule = as_stop(value)
    except ParameterError as error:
        raise ParameterError(f"n_features_to_select got {value!r}; allowed are {FORMS}: pass one of them.") from error
    rule.check("A search through subsets", ["done"])
    return _of_rule(rule, n_units)


def _in_range(given: Any, low: int, high: int, n_units: int, choose: str) -> Wanted:
    if not 1 <= low <= high:
        raise ParameterError(
            f"n_features_to_select got {given!r}, but a range goes from at least 1 to no less than that; pass for "
            "example (2, 10)."
        )
    return Wanted(min(low, n_units), min(high, n_units), choose)


def _of_rule(rule: Stop, n_units: int) -> Wanted:
    """Return what a stop rule asks for; of several joined ones the sizes are bounds."""
    if isinstance(rule, All):
        return Wanted(n_units, n_units)
    if isinstance(rule, (Count, Fraction)):
        n = min(rule.n if isinstance(rule, Count) else rule.count(n_units), n_units)
        return Wanted(n, n)
    whole = Wanted(1, n_units, free=True)
    if isinstance(rule, Gain):
        return replace(whole, gain=rule.tol, patience=1)
    if isinstance(rule, Patience):
        return replace(whole, gain=rule.tol, patience=rule.steps)
    if isinstance(rule, Budget):
        return replace(whole, budget=rule)
    if isinstance(rule, AnyOf):
        return _joined([_of_rule(part, n_units) for part in rule.rules], n_units)
    raise ParameterError(
        f"n_features_to_select got {rule!r}, which a search through subsets does not know; allowed are {FORMS}."
    )


def _joined(parts: list[Wanted], n_units: int) -> Wanted:
    gains = [p.gain for p in parts if p.gain is not None]
    waits = [p.patience for p in parts if p.patience is not None]
    budgets = [p.budget for p in parts if p.budget is not None]
    seconds = [b.seconds for b in budgets if b.seconds is not None]
    counts = [b.evaluations for b in budgets if b.evaluations is not None]
    budget = Budget(min(seconds, default=None), min(counts, default=None)) if budgets else None
    return Wanted(
        low=1,
        high=min(n_units, *(p.high for p in parts)),
        gain=max(gains, default=None),
        patience=min(waits, default=None),
        budget=budget,
        free=True,
    )
