"""What the charts of a comparison show, read from a Comparison; its page and its plots share it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.records.errors import FewerError
from fewer.core.records.reasons import KEPT, NOT_REACHED
from fewer.core.records.result import Selection, after
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.curves import Curve
from fewer.evaluate.figures import Redundancy, consensus, consensus_size
from fewer.evaluate.headline import Headline
from fewer.evaluate.ranks import RankTest
from fewer.report.words import counted

# Okabe and Ito's palette without its yellow, which is too light for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
SHARES_OF_HITS = ("accuracy", "balanced_accuracy", "top_k_accuracy")


@dataclass(frozen=True)
class Measure:
    """How a score is drawn: as an error where it has one, which is better the lower it is."""

    name: str
    sign: float = 1.0
    shift: float = 0.0

    def __call__(self, score: float | np.ndarray) -> float | np.ndarray:
        """Return what is drawn for a score."""
        return self.shift + self.sign * score


def measure(scoring: str) -> Measure:
    """Return the error that belongs to a score, or the score itself if it has none."""
    if scoring in SHARES_OF_HITS:
        kind = {"accuracy": "", "balanced_accuracy": " (balanced)", "top_k_accuracy": " (top k)"}[scoring]
        return Measure(f"error rate{kind}", -1.0, 1.0)
    if scoring.startswith("neg_"):
        return Measure(scoring[4:].replace("_", " "), -1.0)
    return Measure(score_name(scoring))


def score_name(scoring: str) -> str:
    """Return the name of a score in words."""
    return {"r2": "R²"}.get(scoring, scoring.replace("_", " "))


def often_size(c: Comparison, head: Headline) -> int:
    """Return the size at which choices are counted; with more than half of the features they say little."""
    size = consensus_size(c, None)
    if 2 * size <= c.n_features:
        return size
    return max(head.size, *(k for k in (c.sizes[0], *c.sizes) if k <= max(1, c.n_features // 2) or k == c.sizes[0]))


def often(c: Comparison, head: Headline) -> list[dict[str, Any]]:
    """Return the consensus of the methods at `often_size`."""
    return consensus(c, often_size(c, head))


def method_order(c: Comparison, head: Headline) -> list[str]:
    """Return the methods, that of the headline first, then by their best mean score, baselines last."""
    best = np.nanmax(np.nanmean(c.scores, axis=-1).reshape(len(c.methods), -1), axis=1)
    order = [c.methods[m] for m in np.lexsort((-best, ~c.contenders))]
    return [head.method, *(method for method in order if method != head.method)]


def curves(c: Comparison, estimator: str, methods: list[str]) -> list[Curve]:
    """Return the curves of one estimator that could be scored, in the order of the methods."""
    found = [c.curve(method, estimator) for method in methods]
    return [one for one in found if np.isfinite(one.mean).any()]


def leaves(tree: np.ndarray, n: int) -> list[int]:
    """Return the order of the leaves in which no branches of a tree cross."""
    if n < 3 or len(tree) != n - 1:
        return list(range(n))
    from scipy.cluster.hierarchy import leaves_list

    return [int(i) for i in leaves_list(tree)]


def agreement(c: Comparison) -> tuple[list[str], np.ndarray]:
    """Return the methods, like beside like, and their rank correlations."""
    from scipy.cluster.hierarchy import linkage

    matrix = c.agreement()
    n = len(c.methods)
    apart = np.clip(1.0 - matrix, 0.0, None)[np.triu_indices(n, 1)]
    order = leaves(linkage(apart, "average"), n) if n > 2 and np.isfinite(apart).all() else list(range(n))
    return [c.methods[m] for m in order], matrix[np.ix_(order, order)]


def rank_test(c: Comparison) -> RankTest | None:
    """Return the rank tests, or None if there is too little to rank."""
    try:
        return c.ranks()
    except FewerError:
        return None


def redundancy(c: Comparison) -> Redundancy | None:
    """Return how features relate, or None if the comparison does not say."""
    return c.redundancy() if c.related and len(c.related["features"]) else None


def enough(c: Comparison, head: Headline, relations: Redundancy | None, frequency: dict[int, float]) -> Selection:
    """Return the selection of the headline: what its method keeps of all rows at that size, and why no more.

    The method was fitted with the largest size; features that it chose later than needed are not reached here.
    """
    fitted = c.selections[head.method]
    kept = np.asarray(head.features, dtype=np.int64)
    kind = np.array(fitted.reasons.kind, copy=True)
    late = np.setdiff1d(np.flatnonzero(kind == KEPT), kept)
    kind[late], kind[kept] = NOT_REACHED, KEPT
    # What was redundant to those alone is not any more.
    settled = replace(fitted.reasons, kind=kind).settled(fitted.scores)
    like = _likeness(relations)
    own = fitted.reasons.rule.rstrip(".")
    notes: dict[int, str] = {}
    times = dict(zip(head.features, head.frequency))
    asked = f"{counted(len(kept), 'feature')} {'is' if len(kept) == 1 else 'are'} enough"
    for j in range(fitted.n_features):
        words = [fitted.reasons.note.get(j, "")]
        if j in times:
            words.append(f"chosen in {round(times[j] * c.n_folds)} of {counted(c.n_folds, 'fold')}")
        else:
            words.append(asked if settled.kind[j] == NOT_REACHED else own)
            words.append(like.get(j, ""))
        notes[j] = "; ".join(word for word in words if word)
    shares = np.array([round(100 * frequency.get(j, 0.0)) for j in range(fitted.n_features)])
    return replace(
        fitted,
        indices=kept,
        order=after(kept, fitted.order),
        reasons=replace(settled, rule="", note=notes),
        names=c.names,
        columns={**fitted.columns, "chosen": shares},
        meta={**fitted.meta, "method": head.method},
    )


def headline_selection(c: Comparison) -> Selection:
    """Return the selection of the headline, as `enough`, of a comparison alone."""
    head = c.best()
    return enough(c, head, redundancy(c), {row["index"]: row["frequency"] for row in often(c, head)})


def _likeness(relations: Redundancy | None) -> dict[int, str]:
    """Return for features that are not kept which kept one they are like."""
    if relations is None:
        return {}
    return {
        int(j): f"most like {relations.names[near]}, {amount:.2f}"
        for j, kept, near, amount in zip(relations.features, relations.kept, relations.nearest, relations.amount)
        if not kept and near >= 0 and math.isfinite(amount)
    }
