"""What an import may load, and which file may be how long."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "fewer"
FILES = sorted(SRC.rglob("*.py"))


def loaded_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n'.join(sorted(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(out.stdout.split())


def test_importing_fewer_loads_nothing_heavy():
    modules = loaded_by("import fewer; fewer.registry; fewer.catalog()")
    assert not modules & {"numba", "matplotlib", "dask", "pandas", "polars", "pyarrow", "sklearn", "scipy"}


def test_fitting_loads_no_optional_part():
    code = (
        "import fewer, numpy as np\n"
        "rng = np.random.default_rng(0)\n"
        "fewer.InformationGain(2).fit(rng.normal(size=(40, 3)), rng.integers(0, 2, 40))"
    )
    # scikit-learn itself loads pandas, pyarrow and rich where they are installed.
    modules = loaded_by(code) - loaded_by("import sklearn.feature_selection")
    assert not modules & {"matplotlib", "dask", "distributed", "polars", "pyarrow", "typer", "rich", "jinja2"}


def test_only_kernels_import_numba():
    for path in FILES:
        # Those for a GPU are in a folder of their own below.
        if "kernels" in (path.parent.name, path.parent.parent.name):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not any(name.split(".")[0] == "numba" for name in names), path


def test_only_params_imports_private_validation():
    users = [p.name for p in FILES if "_param_validation" in p.read_text(encoding="utf-8")]
    assert users == ["params.py"]


def test_kernels_are_serial_and_cached():
    for path in (SRC / "core" / "kernels").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for word in ("parallel=True", "prange", "jitclass", "typed."):
            assert word not in text, (path.name, word)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_files_and_functions_keep_their_budget(path):
    text = path.read_text(encoding="utf-8")
    lines = sum(1 for line in text.splitlines() if line.strip())
    assert lines <= 330, f"{lines} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            doc = ast.get_docstring(node, clean=False) or ""
            size = (node.end_lineno or node.lineno) - node.lineno + 1 - len(doc.splitlines())
            assert size <= 65, f"{node.name} has {size} lines"


# What may be written where: views are built by the readers, a selector is run in one place, and a selection is made by
# Selection.build.
CORRIDORS = {
    r"(?<![\w.\"`])View\(": {"core/reading/memory.py", "core/reading/table_views.py", "core/reading/dask_parts.py"},
    r"\._select\(": {"core/estimators/selector.py"},
    r"(?<![\w\"`])Selection\(": set(),
    r"(?<!self)\._(validate_params|parts)\(": set(),
    r"(get|has)attr\((self\.)?criterion": set(),
}


@pytest.mark.parametrize("pattern", CORRIDORS)
def test_there_is_one_way_in(pattern):
    found = set()
    for path in FILES:
        code = re.sub(r"^class View.*$|super\(\)\._\w+\(", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        if re.search(pattern, code):
            found.add(path.relative_to(SRC).as_posix())
    assert found == CORRIDORS[pattern]


def test_methods_know_no_path_of_a_machine():
    for path in FILES:
        assert "/home/" not in path.read_text(encoding="utf-8")


def test_the_list_of_commands_loads_no_scipy():
    code = "import sys, fewer.cli.app; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
