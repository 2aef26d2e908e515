"""From what users write to a stop rule."""

from __future__ import annotations

import re
from dataclasses import fields
from numbers import Integral, Real
from typing import Any

from fewer.core.records.errors import ParameterError, closest
from fewer.core.stop.knockoffs import FixedKnockoffs, Knockoffs
from fewer.core.stop.probes import Probes
from fewer.core.stop.progress import Budget, Gain, Patience
from fewer.core.stop.rule import AnyOf, Stop
from fewer.core.stop.scores import Average, Threshold, TopGap
from fewer.core.stop.significance import BenjaminiHochberg, BenjaminiYekutieli, Bonferroni, Holm, PValue
from fewer.core.stop.sizes import CHOICES, All, Between, Count, Fraction

# word: the rule and an example for messages
WORDS: dict[str, tuple[type[Stop], str]] = {
    "all": (All, "all"),
    "threshold": (Threshold, "threshold:0.1"),
    "gap": (TopGap, "gap"),
    "gain": (Gain, "gain:1e-3"),
    "patience": (Patience, "patience:5"),
    "seconds": (Budget, "seconds:60"),
    "evaluations": (Budget, "evaluations:1000"),
    "fdr": (BenjaminiHochberg, "fdr:0.05"),
    "by": (BenjaminiYekutieli, "by:0.05"),
    "fwer": (Holm, "fwer:0.05"),
    "bonferroni": (Bonferroni, "bonferroni:0.05"),
    "p": (PValue, "p:0.01"),
    "probes": (Probes, "probes:0.05"),
    "knockoffs": (Knockoffs, "knockoffs:0.1"),
    "fixed_knockoffs": (FixedKnockoffs, "fixed_knockoffs:0.1"),
}

RANGE = re.compile(r"^(?:(best|parsimonious):)?\s*(\d+)\s*-\s*(\d+)$")
AVERAGE = re.compile(r"^(?:(\S+?)\s*\*\s*)?(mean|median)$")
FORMS = (
    "a whole number from 1, a fraction between 0 and 1, None for all, two numbers (fewest, most), a stop rule, or one "
    "of the texts 'best', 'parsimonious', '2-10', 'parsimonious:2-10', 'mean', '1.25*median', "
    + ", ".join(repr(example) for _, example in WORDS.values())
    + ", joined by '|' if several shall hold"
)


def as_stop(value: Any, where: str = "n_features_to_select") -> Stop:
    """Return the stop rule that a parameter value stands for.

    Parameters
    ----------
    value : int, float, str, tuple of two int, Stop or None
        A number of features, a fraction of them, a range of sizes, a text such as ``"20|fdr:0.05"`` or ``"2-10"``, a
        rule, or None for all. Further parameters of a rule follow a comma: ``"patience:5,tol=0.01"``.
    where : str, default="n_features_to_select"
        Name of the parameter, for messages.

    Returns
    -------
    Stop

    Examples
    --------
    >>> as_stop(10)
    Count(n=10)
    >>> as_stop("20|fdr:0.05")
    AnyOf(rules=(Count(n=20), BenjaminiHochberg(alpha=0.05)))
    >>> as_stop("parsimonious:2-10") == as_stop(Between(2, 10, "parsimonious"))
    True
    """
    if value is None:
        return All()
    if isinstance(value, Stop):
        return value
    if isinstance(value, str):
        rules = [_of_text(text.strip(), value, where) for text in value.split("|")]
        return rules[0] if len(rules) == 1 else AnyOf(tuple(rules))
    if isinstance(value, (tuple, list)) and len(value) == 2 and all(map(_is_whole, value)):
        return _range(value, int(value[0]), int(value[1]), "best", where)
    rule = _of_number(value)
    if rule is None:
        raise ParameterError(_complaint(where, value))
    return rule


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _range(given: Any, low: int, high: int, choose: str, where: str) -> Between:
    if not 1 <= low <= high:
        raise ParameterError(
            f"{where} got {given!r}, but a range goes from at least 1 to no less than that; pass for example (2, 10)."
        )
    return Between(low, high, choose)


def _of_number(value: Any) -> Stop | None:
    """Return the rule a number stands for, or None if it stands for none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, Integral):
        return Count(int(value)) if int(value) >= 1 else None
    if value == 1.0:
        return All()
    return Fraction(float(value)) if 0 < float(value) < 1 else None


def _of_text(text: str, whole_text: str, where: str) -> Stop:
    """Return the rule that one text between bars stands for."""
    number = _number(text)
    if number is not None:
        rule = _of_number(number)
        if rule is None:
            raise ParameterError(_complaint(where, whole_text))
        return rule
    if text in CHOICES:
        return Between(choose=text)
    found = RANGE.match(text)
    if found:
        return _range(whole_text, int(found[2]), int(found[3]), found[1] or "best", where)
    average = AVERAGE.match(text)
    times = None if average is None else _number(average[1] or "1")
    if average is not None and times is not None:
        return Average(average[2], times)
    word, _, rest = (part.strip() for part in text.partition(":"))
    word = word.lower()
    if word not in WORDS:
        raise ParameterError(_complaint(where, whole_text) + closest(word, WORDS))
    make, example = WORDS[word]
    try:
        return make(**_arguments(make, rest, word))
    except ParameterError as error:
        raise ParameterError(f"{where} got {whole_text!r}, where {text!r} fails: {error}") from error
    except (KeyError, TypeError) as error:
        names = [f.name for f in fields(make)]
        raise ParameterError(
            f"{where} got {whole_text!r}, but {text!r} is not of the form {example!r}; parameters of {word} "
            f"are {', '.join(names) or 'none'}, each given once as a number."
        ) from error


def _arguments(make: type[Stop], rest: str, word: str) -> dict[str, Any]:
    """Return the parameters written after the colon; raise KeyError for what is no parameter."""
    known = {f.name for f in fields(make)}
    main = word if word in known else make.main
    found: dict[str, Any] = {}
    for place, text in enumerate(rest.split(",") if rest else []):
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            name, value = main if place == 0 else "", name
        number = _number(value)
        if name not in known or name in found or number is None:
            raise KeyError(text)
        found[name] = number
    return found


def _number(text: str) -> float | int | None:
    """Return the number a text stands for, a whole one as int; None if it is no number."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def _complaint(where: str, value: Any) -> str:
    return f"{where} got {value!r}, which is no stop rule; allowed are {FORMS}."
