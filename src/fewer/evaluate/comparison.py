"""Comparison: what a comparison of methods found. The report and the command line read only this."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from fewer import registry
from fewer.core.records.errors import InputError, MissingExtraError, closest
from fewer.core.records.result import Selection
from fewer.core.records.whole_files import write_whole
from fewer.evaluate import figures
from fewer.evaluate.curves import ScoreCurve, curve_of
from fewer.evaluate.figures import Redundancy
from fewer.evaluate.headline import Headline, headline, shown
from fewer.evaluate.ranks import RankTest
from fewer.evaluate.stability import Stability, nogueira
from fewer.evaluate.why import selection_of

FORMAT = 1


@dataclass(frozen=True)
class Failure:
    """A method, or a method with an estimator, that could not be used on these data; ``words`` says why."""

    method: str
    words: str
    estimator: str | None = None


@dataclass(frozen=True, eq=False)
class Comparison:
    """What a comparison of methods found.

    The axes of all arrays are method, estimator, size and fold, in this order, as far as an array has them. A fold is
    one split into training and test rows; everything, selection included, was learned on training rows only.

    Attributes
    ----------
    task : {"classification", "regression"}
        What the target is for.
    methods, estimators : tuple of str
        Names, in the order of the axes. Methods that failed are not among them.
    sizes : tuple of int
        Numbers of features, ascending. A method that stops by itself may have used fewer, see `kept`.
    scoring : str
        Name of the score; larger is better.
    scores : ndarray of shape (n_methods, n_estimators, n_sizes, n_folds)
        Scores on the test rows; NaN where an estimator failed. Balanced accuracy of a fold that lacks a class counts
        only for the mean over the folds, and may be above 1.
    kept : ndarray of int of shape (n_methods, n_sizes, n_folds)
        How many features were really used.
    naive : ndarray of shape (n_methods, n_estimators, n_sizes, n_folds) or None
        The same scores if features are chosen on all rows before the split: too good. NaN for baselines.
    inner : ndarray of shape (n_methods, n_estimators, n_sizes, n_folds) or None
        Scores that choose for each fold, of models that never saw its test rows; None if earlier folds do, as in time.
    whole : ndarray of shape (n_estimators, n_folds)
        Scores with all features; NaN if left out because the data are too large.
    chance : ndarray of shape (n_folds,)
        Scores of a guess that looks at no feature: the most frequent class, the mean, of all rows; NaN where the score
        of a guess is not defined.
    orders : tuple of tuple of ndarray
        For each method and fold the chosen features, best first, at most as many as the largest size.
    subsets : mapping of str to tuple of tuple of ndarray
        For methods whose choices are not nested: the features for each fold and size.
    finals : mapping of str to tuple of ndarray
        For methods whose choices are not nested: the features for each size, chosen on all rows.
    random : mapping of str to ndarray of shape (n_subsets, n_estimators, n_sizes)
        For baselines, such as `RandomRanking`: the mean score over the folds of every random subset. Their `scores` are
        means over the subsets; `orders` are single draws. The headline and the consensus leave baselines aside.
    selections : mapping of str to Selection
        Each method fitted to all rows with the largest size; the reasons of every feature are here.
    n_train, n_test : ndarray of int of shape (n_folds,)
        Rows of the folds.
    repeat : ndarray of int of shape (n_folds,)
        Folds with the same number test different rows; of a repeated protocol, the repetition.
    names : tuple of str
        Names of all features.
    failures : tuple of Failure
        What could not be used, with a sentence that says why.
    related : dict
        ``features`` (numbers of the features most often chosen), ``matrix`` (how much they tell about each other, 0 to
        1) and ``measure`` (in words); `redundancy` reads it.
    portraits : tuple of dict
        How the most often chosen features are distributed. Of every one: ``index``, ``name``, ``nominal``, ``missing``
        (number of rows), and ``labels`` (levels of a nominal feature) or ``edges`` (of n intervals, n + 1 numbers).
        With classes: ``counts``, a list per class with the rows of each level or interval. With a numeric target:
        ``rows`` and ``means`` and ``deviations`` of the target, one per level or interval.
    evidence : dict
        What all rows say about features and pairs of them, whichever method chose: ``alone`` (p-value of each feature
        alone, as `fewer.select` tells it), ``pvalue`` (adjusted for their number), ``constant``, ``copies`` and
        ``twins`` (pairs, with how alike they are); `selection` reads it.
    seconds : dict
        ``select`` (array: method, fold), ``shared`` (array: fold; what one method made and others found, which is in
        the times of none), ``learn`` (array: method, estimator, fold; all sizes together), ``total``. Compiling and
        first use are not counted. All that differs between two runs with the same seed.
    meta : dict
        ``command`` (to make it again), ``data`` (facts: n_rows, n_features, n_nominal, n_missing, classes or target,
        source, target_name), ``protocol`` (the splits, in words), ``panel`` (how the methods were chosen, in words),
        ``score`` (why this score, in words),
        ``parameters``, ``families`` and ``summaries`` (by method), ``models`` (by estimator), ``notes`` (list of
        sentences), ``seed``, ``versions``.
    """

    task: str
    methods: tuple[str, ...]
    estimators: tuple[str, ...]
    sizes: tuple[int, ...]
    scoring: str
    scores: np.ndarray
    kept: np.ndarray
    naive: np.ndarray | None
    whole: np.ndarray
    chance: np.ndarray
    orders: tuple[tuple[np.ndarray, ...], ...]
    selections: Mapping[str, Selection]
    n_train: np.ndarray
    n_test: np.ndarray
    repeat: np.ndarray
    names: tuple[str, ...]
    inner: np.ndarray | None = None
    subsets: Mapping[str, tuple[tuple[np.ndarray, ...], ...]] = field(default_factory=dict)
    finals: Mapping[str, tuple[np.ndarray, ...]] = field(default_factory=dict)
    random: Mapping[str, np.ndarray] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    related: Mapping[str, Any] = field(default_factory=dict)
    portraits: tuple[Mapping[str, Any], ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, Any] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def n_candidates(self) -> int:
        """Number of features that methods could choose from: all but those that were left out before."""
        return self.n_features - sum(one["left_out"] and one["number"] >= 0 for one in self.meta.get("findings", ()))

    @property
    def n_features(self) -> int:
        """Number of features the data had."""
        return len(self.names)

    @property
    def n_folds(self) -> int:
        """Number of splits."""
        return len(self.n_test)

    @property
    def contenders(self) -> np.ndarray:
        """Which methods are no baselines, as a mask; all, if there is nothing else."""
        looking = np.array([method not in self.random for method in self.methods])
        return looking if looking.any() else ~looking

    @property
    def test_fraction(self) -> float:
        """Mean fraction of the rows that a split tests."""
        return float(np.mean(self.n_test / (self.n_test + self.n_train)))

    def chosen(self, method: str, size: int, fold: int) -> np.ndarray:
        """Return the features that a method chose on the training rows of a fold, best first."""
        m = self.number_of(method)
        if method in self.subsets:
            return self.subsets[method][fold][self.sizes.index(size)]
        return self.orders[m][fold][:size]

    def final(self, method: str, size: int) -> np.ndarray:
        """Return the features that a method chooses on all rows, best first."""
        self.number_of(method)
        if method in self.finals:
            return self.finals[method][self.sizes.index(size)]
        return self.selections[method].indices[:size]

    def number_of(self, method: str) -> int:
        """Return the place of a method on the first axis."""
        if method not in self.methods:
            raise InputError(
                f"The comparison has no method {method!r}; it compared {', '.join(self.methods)}."
                f"{closest(method, self.methods)}"
            )
        return self.methods.index(method)

    def stability(self, method: str, size: int) -> Stability:
        """Return how much the features that a method chose on the folds agree; no interval with few, see `nogueira`."""
        if self.n_folds < 2:
            return Stability(*[float("nan")] * 4)
        return nogueira([self.chosen(method, size, f) for f in range(self.n_folds)], self.n_features)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of `table` as dictionaries."""
        return figures.rows(self)

    def table(self, library: str = "pandas") -> Any:
        """Return a data frame with one row per method, estimator and size.

        Columns: method, estimator, size, kept (mean number of features used), score (mean over folds), error (standard
        error), low and high (95 % interval of the mean, corrected for overlapping splits), naive (mean score if chosen
        on all rows), stability with stability_low and stability_high, seconds (median time to choose).
        """
        return frame(figures.rows(self), library)

    def curve(self, method: str, estimator: str | None = None) -> ScoreCurve:
        """Return score against number of features of a method, by default with the first estimator."""
        return curve_of(self, method, estimator)

    def best(self) -> Headline:
        """Return the highest mean score, and the fewest features that are within one standard error of it."""
        return headline(self)

    def stable(self, bound: float = 0.75) -> Headline | None:
        """Return the headline among the settings whose stability is at least ``bound``; None if there is none.

        That is the fewest features, chosen so steadily, that are within one standard error of the best score that such
        settings reach. From 0.75 on agreement is called excellent.
        """
        steady = [[self.stability(method, size).value >= bound for size in self.sizes] for method in self.methods]
        scores = np.where(np.array(steady)[:, None, :, None], self.scores, np.nan)
        if np.isnan(scores[self.contenders].mean(axis=-1)).all():
            return None
        return headline(replace(self, scores=scores), f"those with stability {bound:g} or more")

    def consensus(self, size: int | None = None, library: str = "pandas") -> Any:
        """Return a data frame of all features that were ever chosen, most often chosen first.

        Columns: feature, index, frequency (fraction of all methods, baselines aside, and folds that chose it),
        mean_rank (where chosen), and one column per method with the fraction of its folds. ``size`` is how many
        features a method may choose; by default that of the headline, but 10 if there is such a size and that of the
        headline is smaller.
        """
        return frame(figures.consensus(self, size), library)

    def agreement(self, kind: str = "spearman", size: int | None = None) -> np.ndarray:
        """Return the rank correlations between the methods, each fitted to all rows.

        Features beyond ``size``, by default the largest, share the last place. ``kind``: "spearman" or "kendall".
        """
        return figures.agreement(self, kind, size)

    def ranks(self, estimator: str | None = None, size: int | None = None, alpha: float = 0.05) -> RankTest:
        """Compare the methods by their ranks over the folds: Friedman's and Nemenyi's tests.

        The score of a method on a fold is its mean over all estimators and sizes unless these are given. The tests are
        corrected for folds that share rows; see `friedman_nemenyi`.
        """
        return figures.rank_test(self, estimator, size, alpha)

    def bias(self) -> list[dict[str, Any]]:
        """Return what choosing on all rows would have promised too much: one row per method and estimator."""
        return figures.bias(self)

    def redundancy(self) -> Redundancy:
        """Return how the features of the headline and those most often chosen beside them relate."""
        return figures.redundancy(self)

    @property
    def selection(self) -> Selection:
        """The features of the headline with the reason of every feature.

        What a method keeps of all rows with the largest size is in `selections`.
        """
        return selection_of(self, self.best())

    @property
    def plot(self) -> Any:
        """Plots of this comparison: ``comparison.plot.curves()``, ``.agreement()``, ``.consensus()``, ``.ranks()``."""
        return registry.part("fewer.report.comparison_plots", "ComparisonPlots")(self)

    def report(self, path: str | Path) -> None:
        """Write the comparison as one HTML page that needs nothing but a browser."""
        registry.part("fewer.report.comparison", "write_comparison")(self, path)

    def with_meta(self, **meta: Any) -> Comparison:
        """Return the same comparison with more facts about its origin."""
        return replace(self, meta={**self.meta, **meta})

    def to_dict(self, timings: bool = True) -> dict[str, Any]:
        """Return plain values that `from_dict` reads; two runs with one seed differ only in ``timings``."""
        from fewer.evaluate import plain

        return plain.to_dict(self, FORMAT, timings)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Comparison:
        """Make a comparison of what `to_dict` returned."""
        from fewer.evaluate import plain

        return plain.from_dict(data)

    def to_json(self, path: str | Path | None = None, timings: bool = True) -> str:
        """Return the comparison as JSON; also write it to ``path``, whole or not at all."""
        text = json.dumps(self.to_dict(timings), ensure_ascii=False, allow_nan=False)
        if path is not None:
            write_whole(path, text)
        return text

    @classmethod
    def from_json(cls, source: str | Path) -> Comparison:
        """Read a comparison from JSON text or from a file."""
        from fewer.evaluate import plain

        return plain.from_json(source, FORMAT)

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.methods)} methods: {self.best().sentence}>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = sorted(figures.rows(self), key=lambda r: -r["score"])[:30]
        heads = ("method", "estimator", "size", "score", "low", "high", "stability")
        cells = ("".join(f"<td>{escape(shown(row[h]))}</td>" for h in heads) for row in rows)
        body = "".join(f"<tr>{one}</tr>" for one in cells)
        head = "".join(f"<th>{h}</th>" for h in heads)
        return f"<p>{escape(self.best().sentence)}</p><table><tr>{head}</tr>{body}</table>"


def frame(rows: list[dict[str, Any]], library: str) -> Any:
    """Return rows as a pandas or polars data frame."""
    if library not in ("pandas", "polars"):
        raise InputError(f"Tables are 'pandas' or 'polars' frames, but got {library!r}; pass one of the two.")
    try:
        frames = __import__(library)
    except ImportError as error:
        raise MissingExtraError(
            f"This table needs {library}, which is not installed; run pip install {library}, or use .rows()."
        ) from error
    return frames.DataFrame(rows)
