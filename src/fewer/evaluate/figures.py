"""The figures of a comparison: table, consensus, agreement, ranks, bias, redundancy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.rounding import differences, joined, steady
from fewer.evaluate.headline import headline
from fewer.evaluate.intervals import interval_of
from fewer.evaluate.ranks import RankTest, friedman_nemenyi
from fewer.evaluate.stability import rank_correlations

if TYPE_CHECKING:
    from fewer.evaluate.comparison import Comparison

# A consensus of single features says little.
LEAST_CONSENSUS = 10


@dataclass(frozen=True, eq=False)
class Redundancy:
    """How chosen and dropped features relate.

    Attributes
    ----------
    features : ndarray of int
        Numbers of the features, most often chosen first.
    names : tuple of str
        Their names.
    kept : ndarray of bool
        Which of them the headline keeps.
    matrix : ndarray
        How much two of them tell about each other, from 0 to 1.
    measure : str
        What the numbers are, in words.
    nearest : ndarray of int
        For each the kept feature that is most like it (its place in `features`), -1 if nothing else is kept.
    amount : ndarray
        How much it is like it.
    tree : ndarray of shape (n - 1, 4)
        The features joined step by step by mean likeness, as scipy's ``linkage``; empty for a single feature.
    """

    features: np.ndarray
    names: tuple[str, ...]
    kept: np.ndarray
    matrix: np.ndarray
    measure: str
    nearest: np.ndarray
    amount: np.ndarray
    tree: np.ndarray


def rows(c: Comparison) -> list[dict[str, Any]]:
    """Return one row per method, estimator and size that could be scored."""
    out = []
    for m, method in enumerate(c.methods):
        stable = [c.stability(method, size) for size in c.sizes]
        seconds = float(np.median(c.seconds["select"][m])) if "select" in c.seconds else float("nan")
        for e, estimator in enumerate(c.estimators):
            for s, size in enumerate(c.sizes):
                if np.isnan(c.scores[m, e, s]).any():
                    continue
                mean, error, low, high = interval_of(c, c.scores[m, e, s])
                out.append(
                    {
                        "method": method,
                        "estimator": estimator,
                        "size": size,
                        "kept": float(c.kept[m, s].mean()),
                        "score": mean,
                        "error": error,
                        "low": low,
                        "high": high,
                        "naive": float("nan") if c.naive is None else float(c.naive[m, e, s].mean()),
                        "stability": stable[s].value,
                        "stability_low": stable[s].low,
                        "stability_high": stable[s].high,
                        "seconds": seconds,
                    }
                )
    return out


def frequencies(c: Comparison, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the fraction of its folds in which each method chose each feature, and the mean rank where chosen."""
    counts, places = np.zeros((len(c.methods), c.n_features)), np.zeros(c.n_features)
    looking = c.contenders
    for m, method in enumerate(c.methods):
        for f in range(c.n_folds):
            chosen = c.chosen(method, size, f)
            counts[m, chosen] += 1
            if looking[m]:
                places[chosen] += np.arange(1, len(chosen) + 1)
    times = counts[looking].sum(axis=0)
    return counts / c.n_folds, np.divide(places, times, out=np.full(c.n_features, np.nan), where=times > 0)


def consensus_size(c: Comparison, size: int | None) -> int:
    """Return the size that a consensus is asked for, or the default."""
    if size is None:
        size = headline(c).size
        larger = [k for k in c.sizes if k >= LEAST_CONSENSUS]
        return max(size, larger[0] if larger else c.sizes[-1])
    if size not in c.sizes:
        raise ParameterError(f"The comparison has no size {size!r}; it compared {', '.join(map(str, c.sizes))}.")
    return size


def consensus_order(c: Comparison, size: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the features that were ever chosen, most often first, with the fractions per method and mean ranks."""
    shares, mean_rank = frequencies(c, consensus_size(c, size))
    total = _frequency(c, shares)
    order = np.lexsort((np.arange(c.n_features), steady(mean_rank), -total))
    return order[total[order] > 0], shares, mean_rank


def _frequency(c: Comparison, shares: np.ndarray) -> np.ndarray:
    """Return the mean fractions; those equal on paper, such as 1/10 + 2/10 and 3/10, are not ordered by rounding."""
    return joined(shares[c.contenders].mean(axis=0))


def consensus(c: Comparison, size: int | None = None) -> list[dict[str, Any]]:
    """Return one row per feature that was ever chosen."""
    order, shares, mean_rank = consensus_order(c, size)
    total = _frequency(c, shares)
    return [
        {
            "feature": c.names[j],
            "index": int(j),
            "frequency": float(total[j]),
            "mean_rank": float(mean_rank[j]),
            **{method: float(shares[m, j]) for m, method in enumerate(c.methods)},
        }
        for j in order
    ]


def agreement(c: Comparison, kind: str, size: int | None) -> np.ndarray:
    """Return the matrix of rank correlations between the methods on all rows."""
    size = c.sizes[-1] if size is None else size
    if len(c.methods) < 2:
        return np.ones((len(c.methods), len(c.methods)))
    sized = {m: c.final(m, size) if size in c.sizes else c.selections[m].indices[:size] for m in c.methods}
    return rank_correlations([sized[m] for m in c.methods], c.n_features, kind)


def rank_test(c: Comparison, estimator: str | None, size: int | None, alpha: float) -> RankTest:
    """Return Friedman's and Nemenyi's tests over the folds."""
    scores = c.scores
    if estimator is not None:
        if estimator not in c.estimators:
            raise ParameterError(f"The comparison has no estimator {estimator!r}; it has {', '.join(c.estimators)}.")
        scores = scores[:, [c.estimators.index(estimator)]]
    if size is not None:
        scores = scores[:, :, [c.sizes.index(consensus_size(c, size))]]
    return friedman_nemenyi(scores.mean(axis=(1, 2)).T, c.methods, alpha=alpha, test_fraction=c.test_fraction)


def bias(c: Comparison) -> list[dict[str, Any]]:
    """Return mean honest and naive scores over all sizes, and their largest difference, by method and estimator."""
    if c.naive is None:
        return []
    out = []
    for m, method in enumerate(c.methods):
        for e, estimator in enumerate(c.estimators):
            nested, naive = c.scores[m, e].mean(axis=-1), c.naive[m, e].mean(axis=-1)
            if np.isnan(nested).any() or np.isnan(naive).any():
                continue
            promised = differences(naive, nested)[0]
            worst = int(np.argmax(steady(promised)))
            out.append(
                {
                    "method": method,
                    "estimator": estimator,
                    "nested": float(nested.mean()),
                    "naive": float(naive.mean()),
                    "bias": float(promised.mean()),
                    "largest": float(promised[worst]),
                    "at_size": c.sizes[worst],
                }
            )
    return out


def redundancy(c: Comparison) -> Redundancy:
    """Return how the features of the headline and the most often chosen others relate."""
    from scipy.cluster.hierarchy import linkage

    features = np.asarray(c.related["features"], dtype=np.int64)
    matrix = np.asarray(c.related["matrix"], dtype=float)
    kept = np.isin(features, headline(c).features)
    like = np.where(kept[None, :] & ~np.eye(len(features), dtype=bool), matrix, -1.0)
    nearest = like.argmax(axis=1)
    amount = like[np.arange(len(features)), nearest]
    lonely = amount < 0
    apart = (1.0 - matrix)[np.triu_indices(len(features), 1)]
    tree = linkage(np.clip(apart, 0.0, None), "average") if len(features) > 1 else np.empty((0, 4))
    return Redundancy(
        features,
        tuple(c.names[j] for j in features),
        kept,
        matrix,
        str(c.related["measure"]),
        np.where(lonely, -1, nearest),
        np.where(lonely, np.nan, amount),
        tree,
    )
