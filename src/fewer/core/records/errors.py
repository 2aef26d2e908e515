"""The library's own exceptions: one sentence that says where, what was given, what is allowed, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable


class FewerError(Exception):
    """Base of all errors that this library raises on purpose; what they quote does not break their line."""

    def __init__(self, *words: object) -> None:
        super().__init__(*(re.sub(r"\s*\n\s*", " ", word) if isinstance(word, str) else word for word in words))


class InputError(FewerError, ValueError):
    """The data cannot be used as they are."""


class InputTypeError(FewerError, TypeError):
    """The data are of a type that cannot be used."""


class ParameterError(FewerError, ValueError):
    """A parameter has a value that is not allowed."""


class RequirementError(FewerError, ValueError):
    """Two parts do not fit: one needs what the other does not offer."""


class FileError(FewerError, ValueError):
    """A file cannot be read or written."""


class ClusterError(FewerError, RuntimeError):
    """A cluster is gone, or has nobody who works."""


class MissingExtraError(FewerError, ImportError):
    """An optional dependency is not installed."""


class BrokenResult(AssertionError):
    """A method broke a rule that holds for every result: a defect of the method, not of what was given to it."""


class TargetWarning(UserWarning):
    """A target was read in one of two ways that are both possible."""


class WeightWarning(UserWarning):
    """Weights were given that do not count rows, where the numbers of rows matter."""


class NothingFoundWarning(UserWarning):
    """No feature is better than a guess, and something is kept nevertheless."""


class MixingWarning(UserWarning):
    """Chains of a sampler do not agree, so that what they say is uncertain."""


class SearchWarning(UserWarning):
    """A search was interrupted, and its result is the best so far."""


class PluginWarning(UserWarning):
    """A method that another package brings cannot be used."""


def require(part: str, needs: Iterable[str], offered: Iterable[str], counterpart: str, advice: str) -> None:
    """Raise before any work starts when ``counterpart`` does not offer all that ``part`` needs."""
    missing = sorted(set(needs) - set(offered))
    if missing:
        raise RequirementError(
            f"{part} needs {', '.join(missing)}, but {counterpart} offers "
            f"{' and '.join(sorted(offered)) or 'nothing of the kind'}; {advice}."
        )


def said(error: BaseException) -> str:
    """Return what an error of another library says, on one line; its type where it says nothing."""
    text = " ".join(str(error).split()).rstrip(".")
    return text[:300] if text else type(error).__name__


def closest(word: object, known: Iterable[str]) -> str:
    """Return `` Did you mean X?`` for the known word nearest to ``word``, or an empty string."""
    if not isinstance(word, str):
        return ""
    from difflib import get_close_matches

    known = list(known)
    found = get_close_matches(word, known, n=1) or get_close_matches(word.lower(), [k.lower() for k in known], n=1)
    if not found:
        return ""
    original = next(k for k in known if k.lower() == found[0].lower())
    return f" Did you mean {original}?"
