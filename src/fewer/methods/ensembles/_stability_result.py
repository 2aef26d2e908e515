"""Frequencies of selection, the threshold that permuted features suggest, and the selection with reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fewer.core.records.needs import Need
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection, after
from fewer.core.records.result_table import ResultTable
from fewer.core.stop import All, Stop
from fewer.methods.ensembles._ordered_cut import ordered_cut
from fewer.methods.ensembles._stability_bounds import expected_false

CONSTANT = "its column is constant"
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Frequencies:
    """How often each feature was selected.

    Attributes
    ----------
    values, together, places : ndarray of shape (n_features,)
        Fraction of the halves, fraction of the pairs of which both halves, mean place where selected (infinite if
        never).
    artificial : ndarray
        The fractions of permuted copies, if there are any.
    q, n_pairs, bound
        What they were made with, and what bounds errors.
    """

    values: np.ndarray
    together: np.ndarray
    places: np.ndarray
    artificial: np.ndarray
    q: int
    n_pairs: int
    bound: str

    @classmethod
    def of(cls, places: np.ndarray, n_features: int, q: int, n_pairs: int, bound: str) -> Frequencies:
        """Count the places of all halves, (2 n_pairs, n_columns), of features and of copies behind them."""
        selected = places > 0
        values, both = selected.mean(axis=0), (selected[0::2] & selected[1::2]).mean(axis=0)
        times = selected.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.where(times > 0, places.sum(axis=0) / times, np.inf)
        here = slice(n_features)
        return cls(values[here], both[here], mean[here], values[n_features:], q, n_pairs, bound)

    @property
    def steps(self) -> np.ndarray:
        """Thresholds above one half, at most eleven of those that differ."""
        numbers = np.linspace(self.n_pairs + 1, 2 * self.n_pairs, min(self.n_pairs, 11)).astype(int)
        return numbers / (2 * self.n_pairs)

    def reach(self, threshold: float) -> np.ndarray:
        """Return which features are selected often enough."""
        return self.values >= threshold - ROUNDING

    @property
    def order(self) -> np.ndarray:
        """The features, the most frequent first, of equal ones those that were selected earlier."""
        return np.lexsort((np.arange(len(self.values)), np.round(self.places, 9), -self.values))

    def false(self, threshold: float) -> float:
        """Return the bound on E[V]."""
        n_columns = len(self.values) + len(self.artificial)
        bound = expected_false(threshold, self.q, n_columns, self.n_pairs, self.bound)
        # There are no more than all.
        return bound if np.isinf(bound) else min(bound, float(len(self.values)))


def artificial_threshold(found: Frequencies) -> float:
    """Return the threshold with the smallest (1 + permuted ones) / features above it; above 1 if that is not below 1.

    Of equal ones the largest threshold is taken.
    """
    steps = np.arange(1, 2 * found.n_pairs + 1) / (2 * found.n_pairs)
    real = np.array([(found.values >= t).sum() for t in steps])
    false = np.array([(found.artificial >= t).sum() for t in steps])
    fraction = (1 + false) / np.maximum(real, 1)
    best = len(steps) - 1 - int(np.argmin(fraction[::-1]))
    return float(steps[best]) if fraction[best] < 1 else 1 + float(steps[0])


def selection_of(
    found: Frequencies, threshold: float, size: Stop, firsts: np.ndarray, copies: Mapping[int, int], n_features: int
) -> Selection:
    """Return the selection among all features, of which ``firsts`` took part and ``copies`` repeat one of them."""
    order, p = found.order, len(found.values)
    # What a bound says, it says of the features that reach the threshold.
    bound = _bound(found, threshold) if isinstance(size, All) else None
    cut = ordered_cut(size, found.reach(threshold), order, found.values)
    scores, together = np.zeros(n_features), np.zeros(n_features)
    scores[firsts], together[firsts] = found.values, found.together
    for j, first in copies.items():
        scores[j], together[j] = scores[first], together[first]
    kept = firsts[order[cut.kept[order]]]
    kind = np.full(n_features, IRRELEVANT, dtype=np.uint8)
    # A rule that counts says nothing of those that it did not reach.
    kind[firsts] = np.where(found.reach(threshold), NOT_REACHED, IRRELEVANT)
    kind[kept] = KEPT
    related = {j: (first,) for j, first in copies.items() if kind[first] == KEPT}
    kind[list(related)] = REDUNDANT
    constant = np.setdiff1d(np.arange(n_features), [*firsts, *copies])
    measured = scores.copy()
    measured[constant] = np.nan
    reasons = Reasons(
        kind,
        rule="; ".join(words for words in (_rule(found, threshold, bound), cut.rule) if words),
        related=related,
        amount=dict.fromkeys(related, 1.0),
        note=dict.fromkeys(constant.tolist(), CONSTANT),
        needs=(Need("frequency", measured, threshold - ROUNDING),),
    )
    full = after(kept, np.lexsort((np.arange(n_features), _places(found, firsts, copies, n_features), -scores)))
    facts = {
        "q": found.q,
        "threshold": threshold,
        "expected_false": bound,
    }
    columns = {"together": together}
    built = Selection.build(kept, full, reasons, scores, columns=columns, tables=_tables(found))
    return built.with_meta(**facts, n_columns=p)


def _places(found: Frequencies, firsts: np.ndarray, copies: Mapping[int, int], n_features: int) -> np.ndarray:
    out = np.full(n_features, np.inf)
    out[firsts] = np.round(found.places, 9)
    for j, first in copies.items():
        out[j] = out[first]
    return out


def _bound(found: Frequencies, threshold: float) -> float | None:
    """Return the bound on E[V]; None where the threshold was chosen by the data, or there is none."""
    value = np.inf if len(found.artificial) or threshold > 1 else found.false(threshold)
    return None if np.isinf(value) else float(value)


def _rule(found: Frequencies, threshold: float, bound: float | None) -> str:
    if threshold > 1:
        return "no threshold lets more features pass than permuted ones"
    n_halves = 2 * found.n_pairs
    words = (
        f"selected by at least {int(np.ceil(threshold * n_halves - ROUNDING * n_halves))} of {n_halves} halves needed"
    )
    return words if bound is None else f"{words}, for at most {numeral(bound, '.3g')} false ones expected"


def _tables(found: Frequencies) -> dict[str, ResultTable]:
    steps = found.steps
    columns = {"threshold": steps, "features": [found.reach(t).sum() for t in steps]}
    if len(found.artificial):
        columns["permuted ones"] = [(found.artificial >= t - ROUNDING).sum() for t in steps]
    else:
        columns["bound on false ones"] = [found.false(float(t)) for t in steps]
    return {"curve": ResultTable("Features selected by threshold", columns, "curve")}
