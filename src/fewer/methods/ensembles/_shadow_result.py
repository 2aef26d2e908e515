"""What the rounds of Shadow have shown, as a selection with reasons and tables."""

from __future__ import annotations

import numpy as np

from fewer.core.records.needs import Need
from fewer.core.records.reasons import IRRELEVANT, NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.rounding import steady
from fewer.core.stop import Cut, Stop
from fewer.methods.ensembles._ordered_cut import ordered_cut
from fewer.methods.ensembles._shadow_rounds import CONFIRMED, REJECTED, TENTATIVE, ShadowRecord

WORDS = {CONFIRMED: "confirmed", TENTATIVE: "tentative", REJECTED: "rejected"}
# Histories of more features than these fill pages that nobody reads.
MOST_HISTORIES = 200


def selection_of(record: ShadowRecord, size: Stop, tentative: str, max_iter: int) -> Selection:
    """Return the selection: what was confirmed, or what a rule of size says."""
    margins, ranks, n = record.margins, record.ranks, len(record.decisions)
    order = np.lexsort((np.arange(n), -steady(margins), ranks))
    cut = ordered_cut(size, _found(record, tentative), order, margins)
    kept = order[cut.kept[order]]
    hits = np.where(record.decisions == REJECTED, record.hits, np.nan)
    need = Need("rounds above the shadows", hits, record.needed, why="not to be rejected")
    lines = {"threshold": cut.threshold, "above": cut.above, "needs": (*cut.needs, need)}
    note = _notes(record, max_iter)
    reasons = Reasons.of_kept(n, kept, NOT_REACHED, rule=_rule(record, cut), note=note, **lines)
    reasons.kind[~cut.kept & ((record.decisions == REJECTED) | cut.irrelevant)] = IRRELEVANT
    rounds = record.rounds
    columns = {"hits": record.hits.astype(float), "rounds": rounds.astype(float)}
    found = Selection.build(kept, order, reasons, margins, columns=columns, tables=_tables(record, order, rounds))
    counts = {word: int((record.decisions == decision).sum()) for decision, word in WORDS.items()}
    return found.with_meta(rounds=len(record.lines), decisions=counts)


def _found(record: ShadowRecord, tentative: str) -> np.ndarray:
    """Return which features are kept unless a rule says how many."""
    kept = record.decisions == CONFIRMED
    if tentative == "drop":
        return kept
    return kept | (record.likely if tentative == "likely" else record.decisions == TENTATIVE)


def _rule(record: ShadowRecord, cut: Cut) -> str:
    words = f"{_rounds(len(record.lines))} against shuffled copies"
    return f"{words}; {cut.rule}" if cut.rule else words


def _rounds(n: int) -> str:
    return f"{n} round{'' if n == 1 else 's'}"


def _notes(record: ShadowRecord, max_iter: int) -> dict[int, str]:
    """Return in words what the rounds have shown of every feature."""
    rounds, out = record.rounds, {}
    for j, decision in enumerate(record.decisions.tolist()):
        hits = f"above the line of the shadows in {record.hits[j]} of {_rounds(int(rounds[j]))}"
        how = {
            CONFIRMED: "confirmed",
            TENTATIVE: f"tentative, undecided after {_rounds(max_iter)}",
            REJECTED: "rejected",
        }[decision]
        out[j] = f"{how}: {hits}"
    return out


def _tables(record: ShadowRecord, order: np.ndarray, rounds: np.ndarray) -> dict[str, ResultTable]:
    history = np.array(record.history)
    with_words = {
        "feature": order,
        "decision": [WORDS[d] for d in record.decisions[order].tolist()],
        "rank": record.ranks[order],
        "hits": record.hits[order],
        "rounds": rounds[order],
        "median importance": np.nanmedian(history, axis=0)[order],
    }
    shown = order[:MOST_HISTORIES]
    title = "Importances by round" if len(order) == len(shown) else f"Importances by round of the first {len(shown)}"
    lines = {f"round {r + 1}": [record.lines[r], *row[shown]] for r, row in enumerate(history)}
    return {
        "decisions": ResultTable("Decisions", with_words, "rows", ("feature",)),
        "history": ResultTable(
            f"{title}; first the line of the shadows", {"feature": [-1, *shown], **lines}, "lines", ("feature",)
        ),
    }
