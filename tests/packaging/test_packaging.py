"""What is shipped: one version, hints for every name, a report without matplotlib, archives that install."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import fewer
from fewer import registry

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
USER = ROOT / "tests" / "typed" / "user_script.py"
MISTAKES = """\
import fewer
kept: int = fewer.select([[1.0]], [1]).kept_names
fewer.MRMR(5).nothing_of_this_name
fewer.compare(colour="red")
reason: str = fewer.Selection.reason
"""


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_version_is_said_once_and_repeated_rightly():
    assert "version" not in PROJECT["project"]
    assert "version" in PROJECT["project"]["dynamic"]
    assert f"\nversion: {fewer.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'set version = "{fewer.__version__}"' in (ROOT / "recipe" / "meta.yaml").read_text(encoding="utf-8")


def test_conda_asks_for_what_pip_asks_for():
    recipe = (ROOT / "recipe" / "meta.yaml").read_text(encoding="utf-8").replace("matplotlib-base", "matplotlib")
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *(w for e in ("cli", "report", "plot", "graphs") for w in extras[e])]
    for requirement in wanted:
        assert f"- {requirement.replace('>=', ' >=')}\n" in recipe, requirement


def test_pythons_agree():
    pythons = script("versions").PYTHONS
    assert all(f"Programming Language :: Python :: {python}" in PROJECT["project"]["classifiers"] for python in pythons)
    assert PROJECT["project"]["requires-python"] == f">={pythons[0]}"
    flow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert f"python: {list(pythons)}".replace("'", '"') in flow


def test_workflow_runs_what_exists():
    yaml = pytest.importorskip("yaml")
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    typed = [step["run"] for job in flow["jobs"].values() for step in job["steps"] if "run" in step]
    assert {line.split()[1] for line in typed if line.startswith("make ")} <= targets
    for file in re.findall(r"(?<= )(?:tools|tests|src)/[\w/.]+", " ".join(typed)):
        assert (ROOT / file).exists(), file
    systems = {row["system"] for row in flow["jobs"]["versions"]["strategy"]["matrix"]["include"]}
    assert systems == {"windows-latest", "macos-latest"}


def test_stub_names_what_is_public():
    written = (ROOT / "src" / "fewer" / "__init__.pyi").read_text(encoding="utf-8")
    assert written == script("stub").stub(), "run make stub"
    assert (ROOT / "src" / "fewer" / "py.typed").exists()
    named = set(re.findall(r"^from [\w.]+ import \w+ as (\w+)$", written, re.MULTILINE))
    assert named == {*registry.public_names(), "registry", "__version__"}


def test_mypy_strict_takes_a_script_of_a_user_and_finds_mistakes(tmp_path):
    wrong = tmp_path / "mistaken_script.py"
    wrong.write_text(MISTAKES, encoding="utf-8")
    # The cache is kept, since the first run reads the whole package.
    words = ["--strict", "--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]
    words += ["--cache-dir", str(ROOT / ".mypy_cache" / "user"), str(USER), str(wrong)]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [line for line in errors if "user_script" in line] == []
    assert sorted({int(line.split(":")[1]) for line in errors if "mistaken" in line}) == [2, 4, 5], done.stdout


def test_user_script_runs():
    done = subprocess.run([sys.executable, str(USER)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "the best of all" in done.stdout


WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None
from fewer.cli.main import main
for words in (
    "select breast_cancer --target target --method InformationGain -n 3 --out s.json --report r.html",
    "compare iris --target target --methods MRMR --estimators neighbours --cv 2 --report c.html",
):
    assert main(words.split()) == 0
import fewer
try:
    fewer.Selection.from_json("s.json").plot.scores()
except fewer.core.records.errors.MissingExtraError as error:
    print("REFUSED", error)
"""


def test_report_needs_no_matplotlib_and_plots_say_what_they_need(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_MATPLOTLIB], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "fewer[plot]" in done.stdout.split("REFUSED")[1]
    assert all("<svg" in (tmp_path / page).read_text(encoding="utf-8") for page in ("r.html", "c.html"))


@pytest.mark.skipif(int(os.environ.get("FEWER_EXAMPLES", "1")) < 2, reason="takes a minute and a network: make dist")
def test_archives_install_and_work(tmp_path):
    pytest.importorskip("build")
    subprocess.run([sys.executable, ROOT / "tools" / "try_dist.py", "--out", tmp_path / "dist"], check=True)
    assert sorted(path.suffix for path in (tmp_path / "dist").iterdir()) == [".gz", ".whl"]
