"""What the charts of a comparison show, read from a Comparison; its page and its plots share it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.records.errors import FewerError
from fewer.core.records.result import Selection
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.curves import ScoreCurve
from fewer.evaluate.figures import Redundancy, consensus, consensus_size
from fewer.evaluate.headline import Headline
from fewer.evaluate.ranks import RankTest
from fewer.evaluate.why import selection_of

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
    small = [k for k in c.sizes if k <= max(1, c.n_features // 2) or k == c.sizes[0]]
    # All features are chosen always.
    return max(small if head.size >= c.n_features else [head.size, *small])


def often(c: Comparison, head: Headline) -> list[dict[str, Any]]:
    """Return the consensus of the methods at `often_size`."""
    return consensus(c, often_size(c, head))


def method_order(c: Comparison, head: Headline) -> list[str]:
    """Return the methods, that of the headline first, then by their best mean score, baselines last."""
    best = np.nanmax(np.nanmean(c.scores, axis=-1).reshape(len(c.methods), -1), axis=1)
    order = [c.methods[m] for m in np.lexsort((-best, ~c.contenders))]
    return [head.method, *(method for method in order if method != head.method)]


def curves(c: Comparison, estimator: str, methods: list[str]) -> list[ScoreCurve]:
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


def enough(c: Comparison, head: Headline, frequency: dict[int, float]) -> Selection:
    """Return the selection of the headline, with how often each feature was chosen."""
    found = selection_of(c, head)
    shares = np.array([round(100 * frequency.get(j, 0.0)) for j in range(found.n_features)])
    return replace(found, columns={**found.columns, "chosen": shares})


def headline_selection(c: Comparison) -> Selection:
    """Return the selection of the headline, as `enough`, of a comparison alone."""
    head = c.best()
    return enough(c, head, {row["index"]: row["frequency"] for row in often(c, head)})
