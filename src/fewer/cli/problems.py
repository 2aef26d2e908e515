"""From an exception to an exit code and one sentence in the words of the command line."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence
from typing import Any

import typer

from fewer.cli.console import printable
from fewer.core.records.errors import FewerError, ParameterError, closest

FAILED, USAGE, INTERRUPTED = 1, 2, 130
# Of these, all files tell where they stand themselves; what remains is the standard output.
FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))

# typer does not export the class of all its complaints about usage, but every version derives BadParameter from it.
UsageProblem = typer.BadParameter.__mro__[1]

# Parameters of the library that are options of the command line under this name.
OPTIONS = {
    "target": "--target",
    "weight": "--weight",
    "sample_weight": "--weight",
    "drop": "--drop",
    "task": "--task",
    "categorical_features": "--categorical",
    **{name: f"--{name}" for name in ("sep", "decimal", "encoding", "transpose", "join", "on")},
}


def describe_problem(error: BaseException, words: Sequence[str]) -> tuple[int, str]:
    """Return the exit code and the sentence for an exception.

    Parameters
    ----------
    error : BaseException
        What was raised.
    words : list of str
        The command as typed, without the program name.
    """
    if isinstance(error, (KeyboardInterrupt, typer.Abort)):
        return INTERRUPTED, "Interrupted; nothing was written."
    if isinstance(error, UsageProblem):
        return USAGE, printable(_usage(error, words))
    usage = isinstance(error, ParameterError) or type(error).__name__ == "InvalidParameterError"
    if isinstance(error, FewerError) or usage:
        return USAGE if usage else getattr(error, "exit_code", FAILED), printable(
            in_options(one_line(str(error)), words)
        )
    if isinstance(error, OSError):
        if error.filename is None and error.errno in FULL:
            return FAILED, (
                f"What the command says could not be written ({error.strerror}), though all else is done; send it to a "
                "place with space left, or to /dev/null."
            )
        where = f"{error.filename}: " if error.filename else ""
        return FAILED, printable(f"{where}{error.strerror or error}.")
    if isinstance(error, MemoryError):
        return (
            FAILED,
            "The memory of this machine is not enough for this; try --stream, or fewer columns by --drop.",
        )
    if isinstance(error, ValueError) and _raised_by_sklearn(error):
        return FAILED, printable(in_options(first_sentence(str(error)), words))
    what = f"{type(error).__name__}: {first_sentence(str(error))}".rstrip(": .")
    return FAILED, printable(f"'fewer {words[0]}' met an error it does not expect ({what}); add --debug to see where.")


def _usage(error: Any, words: Sequence[str]) -> str:
    """Return what is wrong with the words on the command line."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "fewer"
    name = str(getattr(error, "option_name", ""))
    if type(error).__name__ == "NoSuchOption" and context is not None:
        known = [o for p in context.command.params for o in (*p.opts, *p.secondary_opts) if o.startswith("--")]
        return f"'{path}' has no option {name}; it takes {', '.join(known)}.{closest(name, known)}"
    commands = list(getattr(getattr(context, "command", None), "commands", ()))
    # Commands below a command stand after it.
    typed = [word for word in words if not word.startswith("-")][len(path.split()) - 1 :]
    command = typed[0] if typed else None
    if commands and command is not None and command not in commands:
        return f"There is no command {command!r}; there are {', '.join(commands)}.{closest(command, commands)}"
    message = one_line(error.format_message())
    end = "" if message.endswith((".", "?", "!", ")")) else "."
    return f"{message}{end} See '{path} --help'."


def in_options(message: str, words: Sequence[str] = ()) -> str:
    """Write parameters of the library as options: ``drop=['id']`` becomes ``--drop id``.

    Parameters
    ----------
    message : str
        What the library says.
    words : list of str
        The command as typed: its options are also parameters of the method or generator.
    """
    typed = [word.partition("=")[0] for word in words if word.startswith("--")]
    if list(words[:1]) in (["synth"], ["make"]):
        # What generators ask for where a truth table would be too large.
        typed.append("--n-samples")
    options = {**{option[2:].replace("-", "_"): option for option in typed if len(option) > 2}, **OPTIONS}

    def option(match: re.Match[str]) -> str:
        value = next((v for v in match.group(2, 3, 4) if v is not None), None)
        # A switch has no value.
        return options[match.group(1)] + ("" if value in (None, "True") else f" {value}")

    names = "|".join(map(re.escape, options))
    return re.sub(rf"\b({names})=(?:\['([^']*)'\]|'([^']*)'|(-?\w+(?:\.\w+)*))?", option, message)


def one_line(text: str) -> str:
    """Return text without line breaks."""
    return " ".join(text.split())


def first_sentence(text: str) -> str:
    """Return the first line of a message."""
    return text.strip().split("\n")[0]


def _raised_by_sklearn(error: BaseException) -> bool:
    """Return whether the innermost frame lies in scikit-learn, whose checks of the data raise plain ValueErrors."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals.get("__name__", "").startswith("sklearn.")
