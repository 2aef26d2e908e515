"""The commands, put together for the words at hand."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from typer.main import get_command

from fewer import registry
from fewer._version import __version__
from fewer.cli import (
    acquire,
    classify,
    compare,
    group,
    make,
    methods,
    other_contracts,
    pair_file,
    project,
    show,
    warm,
    work,
)
from fewer.cli.console import say, say_compiling
from fewer.cli.late_modules import load_scikit_learn
from fewer.cli.signature import assembled
from fewer.core.records.first_use import tell_first_use

INTERRUPTED = 130
OPTIONS_WITH_FILE = ("-o", "--out")
MAKING = ("synth", "make")
# Commands that run methods.
WORKING = ("rank", "select", "cluster", "project", "classify", "acquire", "compare")


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
    """Return the commands; the one at hand has the options of the method or generator that the words name."""
    app = typer.Typer(
        name="fewer", pretty_exceptions_enable=False, context_settings={"help_option_names": ["--help", "-h"]}
    )
    app.callback(invoke_without_command=False)(top)
    at_hand = next((word for word in words if not word.startswith("-")), None)
    if at_hand in WORKING:
        load_scikit_learn()
        tell_first_use(say_compiling)
    app.command("methods")(methods.list_methods)
    app.command("describe")(methods.describe)
    for body in (work.rank, work.select):
        named = work.method_of(named_method(words), has_text(words)) if at_hand == body.__name__ else None
        options = work.method_options(named, body is work.rank) if at_hand == body.__name__ else []
        heading = f"Options of {registry.entry(named).name}" if named else "Options of the default methods"
        app.command(body.__name__)(assembled(body, options, heading))
    others: dict[str, Callable[..., None]] = {
        "cluster": group.cluster,
        "project": project.project,
        "classify": classify.classify,
    }
    for name, other in others.items():
        method = (named_method(words) or other_contracts.DEFAULTS[name]) if at_hand == name else None
        options = other_contracts.options_for(name, method) if method else []
        app.command(name)(assembled(other, options, f"Options of {method}"))
    named = named_method(words) if at_hand == "acquire" else None
    app.add_typer(acquire.acquire_commands(words if at_hand == "acquire" else (), named))
    app.command("pairs")(assembled(pair_file.pairs))
    app.command("compare")(assembled(compare.compare))
    app.command("explain")(show.explain)
    app.command("report")(show.report)
    for word in MAKING:
        generator = named_generator(words, word) if at_hand == word else None
        options = make.generator_options(generator)
        # One command with two names; the list of commands shows the first.
        app.command(word, hidden=word != MAKING[0])(assembled(make.synth, options, f"Options of {generator}"))
    app.command("warmup")(warm.warmup)
    return app


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
