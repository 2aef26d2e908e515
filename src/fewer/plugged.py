"""Methods of other packages: entry points of the group "fewer.methods", read when somebody asks for them."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from fewer.core.records.errors import ParameterError, PluginWarning, said
from fewer.dispatch import contract_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "fewer.methods"
# Names of the base classes of criteria, and the shapes they stand for.
SHAPES = {"RankingCriterion": "ranking", "StepwiseCriterion": "stepwise", "SubsetScore": "subset"}


class Facts(NamedTuple):
    """What the registry holds of a method, of one that another package brings."""

    name: str
    module: str
    family: str
    contract: str
    shape: str
    task: str
    source: str


def points(taken: Collection[str]) -> dict[str, EntryPoint]:
    """Return the entry points by name; one whose name is taken is left out with a warning."""
    return _points(frozenset(name.lower() for name in taken))


@cache
def _points(taken: frozenset[str]) -> dict[str, EntryPoint]:
    # It takes longer to load than all of the registry.
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    # In an order that does not depend on where packages are installed; one that is found twice is the same.
    given = sorted(set(entry_points(group=GROUP)), key=lambda point: (package(point), point.name, point.value))
    for point in given:
        if point.name.lower() in taken:
            _warn(point, "fewer has that name already")
        elif point.name.lower() in (other.lower() for other in found):
            first = next(one for name, one in found.items() if name.lower() == point.name.lower())
            if (package(first), first.value) != (package(point), point.value):
                _warn(point, f"{package(first)} has a method of that name")
        else:
            found[point.name] = point
    return found


def package(point: EntryPoint) -> str:
    """Return the name of the package that an entry point belongs to."""
    return point.dist.name if point.dist is not None else point.module.split(".")[0]


@cache
def facts(point: EntryPoint) -> Facts:
    """Return what the registry says of the method behind an entry point; raise in one sentence if it cannot be used."""
    wrong = ""
    made: Any = None
    try:
        made = point.load()
    except KeyboardInterrupt:
        raise
    # Compiled modules panic, and skipped tests end, by what is no Exception.
    except BaseException as error:
        wrong = f"importing {point.value} failed ({type(error).__name__}: {said(error)})"
    wrong = wrong or _unfit(point, made)
    if wrong:
        raise ParameterError(f"The plug-in {point.name} of {package(point)} cannot be used: {wrong}; {_advice(point)}.")
    contract: Any = contract_of(made)
    version = point.dist.version if point.dist is not None else ""
    source = f"{package(point)} {version}".strip()
    return Facts(
        point.name, point.module, package(point), contract.name, _shape(made), made.method_tags.task or "any", source
    )


def usable(point: EntryPoint) -> Facts | None:
    """Return what the registry says of a method, or None after a warning if it cannot be used."""
    try:
        return facts(point)
    except ParameterError as error:
        warnings.warn(str(error), PluginWarning, stacklevel=4)
        return None


def _unfit(point: EntryPoint, made: Any) -> str:
    """Return in words why something is no method, or an empty text."""
    # Loads numpy, which the list of commands does without.
    from fewer.core.records.tags import MethodTags

    if not isinstance(made, type) or contract_of(made) is None:
        return f"{point.value} is no class that derives from a base class of fewer.plugins"
    if made.__name__ != point.name or point.attr != point.name:
        return f"its entry point is named {point.name}, but its class {made.__name__}, and both must be one name"
    if not isinstance(getattr(made, "method_tags", None), MethodTags):
        return f"{point.value} has no method_tags, which say what it takes"
    return ""


def _shape(made: Any) -> str:
    try:
        kinds = [kind.__name__ for kind in type(made.criterion).__mro__]
    except Exception:
        return "none"
    return next((SHAPES[kind] for kind in kinds if kind in SHAPES), "none")


def _warn(point: EntryPoint, why: str) -> None:
    warnings.warn(
        f"The plug-in {point.name} of {package(point)} is left out, because {why}; rename its class and entry point, "
        "or uninstall it.",
        PluginWarning,
        stacklevel=5,
    )


def _advice(point: EntryPoint) -> str:
    return f"update or uninstall {package(point)}, or ask its authors"
