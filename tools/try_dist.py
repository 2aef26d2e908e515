"""Build the wheel and the source archive, install each into an empty environment, and try what a user would.

Run as `make dist`, or `python tools/try_dist.py --out dist`; it needs the extra `release` (uv and build).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
INSIDE = (
    "fewer/py.typed",
    "fewer/__init__.pyi",
    "fewer/report/templates/report.html.j2",
    "fewer/report/templates/report.css",
    "fewer/report/templates/charts.js",
)
# Nothing here is for users of the package.
OUTSIDE = (".nbi", ".nbc", ".pyc")
SELECT = "select breast_cancer --target target --method InformationGain -n 3 --out selection.json --report report.html"


def main() -> int:
    """Build both archives, look inside, install and try them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the archives are left")
    out = parser.parse_args().out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    _call(sys.executable, "-m", "build", "--installer", "uv", "--outdir", str(out), str(ROOT))
    for archive in sorted(out.iterdir()):
        _look(archive)
        with tempfile.TemporaryDirectory() as scratch:
            _try(archive, Path(scratch))
        print(f"{archive.name}: {archive.stat().st_size / 1e6:.2f} MB, installed and tried")
    return 0


def _look(archive: Path) -> None:
    """Fail if something that belongs into an archive is not there, or the other way round."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as whole:
            names = whole.namelist()
    else:
        with tarfile.open(archive) as whole:
            names = whole.getnames()
    missing = [wanted for wanted in INSIDE if not any(name.endswith(wanted) for name in names)]
    extra = [name for name in names if name.endswith(OUTSIDE)]
    if missing or extra:
        raise SystemExit(f"{archive.name} lacks {missing} and should not hold {extra}.")


def _try(archive: Path, scratch: Path) -> None:
    """Install an archive with the command line and the report, without matplotlib, and use it."""
    place = scratch / "environment"
    folder = place / ("Scripts" if os.name == "nt" else "bin")
    _call(_uv(), "venv", "--quiet", "--python", sys.executable, str(place))
    wanted = f"fewer[cli,report] @ {archive.as_uri()}"
    _call(_uv(), "pip", "install", "--quiet", "--python", str(folder / "python"), wanted, "mypy")
    python, fewer = str(folder / "python"), str(folder / "fewer")
    assert "select" in _call(fewer, "--help", at=scratch)
    _call(fewer, *SELECT.split(), at=scratch)
    page = (scratch / "report.html").read_text(encoding="utf-8")
    assert "InformationGain" in page
    assert "<svg" in page
    _call(python, "-c", "import importlib.util as u; assert u.find_spec('matplotlib') is None", at=scratch)
    script = shutil.copy(ROOT / "tests" / "typed" / "user_script.py", scratch)
    _call(python, "-m", "mypy", "--strict", str(script), at=scratch)
    _call(python, str(script), at=scratch)


def _uv() -> str:
    return shutil.which("uv") or str(Path(sys.executable).with_name("uv"))


def _call(*words: str, at: Path = ROOT) -> str:
    # Only what is installed may be found.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment.get('PATH', '')}"
    done = subprocess.run(words, cwd=at, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
