"""A look at all columns before any method runs: what to leave out, what to flag."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fewer.core.hygiene.drift import ALL_ROWS, drifting
from fewer.core.hygiene.findings import FLAGGED, LEFT_OUT, Finding, Findings
from fewer.core.hygiene.identifiers import LEAST_ROWS, identifiers
from fewer.core.hygiene.leaks import leaks
from fewer.core.hygiene.look import Looks
from fewer.core.hygiene.near_constant import mostly_missing, near_constant
from fewer.core.hygiene.strata import look_at, strata
from fewer.core.records.errors import InputError, ParameterError, closest
from fewer.core.views.view import View

# Bins of columns of numbers: a multiple of those of a target of numbers, so that their edges meet.
BINS = 20
ROWS_PER_BIN = 10
# Kind, number of the column, what was found, and the column that it repeats.
Noted = tuple[str, int, str, int | None]


def examine(data: View, keep: Any = (), drop: Any = (), kinds: Iterable[str] = (*LEFT_OUT, *FLAGGED)) -> Findings:
    """Look at all columns, on any runner.

    Parameters
    ----------
    data : View
        The data; columns are held against the target if there is one.
    keep : list of str or int, str, or None
        Columns that are not left out, whatever is found of them; "all" leaves none out.
    drop : str, list of str, or None
        What is left out beside identifiers, constants, duplicates and dates: "leaks", or any kind that is flagged.
    kinds : list of str
        What to look for.
    """
    kinds, kept, dropped = set(kinds), kept_columns(keep, data), _dropped(drop)
    looks = look_at(data)
    found: list[Noted] = []
    # What floats have made equal is neither constant nor a copy.
    large = {int(j): str(words) for j, words in data.facts.get("large", {}).items()}
    constant = {j: words for j, words in constant_columns(looks).items() if j not in large}
    copies = {j: first for j, first in copies_of(data, looks).items() if not {j, first} & large.keys()}
    found += [("constant", j, words, None) for j, words in constant.items()]
    found += [("duplicate", j, "the same values in every row", first) for j, first in copies.items()]
    dates = data.facts.get("dates", {})
    found += [("date", int(j), str(words), None) for j, words in dates.items()]
    gone = {*constant, *copies, *map(int, dates)}
    if "identifier" in kinds:
        found_out = {**identifiers(data, looks), **large}
        numbered = {j: words for j, words in found_out.items() if j not in {*constant, *map(int, dates)}}
        found = [one for one in found if one[0] != "duplicate" or one[1] not in numbered]
        copies = {j: first for j, first in copies.items() if j not in numbered}
        found += [("identifier", j, words, None) for j, words in numbered.items()]
        gone |= set(numbered)
    found += _flags(data, looks, gone - kept, kinds)
    return settled(data, found, copies, kinds, kept, {*LEFT_OUT, *dropped})


def _flags(data: View, looks: Looks, gone: set[int], kinds: set[str]) -> list[Noted]:
    """Return what is flagged, of the columns that are not left out."""
    skip = np.zeros(data.n_features, bool)
    skip[list(gone)] = True
    found: list[Noted] = [("mostly missing", j, words, None) for j, words in mostly_missing(looks, skip).items()]
    if looks.n_rows < LEAST_ROWS or skip.all() or not kinds & {"near-constant", "leak", "drift"}:
        return found
    counted = strata(data, looks, bins_for(looks))
    found += [("near-constant", j, words, None) for j, words in near_constant(looks, counted, skip).items()]
    if "leak" in kinds:
        found += [("leak", j, words, None) for j, words in leaks(data, looks, counted, skip).items()]
    if "drift" in kinds:
        sparse = data.kind == "sparse"
        found += [("drift", j, words, None) for j, words in drifting(counted, looks, skip, sparse).items()]
    return found


def bins_for(looks: Looks) -> int:
    """Return into how many bins numbers are put, given so many rows."""
    return int(np.clip(looks.n_rows // ROWS_PER_BIN // 10 * 10, 5, BINS))


def settled(
    data: View, found: list[Any], copies: dict[int, int], kinds: set[str], kept: set[int], out: set[str]
) -> Findings:
    """Say what is left out, and what goes on."""
    names = data.names or tuple(f"x{j}" for j in range(data.n_features))
    order = (*LEFT_OUT, *FLAGGED)
    # Dates of a file are no columns of the data.
    absent = data.facts.get("dates_left", {}) if "date" in kinds else {}
    listed = [Finding(name, "date", str(words), (), True) for name, words in absent.items()]
    for kind, j, words, first in sorted(found, key=lambda one: (order.index(one[0]), one[1])):
        if kind in kinds:
            related = () if first is None else (names[first],)
            name = "the order of the rows" if j == ALL_ROWS else names[j]
            listed.append(Finding(name, kind, words, related, kind in out and j not in {ALL_ROWS, *kept}, j))
    left = np.ones(data.n_features, bool)
    left[[finding.number for finding in listed if finding.left_out and finding.number >= 0]] = False
    if not left.any():
        raise InputError(_nothing_left(data.n_features, listed))
    return Findings(np.flatnonzero(left), tuple(listed), copies if "duplicate" in kinds else {})


def _nothing_left(n_features: int, listed: list[Finding]) -> str:
    if {finding.kind for finding in listed} == {"constant"}:
        return (
            f"All {n_features} columns of X are constant, so that none can tell anything about y; check how X was made."
        )
    kinds = ", ".join(dict.fromkeys(finding.kind for finding in listed if finding.left_out))
    return (
        f"All {n_features} columns of X are left out ({kinds}), but at least one must remain; name those that shall "
        "stay in keep=, or keep='all'."
    )


def constant_columns(looks: Looks) -> dict[int, str]:
    """Return the columns with one value in all rows, or none at all, and which of the two."""
    empty = looks.missing == looks.n_rows
    return {
        int(j): "it has no value in any row" if empty[j] else "it has one value in all rows"
        for j in np.flatnonzero(looks.constant)
    }


def copies_of(data: View, looks: Looks) -> dict[int, int]:
    """Return the columns that have the same values as an earlier one, and that one."""
    seen: dict[Any, list[int]] = {}
    copies: dict[int, int] = {}
    constant = looks.constant
    for j, pair in enumerate(looks.prints.tolist()):
        if constant[j]:
            continue
        alike = seen.setdefault((bool(data.nominal[j]), *pair), [])
        first = next((i for i in alike if _same_labels(data, i, j)), None)
        if first is None:
            alike.append(j)
        else:
            copies[j] = first
    return copies


def _same_labels(data: View, one: int, other: int) -> bool:
    """Return whether the level numbers of two nominal columns stand for the same labels."""
    if not data.nominal[one]:
        return True
    return np.array_equal(np.asarray(data.labels.get(one, ())), np.asarray(data.labels.get(other, ())))


def kept_columns(keep: Any, data: View) -> set[int]:
    """Return the numbers of the columns that must not be left out."""
    if keep is None:
        return set()
    listed = [keep] if isinstance(keep, str | int | np.integer) else list(keep)
    if listed == ["all"]:
        return set(range(data.n_features))
    names = data.names or tuple(f"x{j}" for j in range(data.n_features))
    places = {name: j for j, name in enumerate(names)}
    out = set()
    for item in listed:
        place = places.get(item) if isinstance(item, str) else int(item)
        if place is None or not 0 <= place < data.n_features:
            raise ParameterError(
                f"keep={item!r} is no column of the data, which have {data.n_features}; name columns, or give their "
                f"numbers from 0 to {data.n_features - 1}.{closest(str(item), places)}"
            )
        out.add(place)
    return out


def _dropped(drop: Any) -> set[str]:
    """Return the kinds of findings that are left out beside the usual ones."""
    known = {"leaks": "leak", **{kind: kind for kind in FLAGGED}}
    listed = [] if drop is None else [drop] if isinstance(drop, str) else list(drop)
    for word in listed:
        if word not in known:
            raise ParameterError(
                f"drop={word!r} is no kind of finding that can be left out; pass "
                f"{', '.join(map(repr, known))}, or None to leave out none of these."
            )
    return {known[word] for word in listed}
