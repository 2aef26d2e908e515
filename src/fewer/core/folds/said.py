"""What was found by folds, as a selection: features, reasons, curve and words."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.folds.curve import OF_SCORES
from fewer.core.folds.fit import CANDIDATES, Fitted
from fewer.core.folds.orders import FALSE_DISCOVERIES
from fewer.core.records.errors import InputError, NothingFoundWarning
from fewer.core.records.needs import AT_MOST, Need
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.trace import Step, Trace
from fewer.core.stop.significance import adjust
from fewer.core.stop.wanted import Wanted

# Nothing is found unless the best p-value, corrected for the number of features, is this small, or that of the score is
# at most OF_SCORES. Together they keep something of pure noise in fewer than one of ten data sets.
OF_FEATURES = 0.05
# A p-value this small counts also where the score is no better than a guess, as that of uneven classes may be.
BEYOND_DOUBT = 0.001
# A feature is redundant to one with which it shares at least this fraction of its variation.
SHARED = 0.5
# Of how many bins the first or the last holds all rows of a class at best.
BINS = 10
# What is said of a size that was asked for, where it is no better than a guess.
AS_ASKED = "as many as were asked for, but not shown to be better than a guess"
NAMES = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy", "r2": "R²"}


@dataclass(frozen=True, eq=False)
class Chosen:
    """A number of features.

    Attributes
    ----------
    size : int
        How many of the first features of the order are kept.
    place : int
        Where the curve tells their score; the last place if it does not go so far.
    better : bool
        Whether they are better than a guess.
    asked : bool
        Whether so many were asked for, and are kept whatever they score.
    """

    size: int
    place: int
    better: bool
    asked: bool = False

    @classmethod
    def of(cls, fitted: Fitted, wanted: Wanted) -> Chosen:
        """Choose the size; one that was asked for is taken whatever it scores."""
        sizes, last = fitted.curve.sizes, len(fitted.curve.sizes) - 1
        further = bool(wanted.low > sizes[last])
        place = last if further else fitted.curve.taken(wanted.low, wanted.high, fitted.n_relevant, wanted.choose)
        asked = further or (wanted.low == wanted.high and not wanted.free)
        tested = by_tests(fitted, bool(fitted.curve.means[place] > fitted.curve.guess))
        better = tested or fitted.curve.pvalue(place) <= OF_SCORES
        return cls(wanted.low if further else int(sizes[place]), place, bool(better), asked)


def by_tests(fitted: Fitted, above: bool) -> bool:
    """Return whether some feature is relevant beyond doubt, given whether the score is above that of a guess."""
    return bool(adjust(fitted.found.pvalue, "bh").min(initial=1.0) <= (OF_FEATURES if above else BEYOND_DOUBT))


def how_many(fitted: Fitted, chosen: Chosen, if_nothing: str) -> int:
    """Return how many features are kept; where nothing is better than a guess, warn or raise as was asked."""
    if chosen.better or chosen.asked:
        return chosen.size
    return none_kept(sentence(fitted, chosen, fitted.order[:1]), if_nothing)


def none_kept(sentence: str, if_nothing: str) -> int:
    """Return how many features are kept where nothing is better than a guess; warn or raise as was asked."""
    words = f"DefaultRecipe finds that {sentence}"
    if if_nothing == "error":
        raise InputError(f"{words}; give other features or more rows, or pass if_nothing='best' or 'none'.")
    if if_nothing == "best":
        warnings.warn(
            f"{words}, and keeps the one best feature; pass if_nothing='none' to keep nothing, or 'error'.",
            NothingFoundWarning,
            stacklevel=2,
        )
    return 1 if if_nothing == "best" else 0


def selection_of(fitted: Fitted, chosen: Chosen, kept: np.ndarray) -> Selection:
    """Return the selection of the features that are kept, the first ones of the order."""
    found, curve = fitted.found, fitted.curve
    names = {"features": curve.sizes, "mean score": curve.means, "standard error": curve.errors}
    evaluators = dict(zip(("linear model", "naive Bayes"), curve.pooled))
    table = ResultTable(f"{_named(fitted).capitalize()} by number of features", {**names, **evaluators}, "curve")
    folds = np.zeros(len(found.strength))
    for order in fitted.orders:
        folds[order[: max(len(kept), 1)]] += 1.0 / len(fitted.orders)
    steps = [
        Step(tuple(fitted.order[a:b].tolist()), (), float(mean), 2 * len(fitted.orders))
        for a, b, mean in zip([0, *curve.sizes[:-1]], curve.sizes, curve.means)
    ]
    return Selection.build(
        kept,
        fitted.order,
        _reasons(fitted, chosen, kept),
        found.strength,
        Trace(steps),
        {"pvalue": found.pvalue, "fraction_of_folds": folds},
        tables={"curve": table},
        meta=facts(fitted, chosen, kept),
    )


def facts(fitted: Fitted, chosen: Chosen, kept: np.ndarray) -> dict[str, Any]:
    """Return what `Selection.meta` says of the score."""
    curve = fitted.curve
    value = float(curve.means[chosen.place]) if chosen.size <= curve.sizes[-1] else float("nan")
    return {
        "value": value,
        "score": {
            "metric": curve.metric,
            "why": fitted.metric_words,
            "value": value,
            "guess": curve.guess,
            "pvalue": curve.pvalue(chosen.place),
            "better_than_guess": chosen.better,
            "relevant_features": fitted.n_relevant,
            "words": sentence(fitted, chosen, kept),
        },
        **({"notes": list(fitted.notes)} if fitted.notes else {}),
    }


def sentence(fitted: Fitted, chosen: Chosen, kept: np.ndarray) -> str:
    """Return the score beside that of a guess, in words."""
    curve, name = fitted.curve, _named(fitted)
    guess = f"a guess {_number(curve.guess)}"
    if not chosen.better:
        here, needed = too_few(fitted)
        words = f"({name} {_number(curve.means[chosen.place])}, {guess})"
        if chosen.asked:
            return f"{AS_ASKED} {words}"
        if not needed:
            return f"nothing is better than a guess {words}"
        rows = "1 row is" if here == 1 else f"{here} rows are"
        return (
            f"nothing is shown to be better than a guess: only {rows} outside the largest class, which one "
            f"of {len(fitted.found.pvalue)} features may set apart by chance, and a test by ten bins needs {needed} "
            f"{words}"
        )
    if len(kept) > curve.sizes[-1]:
        return f"as many as were asked for, of which the first {curve.sizes[-1]} have {name} " + (
            f"{_number(curve.means[-1])}, {guess}"
        )
    of = "1 feature" if len(kept) == 1 else f"{len(kept)} features"
    tested = ", but relevant by tests" if curve.means[chosen.place] <= curve.guess and fitted.n_relevant else ""
    return f"{name} {_number(curve.means[chosen.place])} with {of}, {guess}{tested}"


def too_few(fitted: Fitted) -> tuple[int, int]:
    """Return how many rows are outside the largest class, and how many tests would need; 0 if there are enough.

    The best feature of numbers has all of them in the first or in the last of ten bins. That happens by chance with
    probability 2 C(n / 10, m) / C(n, m) for m rows, and there are two tests.
    """
    n, d = float(fitted.of_classes.sum()), len(fitted.found.pvalue)
    here = int(np.rint(n - fitted.of_classes.max(initial=0.0)))
    chance, m = 4.0 * d, 0
    while m < n / BINS and chance > OF_FEATURES:
        chance *= max(n / BINS - m, 1.0) / (n - m)
        m += 1
    return here, m if len(fitted.of_classes) and here < m else 0


def _named(fitted: Fitted) -> str:
    return NAMES[fitted.curve.metric]


def _number(value: float) -> str:
    return numeral(float(value), ".3f")


def _reasons(fitted: Fitted, chosen: Chosen, kept: np.ndarray) -> Reasons:
    """Return why each feature was kept or dropped."""
    found = fitted.found
    kind = np.full(len(found.strength), NOT_REACHED, np.uint8)
    line = FALSE_DISCOVERIES if chosen.better else OF_FEATURES
    adjusted = adjust(found.pvalue, "bh")
    need = Need(
        "p-value corrected for the number of features", adjusted, line, how=AT_MOST, why="to be called relevant"
    )
    # Where no test could have found a feature relevant, none is called irrelevant.
    if chosen.better or not too_few(fitted)[1]:
        kind[adjusted > line] = IRRELEVANT
    related, amount = _redundant(fitted, kept)
    kind[list(related)] = REDUNDANT
    kind[kept] = KEPT
    reasons = Reasons(kind, rule=sentence(fitted, chosen, kept), related=related, amount=amount, needs=(need,))
    return replace(reasons, note=_notes(fitted, chosen, kept, kind))


def _redundant(fitted: Fitted, kept: np.ndarray) -> tuple[dict[int, tuple[int, ...]], dict[int, float]]:
    """Return relevant candidates that share more with a kept feature than with the target, and which one that is."""
    at = np.flatnonzero(np.isin(fitted.candidates, kept))
    related: dict[int, tuple[int, ...]] = {}
    amount: dict[int, float] = {}
    relevant = adjust(fitted.found.pvalue, "bh") <= FALSE_DISCOVERIES
    for place, j in enumerate(fitted.candidates.tolist()):
        if place in at or not relevant[j] or not len(at):
            continue
        most = int(at[np.argmax(fitted.shared[place, at])])
        shared = float(fitted.shared[place, most])
        if shared >= SHARED and -0.5 * np.log1p(-min(shared, 1.0 - 1e-9)) >= fitted.found.information[j]:
            related[j], amount[j] = (int(fitted.candidates[most]),), float(np.sqrt(shared))
    return related, amount


def _notes(fitted: Fitted, chosen: Chosen, kept: np.ndarray, kind: np.ndarray) -> dict[int, str]:
    """Say of relevant features that were not reached what they would have gained."""
    curve, notes = fitted.curve, {}
    for place, j in enumerate(fitted.order[:CANDIDATES].tolist(), 1):
        if kind[j] != NOT_REACHED or place > curve.sizes[-1] or not chosen.better:
            continue
        then = int(np.searchsorted(curve.sizes, place))
        notes[j] = (
            f"place {place} in the order: more features do not help, {_named(fitted)} "
            f"{_number(curve.means[then])} with {curve.sizes[then]}"
        )
    return notes
