"""The headline of a comparison: how few features are enough, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.html_text import facts_html
from fewer.core.records.numerals import numeral
from fewer.core.records.rounding import TOLERANCE, exceeds, joined, steady
from fewer.core.views.inner_splits import in_time
from fewer.evaluate.intervals import interval_of
from fewer.evaluate.statistics import corrected_t

if TYPE_CHECKING:
    from fewer.evaluate.comparison import Comparison


@dataclass(frozen=True)
class Headline:
    """How few features are enough, and how sure that is.

    Attributes
    ----------
    best_method, best_estimator, best_size, best_score, best_error
        The highest mean score of all, with its standard error.
    method, estimator, size, kept, score, error, low, high
        The fewest features whose mean score is at least ``best_score - best_error``; ``kept`` is the mean number really
        used, ``low`` and ``high`` the 95 % interval of the mean score.
    features : tuple of int
        What the method keeps of all rows at this size, best first.
    frequency : tuple of float
        In how many of the folds, as a fraction, the method chose each of them.
    stability, stability_low, stability_high : float
        Agreement of the features over the folds; NaN if all features were kept. The interval is NaN, too, with fewer
        than five folds or where hardly any differ, see `nogueira`.
    honest, honest_low, honest_high : float
        Mean score if method, estimator and size are chosen for each fold by the others: the best of many is too good.
    chance : float
        Mean score of a guess that looks at no feature.
    chance_pvalue : float
        Of ``honest`` being no better than ``chance``; one-sided; NaN with a single split or an unknown chance.
    whole : float
        Mean score of the same estimator with all features; NaN if left out.
    best_whole, best_whole_estimator
        The highest mean score of an estimator with all features, and which; NaN and "" if left out.
    naive : float
        Mean score of the same setting if features are chosen on all rows; NaN if left out.
    sentence : str
        The same in words.
    """

    best_method: str
    best_estimator: str
    best_size: int
    best_score: float
    best_error: float
    method: str
    estimator: str
    size: int
    kept: float
    score: float
    error: float
    low: float
    high: float
    features: tuple[int, ...]
    frequency: tuple[float, ...]
    stability: float
    stability_low: float
    stability_high: float
    honest: float
    honest_low: float
    honest_high: float
    chance: float
    chance_pvalue: float
    whole: float
    best_whole: float
    best_whole_estimator: str
    naive: float
    sentence: str

    @property
    def beats_chance(self) -> bool:
        """Whether the choice, made honestly, is better than a guess (5 %)."""
        return self.chance_pvalue < 0.05

    @property
    def lost(self) -> float:
        """What all features, with the estimator that suits them best, are better; 0 if not, or unknown."""
        return self.best_whole - self.score if exceeds(self.best_whole, self.score) else 0.0

    def _repr_html_(self) -> str:
        facts = {
            "method": self.method,
            "estimator": self.estimator,
            "features": shown(self.kept),
            "score": f"{shown(self.score)} ({shown(self.low)} to {shown(self.high)})",
            "chosen honestly": f"{shown(self.honest)} ({shown(self.honest_low)} to {shown(self.honest_high)})",
            "a guess": shown(self.chance),
            "all features": shown(self.whole),
            "stability": shown(self.stability),
        }
        return facts_html(f"{self.sentence}.", {name: "" if words == "nan" else words for name, words in facts.items()})

    @property
    def all_best(self) -> bool:
        """Whether all features are better than everything that was chosen."""
        return exceeds(self.best_whole, self.best_score)


def one_standard_error(means: np.ndarray, errors: np.ndarray, cost: np.ndarray) -> tuple[int, int]:
    """Return the place of the best mean, and of the cheapest that is at most one standard error worse.

    Of equally cheap ones the better mean wins, then the lower place. Entries that are NaN are left aside.
    """
    # Of equal means, up to rounding, the cheapest is the best.
    known, means = ~np.isnan(means), means.copy()
    means[known] = joined(means[known])
    top = np.flatnonzero(means == np.nanmax(means))
    best = int(top[np.lexsort((top, cost[top]))[0]])
    error = errors[best] if np.isfinite(errors[best]) else 0.0
    near = np.flatnonzero(means >= means[best] - error - TOLERANCE * abs(means[best]))
    return best, int(near[np.lexsort((near, -means[near], cost[near]))[0]])


def headline(c: Comparison, among: str = "") -> Headline:
    """Return the best setting, and the one with the fewest features that is nearly as good; ``among`` which, in words.

    Without words it is among all.
    """
    means, shape = c.scores.mean(axis=-1), c.scores.shape[:3]
    # A baseline keeps other features on every call; its mean is not the score of any of them.
    means[~c.contenders] = np.nan
    if np.isnan(means).all():
        raise InputError("The comparison has no setting that could be scored; see its failures.")
    errors = c.scores.std(axis=-1, ddof=1) / np.sqrt(c.n_folds) if c.n_folds > 1 else np.full(shape, np.nan)
    kept = np.broadcast_to(c.kept.mean(axis=-1)[:, None, :], shape)
    best, near = one_standard_error(means.ravel(), errors.ravel(), kept.ravel())
    (bm, be, bs), (m, e, s) = (tuple(map(int, np.unravel_index(i, shape))) for i in (best, near))
    method, size, kept_mean = c.methods[m], c.sizes[s], float(c.kept[m, s].mean())
    score, error, low, high = interval_of(c, c.scores[m, e, s])
    features = tuple(int(j) for j in c.final(method, size))
    chosen = [set(c.chosen(method, size, f).tolist()) for f in range(c.n_folds)]
    frequency = tuple(sum(j in one for one in chosen) / c.n_folds for j in features)
    stable, honest = c.stability(method, size), honest_scores(c)
    after, _, after_low, after_high = interval_of(c, honest)
    whole, suited = _whole(c)
    found = Headline(
        c.methods[bm], c.estimators[be], c.sizes[bs], float(means[bm, be, bs]), float(errors[bm, be, bs]),
        method, c.estimators[e], size, kept_mean, score, error, low, high, features, frequency,
        stable.value, stable.low, stable.high, after, after_low, after_high,
        float(c.chance.mean()), _above(honest, c.chance, c.test_fraction), float(c.whole[e].mean()), whole, suited,
        float("nan") if c.naive is None else float(c.naive[m, e, s].mean()), "",
    )  # fmt: skip
    rival = "" if (bm, be, bs) == (m, e, s) else _features(float(c.kept[bm, bs].mean()))
    return replace(found, sentence=_sentence(c, found, rival, among))


def _whole(c: Comparison) -> tuple[float, str]:
    """Return the highest mean score with all features, and the estimator; NaN and nothing if left out."""
    means = c.whole.mean(axis=1)
    if np.isnan(means).all():
        return float("nan"), ""
    e = int(np.nanargmax(steady(means)))
    return float(means[e]), c.estimators[e]


def _sentence(c: Comparison, h: Headline, rival: str, among: str = "") -> str:
    """Return the headline in words; ``rival`` is how many features the best setting keeps if it is another one."""
    words = (
        f"{_features(h.kept)} chosen by {h.method} give{'s' if h.kept == 1 else ''} {shown(h.score)} "
        f"({c.scoring}, {h.estimator})"
    )
    if rival:
        best = f"the best of {among}" if among else "the best choice" if h.all_best else "the best"
        words += f", within one standard error of {best}, {shown(h.best_score)} "
        words += f"({rival} by {h.best_method}, {h.best_estimator})"
    elif among or not h.all_best:
        words += f", the best of {among or 'all'}"
    if h.lost:
        by = "" if h.best_whole_estimator == h.estimator else f" ({h.best_whole_estimator})"
        words += f"; all {c.n_candidates:,} give {shown(h.best_whole)}{by}"
    if h.chance_pvalue >= 0.05:
        words += f"; that is not shown to be better than a guess ({shown(h.chance)})"
        words += ", which two splits can hardly show" if c.n_folds == 2 else ""
    return words


def honest_scores(c: Comparison) -> np.ndarray:
    """Return for each fold the score of the setting that is best by models that never saw its test rows.

    The best of many settings is too good on the rows by which it was chosen. The other folds are no better a guide:
    their models were trained with the test rows of this one. So the inner scores choose; in the order of time the folds
    before do. Where nothing can choose, every setting is as good as any: their mean.
    """
    flat = c.scores[c.contenders].reshape(-1, c.n_folds)
    usable = ~np.isnan(flat).any(axis=1)
    guide = _guide(c)[usable]
    flat, out = flat[usable], np.empty(c.n_folds)
    for f in range(c.n_folds):
        known = np.flatnonzero(~np.isnan(guide[:, f]))
        out[f] = flat[known[np.argmax(steady(guide[known, f]))], f] if len(known) else flat[:, f].mean()
    return out


def _guide(c: Comparison) -> np.ndarray:
    """Return the scores by which a setting is chosen for every fold; NaN where nothing can choose."""
    if c.inner is not None:
        return c.inner[c.contenders].reshape(-1, c.n_folds)
    flat = c.scores[c.contenders].reshape(-1, c.n_folds)
    guide, folds, timely = np.full(flat.shape, np.nan), np.arange(c.n_folds), in_time(c.n_train, c.n_test)
    for f in folds:
        # Comparisons that were stored without inner scores ask the other folds, which is a little too good.
        others = (folds < f) if timely else (c.repeat == c.repeat[f]) & (folds != f)
        if others.any():
            guide[:, f] = flat[:, others].mean(axis=1)
    return guide


def shown(value: Any) -> str:
    """Return a number with three digits, anything else as it is."""
    return numeral(value, ".3g") if isinstance(value, float) else str(value)


def _features(count: float) -> str:
    if count == int(count):
        return f"{int(count)} feature{'' if count == 1 else 's'}"
    return f"{count:.1f} features"


def _above(scores: np.ndarray, chance: np.ndarray, test_fraction: float) -> float:
    """Return the one-sided p-value of scores above chance on average, by the corrected t-test; NaN if unknown."""
    if len(scores) < 2 or not np.isfinite(scores).all() or not np.isfinite(chance).all():
        return float("nan")
    found = corrected_t(scores, chance, test_fraction=test_fraction)
    if found.difference > 0 and np.isinf(found.statistic):
        # All folds gain the same, which says no more than that all of them gain: a test of signs.
        return float(0.5 ** len(scores))
    return found.pvalue / 2.0 if found.difference > 0 else 1.0 - found.pvalue / 2.0
