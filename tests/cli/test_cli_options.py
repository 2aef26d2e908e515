from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from numbers import Integral, Real
from typing import Any

import pytest
from typer.main import get_command

from fewer import registry
from fewer.cli.app import COMMANDS, build
from fewer.cli.docs import described, plain, plain_math
from fewer.cli.options import _only_objects, options_of, values_of
from fewer.cli.other_contracts import DEFAULTS, options_for
from fewer.cli.work import method_options
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import HasMethods, Interval, StrOptions


class Example:
    r"""Keep nothing.

    The score is :math:`\frac{a + b}{\sqrt{n}}`, see `Other` and ``code`` [1]_.

    Parameters
    ----------
    size : int, float or None, default=3
        How
        many.
    way, other : {"up", "down"}, default="up"
        Where.
    columns : array-like of str, default=None
        Which.
    centred : bool, default=True
        Whether.

    Notes
    -----
    First.

    Second.

    See Also
    --------
    Other : Something else.

    References
    ----------
    .. [1] A. Author, "Title",
       2008.
    .. [2] B. Other, 2009.
    """

    _parameter_constraints = {
        "size": [Interval(Integral, 1, None, closed="left"), Interval(Real, 0, 1, closed="neither"), None, str],
        "way": [StrOptions({"up", "down"})],
        "other": [str, callable],
        "columns": ["array-like", None],
        "centred": ["boolean"],
        "estimator": [HasMethods(["fit"]), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        size: Any = 3,
        way: str = "up",
        other: Any = "f",
        columns: Any = None,
        centred: bool = True,
        estimator: Any = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None: ...


OPTIONS = {option.name: option for option in options_of(Example)}


def test_options_follow_the_signature():
    # An estimator cannot be typed, and progress is the command line's own.
    assert list(OPTIONS) == ["size", "way", "other", "columns", "centred", "random_state"]
    assert OPTIONS["random_state"].flags == ("--random-state", "--seed")
    assert OPTIONS["centred"].flags == ("--centred/--no-centred",)
    assert OPTIONS["size"].help == "How many."
    assert OPTIONS["size"].allowed == "int, float or None"
    assert OPTIONS["way"].metavar == "up|down"
    assert OPTIONS["other"].help == "Where."


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("size", "7", 7),
        ("size", "0.5", 0.5),
        ("size", "1e-3", 0.001),
        ("size", "none", None),
        ("size", "None", None),
        ("size", "fdr:0.05", "fdr:0.05"),
        ("size", "20|fdr:0.05", "20|fdr:0.05"),
        ("way", "up", "up"),
        ("way", "3", "3"),
        ("way", "none", "none"),
        ("other", "12", "12"),
        ("columns", "a,b", ["a", "b"]),
        ("columns", "0, 3", [0, 3]),
        ("columns", "none", None),
        ("centred", False, False),
        ("random_state", "5", 5),
    ],
)
def test_typed_text_becomes_a_value(name, typed, value):
    found = OPTIONS[name].value(typed)
    assert found == value
    assert type(found) is type(value)


def test_generators_have_no_constraints_and_still_convert():
    def make(
        n: int = 3, share: float | None = None, kind: str = "bits", labels: Any = (1, 2), *, seedless: str
    ) -> None: ...

    found = {option.name: option for option in options_of(make)}
    assert found["n"].value("4") == 4
    assert found["share"].value("0.5") == 0.5
    assert found["share"].value("none") is None
    assert found["kind"].value("3") == "3"
    assert found["labels"].value("a,2") == ["a", 2]
    with pytest.raises(ParameterError, match="--seedless"):
        values_of(list(found.values()), {}, "make")
    with pytest.raises(ParameterError, match="no option --wrong"):
        values_of(list(found.values()), {"wrong": "1"}, "make")


@pytest.mark.parametrize("name", [entry.name for entry in registry.METHODS])
def test_every_parameter_of_every_method_is_an_option_with_help(name):
    made = registry.load(name)
    found = {option.name: option for option in options_of(made)}
    # Objects cannot be typed.
    objects = {name for name, rules in made._parameter_constraints.items() if _only_objects(rules)}
    assert {*found, "verbose", *objects} >= set(made().get_params())
    assert not objects & set(found)
    assert all(option.help for option in found.values())
    typed = {n: str(o.default) for n, o in found.items() if not o.is_switch}
    # What the help shows as default means the default.
    assert values_of(list(found.values()), typed, name) == {n: o.default for n, o in found.items() if not o.is_switch}


@pytest.mark.parametrize("command", ["rank", "select", "cluster", "project", "classify"])
def test_no_option_of_a_method_is_one_of_its_command(command):
    own = {
        flag for p in get_command(build([command])).commands[command].params for flag in (*p.opts, *p.secondary_opts)
    }
    own -= {flag for option in _options(command, None) for flag in _flags(option)}
    assert "--target" in own
    for entry in registry.METHODS:
        if command in entry.offers.commands:
            flags = [flag for option in _options(command, entry.name) for flag in _flags(option)]
            assert not own & set(flags), entry.name
            assert len(set(flags)) == len(flags), entry.name


def _options(command, name):
    if command in ("rank", "select"):
        return method_options(name, command == "rank")
    return options_for(command, name or DEFAULTS[command])


def _flags(option):
    return [part for flag in option.flags for part in flag.split("/")]


def test_docstring_taken_apart():
    texts = described(Example)
    assert texts.summary == "Keep nothing."
    assert texts.paragraphs == ["The score is (a + b) / (√(n)), see Other and code [1]."]
    assert texts.notes == ["First.", "Second."]
    assert texts.see_also == {"Other": "Something else."}
    assert texts.references == ['[1] A. Author, "Title", 2008.', "[2] B. Other, 2009."]
    assert list(texts.parameters) == ["size", "way", "other", "columns", "centred"]


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"\sum_{s \in S} I(f; s)", "Σ_(s ∈ S) I(f; s)"),
        (r"H(Y) - H(Y | F)", "H(Y) - H(Y | F)"),
        (r"\frac{1}{n_1}", "1 / n_1"),
        (r"\frac{1}{|S|} \sum_i x_i^{2}", "1 / |S| Σ_i x_i^2"),
        (r"\{a, b\}", "{a, b}"),
        (r"\max(A, 1 - A)", "max(A, 1 - A)"),
        (r"\lambda \le \alpha", "λ ≤ α"),
    ],
)
def test_formulas_in_plain_characters(formula, text):
    assert plain_math(formula) == text


def test_marks_are_removed():
    assert plain("``a`` and :class:`~fewer.X`, `B`_\n   [3]_") == "a and fewer.X, B [3]"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "acquire"])
def test_the_list_of_commands_says_what_each_says_of_itself(name):
    module, function, summary = COMMANDS[name]
    said = inspect.getdoc(getattr(importlib.import_module(f"fewer.cli.{module}"), function))
    assert " ".join(said.split("\n\n")[0].split()) == summary


def test_the_list_of_commands_needs_no_numpy():
    code = "import sys; from fewer.cli.app import build; build(['--help']); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
