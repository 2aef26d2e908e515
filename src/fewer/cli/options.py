"""Options of a method or generator, from its signature, its constraints and its docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

from fewer.cli.docs import described
from fewer.core.records.errors import ParameterError

SHORTCUTS = {
    "n_features_to_select": ("--n-features", "-n", "-k"),
    "random_state": ("--seed",),
}
# Parameters that are a switch here, because --drop leaves out columns of the file, and what it stands for.
SWITCHES = {"drop": ("--drop-leaks", "leaks")}
# A command has the machine to itself, and its answer is read: nothing found is an answer.
OWN_DEFAULTS = {"n_jobs": -1, "if_nothing": "none"}
# Parameters that have another name here, because the command has an option of theirs.
RENAMED = {"aggregate": "over-classes", "report": "subspaces", "scheduler": "turn-by", "top": "ordered"}
# Progress is shown by the command line itself.
HIDDEN = ("verbose",)


@dataclass(frozen=True)
class MethodOption:
    """One parameter as an option: how it is typed, what it may be, and how its text becomes a value."""

    name: str
    flags: tuple[str, ...]
    default: Any
    allowed: str = ""
    help: str = ""
    required: bool = False
    takes_none: bool = False
    takes_numbers: bool = True
    is_switch: bool = False
    is_list: bool = False

    @property
    def metavar(self) -> str:
        """What stands for the value in the help."""
        choices = re.match(r"\{(.*?)\}", self.allowed)
        if choices:
            return choices.group(1).replace('"', "").replace(", ", "|")
        return "LIST" if self.is_list else "INT" if re.match(r"int\b(?!, float)", self.allowed) else "VALUE"

    @property
    def default_text(self) -> str:
        """The default as it would be typed."""
        default = OWN_DEFAULTS.get(self.name, self.default)
        if self.is_switch:
            return "yes" if default else "no"
        return "none" if default is None else str(default)

    def value(self, typed: Any) -> Any:
        """Return the value that a typed text stands for.

        Parameters
        ----------
        typed : str or bool
            What was typed; a bool for switches.
        """
        if self.name in SWITCHES:
            return SWITCHES[self.name][1] if typed else None
        if self.is_switch or not isinstance(typed, str):
            return typed
        text = typed.strip()
        if text.lower() == "none" and self.takes_none:
            return None
        if text == str(self.default):
            return self.default
        if self.is_list:
            return [_number(item.strip()) for item in text.split(",") if item.strip()]
        return _number(text) if self.takes_numbers else text


def options_of(target: Callable[..., Any], objects: bool = False) -> list[MethodOption]:
    """Return the options of a class or function, in the order of its signature; with what cannot be typed on demand."""
    constraints: Mapping[str, Any] = getattr(target, "_parameter_constraints", {})
    texts = _parameter_texts(target)
    found = []
    for name, parameter in inspect.signature(target).parameters.items():
        if name in HIDDEN or parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        rules = constraints.get(name, [])
        if _only_objects(rules) and not objects:
            continue
        found.append(_option(name, parameter, rules if isinstance(rules, list) else [], texts.get(name, ("", ""))))
    return found


def _option(name: str, parameter: Any, rules: Sequence[Any], texts: tuple[str, str]) -> MethodOption:
    if name in SWITCHES:
        flag, stands_for = SWITCHES[name]
        return MethodOption(name, (flag,), None, f'"{stands_for}"', "Leave out leak suspects, too.", is_switch=True)
    required = parameter.default is parameter.empty
    default = None if required else parameter.default
    annotation = str(parameter.annotation)
    long = f"--{RENAMED.get(name, name.replace('_', '-'))}"
    switch = isinstance(default, bool)
    return MethodOption(
        name,
        (f"{long}/--no-{long[2:]}",) if switch else (long, *SHORTCUTS.get(name, ())),
        default,
        *texts,
        required=required,
        takes_none=default is None or None in rules or "None" in annotation,
        takes_numbers=_takes_numbers(rules, default, annotation),
        is_switch=switch,
        is_list="array-like" in [r for r in rules if isinstance(r, str)] or isinstance(default, (list, tuple)),
    )


def _takes_numbers(rules: Sequence[Any], default: Any, annotation: str) -> bool:
    """Return whether a text that looks like a number is one."""
    if not rules:
        return not isinstance(default, str) or "int" in annotation or "float" in annotation
    return any(
        (isinstance(rule, type) and issubclass(rule, Number)) or type(rule).__name__ in ("Interval", "RealNotInt")
        or (isinstance(rule, str) and rule in ("random_state", "cv_object", "array-like", "boolean"))
        or (type(rule).__name__ == "Options" and not issubclass(rule.type, str))
        for rule in rules
    )  # fmt: skip


def _only_objects(rules: Any) -> bool:
    """Return whether a parameter takes only objects that cannot be typed."""
    if not isinstance(rules, list) or not rules:
        return False
    return all(rule is None or rule is callable or type(rule).__name__ == "HasMethods" for rule in rules)


def _parameter_texts(target: Any) -> dict[str, tuple[str, str]]:
    """Return allowed values and description of every parameter; those of a base class where the own are silent."""
    classes = reversed(target.__mro__) if isinstance(target, type) else [target]
    texts: dict[str, tuple[str, str]] = {}
    for one in classes:
        texts.update(described(one).parameters)
    return texts


def _number(text: str) -> Any:
    """Return the number that a text stands for, or the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def values_of(options: Sequence[MethodOption], given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return parameters from what was typed.

    Parameters
    ----------
    options : list of MethodOption
        What the method or generator takes.
    given : dict
        Typed texts by parameter name.
    where : str
        Name of the method or generator, for messages.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            takes = ", ".join(option.flags[0].split("/")[0] for option in options) or "none"
            raise ParameterError(f"{where} has no option --{name.replace('_', '-')}; it takes {takes}.")
    for option in options:
        if option.required and option.name not in given:
            raise ParameterError(f"{where} needs {option.flags[0]} ({option.allowed or 'a value'}); add it.")
    return {name: known[name].value(typed) for name, typed in given.items()}
