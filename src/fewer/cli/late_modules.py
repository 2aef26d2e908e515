"""Libraries that scikit-learn loads whether they are used or not, loaded when they are used.

They take a third of the time of a short command. Only the command line does this, whose process is its own: whoever
imports fewer gets scikit-learn as it is.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

# Functions and distributions that modules take from a library while they are loaded, to use them later if at all.
TAKEN = {"scipy.stats": ("binom", "chi2", "gmean", "kendalltau", "norm", "random_table", "rankdata", "t")}


class LateName:
    """Stands for a function or a distribution of a library that is loaded when it is called or looked into."""

    def __init__(self, module: LateModule, name: str) -> None:
        self._module, self._name = module, name

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Call the function itself."""
        return getattr(self._module.loaded(), self._name)(*given, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(getattr(self._module.loaded(), self._name), name)


class LateModule(ModuleType):
    """Stands for a library until a name of it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # What the import system asks a module for is no use of it.
            raise AttributeError(name)
        if name in TAKEN.get(self.__name__, ()) and sys.modules.get(self.__name__) is self:
            return LateName(self, name)
        return getattr(self.loaded(), name)

    def loaded(self) -> ModuleType:
        """Return the library itself, which takes the place of this one."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return import_module(self.__name__)


def put_off(name: str) -> None:
    """Load a library when a name of it is asked for; one that is loaded, or not installed, stays so."""
    if name not in sys.modules and find_spec(name) is not None:
        sys.modules[name] = LateModule(name)


def load_scikit_learn() -> None:
    """Load what every method needs of scikit-learn, without pandas and scipy.stats."""
    put_off("scipy.stats")
    put_off("pandas")
    try:
        import sklearn.base  # noqa: F401
    finally:
        # Whether pandas is loaded tells scikit-learn whether anything can be a frame.
        if isinstance(sys.modules.get("pandas"), LateModule):
            del sys.modules["pandas"]
