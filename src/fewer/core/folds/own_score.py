"""A score of the user's own beside that of a guess, and whether it is better."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtr, stdtr
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.model_selection import check_cv, cross_val_score

from fewer.core.criteria.splitters import own_score, score_name, splitter
from fewer.core.folds.curve import OF_SCORES
from fewer.core.folds.fit import Fitted
from fewer.core.folds.said import AS_ASKED, NAMES, by_tests, none_kept
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import KEPT, NOT_REACHED
from fewer.core.records.result import Selection
from fewer.core.views.view import View

# With more classes, a guess that always tells the same one is not tried for each.
MOST_CLASSES = 10


@dataclass(frozen=True, eq=False)
class OwnScore:
    """What an estimator, a score or splits that were given say of some features.

    Attributes
    ----------
    name : str
        Name of the score.
    value : float
        The mean over the splits, of the size that was taken.
    guess : float
        That of the best of some guesses that look at no feature.
    pvalue : float
        How likely a value so far above the guess is without any relation.
    """

    name: str
    value: float
    guess: float
    pvalue: float

    @classmethod
    def of(cls, found: Selection, fitted: Fitted, data: View, model: Any, scoring: Any, cv: Any) -> OwnScore:
        """Score guesses on the same splits."""
        y, groups = np.asarray(data.target), {} if data.groups is None else {"groups": data.groups}
        folds = check_cv(splitter(cv, data), y, classifier=is_classifier(model))
        splits = [(np.asarray(a), np.asarray(b)) for a, b in folds.split(np.zeros((len(y), 1)), y, **groups)]
        scoring = own_score(model, scoring, data)
        guess, name = _guess(data, y, model, scoring, splits), score_name(model, scoring) or "score"
        value, curve = float(found.meta["value"]), found.tables["curve"].columns
        place = int(np.argmin(np.abs(np.asarray(curve["features"]) - len(found.indices))))
        sizes = len(curve["features"])
        if name == fitted.curve.metric:
            error = fitted.curve.error
            pvalue = float(ndtr(-(value - guess) / error)) if error > 0 else 1.0
        else:
            # Nadeau and Bengio 2003: training rows are shared, so that scores of splits are alike.
            k, ratio = len(splits), float(np.mean([len(b) / max(len(a), 1) for a, b in splits]))
            error = float(np.asarray(curve["standard error"], float)[place]) * np.sqrt(1.0 + k * ratio)
            pvalue = float(stdtr(max(k - 1, 1), -(value - guess) / error)) if error > 0 else 1.0
        return cls(NAMES.get(name, str(name)), value, guess, float(np.nan_to_num(min(1.0, sizes * pvalue), nan=1.0)))

    def judged(self, found: Selection, fitted: Fitted, asked: bool, if_nothing: str) -> Selection:
        """Return the selection with its score beside a guess; nothing, or the best feature, if it is no better."""
        better = by_tests(fitted, self.value > self.guess) or self.pvalue <= OF_SCORES
        score, guess = numeral(self.value, ".3f"), f"a guess {numeral(self.guess, '.3f')}"
        n = len(found.indices)
        words = f"{self.name} {score} with {'1 feature' if n == 1 else f'{n} features'}, {guess}"
        if not better and asked:
            words = f"{AS_ASKED} ({self.name} {score}, {guess})"
        elif not better:
            words = f"nothing is better than a guess ({self.name} {score}, {guess})"
            n = none_kept(words, if_nothing)
        facts = {"metric": self.name, "why": "", "value": self.value, "guess": self.guess, "pvalue": self.pvalue}
        said = {**facts, "better_than_guess": better, "relevant_features": fitted.n_relevant, "words": words}
        if not better and not asked:
            kind = found.reasons.kind.copy()
            kind[kind == KEPT] = NOT_REACHED
            kind[found.indices[:n]] = KEPT
            reasons = replace(found.reasons, kind=kind, rule=words)
            found = Selection.build(
                found.indices[:n],
                found.order,
                reasons,
                found.scores,
                found.trace,
                found.columns,
                meta=found.meta,
                tables=found.tables,
            )
        return found.with_meta(score=said)


def _guess(data: View, y: np.ndarray, model: Any, scoring: Any, splits: Any) -> float:
    """Return the best mean score of guesses: the usual one, and always the same class or the median."""
    if is_classifier(model) and data.classes is not None:
        labels = np.unique(y)
        guesses: list[Any] = [DummyClassifier(strategy="prior")]
        if len(labels) <= MOST_CLASSES:
            guesses += [DummyClassifier(strategy="constant", constant=label) for label in labels]
    else:
        guesses = [DummyRegressor(strategy=how) for how in ("mean", "median")]
    with warnings.catch_warnings():
        # A class that a split does not train on, or a score that no guess has, is no news.
        warnings.simplefilter("ignore")
        X = np.zeros((len(y), 1))
        means = [float(cross_val_score(one, X, y, scoring=scoring, cv=splits).mean()) for one in guesses]
    known = [mean for mean in means if np.isfinite(mean)]
    return max(known) if known else float("nan")
