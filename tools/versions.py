"""Run the tests on the oldest and the newest versions that pyproject.toml allows, for every Python found here.

    python tools/versions.py                                   # all of them
    python tools/versions.py --python 3.11 --versions lowest -- tests/core -n 2
    python tools/versions.py --prepare                         # only make the environments

"lowest" takes the lowest version that this Python can have of everything pyproject.toml names (uv's lowest-direct),
"newest" the newest of all.
A Python that is not on this machine is skipped with a sentence; words behind -- go to pytest.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
SHOWN = ("numpy", "scipy", "scikit-learn", "numba", "narwhals", "pandas", "polars", "pyarrow", "dask", "typer", "rich")


def main() -> int:
    """Prepare the environments asked for, run the tests in each, and say how each ended."""
    asked = _asked()
    ends: dict[str, str] = {}
    for python in asked.python:
        program = _found(python)
        if program is None:
            ends[python] = "skipped, since there is no such Python here"
            continue
        for versions in asked.versions:
            ends[f"{python}, {versions}"] = _run(program, python, versions, asked)
    print("\n" + "\n".join(f"Python {name}: {end}" for name, end in ends.items()))
    return int(any(end.startswith("failed") for end in ends.values()))


def _asked() -> argparse.Namespace:
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", nargs="+", default=list(PYTHONS), metavar="X.Y", help="which Pythons")
    parser.add_argument("--versions", nargs="+", default=list(RESOLUTIONS), choices=RESOLUTIONS, help="which versions")
    parser.add_argument("--folder", type=Path, default=ROOT, help="where the environments .venv-X.Y-... are made")
    parser.add_argument("--prepare", action="store_true", help="make the environments and run nothing")
    found = parser.parse_args(words[:cut])
    found.tests = words[cut + 1 :] or ["-q", "-n", os.environ.get("JOBS", "2")]
    return found


def _uv(*words: str, quiet: bool = False) -> subprocess.CompletedProcess[str]:
    program = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    return subprocess.run([program, *words], cwd=ROOT, text=True, capture_output=quiet, check=not quiet)


def _found(python: str) -> str | None:
    """Return the program of a Python that uv or pyenv has installed here, None where neither has."""
    answer = _uv("python", "find", "--no-python-downloads", python, quiet=True)
    if answer.returncode == 0:
        return answer.stdout.strip()
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    return next((str(found) for found in sorted(home.glob(f"versions/{python}*/bin/python"))), None)


def _environment(program: str, python: str, versions: str, folder: Path) -> Path:
    """Make the environment, or bring it up to date, and return its folder."""
    place = folder / f".venv-{python}-{versions}"
    wanted = place / "wanted.txt"
    if not place.exists():
        _uv("venv", "--quiet", "--no-python-downloads", "--python", program, str(place))
    _uv(
        *("pip", "compile", "--quiet", "--resolution", RESOLUTIONS[versions], "--python", python),
        *("--extra", "test", "--extra", "interop"),
        *("pyproject.toml", "--output-file", str(wanted), "--only-binary", ":all:"),
        *(["--upgrade"] if versions == "newest" else []),
    )
    _uv("pip", "sync", "--quiet", "--python", str(_python(place)), str(wanted))
    _uv("pip", "install", "--quiet", "--no-deps", "--python", str(_python(place)), "--editable", ".")
    return place


def _python(place: Path) -> Path:
    return place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _run(program: str, python: str, versions: str, asked: argparse.Namespace) -> str:
    place = _environment(program, python, versions, asked.folder)
    pins = dict(line.split("==") for line in (place / "wanted.txt").read_text().splitlines() if line[:1].isalpha())
    used = ", ".join(f"{name} {pins[name]}" for name in SHOWN if name in pins)
    print(f"\nPython {python}, {versions}: {used}", flush=True)
    if asked.prepare:
        return f"prepared ({used})"
    # Compiled loops of one version are of no use to another.
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(place / "numba"), "PYTHONPATH": str(ROOT / "src")}
    began = time.monotonic()
    words = [str(_python(place)), "-m", "pytest", "-p", "no:cacheprovider", *asked.tests]
    code = subprocess.run(words, cwd=ROOT, env=environment, check=False).returncode
    return f"{'passed' if code == 0 else f'failed with {code}'} after {time.monotonic() - began:.0f} s ({used})"


if __name__ == "__main__":
    sys.exit(main())
