"""The headline of a comparison: how few features are enough, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from fewer.core.records.errors import InputError
from fewer.core.records.html_text import facts_html
from fewer.core.records.numerals import numeral
from fewer.core.records.rounding import TOLERANCE, joined, steady
from fewer.evaluate.statistics import corrected_error, corrected_t

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
    naive: float
    sentence: str

    @property
    def beats_chance(self) -> bool:
        """Whether the choice, made honestly, is better than a guess (5 %)."""
        return self.chance_pvalue < 0.05

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


def mean_interval(scores: np.ndarray, test_fraction: float, level: float = 0.95) -> tuple[float, float, float, float]:
    """Return mean, standard error, and the interval of the mean, which is corrected for overlapping splits."""
    mean, n = float(scores.mean()), len(scores)
    if n < 2:
        return mean, float("nan"), float("nan"), float("nan")
    error = float(scores.std(ddof=1) / np.sqrt(n))
    reach = float(stats.t.ppf(0.5 + level / 2.0, n - 1)) * corrected_error(scores, test_fraction)
    return mean, error, mean - reach, mean + reach


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


def headline(c: Comparison) -> Headline:
    """Return the best setting, and the one with the fewest features that is nearly as good."""
    means, shape = c.scores.mean(axis=-1), c.scores.shape[:3]
    # A baseline keeps other features on every call; its mean is not the score of any of them.
    means[~c.contenders] = np.nan
    if np.isnan(means).all():
        raise InputError("The comparison has no setting that could be scored; see its failures.")
    errors = c.scores.std(axis=-1, ddof=1) / np.sqrt(c.n_folds) if c.n_folds > 1 else np.full(shape, np.nan)
    kept = np.broadcast_to(c.kept.mean(axis=-1)[:, None, :], shape)
    best, near = one_standard_error(means.ravel(), errors.ravel(), kept.ravel())
    (bm, be, bs), (m, e, s) = (tuple(map(int, np.unravel_index(i, shape))) for i in (best, near))
    method, size = c.methods[m], c.sizes[s]
    score, error, low, high = mean_interval(c.scores[m, e, s], c.test_fraction)
    features = tuple(int(j) for j in c.final(method, size))
    chosen = [set(c.chosen(method, size, f).tolist()) for f in range(c.n_folds)]
    frequency = tuple(sum(j in one for one in chosen) / c.n_folds for j in features)
    stable, honest = c.stability(method, size), honest_scores(c)
    after, _, after_low, after_high = mean_interval(honest, c.test_fraction)
    kept_mean = float(c.kept[m, s].mean())
    same = (bm, be, bs) == (m, e, s)
    rival = f"{_features(float(c.kept[bm, bs].mean()))} by {c.methods[bm]}, {c.estimators[be]}"
    words = (
        f"{_features(kept_mean)} chosen by {method} give{'s' if kept_mean == 1 else ''} {shown(score)} "
        f"({c.scoring}, {c.estimators[e]}), "
        + ("the best of all" if same else "within one standard error of the best, ")
        + ("" if same else f"{shown(float(means[bm, be, bs]))} ({rival})")
    )
    pvalue = _above(honest, c.chance, c.test_fraction)
    if pvalue >= 0.05:
        words += f"; that is not shown to be better than a guess ({shown(float(c.chance.mean()))})"
    return Headline(
        c.methods[bm], c.estimators[be], c.sizes[bs], float(means[bm, be, bs]), float(errors[bm, be, bs]),
        method, c.estimators[e], size, kept_mean, score, error, low, high, features, frequency,
        stable.value, stable.low, stable.high, after, after_low, after_high,
        float(c.chance.mean()), pvalue, float(c.whole[e].mean()),
        float("nan") if c.naive is None else float(c.naive[m, e, s].mean()), words,
    )  # fmt: skip


def honest_scores(c: Comparison) -> np.ndarray:
    """Return for each fold the score of the setting that is best on the folds that test other rows.

    The best of many settings is too good on the folds by which it was chosen. Only folds of the same repetition are
    asked, because the others test some of the same rows; in the order of time only those before, because the future is
    not known.
    """
    flat = c.scores[c.contenders].reshape(-1, c.n_folds)
    flat = flat[~np.isnan(flat).any(axis=1)]
    out, folds = np.empty(c.n_folds), np.arange(c.n_folds)
    # Each fold learns from all that came before it, which other protocols do not.
    in_time = c.n_folds > 1 and bool((c.n_train[1:] == c.n_train[:-1] + c.n_test[:-1]).all())
    for f in folds:
        others = (folds < f) if in_time else (c.repeat == c.repeat[f]) & (folds != f)
        # Without other folds every setting is as good a choice as any: their mean.
        out[f] = flat[np.argmax(steady(flat[:, others].mean(axis=1))), f] if others.any() else flat[:, f].mean()
    return out


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
    return found.pvalue / 2.0 if found.difference > 0 else 1.0 - found.pvalue / 2.0
