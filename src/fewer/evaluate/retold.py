"""What a comparison says of itself: the call that makes it again, and what its parts are."""

from __future__ import annotations

import os
from typing import Any

from fewer import registry
from fewer.core.estimators.origin import versions
from fewer.core.estimators.selector import BaseSelector
from fewer.evaluate.fold_units import Plan
from fewer.evaluate.outside import given as as_given
from fewer.evaluate.panel import default_estimators, described, line


def facts_of(plan: Plan, cv: Any, scoring: str, more: str) -> dict[str, Any]:
    """Return the facts of a comparison that do not depend on its outcome."""
    # Another library may have a method of the same name.
    names = {label: type(one).__name__ for label, one in plan.methods.items()}
    families = {entry.name: entry.family for entry in registry.listed()}
    return {
        "command": _command(plan, cv, scoring, more),
        "data": plan.data.facts,
        "seed": plan.seed,
        "versions": versions(),
        "parameters": {label: described(as_given(one)) for label, one in plan.methods.items()},
        "families": {label: families.get(name) for label, name in names.items()},
        "summaries": {label: summary_of(as_given(one)) for label, one in plan.methods.items()},
        "models": {label: line(one) for label, one in plan.estimators.items()},
    }


def summary_of(method: Any) -> str:
    """Return the first line of what a method says about itself."""
    return (type(method).__doc__ or "").strip().split("\n")[0]


def further(groups: Any, weight: Any, categorical: Any, naive: bool, **words: Any) -> str:
    """Return what else decides about the result, as it stands in a call; long arrays by their name."""
    levels = repr(categorical) if isinstance(categorical, str | int | list | tuple) else "categorical_features"
    parts = [
        "" if groups is None else ", groups=groups",
        "" if weight is None else ", sample_weight=sample_weight",
        "" if categorical is None else f", categorical_features={levels}",
        "" if naive else ", naive=False",
        *(f", {name}={given!r}" for name, given in words.items() if given is not None),
    ]
    return "".join(parts)


def _parts(made: dict[str, str], known: dict[str, str]) -> str:
    """Return parts as they stand in a call: a list of labels if these say all, else a mapping of labels to parts."""
    plain = {label for label, text in made.items() if known.get(label) == text}
    if len(plain) == len(made):
        return repr(list(made))
    return (
        "{" + ", ".join(f"{label!r}: {repr(label) if label in plain else text}" for label, text in made.items()) + "}"
    )


def _command(plan: Plan, cv: Any, scoring: str, more: str) -> str:
    """Return the call that makes the comparison again, with everything that was chosen by default."""
    source, target = plan.data.facts.get("source"), plan.data.facts.get("target_name")
    weight = plan.data.facts.get("weight_name")
    data = f"{os.fspath(source)!r}, {target!r}" if source and target else "X, y"
    data = f"fewer.open_table({data}, weight={weight!r})" if weight is not None else data
    ours = {entry.name: f"fewer.{entry.name}()" for entry in registry.listed()}
    given = {label: as_given(one) for label, one in plan.methods.items()}
    selectors = {
        k: f"fewer.{line(one)}" if isinstance(one, BaseSelector) and type(one).__name__ in ours else line(one)
        for k, one in given.items()
    }
    known = default_estimators(plan.data, min(len(rows) for rows in plan.splits.train))
    methods = _parts(selectors, ours)
    models = _parts({k: line(one) for k, one in plan.estimators.items()}, {k: line(one) for k, one in known.items()})
    shown = cv if isinstance(cv, int | str | None) else plan.splits.words
    return (
        f"fewer.compare({data}, methods={methods}, estimators={models}, sizes={list(plan.sizes)!r}, "
        f"cv={shown!r}, scoring={scoring!r}, random_state={plan.seed}{more})"
    )
