"""The options of FGA, for every type of feature."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError, RequirementError
from fewer.methods.sequences._levels import LevelTask

# Scores that are defined for rows with and without a feature, and not for places.
OF_ROWS = ("ig", "chi2")


def tasks_of(made: Any, known: Mapping[str, tuple[int, str, int | float, bool]]) -> list[LevelTask]:
    """Return what FGA is to do for every type."""
    types = [made.types] if isinstance(made.types, str) else list(made.types)
    wrong = [one for one in types if one not in known]
    if wrong or not types or len(set(types)) < len(types):
        raise ParameterError(
            f"FGA got types={made.types!r}, but takes some of {', '.join(known)}, each once; pass one or several."
        )
    for option in ("n_per_level", "score", "coupled"):
        _refuse_other_types(option, getattr(made, option), types)
    return [_task(made, one, *known[one]) for one in types]


def _task(made: Any, one: str, least: int, score: str, keep: int | float, coupled: bool) -> LevelTask:
    chosen = _of("score", made.score, one, score)
    wanted, mode = _of("n_per_level", made.n_per_level, one, keep), _of("coupled", made.coupled, one, coupled)
    most = min(made.max_letters, made.window) if one == "floating" else made.max_letters
    least = least if made.min_letters is None else made.min_letters
    if most < least:
        raise ParameterError(
            f"FGA got max_letters={made.max_letters}, but features of the type {one!r} shall have at least {least} "
            f"and at most {most}; pass a larger number, a smaller min_letters, or other types."
        )
    words = one not in ("position", "conjunction")
    if made.event == "occurrence" and words and chosen in OF_ROWS:
        raise RequirementError(
            f"FGA got event='occurrence' and score={chosen!r} for the type {one!r}, but only kl, mi_max and mi_abs are "
            "defined for places; choose one of them, or event='presence'."
        )
    if one == "conjunction" and wanted is not None and not isinstance(wanted, Integral):
        raise RequirementError(
            f"FGA got n_per_level={wanted!r} for conjunctions, which are never all held so that a fraction could be "
            "taken; pass a whole number."
        )
    event = made.event if words else "presence"
    threshold = -np.inf if made.threshold is None else float(made.threshold)
    return LevelTask(one, range(least, most + 1), chosen, wanted, bool(mode), event, made.min_count, threshold)


def _refuse_other_types(option: str, given: Any, types: list[str]) -> None:
    if isinstance(given, Mapping):
        other = [str(one) for one in given if one not in types]
        if other:
            raise ParameterError(
                f"FGA got {option} for {', '.join(other)}, but makes the types {', '.join(types)}; name only these."
            )


def _of(option: str, given: Any, one: str, auto: Any) -> Any:
    """Return the option of one type: given for all, by type, or by default."""
    value = given.get(one, "auto") if isinstance(given, Mapping) else given
    if isinstance(value, str) and value == "auto":
        return auto
    allowed: dict[str, bool] = {
        "score": isinstance(value, str) and value in ("ig", "chi2", "kl", "mi_max", "mi_abs"),
        "coupled": isinstance(value, (bool, np.bool_)),
        "n_per_level": value is None
        or (isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1)
        or (isinstance(value, Real) and not isinstance(value, Integral) and 0 < float(value) <= 1),
    }
    if not allowed[option]:
        raise ParameterError(
            f"FGA got {option}={value!r} for the type {one!r}, which is no value of {option}; see its description."
        )
    return value
