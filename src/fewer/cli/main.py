"""The entry point; imports typer and rich only when a command runs, and turns every failure into one sentence."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import warnings
from collections.abc import Sequence

OK, FAILED, INTERRUPTED = 0, 1, 130
# Columns of letters in which help can be read.
NARROWEST = 20


def run(argv: Sequence[str] | None = None) -> None:
    """Run the command line and leave with 0 (done), 1 (the work failed), 2 (wrong usage) or 130 (interrupted)."""
    if hasattr(sys.stdout, "reconfigure"):
        # A terminal without Greek letters, or a name that is no UTF-8, is no reason to fail: they are escaped.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = main(argv)
    # All is said and written: what comes while Python ends would only be a traceback.
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Ctrl-C inside code that was made of text, as dataclasses are, is marked as not handled, even after it was, and
    # would end the process by the signal; running any text takes the mark away.
    exec("")
    sys.exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    argv : list of str, optional
        Words after the program name; those of the process by default.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        return _main(argv)
    finally:
        # A command that has written its files no longer heeds Ctrl-C; a program that runs it goes on.
        if before is not None and signal.getsignal(signal.SIGINT) is not before:
            with contextlib.suppress(ValueError):
                signal.signal(signal.SIGINT, before)


def _main(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    width = os.environ.get("COLUMNS", "")
    if width.isdecimal() and not (len(width) < 5 and int(width) >= NARROWEST):
        # Said by shells without a terminal, or by mistake: it would leave no room for words, or take all memory.
        del os.environ["COLUMNS"]
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"] or ["--help"]
    try:
        return _run(words, debug)
    except KeyboardInterrupt:
        # Reached while libraries are still being loaded.
        return _fail("Interrupted; nothing was written.", debug, INTERRUPTED)


def _run(words: list[str], debug: bool) -> int:
    """Run a command and say in one sentence what went wrong, if anything did."""
    try:
        import rich  # noqa: F401
        import typer  # noqa: F401
    except ImportError as error:
        return _fail(
            f"The command line needs {error.name}, which is not installed; run pip install 'fewer[cli]'.", debug
        )
    from fewer.cli.app import execute
    from fewer.cli.problems import describe_problem

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _note
            execute(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        return OK
    except BrokenPipeError:
        # The reader, such as head, has gone: what is still buffered must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (Exception, KeyboardInterrupt) as error:
        code, sentence = describe_problem(error, words)
        return _fail(sentence, debug, code)


def _note(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    """Say on standard error what a user should know; warnings between libraries are not for users."""
    if issubclass(category, UserWarning):
        _complain(f"Note: {_plain(' '.join(str(message).split()))}\n")


def _fail(sentence: str, debug: bool, code: int = FAILED) -> int:
    """Say what went wrong on standard error."""
    if debug and sys.exc_info()[0] is not None:
        import traceback

        _complain("\n".join(map(_plain, traceback.format_exc().split("\n"))))
    prefix = "Error: "
    if sys.stderr is not None and sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        prefix = f"\x1b[1;31m{prefix}\x1b[0m"
    _complain(f"{prefix}{sentence}\n")
    return code


def _complain(text: str) -> None:
    """Write to standard error, if there is one, what its letters allow."""
    if sys.stderr is not None:
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _plain(line: str) -> str:
    from fewer.core.records.terminal_text import printable

    return printable(line)


if __name__ == "__main__":
    run()
