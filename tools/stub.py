"""Write src/fewer/__init__.pyi, in which editors and type checkers find every lazily loaded name of `fewer`."""

from __future__ import annotations

import sys
from pathlib import Path

STUB = Path(__file__).parents[1] / "src" / "fewer" / "__init__.pyi"
HEAD = '''\
# Made by `python tools/stub.py` from the registry; change that, not this file.
# ruff: noqa: I001, RUF022
"""fewer: feature selection in one library.

Which features matter, which are redundant and why, how sure we are.
"""
'''


def stub() -> str:
    """Return the text of the stub: one import per public name, and the list of all."""
    from fewer import registry

    homes = {**registry.FUNCTIONS, **{entry.name: entry.module for entry in registry.METHODS}}
    modules = [f"from fewer import {name} as {name}" for name in sorted({*registry.MODULES, "registry"})]
    version = "from fewer._version import __version__ as __version__"
    names = [f"from {home} import {name} as {name}" for name, home in sorted(homes.items(), key=lambda i: i[::-1])]
    public = sorted({*registry.public_names(), "registry", "__version__"})
    listed = "\n".join(f'    "{name}",' for name in public)
    return "\n".join([HEAD, *modules, version, *names, "", f"__all__ = [\n{listed}\n]", ""])


if __name__ == "__main__":
    sys.path.insert(0, str(STUB.parents[1]))
    STUB.write_text(stub(), encoding="utf-8")
