from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_examples import call, write_numbers

import fewer
from fewer.cli.problems import in_options
from fewer.core.records.result import Selection


@pytest.fixture
def numbers(tmp_path):
    return write_numbers(tmp_path / "numbers.csv")


def process(code: str, *words: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(Path(fewer.__file__).parents[1])}
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_output_that_takes_only_ascii_gets_escapes():
    environment = {**os.environ, "PYTHONPATH": str(Path(fewer.__file__).parents[1]), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "fewer.cli.main", "describe", "MRMR"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The score is I(f; y) - 1 / |S| \\u03a3_(s \\u2208 S) I(f; s)" in done.stdout


def test_version_and_help(capsys):
    assert call(capsys, "--version").out == f"fewer {fewer.__version__}\n"
    for words in ([], ["--help"], ["select", "--help"], ["synth", "-h"]):
        answer = call(capsys, *words)
        assert (answer.code, answer.err) == (0, "")
        assert "Usage: fewer" in answer.out
    assert "--bins" in call(capsys, "select", "--method", "Chi2", "--help").out
    assert "--bins" not in call(capsys, "select", "--method", "FTest", "--help").out


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["slect"], "Did you mean select?"),
        (["select"], "FILE"),
        (["select", "FILE", "-t", "y", "--metod", "Chi2"], "Did you mean --method?"),
        (["select", "FILE", "-t", "y", "-m", "Chi3"], "Did you mean Chi2?"),
        (["select", "FILE", "-t", "y", "-m", "Chi2", "--bin", "3"], "Did you mean --bins?"),
        (["select", "FILE", "-t", "y", "-m", "FTest", "--bins", "3"], "--n-features-to-select"),
        (["select", "FILE", "-t", "y", "-m", "Chi2", "--bins", "1"], "[2, 65535]"),
        (["select", "FILE", "-t", "y", "-m", "Chi2", "--bins", "many"], "'many'"),
        (["select", "FILE", "-t", "y", "-m", "Chi2", "--discretizer", "mld"], "'mdl'"),
        (["select", "FILE", "-t", "y", "-m", "Chi2", "-n", "fd:0.1"], "Did you mean fdr?"),
        (["select", "FILE", "-t", "y", "-m", "Chi2", "-n", "0"], "n_features_to_select"),
        (["select", "FILE", "-t", "y", "-m", "FisherScore", "-n", "fdr:0.05"], "p-values"),
        (["select", "FILE", "-t", "y", "-m", "ScoreSelector", "--score", "FTst"], "Did you mean FTest?"),
        (["rank", "FILE", "-t", "y", "-n", "3"], "-n"),
        (["rank", "FILE", "-t", "y", "--top", "-1"], "--top"),
        (["rank", "FILE", "-t", "y", "--task", "clustering"], "--task clustering"),
        (["select", "FILE", "-t", "y", "-o", "FILE"], "never overwritten"),
        (["select", "FILE", "-t", "y", "--write", "FILE"], "never overwritten"),
        (["compare"], "FILE"),
        (["compare", "FILE"], "--target"),
        (["compare", "FILE", "-t", "y", "-m", "FTest,JMJ"], "Did you mean JMI?"),
        (["compare", "FILE", "-t", "y", "-m", ","], "--methods"),
        (["compare", "FILE", "-t", "y", "-e", "logisitc"], "Did you mean logistic?"),
        (["compare", "FILE", "-t", "y", "-e", "ridge"], "neighbours"),
        (["compare", "FILE", "-t", "y", "--sizes", "1,two"], "--sizes"),
        (["compare", "FILE", "-t", "y", "--sizes", "1,7"], "6 features"),
        (["compare", "FILE", "-t", "y", "--cv", "often"], "'5x2'"),
        (["compare", "FILE", "-t", "y", "--cv", "1"], "folds"),
        (["compare", "FILE", "-t", "y", "--scoring", "acuracy"], "acuracy"),
        (["compare", "FILE", "-t", "y", "--groups", "f9"], "--groups f9"),
        (["compare", "FILE", "-t", "y", "--groups", "y"], "--groups y"),
        (["compare", "FILE", "-t", "y", "--jobs", "0"], "--jobs 0"),
        (["compare", "FILE", "-t", "y", "--seed", "-1"], "--seed"),
        (["compare", "FILE", "-t", "y", "--task", "clustering"], "--task clustering"),
        (["compare", "FILE", "-t", "y", "-o", "FILE"], "never overwritten"),
        (["compare", "FILE", "-t", "y", "--checkpoint", "FILE"], "never overwritten"),
        (["explain"], "SELECTION"),
        (["synth", "m_of_n", "--p", "40"], "pass for example --n-samples 1000"),
        (["methods", "--task", "clasification"], "Did you mean classification?"),
        (["compare", "FILE", "-t", "f0", "-m", "FTest", "-j", "1"], "FTest"),
    ],
)
def test_wrong_usage_is_one_sentence_and_2(capsys, numbers, words, hint):
    before = numbers.read_bytes()
    answer = call(capsys, *[numbers if word == "FILE" else word for word in words])
    assert (answer.code, answer.is_one_sentence()) == (2, True)
    assert hint in answer.err
    assert numbers.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["rank", "TMP/none.csv", "-t", "y"], "does not exist"),
        (["rank", "TMP", "-t", "y"], "folder"),
        (["select", "FILE", "-t", "y", "-o", "TMP/no/s.json"], "no folder"),
        (["select", "FILE", "-t", "y", "-o", "FILE/s.json"], "not a folder"),
        (["select", "FILE", "-t", "y", "-o", "TMP"], "is a folder"),
        (["select", "FILE", "-t", "y", "--write", "TMP/r.xlsx"], ".parquet"),
        (["select", "FILE", "-t", "y", "--drop", "f9"], "--drop f9"),
        (["select", "FILE", "-t", "f0", "-m", "InformationGain"], "InformationGain"),
        (["select", "FILE", "-t", "y", "-m", "InformationGain", "--cost-matrix", "[[0,1],[5,0]]"], "such as 0,1,1,0"),
        (["compare", "TMP/none.csv", "-t", "y"], "does not exist"),
        (["compare", "FILE", "-t", "y2"], "y2"),
        (["compare", "FILE", "-t", "y", "--drop", "f9"], "--drop f9"),
        (["compare", "FILE", "-t", "y", "--report", "TMP/no/r.html"], "no folder"),
        (["compare", "FILE", "-t", "y", "--checkpoint", "TMP"], "is a folder"),
        (["report", "TMP/none.json", "-o", "TMP/r.html"], "none.json"),
        (["synth", "xor", "-o", "TMP/no/d.csv"], "no folder"),
        (["synth", "xor", "-o", "TMP/d.xlsx"], ".parquet"),
    ],
)
def test_failed_work_is_one_sentence_and_1(capsys, numbers, tmp_path, words, hint):
    full = [word.replace("FILE", str(numbers)).replace("TMP", str(tmp_path)) for word in words]
    answer = call(capsys, *full)
    assert (answer.code, answer.is_one_sentence()) == (1, True)
    assert hint in answer.err
    assert "does not expect" not in answer.err
    assert [p.name for p in tmp_path.iterdir()] == ["numbers.csv"]


def test_folder_without_rights(capsys, numbers, tmp_path, monkeypatch):
    # A superuser may write everywhere, so the rights are only pretended.
    monkeypatch.setattr("fewer.cli.output.os.access", lambda path, mode: mode == os.R_OK)
    answer = call(capsys, "select", numbers, "-t", "y", "-o", tmp_path / "s.json")
    assert (answer.code, answer.is_one_sentence()) == (1, True)
    assert "may not be changed" in answer.err


def test_ctrl_c_writes_nothing_and_keeps_older_files(capsys, numbers, tmp_path, monkeypatch):
    out = tmp_path / "s.json"
    out.write_text("older")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("fewer.report.page.write", interrupt)
    words = ["select", numbers, "-t", "y", "-o", out, "--write", tmp_path / "r.csv", "--report", tmp_path / "r.html"]
    answer = call(capsys, *words)
    assert answer.code == 130
    assert answer.err.strip() == "Error: Interrupted; nothing was written."
    assert out.read_text() == "older"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["numbers.csv", "s.json"]


def test_full_disk_leaves_no_half_file(capsys, numbers, tmp_path, monkeypatch):
    def full(self, path=None):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Selection, "to_json", full)
    answer = call(capsys, "select", numbers, "-t", "y", "--write", tmp_path / "r.csv", "-o", tmp_path / "s.json")
    assert (answer.code, answer.is_one_sentence()) == (1, True)
    assert "No space left" in answer.err
    assert [p.name for p in tmp_path.iterdir()] == ["numbers.csv"]


def test_unexpected_error_is_one_sentence_and_debug_shows_it(capsys, numbers, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("deep\ninside")

    monkeypatch.setattr("fewer.cli.input.Input.open", broken)
    answer = call(capsys, "rank", numbers, "-t", "y")
    assert (answer.code, answer.is_one_sentence()) == (1, True)
    assert "ZeroDivisionError: deep" in answer.err
    for words in (["--debug", "rank", numbers, "-t", "y"], ["rank", numbers, "-t", "y", "--debug"]):
        shown = call(capsys, *words)
        assert shown.code == 1
        assert "Traceback" in shown.err
        assert "in broken" in shown.err


def test_parameters_become_options_in_messages():
    assert in_options("leave it out with drop=['a b'].") == "leave it out with --drop a b."
    assert in_options("target='z' is no column; use task='regression'.") == (
        "--target z is no column; use --task regression."
    )
    assert in_options("got n_samples=-3; pass n_samples=1.", ["synth", "--n-samples", "-3"]) == (
        "got --n-samples -3; pass --n-samples 1."
    )
    assert in_options("bins=3 stays") == "bins=3 stays"


@pytest.mark.parametrize("absent", ["typer", "rich"])
def test_absent_extra_is_one_sentence(absent):
    code = f"import sys; sys.modules[{absent!r}] = None; from fewer.cli.main import run; run(['methods'])"
    found = process(code)
    assert found.returncode == 1
    assert found.stdout == ""
    assert found.stderr.strip().split("\n") == [
        f"Error: The command line needs {absent}, which is not installed; run pip install 'fewer[cli]'."
    ]


def test_python_runs_the_package():
    environment = {**os.environ, "PYTHONPATH": str(Path(fewer.__file__).parents[1])}
    command = [sys.executable, "-m", "fewer", "--version"]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (found.returncode, found.stdout) == (0, f"fewer {fewer.__version__}\n")


def test_exit_codes_of_the_process(numbers):
    code = "import sys; from fewer.cli.main import run; run(sys.argv[1:])"
    assert process(code, "methods").returncode == 0
    assert process(code, "explain", str(numbers)).returncode == 1
    assert process(code, "explain", "--nothing").returncode == 2


def test_reader_that_leaves_early():
    code = "from fewer.cli.main import run; run(['methods'])"
    environment = {**os.environ, "PYTHONPATH": str(Path(fewer.__file__).parents[1])}
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE, env=environment) as one:
        os.close(writer)
        assert one.communicate()[1] == b""
        assert one.returncode == 1


def test_listing_commands_load_neither_methods_nor_numba():
    code = (
        "import sys; from fewer.cli.main import main; main(['methods']); main(['--version']); "
        "sys.exit(any(m in sys.modules for m in ('numba', 'sklearn', 'matplotlib', 'dask', 'pyarrow')))"
    )
    assert process(code).returncode == 0


def on_terminal(width: int, words: list[str], **environment: str) -> str:
    """Run a command on a terminal of its own and return all that it shows."""
    pty = pytest.importorskip("pty")
    main_end, far_end = pty.openpty()
    settings = {"PYTHONPATH": str(Path(fewer.__file__).parents[1]), "TERM": "xterm-256color", "COLUMNS": str(width)}
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    code = f"from fewer.cli.main import run; run({words!r})"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=far_end, stderr=far_end, env={**clean, **settings, **environment}
    ):
        os.close(far_end)
        shown = b""
        try:
            while piece := os.read(main_end, 4096):
                shown += piece
        except OSError:  # How Linux says that the other end is closed.
            pass
    os.close(main_end)
    return shown.decode().replace("\r\n", "\n")


def test_terminal_sets_width_and_colour(numbers):
    words = ["rank", str(numbers), "-t", "y", "-m", "FTest"]
    shown = on_terminal(60, ["methods"])
    assert "\x1b[1m" in shown
    assert max(len(line) for line in re.sub(r"\x1b\[[0-9;]*m", "", shown).split("\n")) <= 60
    assert "\x1b[1;31mError" in on_terminal(80, ["nothing"])
    assert "\x1b" not in on_terminal(80, ["nothing"], NO_COLOR="1")
    ranked = on_terminal(80, words)
    # The bar is drawn while the work goes on and removed at its end.
    assert "\x1b[?25l" in ranked
    assert ranked.index("features of") > ranked.rindex("\x1b[?25h")
