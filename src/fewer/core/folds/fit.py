"""From dealt rows to an order of features and scores by number: the engine of the default recipe."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.criteria.default_score import default_score
from fewer.core.folds.bayes import BayesModels, BayesScores
from fewer.core.folds.curve import Curve, guess_error, scored, sizes_up_to
from fewer.core.folds.design import Design, ProductsPerFold, Spread
from fewer.core.folds.linear import Learned, LinearModels, LinearScores
from fewer.core.folds.orders import between_features, by_gain, by_relevance
from fewer.core.folds.relevance import Relevance
from fewer.core.folds.sums import Sums, sums_of
from fewer.core.summaries.results import Counts
from fewer.core.views.view import View

# The order puts so many features first that are looked at together.
CANDIDATES = 200


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is known of the features after cross-validation.

    Attributes
    ----------
    found : Relevance
        Of all features, by all rows.
    order : ndarray
        All features: candidates first, as they are looked at, then the others by relevance.
    n_relevant : int
        How many of the first features in the order are relevant.
    orders : ndarray of shape (n_folds, n_candidates)
        The first features of each fold.
    curve : Curve
        Scores by number of features.
    candidates : ndarray
        Features whose squared correlations are known.
    shared : ndarray of shape (n_candidates, n_candidates)
        The squared correlations.
    metric_words : str
        Why this metric.
    of_classes : ndarray
        Rows by class; none for a numeric target.
    notes : tuple of str
        What is to be said of the rows.
    """

    found: Relevance
    order: np.ndarray
    n_relevant: int
    orders: np.ndarray
    curve: Curve
    candidates: np.ndarray
    shared: np.ndarray
    metric_words: str
    of_classes: np.ndarray
    notes: tuple[str, ...] = ()


def fit_folds(data: View, discretizer: object, asked: tuple[int, ...] = (), most: int = CANDIDATES) -> Fitted:
    """Order the features by all rows, and score the first ones of the order by rows that took no part in it.

    Parameters
    ----------
    data : View
        Dense or sparse numbers on any runner; no column is constant.
    discretizer : Discretizer, ForeignDiscretizer or None
        How numeric columns are put into bins.
    asked : tuple of int
        Sizes that must be looked at.
    most : int
        The largest size that is looked at.
    """
    sums = sums_of(data, discretizer)
    dealt = sums.dealt
    most = int(min(most, CANDIDATES, data.n_features))
    parts = [*range(dealt.n_folds), None]
    found = [sums.relevance(fold) for fold in parts]
    ranked = [by_relevance(one) for one in found]
    first = [order[:most] for order, _ in ranked]
    union = np.unique(np.concatenate(first))
    learned, design, target = _learned(sums, union)
    columns = [np.flatnonzero(design.source == u) for u in range(len(union))]
    orders, shared = [], np.empty((0, 0))
    for one, (_, n), top, of_part in zip(found, ranked, first, learned):
        shared = between_features(of_part.correlations, design.source, len(union))
        at = np.searchsorted(union, top)
        orders.append(top[by_gain(one.information[top], shared[np.ix_(at, at)], n)])
    sizes = sizes_up_to(most, asked)
    curve, words = _curve(sums, union, learned[:-1], design, target, columns, np.stack(orders[:-1]), sizes)
    order = np.concatenate([orders[-1], ranked[-1][0][most:]])
    n, notes = min(ranked[-1][1], most), sums.notes
    classes = np.zeros(0) if dealt.numbers else sums.share * target[:, :, 0].sum(axis=0)
    return Fitted(found[-1], order, n, np.stack(orders[:-1]), curve, union, shared, words, classes, notes)


def _learned(sums: Sums, union: np.ndarray) -> tuple[list[Learned], Design, np.ndarray]:
    """Return what each fold learns from, and last all rows, of the columns of some candidates; sums of the target."""
    dealt, view = sums.dealt, sums.dealt.view.columns(union)
    spread = view.fold(Spread(sums.scale[union]))
    design = Design.of(view.nominal, sums.scale[union], spread, _of(sums, union))
    found = view.fold(ProductsPerFold(design, dealt.n_folds, dealt.n_parts))
    names = ("products", "sums", "with_target", "target")
    *others, target = (dealt.learned(sums.factor * getattr(found, name)) for name in names)
    n, of_y, _ = np.moveaxis(target.sum(axis=1), -1, 0)
    mean_y = of_y / np.maximum(n, 1e-300)
    return [Learned(*one) for one in zip(target[:, :, 0], *others, mean_y)], design, sums.factor * found.target


def _of(sums: Sums, union: np.ndarray) -> Counts:
    """Return the counts of some features by folds and classes."""
    offsets = sums.counts.offsets
    lines = np.concatenate([np.arange(offsets[j], offsets[j + 1]) for j in union])
    widths = np.diff(offsets)[union]
    return Counts(sums.counts.table[lines], np.concatenate([[0], np.cumsum(widths)]))


def _curve(
    sums: Sums,
    union: np.ndarray,
    learned: list[Learned],
    design: Design,
    target: np.ndarray,
    columns: list[np.ndarray],
    orders: np.ndarray,
    sizes: np.ndarray,
) -> tuple[Curve, str]:
    """Test both evaluators on the rows of every fold."""
    dealt = sums.dealt
    totals = target[:, :, 0]
    metric, words = default_score(None if dealt.numbers else totals.sum(axis=0))
    weight = np.stack([one.weight for one in learned])
    prior = weight / weight.sum(axis=1, keepdims=True)
    if metric == "balanced_accuracy":
        prior = (weight > 0) / (weight > 0).sum(axis=1, keepdims=True)
    places = np.searchsorted(union, orders)
    chosen = [[np.concatenate([columns[u] for u in places[f, :k]]) for k in sizes] for f in range(dealt.n_folds)]
    linear = LinearModels.of(learned, chosen, None if dealt.numbers else prior)
    right = dealt.view.columns(union).fold(LinearScores(design, linear, dealt.n_parts, dealt.numbers))
    counts = _of(sums, union)
    cube = counts.table.reshape(len(counts.table), dealt.n_folds, dealt.n_parts).transpose(1, 0, 2)
    of_others = dealt.learned(target)[:-1]
    centres = np.divide(of_others[:, :, 1], weight, out=np.zeros_like(weight), where=weight > 0)
    bayes = BayesModels.of(dealt.learned(cube)[:-1].astype(np.float64), counts, prior, places, sizes, centres)
    told = sums.codes.columns(union).fold(BayesScores(bayes, dealt.numbers))
    if dealt.numbers:
        mean = of_others[:, :, 1].sum(axis=1) / of_others[:, :, 0].sum(axis=1)
        n, s, ss = target.sum(axis=1).T
        totals = (ss - 2.0 * mean * s + n * mean**2)[:, None]
    scores, pooled = zip(*(scored(sums.factor * x, totals, metric) for x in (right, told)))
    share = target[:, :, 0].sum(axis=0) / target[:, :, 0].sum()
    guess = {"r2": 0.0, "accuracy": float(share.max()), "balanced_accuracy": 1.0 / max(1, int((share > 0).sum()))}
    error = guess_error(metric, guess[metric], sums.share * target[:, :, 0].sum(axis=0))
    return Curve(sizes, np.stack(scores), np.stack(pooled), guess[metric], error, metric), words
