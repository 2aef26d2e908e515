"""The commands, put together for the words at hand."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.main import get_command

from fewer import registry
from fewer._version import __version__
from fewer.cli.console import say, say_compiling
from fewer.cli.signature import assembled
from fewer.core.records.first_use import tell_first_use

INTERRUPTED = 130
OPTIONS_WITH_FILE = ("-o", "--out")
MAKING = ("synth", "make")
# Commands that run methods.
WORKING = ("rank", "select", "cluster", "project", "classify", "acquire", "compare")
# Name, where its code is, and its line in the list of commands: the first sentence of what the code says of itself.
COMMANDS = {
    "methods": ("methods", "list_methods", "List the methods."),
    "describe": ("methods", "describe", "Say what a method does, what it takes, and where it comes from."),
    "rank": ("work", "rank", "Put all features in order, best first."),
    "select": ("work", "select", "Keep the best features and say why the others were dropped."),
    "cluster": ("group", "cluster", "Find groups of rows, and which features tell them apart."),
    "project": (
        "project",
        "project",
        "Make new axes of all features, and say which features they are made of.",
    ),
    "classify": (
        "classify",
        "classify",
        "Say the class of new rows, of rows without a target, or of chosen rows by all others, and why.",
    ),
    "pairs": (
        "pair_file",
        "pairs",
        "Draw pairs of rows at random: together if the target is the same, else apart.",
    ),
    "compare": (
        "compare",
        "compare",
        "Compare methods: how few features are enough, which, how sure that is.",
    ),
    "explain": ("show", "explain", "Say why features were kept or dropped."),
    "report": ("show", "report", "Write a selection or a comparison as a page for the browser."),
    "synth": (
        "make",
        "synth",
        "Make data whose relevant features are known; without a name, list what can be made.",
    ),
    "make": (
        "make",
        "synth",
        "Make data whose relevant features are known; without a name, list what can be made.",
    ),
    "schema": ("methods", "say_schema", "Print the JSON schema of the files that --out writes."),
    "warmup": ("warm", "warmup", "Compile all loops once and say where they are kept."),
    "acquire": (
        "acquire",
        "acquire_commands",
        "Ask for the values worth measuring, and take what was measured.",
    ),
}


def execute(words: Sequence[str]) -> None:
    """Run a command.

    Parameters
    ----------
    words : list of str
        What was typed after the program name.
    """
    command = get_command(build(words))
    code = command.main(list(words), prog_name="fewer", standalone_mode=False, obj=shlex.join(["fewer", *words]))
    # Some versions of typer turn Ctrl-C into this code, others into Abort.
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code:
        raise SystemExit(code)


def build(words: Sequence[str]) -> typer.Typer:
    """Return the commands; the one at hand has the options of the method or generator that the words name.

    Only its code is loaded: of the others no more is needed than a line for the list of commands.
    """
    app = typer.Typer(
        name="fewer", pretty_exceptions_enable=False, context_settings={"help_option_names": ["--help", "-h"]}
    )
    app.callback(invoke_without_command=False)(top)
    at_hand = next((word for word in words if not word.startswith("-")), None)
    if at_hand in WORKING:
        tell_first_use(say_compiling)
    for name, (module, function, summary) in COMMANDS.items():
        # One command with two names; the list of commands shows the first.
        hidden = name in MAKING[1:]
        if name != at_hand:
            app.command(name, help=summary, hidden=hidden)(_not_at_hand)
        elif name == "acquire":
            app.add_typer(_body(module, function)(words, named_method(words)))
        else:
            app.command(name, hidden=hidden)(_at_hand(name, _body(module, function), words))
    return app


def _body(module: str, function: str) -> Callable[..., Any]:
    return getattr(import_module(f"fewer.cli.{module}"), function)


def _not_at_hand() -> None:
    """Stand in the list of commands."""


def _at_hand(name: str, body: Callable[..., None], words: Sequence[str]) -> Callable[..., None]:
    """Return a command with the options of what the words name."""
    if name in ("rank", "select"):
        from fewer.cli import work

        named = work.method_of(named_method(words), has_text(words))
        heading = f"Options of {registry.entry(named).name}" if named else "Options of the default methods"
        return assembled(body, work.method_options(named, name == "rank"), heading)
    if name in ("cluster", "project", "classify"):
        from fewer.cli import other_contracts

        method = named_method(words) or other_contracts.DEFAULTS[name]
        return assembled(body, other_contracts.options_for(name, method), f"Options of {method}")
    if name in MAKING:
        from fewer.cli import make

        generator = named_generator(words, name)
        return assembled(body, make.generator_options(generator), f"Options of {generator}")
    return assembled(body) if name in ("pairs", "compare") else body


def top(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=lambda on: _say_version(on), is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
) -> None:
    """Select features: which matter, which are redundant and why.

    Start with: fewer select FILE --target COLUMN
    """


def _say_version(on: bool) -> None:
    if on:
        say(f"fewer {__version__}")
        raise typer.Exit()


def named_method(words: Sequence[str]) -> str | None:
    """Return the method that the words name, if any."""
    for place, word in enumerate(words):
        if word in ("--method", "-m"):
            return words[place + 1] if place + 1 < len(words) else None
        if word.startswith("--method="):
            return word.partition("=")[2]
        if word.startswith("-m") and not word.startswith("--"):
            return word[2:]
    return None


def has_text(words: Sequence[str]) -> bool:
    """Return whether the words name a column of documents."""
    return any(word == "--text" or word.startswith("--text=") for word in words)


def named_generator(words: Sequence[str], command: str) -> str | None:
    """Return the generator that the words name: the first word after the command that is one, or could be."""
    from fewer.synth import GENERATORS

    rest = list(words)[list(words).index(command) + 1 :]
    free = [
        word
        for place, word in enumerate(rest)
        if not word.startswith("-") and (place == 0 or rest[place - 1] not in OPTIONS_WITH_FILE)
    ]
    known = [word for word in free if word.lower().replace("-", "_") in GENERATORS]
    return known[0] if known else free[0] if free else None
