"""scikit-learn without pandas, which it loads whether it is used or not: a seventh of the time of a short command.

Only the command line does this, before anything else is loaded: whoever imports fewer gets scikit-learn as it is.
"""

from __future__ import annotations

import sys
import threading
from importlib.metadata import PackageNotFoundError, version

# Versions whose source was looked at: they load pandas in sklearn.utils.fixes, which is content if there is none, and
# use only the one that is loaded when they meet a frame. Any other is loaded as it is.
KNOWN = ("1.7.", "1.9.")


def load_scikit_learn() -> None:
    """Load what every method needs of scikit-learn; pandas only when it is used, if that is certain to be the same."""
    if can_wait():
        # The import system takes None for a library that is not installed.
        sys.modules["pandas"] = None  # type: ignore[assignment]
        try:
            import sklearn.base
        finally:
            del sys.modules["pandas"]
    else:
        import sklearn.base  # noqa: F401


def can_wait() -> bool:
    """Return whether pandas may be loaded later: nothing has loaded it or scikit-learn, and no thread is about to."""
    if "sklearn" in sys.modules or "pandas" in sys.modules or threading.active_count() > 1:
        return False
    try:
        return version("scikit-learn").startswith(KNOWN)
    except PackageNotFoundError:
        return False
