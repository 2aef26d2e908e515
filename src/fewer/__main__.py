"""``python -m fewer``: the command line."""

from __future__ import annotations

from fewer.cli.main import run

if __name__ == "__main__":
    run()
