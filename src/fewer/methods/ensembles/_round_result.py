"""From rounds to a selection: when each feature entered, how surely, and what it is redundant to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewer.core.records.needs import AT_MOST, Need
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.methods.ensembles._rounds import RoundResult


def selection_of(
    rounds: Sequence[Sequence[RoundResult]], explained: Sequence[float], alpha: float, spread: np.ndarray
) -> Selection:
    """Return what the rounds have kept, by mean margins at entry, with reasons and tables.

    Parameters
    ----------
    rounds : sequence of sequences of RoundResult
        By rounds and targets.
    explained : sequence of float
        Which fraction of the target was explained after each round.
    alpha : float
        The largest p-value of a kept feature in its round.
    spread : ndarray
        Variance of each target before the first round, of which margins and masking are told as fractions.
    """
    rounds = [[one.divided_by(size if size > 0 else 1.0) for one, size in zip(found, spread)] for found in rounds]
    n = len(rounds[0][0].pvalue)
    entry, pvalue, margin = np.full(n, np.nan), np.full(n, np.inf), np.zeros(n)
    for number, found in enumerate(rounds, start=1):
        waiting = np.isnan(entry)
        for one in found:
            chosen = np.isin(np.arange(n), one.kept)
            # Of several targets of one round the surest counts; a target that kept the feature before one that did not.
            first = waiting & chosen & (np.isnan(entry) | (one.pvalue < pvalue))
            better = first | (waiting & np.isnan(entry) & (one.pvalue < pvalue))
            pvalue[better] = one.pvalue[better]
            margin[better] = one.margin[better]
            entry[first] = number
    kept = np.flatnonzero(~np.isnan(entry))
    kept = kept[np.argsort(-margin[kept], kind="stable")]
    reasons = _reasons(rounds, kept, pvalue, alpha)
    columns = {"pvalue": pvalue, "round": entry}
    tables = _tables(rounds, explained)
    return Selection.build(kept, kept, reasons, margin, columns=columns, then=margin).with_tables(**tables)


def _reasons(rounds: Sequence[Sequence[RoundResult]], kept: np.ndarray, pvalue: np.ndarray, alpha: float) -> Reasons:
    kind = np.full(len(pvalue), IRRELEVANT, np.uint8)
    kind[kept] = KEPT
    related, amount, note = {}, {}, {}
    for found in rounds:
        for j, masked in ((j, masked) for one in found for j, masked in one.masked.items()):
            if kind[j] != KEPT and j not in related:
                kind[j], related[j], amount[j] = REDUNDANT, (masked.by,), masked.fraction
                note[j] = f"masked, M = {numeral(masked.masking, '.3g')}, p = {numeral(masked.pvalue, '.3g')}"
    dropped = np.where(kind == IRRELEVANT, pvalue, np.nan)
    needs = (Need("p-value", dropped, alpha, how=AT_MOST),)
    rule = f"p <= {alpha:g} needed in some round, against contrasts"
    return Reasons(kind, rule=rule, related=related, amount=amount, note=note, needs=needs)


def _tables(rounds: Sequence[Sequence[RoundResult]], explained: Sequence[float]) -> dict[str, ResultTable]:
    rows = [
        (number, k, int(j), float(one.pvalue[j]), float(one.margin[j]))
        for number, found in enumerate(rounds, start=1)
        for k, one in enumerate(found)
        for j in one.kept[np.argsort(-one.margin[one.kept], kind="stable")]
    ]
    out = {"explained": ResultTable.numbered("Explained by the rounds", "round", {"fraction": explained}, "curve")}
    if rows:
        number, target, feature, pvalue, margin = zip(*rows)
        columns: dict[str, Any] = {
            "round": number,
            "target": target,
            "feature": feature,
            "p-value": pvalue,
            "mean margin": margin,
        }
        if not any(target):
            del columns["target"]
        out["rounds"] = ResultTable("What the rounds found", columns, "rows", ("feature",))
    pairs = [(number, *pair) for number, found in enumerate(rounds, start=1) for one in found for pair in one.pairs]
    if pairs:
        table = np.array(pairs)
        whole = dict(zip(("round", "feature", "masks"), table[:, :3].T.astype(np.int64)))
        columns = {**whole, "M": table[:, 3], "p-value": table[:, 4]}
        out["masking"] = ResultTable("What masks what, by surrogate splits", columns, "rows", ("feature", "masks"))
    return out
