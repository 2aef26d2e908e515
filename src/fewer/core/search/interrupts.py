"""Ctrl-C in a search: the best so far if a user called it, an end of everything if a program did."""

from __future__ import annotations

import sys
import warnings

from fewer.core.records.errors import SearchWarning

# Who runs fits one after another: an answer to the first Ctrl-C would only begin the next fit.
DRIVERS = ("sklearn.model_selection", "sklearn.ensemble", "sklearn.feature_selection", "joblib", "fewer.evaluate")


def is_driven() -> bool:
    """Return whether the search runs inside a loop over fits, such as a grid search or a comparison."""
    frame = sys._getframe(1)
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if any(name == driver or name.startswith(f"{driver}.") for driver in DRIVERS):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def answer_or_raise(words: str) -> None:
    """Say that the best so far is the answer; inside a grid search or a comparison go on with the interruption.

    To be called where a KeyboardInterrupt was caught.
    """
    if is_driven():
        raise
    warnings.warn(words, SearchWarning, stacklevel=3)
