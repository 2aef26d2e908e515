"""A file of evaluations, so that a search that was killed goes on where it was."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from fewer.core.records.errors import FileError, ParameterError
from fewer.core.records.journal import Journal
from fewer.core.runners.fits import FitJournal
from fewer.core.search.units import Subset, Units
from fewer.core.views.view import View

KIND = "fewer evaluations"


class Checkpoint:
    """Appends evaluations to a journal and reads those of an earlier run of the same search.

    Each line holds the numbers of the units in a subset, or after a ``~`` of those outside it, a tab and the value.

    Parameters
    ----------
    path : str or Path
        The file; made if there is none.
    facts : mapping of str to str
        What must be the same for evaluations to be used again; see `search_facts`.
    n_units : int
        Number of units.
    """

    def __init__(self, path: str | Path, facts: Mapping[str, str], n_units: int) -> None:
        self.n_units = n_units
        self.journal = Journal(path, KIND, facts)
        try:
            self.found = list(self._evaluations(self.journal.lines))
        except (ValueError, IndexError) as error:
            raise FileError(
                f"The checkpoint {path} holds lines that are no evaluations of {n_units} units; give another file or "
                "delete this one."
            ) from error

    def add(self, evaluations: Iterable[tuple[Subset, float]]) -> None:
        """Append evaluations; once this returns they outlive the process."""
        self.journal.append(f"{self._words(subset)}\t{value!r}" for subset, value in evaluations)

    def _words(self, subset: Subset) -> str:
        if 2 * len(subset) <= self.n_units:
            return " ".join(map(str, subset))
        inside = set(subset)
        return "~" + " ".join(str(u) for u in range(self.n_units) if u not in inside)

    def _evaluations(self, lines: list[str]) -> Iterator[tuple[Subset, float]]:
        for line in lines:
            words, value = line.split("\t")
            units = tuple(int(u) for u in words.removeprefix("~").split())
            if any(a >= b for a, b in pairwise((-1, *units, self.n_units))):
                raise ValueError(line)
            if words.startswith("~"):
                outside = set(units)
                units = tuple(u for u in range(self.n_units) if u not in outside)
            yield units, float(value)


def search_facts(
    view: View, criterion: Any, strategy: Any, seed: Any, units: Units, sizes: tuple[int, int]
) -> dict[str, str]:
    """Return what makes two searches the same: data, criterion, strategy, seed, units and sizes.

    Parameters
    ----------
    view : View
        The data; rows in memory are part of the facts, of others only their number and names.
    criterion : SubsetScore
        Described by ``criterion.fingerprint()`` where offered, otherwise by its class and the parameters of its
        constructor, or its public attributes if these do not keep the parameters.
    strategy : object
        Described by its ``repr``.
    seed : int
        Seed of the search.
    units : Units
        What moves.
    sizes : tuple of int
        Fewest and most units.
    """
    refuse_unseeded("A search", seed)
    return {
        "data": data_digest(view),
        "criterion": described(criterion),
        "strategy": described(strategy),
        "seed": str(int(seed)),
        "units": _hash([repr((units.groups, units.fixed)).encode()]),
        "sizes": f"{sizes[0]} to {sizes[1]}",
    }


def refuse_unseeded(what: str, seed: Any) -> None:
    """Raise unless the seed of work with a checkpoint is a whole number."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise ParameterError(
            f"{what} with a checkpoint got random_state={seed!r}, but can only be run again with a whole number; "
            "pass for example random_state=0."
        )


def fit_journal(made: Any, view: View, free: Iterable[str] = (), **more: Any) -> FitJournal | None:
    """Return the file of repeated fits of a selector, if its parameter ``checkpoint`` asks for one.

    Parameters
    ----------
    made : selector
        Whose parameters, with the seed, must be the same for fits to be used again, but for those of threads, size and
        the checkpoint itself.
    view : View
        The data, which must be the same with all that belongs to their rows.
    free : iterable of str
        Further parameters that change no fit, such as how many there are.
    **more : object
        What else must be the same.
    """
    if made.checkpoint is None:
        return None
    refuse_unseeded(type(made).__name__, getattr(made, "random_state", 0))
    left = {"n_features_to_select", "n_jobs", "verbose", "checkpoint", *free}
    given = {name: value for name, value in made.get_params(deep=False).items() if name not in left}
    rows = {"groups": view.groups, "fit_params": dict(view.fit_params)}
    facts = {"data": data_digest(view), "method": type(made).__name__, "parameters": described(given)}
    return FitJournal(made.checkpoint, {**facts, **{k: described(v) for k, v in {**rows, **more}.items()}})


def described(thing: Any, inside: tuple[int, ...] = ()) -> str:
    """Return an object's own ``fingerprint()``, else class and parameters as text that is the same in every process.

    Functions are described by what they do, see `_of_function`; ``inside`` holds those that are being described.
    """
    own = getattr(thing, "fingerprint", None)
    if callable(own) and not isinstance(thing, type):
        return str(own())
    if isinstance(thing, (FunctionType, MethodType, partial, CodeType)):
        return _of_function(thing, inside)
    if type(thing).__repr__ is object.__repr__ or (hasattr(thing, "get_params") and not isinstance(thing, type)):
        given = (f"{k}={described(v, inside)}" for k, v in _parameters(thing).items())
        return f"{type(thing).__name__}({', '.join(given)})"
    if type(thing) in (list, tuple):
        return f"[{', '.join(described(one, inside) for one in thing)}]"
    if type(thing) in (set, frozenset):
        return f"{{{', '.join(sorted(described(one, inside) for one in thing))}}}"
    if type(thing) is dict:
        return f"{{{', '.join(f'{k}: {described(v, inside)}' for k, v in thing.items())}}}"
    if hasattr(thing, "__array__") and np.ndim(thing):
        # Long arrays, series and frames print only their ends.
        thing = np.asarray(thing)
        if thing.dtype == object:
            return described(thing.tolist(), inside)
        return f"array({_hash([repr((thing.shape, thing.dtype)).encode(), np.ascontiguousarray(thing).tobytes()])})"
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(thing))


def _of_function(thing: Any, inside: tuple[int, ...]) -> str:
    """Return name and digest of a function: its code, defaults, what it encloses, and what it uses of its module."""
    if id(thing) in inside:
        return "itself"
    inside = (*inside, id(thing))
    if isinstance(thing, partial):
        parts = [thing.func, thing.args, thing.keywords]
        return f"partial{described(parts, inside)}"
    if isinstance(thing, MethodType):
        return f"{described(thing.__func__, inside)} of {described(thing.__self__, inside)}"
    code = thing if isinstance(thing, CodeType) else thing.__code__
    parts = [code.co_code, code.co_names, code.co_consts]
    if isinstance(thing, FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or () if _is_filled(cell)]
        parts += [thing.__defaults__, thing.__kwdefaults__, cells, _of_module(thing)]
    return f"{code.co_name}({_hash([described(parts, inside).encode()])})"


def _of_module(function: FunctionType) -> dict[str, Any]:
    """Return numbers, words and functions of its own module that a function names."""
    names, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        names |= set(code.co_names)
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    found = {name: function.__globals__[name] for name in sorted(names) if name in function.__globals__}
    kinds = (bool, int, float, str, tuple)
    return {
        name: value
        for name, value in found.items()
        if isinstance(value, kinds) or (isinstance(value, FunctionType) and value.__module__ == function.__module__)
    }


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _parameters(thing: Any) -> dict[str, Any]:
    """Return what an object was made with; counters and the like that it keeps besides are no part of that."""
    if hasattr(thing, "get_params"):
        # The text of an estimator is cut off where it is long.
        return dict(sorted(thing.get_params(deep=False).items()))
    public = {k: v for k, v in sorted(getattr(thing, "__dict__", {}).items()) if not k.startswith("_")}
    named: set[str] = set()
    for made in (vars(kind).get("__init__") for kind in type(thing).__mro__[:-1]):
        parameters = list(inspect.signature(made).parameters.values())[1:] if made else []
        named |= {p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    return {k: public[k] for k in sorted(named)} if named and named <= public.keys() else public


def data_digest(view: View) -> str:
    """Return a digest of the data."""
    parts = [repr((view.kind, view.n_rows, view.n_features, view.names)).encode(), view.nominal.tobytes()]
    for block in view.blocks if view.run.in_memory else ():
        for value in (getattr(block, f.name) for f in fields(block)) if is_dataclass(block) else ():
            arrays = [value.data, value.indices, value.indptr] if hasattr(value, "indptr") else [value]
            parts += [np.ascontiguousarray(a).tobytes() for a in arrays if isinstance(a, np.ndarray)]
    return _hash(parts)


def _hash(parts: Iterable[bytes]) -> str:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
