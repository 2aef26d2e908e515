"""A look at all columns before any method runs: what to leave out, what to flag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.hygiene.drift import ALL_ROWS, drifting
from fewer.core.hygiene.findings import FLAGGED, LEFT_OUT, Finding, Findings
from fewer.core.hygiene.identifiers import LEAST_ROWS, identifiers
from fewer.core.hygiene.leaks import leaks
from fewer.core.hygiene.look import Looks
from fewer.core.hygiene.near_constant import mostly_missing, near_constant
from fewer.core.hygiene.strata import look_at, strata
from fewer.core.hygiene.wishes import dropped_columns, kept_columns, names_of
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.views.view import View

# Bins of columns of numbers: a multiple of those of a target of numbers, so that their edges meet.
BINS = 20
ROWS_PER_BIN = 10
__all__ = ["bins_for", "constant_columns", "copies_of", "examine", "kept_columns", "settled"]

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
    drop : str, list of str or int, or None
        What is left out beside identifiers, constants, duplicates and dates: "leaks", or any kind that is flagged;
        and columns, which are not even looked at.
    kinds : list of str
        What to look for.
    """
    kinds, kept = set(kinds), kept_columns(keep, data)
    dropped, columns = dropped_columns(drop, data)
    if columns:
        return _of_others(data, keep, kept, columns, [*dropped], kinds)
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


def _of_others(
    data: View, keep: Any, kept: set[int], columns: set[int], dropped: list[str], kinds: set[str]
) -> Findings:
    """Look at the columns that were not named to be left out."""
    names = names_of(data)
    both = sorted(kept & columns)
    if both and keep != "all":
        raise ParameterError(
            f"keep= and drop= both name {names[both[0]]!r}, but a column is either kept or left out; name it in one."
        )
    rest = np.array([j for j in range(data.n_features) if j not in columns], dtype=np.int64)
    if not len(rest):
        raise InputError(f"drop= names all {data.n_features} columns of X, but at least one must remain; name fewer.")
    facts = dict(data.facts)
    for known in ("dates", "large"):
        if known in facts:
            said = facts[known]
            facts[known] = {str(i): said[str(j)] for i, j in enumerate(rest.tolist()) if str(j) in said}
    seen = replace(replace(data, names=names).columns(rest), facts=facts)
    found = examine(seen, [i for i, j in enumerate(rest.tolist()) if j in kept], dropped, kinds)
    moved = tuple(one if one.number < 0 else replace(one, number=int(rest[one.number])) for one in found.findings)
    copies = {int(rest[j]): int(rest[first]) for j, first in (found.copies or {}).items()}
    return Findings(rest[found.left], moved, copies)


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
        found += [("drift", j, words, None) for j, words in drifting(counted, looks, skip).items()]
    return found


def bins_for(looks: Looks) -> int:
    """Return into how many bins numbers are put, given so many rows."""
    return int(np.clip(looks.n_rows // ROWS_PER_BIN // 10 * 10, 5, BINS))


def settled(
    data: View, found: list[Any], copies: dict[int, int], kinds: set[str], kept: set[int], out: set[str]
) -> Findings:
    """Say what is left out, and what goes on."""
    names = names_of(data)
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
        return f"All {n_features} columns of X are constant, so that none tells rows apart; check how X was made."
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
