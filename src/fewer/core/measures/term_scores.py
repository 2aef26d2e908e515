"""All scores of terms by name: per class, of all classes at once, and aggregated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.measures import term_inclusion, term_rates, term_tables
from fewer.core.measures.term_prediction import single_term_prediction
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.summaries.term_counts import Presence, TermCounts

# Cells of a block of terms that is worked on at once, so that memory stays small beside the counts.
BLOCK = 2**16
AGGREGATES = ("weighted", "max", "mean", "joint")


@dataclass(frozen=True)
class TermScore:
    """One score of terms.

    Attributes
    ----------
    words : str
        What it is.
    each : callable
        Scores every class against the rest: takes `TermCounts` and options, returns (n_classes, n_terms).
    joint : callable, optional
        Scores all classes at once, where the score has such a form: takes the same, returns (n_terms,).
    options : mapping of str to object
        The options it takes, with their defaults.
    two_sided : bool
        Whether it is large for terms of the class and of the others alike, so that a sign can tell them apart.
    book : str
        How the chapters treat several classes: an aggregate.
    """

    words: str
    each: Callable[..., np.ndarray]
    joint: Callable[..., np.ndarray] | None = None
    options: Mapping[str, Any] | None = None
    two_sided: bool = False
    book: str = "weighted"


def _on_cells(measure: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    return lambda counts, **options: measure(*counts.each_class(), **options)


def _normalized(counts: TermCounts, **options: Any) -> np.ndarray:
    gain = term_tables.term_information(*counts.each_class())
    return term_tables.normalized_information(gain, counts.holding, float(counts.n_documents), **options)


def _joint_normalized(counts: TermCounts, **options: Any) -> np.ndarray:
    gain = term_tables.class_information(counts)
    return term_tables.normalized_information(gain, counts.holding, float(counts.n_documents), **options)


def _prediction(counts: TermCounts, **options: Any) -> np.ndarray:
    """Return the accuracy of every class against the rest."""
    out = np.empty(counts.documents.shape)
    for k in range(counts.n_classes):
        tp, fn, fp, tn = counts.each_class_of(k)
        sizes = np.array([tp[0] + fn[0], fp[0] + tn[0]]) if len(tp) else np.zeros(2)
        two = TermCounts(np.stack([tp, fp]), sizes, counts.holding, counts.n_documents)
        out[k] = single_term_prediction(two, **options)
    return out


def _poisson(counts: TermCounts, **options: Any) -> np.ndarray:
    if counts.occurrences is None or counts.all_occurrences is None:
        raise InputError(
            "The score 'pip_poisson' got documents without sums of counts, but needs them; count with occurrences=True."
        )
    inside, n_inside = counts.occurrences, counts.sizes[:, None].astype(np.float64)
    outside, n_outside = counts.all_occurrences - inside, float(counts.n_documents) - n_inside
    # Sums of fractions may fall below 0 by rounding.
    return term_inclusion.count_factor(inside, n_inside, np.maximum(outside, 0.0), n_outside, **options)


def _holding(counts: TermCounts) -> np.ndarray:
    return counts.holding.astype(np.float64)


def _inside(counts: TermCounts) -> np.ndarray:
    return counts.documents.astype(np.float64)


def _everywhere(counts: TermCounts) -> np.ndarray:
    return np.broadcast_to(_holding(counts), counts.documents.shape)


TERM_SCORES = {
    "bns": TermScore(
        "bi-normal separation", _on_cells(term_rates.bns), None, {"backoff": "clip", "eps": 0.0005, "xi": 0.1}, True
    ),
    "ig": TermScore(
        "information gain",
        _on_cells(term_tables.term_information),
        term_tables.class_information,
        None,
        True,
        "joint",
    ),
    "nig": TermScore(
        "information gain over entropy", _normalized, _joint_normalized, {"denominator": "entropy"}, True, "joint"
    ),
    "chi2": TermScore("chi-squared", _on_cells(term_tables.term_chi2), term_tables.class_chi2, None, True),
    "odds_ratio": TermScore("odds ratio", _on_cells(term_rates.odds_ratio), None, {"add": 0.1, "log": False}),
    "odds_numerator": TermScore("odds numerator", _on_cells(term_rates.odds_numerator)),
    "power": TermScore("power", _on_cells(term_rates.power), None, {"exponent": 5.0}),
    "probability_ratio": TermScore("probability ratio", _on_cells(term_rates.probability_ratio), None, {"xi": 0.1}),
    "accuracy": TermScore("accuracy", _on_cells(term_rates.accuracy_gain)),
    "balanced_accuracy": TermScore("balanced accuracy", _on_cells(term_rates.balanced_accuracy_gain), None, None, True),
    "f1": TermScore("F1", _on_cells(term_rates.term_f1)),
    "document_frequency": TermScore("document frequency", _everywhere, _holding, None, False, "joint"),
    "word_frequency": TermScore("documents of the class", _inside),
    "stp": TermScore(
        "single-term prediction",
        _prediction,
        single_term_prediction,
        {"measure": "accuracy", "beta": 16.0, "gamma": 4.0},
        True,
        "joint",
    ),
    "pip": TermScore(
        "log Bayes factor of inclusion",
        _on_cells(term_inclusion.presence_factor),
        None,
        {"alphas": term_inclusion.SHAPES, "betas": term_inclusion.BETAS},
        True,
    ),
    "pip_poisson": TermScore(
        "log Bayes factor of inclusion by counts",
        _poisson,
        None,
        {"shapes": term_inclusion.SHAPES, "scales": term_inclusion.SCALES},
        True,
    ),
}


def class_scores(counts: TermCounts, score: str = "bns", *, one_sided: bool = False, **options: Any) -> np.ndarray:
    """Return the score of every term for every class against the rest, (n_classes, n_terms).

    Parameters
    ----------
    counts : TermCounts
        Documents by class and term, of `CountedTerms`, `count_terms` or `FoldCounts`.
    score : str, default="bns"
        A name of `TERM_SCORES`.
    one_sided : bool, default=False
        Whether two-sided scores get a minus for terms that are rarer in the class than outside.
    **options
        Options of the score.

    Examples
    --------
    >>> counts = TermCounts(np.array([[12], [3], [5]]), np.array([20, 30, 50]), np.array([20]), 100)
    >>> class_scores(counts, "chi2").ravel().round(6).tolist()
    [25.0, 2.678571, 6.25]
    """
    known = named_score(score, options)
    out = np.empty(counts.documents.shape)
    step = max(1, BLOCK // max(counts.n_classes, 1))
    for start in range(0, counts.n_terms, step):
        some = counts.terms(slice(start, start + step))
        found = known.each(some, **options)
        signed = one_sided and known.two_sided
        out[:, start : start + step] = term_rates.signed_by_rates(found, *some.each_class()) if signed else found
    return out


def aggregate_scores(scores: ArrayLike, sizes: ArrayLike, n_documents: float, how: str = "weighted") -> np.ndarray:
    """Return one score per term from those per class.

    Parameters
    ----------
    scores : array-like of shape (n_classes, n_terms)
        Scores of every class against the rest.
    sizes : array-like of shape (n_classes,)
        Documents per class.
    n_documents : float
        All documents.
    how : {"weighted", "max", "mean"}, default="weighted"
        "weighted" is the sum over the classes of P(class) times score (book ch. 14); where documents have several
        labels the weights do not add up to 1.
    """
    found, size = np.asarray(scores, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    if how not in ("weighted", "max", "mean"):
        raise ParameterError(
            f"aggregate_scores got how={how!r}, but aggregates by 'weighted', 'max' or 'mean'; pass one of these."
        )
    if how == "max":
        return found.max(axis=0)
    # One class after the other: a product of matrices rounds by place, and terms of equal counts would not be equal.
    total = np.zeros(found.shape[1:])
    for part, of_class in zip(np.full(len(found), 1.0) if how == "mean" else size / float(n_documents), found):
        total += part * of_class
    return total / len(found) if how == "mean" else total


def term_scores(
    counts: TermCounts,
    score: str = "bns",
    *,
    aggregate: str | None = None,
    one_sided: bool = False,
    **options: Any,
) -> np.ndarray:
    """Return one score per term, (n_terms,).

    Parameters
    ----------
    counts : TermCounts
        Documents by class and term.
    score : str, default="bns"
        A name of `TERM_SCORES`.
    aggregate : {"weighted", "max", "mean", "joint"} or None, default=None
        How scores per class become one, see `aggregate_scores`; "joint" is the score of all classes at once, of those
        that have such a form. None does what the chapters do: "joint" for information gain, document frequency and
        single-term prediction unless documents have several labels, "weighted" for all others.
    one_sided : bool, default=False
        As for `class_scores`; not with "joint".
    **options
        Options of the score.
    """
    known = named_score(score, options)
    how = aggregate_of(known, aggregate, counts.exclusive and not one_sided)
    if how == "joint":
        if known.joint is None or one_sided:
            raise ParameterError(
                f"term_scores got aggregate='joint' for the score {score!r}{' with one_sided=True' * one_sided}, which "
                "has no form for all classes at once; pass 'weighted', 'max' or 'mean'."
            )
        return np.asarray(known.joint(counts, **options), dtype=np.float64)
    return aggregate_scores(
        class_scores(counts, score, one_sided=one_sided, **options), counts.sizes, counts.n_documents, how
    )


def aggregate_of(score: TermScore, given: str | None, may_join: bool) -> str:
    """Return how scores per class become one: as given, or as the chapters do."""
    if given is not None:
        return given
    return score.book if may_join or score.book != "joint" else "weighted"


def named_score(score: str, options: Mapping[str, Any] = {}) -> TermScore:
    """Return the score of a name; explain that there is none, or that it does not take these options."""
    if score not in TERM_SCORES:
        raise ParameterError(
            f"A score of terms was called {score!r}, but their names are {', '.join(TERM_SCORES)}; pass one of these."
        )
    takes = TERM_SCORES[score].options or {}
    wrong = [name for name in options if name not in takes]
    if wrong:
        raise ParameterError(
            f"The score {score!r} got the option {wrong[0]!r}, but takes {', '.join(takes) or 'none'}; leave it out."
        )
    return TERM_SCORES[score]


__all__ = ["AGGREGATES", "TERM_SCORES", "Presence", "aggregate_scores", "class_scores", "named_score", "term_scores"]
