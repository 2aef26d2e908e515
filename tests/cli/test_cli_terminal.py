"""Names that terminals, rich or JSON readers would act on, and terminals that are odd themselves."""

from __future__ import annotations

import errno
import io
import json
import signal
import sys

import numpy as np
import pytest
from rich.console import Console

import fewer
from fewer.cli import main as main_program
from fewer.cli.app import build
from fewer.core.records import first_use
from fewer.core.records.terminal_text import printable, printable_json

NAMES = ["[/bold]", "[red]x", "\x1b[31mred", "a\x9b31m", "tab\there", "\u202egnp", "\U000e0041 tag", "plain"]


@pytest.fixture
def selection():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, len(NAMES)))
    return fewer.FTest(4).fit(X, (X[:, 0] > 0).astype(int)).selection_.with_names(tuple(NAMES))


@pytest.mark.parametrize(("command", "terminal", "said"), [("select", True, 1), ("rank", False, 0), ("list", True, 0)])
def test_a_command_that_compiles_loops_says_so_once_on_a_terminal(monkeypatch, command, terminal, said):
    monkeypatch.setattr(first_use, "_listeners", [])
    screen = io.StringIO()
    screen.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", screen)
    build([command])
    first_use.compiling_begins()
    first_use.compiling_begins()
    assert screen.getvalue().count("Loops are compiled and kept") == said


def test_rich_and_print_show_names_as_they_are(selection):
    screen = Console(file=io.StringIO(), width=200)
    screen.print(selection)
    shown = screen.file.getvalue()
    assert "[/bold]" in shown
    assert "[red]x" in shown
    for text in (shown, str(selection.explain()), repr(selection)):
        assert not {"\x1b", "\x9b", "\u202e"} & set(text)


def test_escapes_of_json_mean_the_same():
    text = json.dumps({name: name for name in NAMES}, ensure_ascii=False, indent=2)
    assert json.loads(printable_json(text)) == {name: name for name in NAMES}
    assert all(c.isprintable() or c == "\n" for c in printable_json(text))
    assert printable("a\x9b") == "a\\x9b"


@pytest.fixture
def run(monkeypatch):
    """Run a command as the program does, with outputs of some encoding, or without one."""

    def called(words, encoding="utf-8", closed=None):
        files = {name: io.TextIOWrapper(io.BytesIO(), encoding) for name in ("stdout", "stderr")}
        for name, file in files.items():
            monkeypatch.setattr(sys, name, None if closed == name else file)
        with pytest.raises(SystemExit) as left:
            main_program.run(words)
        for file in files.values():
            file.flush()
        return left.value.code, *(file.buffer.getvalue() for file in files.values())

    heard = signal.getsignal(signal.SIGINT)
    yield called
    # A program that ends hears Ctrl-C no more; the tests after this one must.
    signal.signal(signal.SIGINT, heard)


RANK = ["rank", "iris", "-t", "target", "-m", "FTest"]


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        (RANK, "utf-8"),
        ([*RANK, "--json"], "ascii"),
        (["describe", "GeneticSelector"], "latin-1"),
        (RANK, "utf-16"),
        (["--help"], "utf-8"),
    ],
)
def test_odd_terminals(run, monkeypatch, words, encoding):
    monkeypatch.setenv("COLUMNS", "0")
    code, shown, said = run(words, encoding)
    assert (code, said) == (0, b"")
    assert len(shown) > 100


@pytest.mark.parametrize("columns", ["1", "999999999999"])
def test_a_width_of_no_terminal_is_not_believed(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    code, shown, said = run(["--help"], "utf-8")
    assert (code, said) == (0, b"")
    assert len(shown) > 100


class FullDisk(io.StringIO):
    def flush(self):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_an_output_without_space_says_so(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdout", FullDisk())
    out = tmp_path / "s.json"
    assert main_program.main(["select", "iris", "-t", "target", "-m", "FTest", "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert "What the command says could not be written (No space left on device)" in said
    assert out.exists()


def test_a_closed_output_is_no_error(run, tmp_path):
    out = tmp_path / "s.json"
    assert run(["select", "iris", "-t", "target", "-m", "FTest", "--out", str(out)], closed="stdout") == (0, b"", b"")
    assert out.exists()
    assert run([*RANK, "--json"], closed="stdout")[0] == 0
    assert run(["rank", "nowhere.csv"], closed="stderr")[0] == 1


def test_where_an_error_came_from_has_no_raw_escapes(run, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a\x1b[31m,a\x1b[31m,y\n1,2,0\n3,4,1\n")
    code, _, said = run(["rank", str(path), "-t", "y", "--debug"])
    assert code == 1
    assert b"Traceback" in said
    assert b"\x1b" not in said
