"""The words of the project: their code runs, their commands work, their lists are complete."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fewer
from fewer import registry

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").glob("*.md") if p.name != "methods.md")]
NOT_RUN = r"(?P<skip><!-- not run -->\n)?"
PYTHON = re.compile(NOT_RUN + r"```python\n(?P<code>.*?)```\n(?:\n```text\n(?P<shown>.*?)```\n)?", re.DOTALL)
SHELL = re.compile(NOT_RUN + r"```sh\n(?P<code>.*?)```\n", re.DOTALL)
TITLED = re.compile(r'```(?:python|text) title="(?P<path>[^"]+)"\n(?P<code>.*?)```\n', re.DOTALL)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, kind: re.Pattern[str]) -> list[re.Match[str]]:
    return [found for found in kind.finditer(text_of(page)) if not found["skip"]]


def commands(text: str) -> list[list[str]]:
    return [shlex.split(line) for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def with_blocks(kind: re.Pattern[str]):
    pages = [page for page in PAGES if blocks(page, kind)]
    return pytest.mark.parametrize("page", pages, ids=[page.name for page in pages])


@pytest.fixture(scope="module")
def tables():
    spec = importlib.util.spec_from_file_location("build_tables", ROOT / "docs" / "build_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@with_blocks(PYTHON)
def test_python_runs_and_prints_what_is_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict = {"__name__": "__main__"}
    for found in blocks(page, PYTHON):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(found["code"], str(page), "exec", dont_inherit=True), namespace)
        assert printed.getvalue().rstrip() == (found["shown"] or "").rstrip()


@with_blocks(SHELL)
def test_commands_work(page, tmp_path, monkeypatch, capfd):
    from fewer.cli.main import main

    monkeypatch.chdir(tmp_path)
    for found in blocks(page, SHELL):
        for program, *words in commands(found["code"]):
            assert program == "fewer"
            assert main(words) == 0, (words, capfd.readouterr().err)


def test_method_table_lists_the_registry(tables):
    everything, *families = re.split(r"^## Family: ", tables.page(), flags=re.MULTILINE)
    row = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
    assert row.findall(everything) == [e.name for e in registry.METHODS]
    for family in families:
        name = family.splitlines()[0]
        assert row.findall(family) == [e.name for e in registry.METHODS if e.family == name]
        for entry in registry.METHODS:
            assert (f"::: {entry.module}.{entry.name}\n" in tables.reference(name)) == (entry.family == name)
    assert set(tables.FORMULAS) <= {e.name for e in registry.METHODS}


def test_method_table_has_equal_columns(tables):
    for block in re.findall(r"(?:^\|.*\n)+", tables.page(), re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_every_family_has_its_reference_in_the_navigation(tables):
    for family in registry.FAMILIES:
        assert f"reference/{family}.md" in text_of(ROOT / "mkdocs.yml")
        assert f"reference/{family}.md" in text_of(ROOT / "docs" / "api.md")


def test_glossary_has_every_parameter():
    entries = set(re.findall(r"^### `(\w+)`$", text_of(ROOT / "docs" / "glossary.md"), re.MULTILINE))
    parameters = {p for e in registry.METHODS for p in inspect.signature(registry.load(e.name)).parameters}
    assert entries == parameters


def test_reference_lists_every_public_name():
    listed = re.findall(
        r"^::: ([\w.]+)\n    options:\n      heading: fewer\.(\w+)$", text_of(ROOT / "docs" / "api.md"), re.MULTILINE
    )
    assert {name: path for path, name in listed} == {n: f"{m}.{n}" for n, m in fewer.registry.FUNCTIONS.items()}


def test_stop_rules_are_all_described():
    from fewer.core.stop.parse import WORDS

    page = text_of(ROOT / "docs" / "stop-rules.md")
    assert all(f'"{word}' in page and f"`{rule.__name__}(" in page for word, (rule, _) in WORDS.items())


def test_what_is_left_out_is_not_here_and_what_is_nearest_is():
    rows = [line.split(" | ") for line in text_of(ROOT / "docs" / "left_out.md").splitlines() if line.startswith("| ")]
    names = {e.name.lower() for e in registry.METHODS}
    for left_out, source, reason, nearest in rows[1:]:
        assert left_out.strip("| ").split(" (")[0].replace(" ", "").lower() not in names
        assert all((source, reason))
        methods = [name for name in re.findall(r"`(\w+)`", nearest) if name != "BaggingClassifier"]
        assert [name for name in methods if name.lower() not in names] == []


def test_readme_names_every_method():
    page = text_of(ROOT / "README.md")
    assert [e.name for e in registry.METHODS if f"`{e.name}`" not in page] == []


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    made_at_build = {"methods.md", *(f"reference/{e.family}.md" for e in registry.METHODS)}
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text_of(page)):
        if not target.startswith("https://") and target not in made_at_build:
            assert (page.parent / target).exists(), target


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A copy of the project in which a newcomer has followed the pages on adding a method and a classifier."""
    copy = tmp_path_factory.mktemp("project")
    for folder in ("src", "tests/common", "tests/oracles", "docs"):
        shutil.copytree(ROOT / folder, copy / folder)
    for file in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy2(ROOT / file, copy / file)
    words = text_of(ROOT / "CONTRIBUTING.md")
    for found in TITLED.finditer(words):
        path = copy / found["path"]
        if path.exists():
            above = re.findall(r"after the line of `(\w+)`", words[: found.start()])[-1]
            before, after = text_of(path).split(f'        ("{above}"')
            line, rest = after.split("\n", 1)
            path.write_text(f'{before}        ("{above}"{line}\n{found["code"]}{rest}', encoding="utf-8")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found["code"], encoding="utf-8")
    return copy


def run_in(folder: Path, *words: str) -> str:
    paths = os.pathsep.join([str(folder / "src"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_method_added_by_the_book_passes_the_checks(extended):
    files = [found["path"] for found in TITLED.finditer(text_of(ROOT / "CONTRIBUTING.md"))]
    run_in(extended, "ruff", "check", *files)
    run_in(extended, "ruff", "format", "--check", *files)
    checked = run_in(
        extended,
        *[
            "pytest",
            "tests",
            "-k",
            "GoodmanKruskalLambda or lambda_agrees or NearestMean or test_parameters",
            "-p",
            "no:cacheprovider",
        ],
    )
    assert len(re.findall(r"\.", checked.split("[100%]")[0])) > 100
    run_in(extended, "pytest", "--doctest-modules", *(file for file in files if "/methods/" in file and "src" in file))


def test_a_method_added_by_the_book_works_everywhere(extended):
    found = next(SHELL.finditer(text_of(ROOT / "CONTRIBUTING.md")))
    for program, *words in commands(found["code"]):
        if program == "fewer":
            assert "GoodmanKruskalLambda" in run_in(extended, "fewer.cli.main", *words)
    assert "GoodmanKruskalLambda" in text_of(extended / "report.html")
    run_in(extended, "docs.build_tables")
    assert text_of(extended / "docs" / "methods.md").count("`GoodmanKruskalLambda`") == 2
