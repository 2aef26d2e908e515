"""The words of the project: their code runs, their commands work, their lists are complete."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import inspect
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
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


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tables():
    return script("build_tables")


@pytest.fixture(scope="module")
def reference():
    return script("build_reference").pages()


@with_blocks(PYTHON)
def test_python_runs_and_prints_what_is_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict = {"__name__": "__main__"}
    for found in blocks(page, PYTHON):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(found["code"], str(page), "exec", dont_inherit=True), namespace)
        assert printed.getvalue().rstrip() == (found["shown"] or "").rstrip()


def test_notebook_runs_and_shows_what_it_holds():
    cells = json.loads(text_of(ROOT / "docs" / "tutorial.ipynb"))["cells"]
    namespace: dict = {}
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        *before, last = ast.parse("".join(cell["source"])).body
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(ast.Module(before, []), "notebook", "exec"), namespace)
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), namespace)
        shown = printed.getvalue() + ("" if value is None else repr(value))
        held = "".join("".join(o.get("text") or o["data"]["text/plain"]) for o in cell["outputs"])
        assert shown == held


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
    assert set(tables.FORMULAS) <= {e.name for e in registry.METHODS}


def test_method_table_has_equal_columns(tables):
    for block in re.findall(r"(?:^\|.*\n)+", tables.page(), re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_every_list_of_names_is_in_the_navigation(reference):
    for page in reference:
        if "/" not in page:
            assert f"reference/{page}" in text_of(ROOT / "mkdocs.yml")
            assert f"reference/{page}" in text_of(ROOT / "docs" / "api.md")


def test_glossary_has_every_parameter():
    entries = set(re.findall(r"^### `(\w+)`$", text_of(ROOT / "docs" / "glossary.md"), re.MULTILINE))
    parameters = {p for e in registry.METHODS for p in inspect.signature(registry.load(e.name)).parameters}
    assert entries == parameters


def test_every_public_name_has_a_page_and_is_listed(reference):
    homes = {**fewer.registry.FUNCTIONS, **{e.name: e.module for e in registry.METHODS}}
    pages = {**dict.fromkeys(fewer.registry.FUNCTIONS, "functions"), **{e.name: "methods" for e in registry.METHODS}}
    for name, home in homes.items():
        assert f"::: {home}.{name}\n" in reference[f"{pages[name]}/{name}.md"]
    for entry in registry.METHODS:
        assert f"(methods/{entry.name}.md)" in reference[f"{entry.family}.md"]
    for module in set(fewer.registry.MODULES) - {"api"}:
        for name in getattr(getattr(fewer, module), "__all__", []):
            assert f"functions/{name}.md" in reference or f"{module}/{name}.md" in reference
            assert f"/{name}.md)" in reference[f"{module}.md"]
    # Two names that differ by capitals alone would be one file on some machines.
    assert len({path.lower() for path in reference}) == len(reference)


def test_pages_of_names_describe_what_exists(reference):
    for text in reference.values():
        for path in re.findall(r"^::: ([\w.]+)$", text, re.MULTILINE):
            module, name = path.rsplit(".", 1)
            assert inspect.getdoc(registry.part(module, name)), path


def test_nothing_is_described_on_two_pages(reference):
    """Links to it would lead to either, which a strict build refuses."""
    texts = [*reference.values(), *(text_of(page) for page in PAGES)]
    paths = [path for text in texts for path in re.findall(r"^::: ([\w.]+)$", text, re.MULTILINE)]
    assert len(paths) > 300
    assert [path for path, count in Counter(paths).items() if count > 1] == []


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


def test_readme_counts_and_names_every_family():
    page = text_of(ROOT / "README.md")
    told = {int(number) for number in re.findall(r"more than (\d+)\s+methods", page, re.IGNORECASE)}
    assert len(told) == 1
    assert max(told) < len(registry.METHODS) < max(told) + 100
    assert f"methods in {len(registry.FAMILIES)} families" in page
    assert [family for family in registry.FAMILIES if f"| {family} |" not in page] == []


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda p: p.name)
def test_links_lead_somewhere(page, reference):
    made_at_build = {"methods.md", *(f"reference/{path}" for path in reference)}
    made_at_build |= {f"docs/{path}" for path in made_at_build}
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text_of(page)):
        if not target.startswith("https://") and target not in made_at_build:
            assert (page.parent / target).exists(), target


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A copy of the project in which a newcomer has followed the pages on adding a method and a classifier."""
    copy = tmp_path_factory.mktemp("project")
    for folder in ("src", "tests/common", "tests/oracles", "docs"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("reference", "*.png"))
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
    paths = os.pathsep.join([str(folder / "src"), str(folder / "docs"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "FEWER_METHODS": "GoodmanKruskalLambda NearestMean"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_method_added_by_the_book_passes_the_checks(extended):
    files = [found["path"] for found in TITLED.finditer(text_of(ROOT / "CONTRIBUTING.md"))]
    run_in(extended, "-m", "ruff", "check", *files)
    run_in(extended, "-m", "ruff", "format", "--check", *files)
    own = [file for file in files if "/methods/" in file]
    checks = "GoodmanKruskalLambda or lambda_agrees or NearestMean or guessing or nearest_mean"
    words = [
        "pytest",
        "tests/common/test_registry.py",
        *own,
        "--doctest-modules",
        "-k",
        checks,
        "-p",
        "no:cacheprovider",
    ]
    checked = run_in(extended, "-m", *words)
    assert int(re.search(r"(\d+) passed", checked)[1]) > 100
    assert re.search(r"test_guessing.py \.", checked)


# What the pages say to type, in one process, and the row of the new method in the tables of the site.
EVERYWHERE = """
import json, sys
from fewer import registry
from fewer.cli.main import main
for words in json.loads(sys.argv[1]):
    assert main(words) == 0, words
registry.METHODS, registry.FAMILIES = (registry.entry("GoodmanKruskalLambda"),), ("univariate",)
import build_reference, build_tables
print("TABLE", build_tables.page(), build_reference.pages()["univariate.md"])
"""


def test_a_method_added_by_the_book_works_everywhere(extended):
    found = next(SHELL.finditer(text_of(ROOT / "CONTRIBUTING.md")))
    typed = [words for program, *words in commands(found["code"]) if program == "fewer"]
    assert len(typed) == 3
    shown, tables = run_in(extended, "-c", EVERYWHERE, json.dumps(typed)).split("TABLE")
    assert shown.count("GoodmanKruskalLambda") >= 3
    assert "GoodmanKruskalLambda" in text_of(extended / "report.html")
    assert tables.count("`GoodmanKruskalLambda`") == 2
    assert "(methods/GoodmanKruskalLambda.md)" in tables
