"""How well a ranking finds features that are known to be relevant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.result import Selection
from fewer.evaluate.features import copies_of, entries, feature_numbers, numbers_only, origin


def auc_fr(
    ranking: Selection | Sequence[Any],
    relevant: Selection | Iterable[int],
    groups: Mapping[int, int] | None = None,
    *,
    copies: str = "miss",
) -> float:
    """Return the area under the curve of true against false positive rates of the prefixes of a ranking (AUC-FR).

    It is the probability that a relevant feature ranks before one that is not, both drawn at random: 1 if all relevant
    features come first, 0.5 for a random ranking without copies (section 4.1 of [1]_). With copies of relevant features
    a random ranking has more than 0.5, because the first of several counts.

    Parameters
    ----------
    ranking : Selection or sequence of int
        All features, best first. An entry may itself be a sequence: features that share a place. The features that a
        `Selection` did not order share its last place.
    relevant : iterable of int, or mask
        Features that are known to matter.
    groups : mapping of int to int, optional
        Copies, and the feature that each repeats, such as ``Synthetic.redundant``. What combines several relevant
        features may name any of them; a relevant feature counts for itself, even if it repeats another.
    copies : {"miss", "ignore", "any"}, default="miss"
        How relevant features and their copies are counted: each relevant feature or the first of its copies is a hit,
        and the later ones are misses or count neither way; or the first of all of them together are hits, whichever
        they are, as many as there are relevant features.

    Returns
    -------
    float
        Between 0 and 1.

    Notes
    -----
    Of a relevant feature and its copies only the first in the ranking is a hit. The others are misses, because the
    text calls 16 of the 24 orders of two relevant features and a copy of each the best ones (section 4.4.1): those
    with both features, or a copy, on top. With ``copies="ignore"`` they count neither way, which asks only whether
    everything relevant was found early. Copies of irrelevant features are irrelevant features. A hit and a miss that
    share a place count one half.

    With ``copies="any"`` the value is that of [2]_, made for redundant features that are linear combinations of the
    relevant ones: of r relevant features and all that repeat them, any r at the top are enough for 1. The first r of
    them in the ranking are hits, later ones count neither way. A relevant feature and its scaled copy are two of
    those, though together they say no more than one; the other two ways were made for such copies.

    References
    ----------
    .. [1] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking according to
       their usefulness for learning", Computational Statistics and Data Analysis 52, 2007.
    .. [2] K. Jong, J. Mary, A. Cornuéjols, E. Marchiori and M. Sebag, "Ensemble feature ranking", PKDD 2004.

    See Also
    --------
    feature_recovery_roc : The curve, from weights instead of a ranking.
    fewer.evaluate.detection.detection_rates : For a subset instead of a ranking.

    Examples
    --------
    >>> auc_fr([2, 0, 1, 3], relevant=[0, 2])
    1.0
    >>> auc_fr([2, 1, 0, 3], relevant=[0, 2])
    0.75
    >>> auc_fr([2, 4, 0, 1], relevant=[0, 2], groups={4: 2})
    0.75
    >>> auc_fr([2, 4, 0, 1], relevant=[0, 2], groups={4: 2}, copies="ignore")
    1.0
    >>> auc_fr([2, 4, 1, 0], relevant=[0, 2], groups={4: 2}, copies="any")
    1.0
    """
    if copies not in ("miss", "ignore", "any"):
        raise ParameterError(f"auc_fr got copies={copies!r}, but knows 'miss', 'ignore' and 'any'; pass one of these.")
    places = _places(ranking)
    wanted = set(feature_numbers(relevant, len(places), "relevant", "auc_fr", bounded=False))
    repeated = copies_of(groups, len(places), "auc_fr", bounded=False)
    members: dict[int, list[int]] = {j: [] for j in wanted}
    misses: list[int] = []
    for j, at in places.items():
        members.get(origin(j, repeated, wanted, "auc_fr"), misses).append(at)
    absent = sorted(j for j, ats in members.items() if not ats)
    hits = [min(ats) for ats in members.values() if ats]
    if copies == "any":
        hits = sorted(at for ats in members.values() for at in ats)[: len(wanted)]
    if copies == "miss":
        misses += [at for ats in members.values() for at in sorted(ats)[1:]]
    if absent or not hits or not misses:
        what = f"the relevant feature {absent[0]} is not in the ranking" if absent else "there are none of one kind"
        raise InputError(
            f"auc_fr compares relevant with irrelevant features, but {what}; rank all features, of which some but not "
            "all are relevant."
        )
    at_hit, at_miss = np.array(hits)[:, None], np.array(misses)
    return float(((at_hit < at_miss) + 0.5 * (at_hit == at_miss)).mean())


class RecoveryCurve(NamedTuple):
    """Fractions of clutter and of targets whose weight reaches a falling threshold, and the area under the curve."""

    fpr: np.ndarray
    tpr: np.ndarray
    thresholds: np.ndarray
    area: float


def feature_recovery_roc(weights: Selection | Sequence[float] | np.ndarray, targets: Iterable[int]) -> RecoveryCurve:
    """Return how a falling threshold on weights finds target features before the others.

    The protocol of section 12.7.1 of [1]_: features of clean data are the targets, features added by
    `add_noise_features` the clutter.

    Parameters
    ----------
    weights : Selection or array-like of shape (n_features,)
        One weight per feature, larger is better; of a `Selection` its scores.
    targets : iterable of int, or mask
        The target features; all others are clutter.

    Returns
    -------
    RecoveryCurve
        ``fpr``, ``tpr``, ``thresholds`` (falling, the first infinite) and ``area``.

    Notes
    -----
    Features of equal weight, such as those that a method sets to zero, are found together: the curve has a diagonal
    segment there, whatever their numbers. Original features may themselves be irrelevant, such as the first and the
    last of `make_waveform`, so that the best possible area can be below 1.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008.

    See Also
    --------
    auc_fr : The same area for rankings, with copies of features.

    Examples
    --------
    >>> feature_recovery_roc([0.9, 0.4, 0.4, 0.0], targets=[0, 1]).area
    0.875
    """
    values = np.asarray(weights.scores if isinstance(weights, Selection) else weights, dtype=float)
    if values.ndim != 1 or np.isnan(values).any():
        raise InputError(
            "feature_recovery_roc needs one number per feature, but got "
            f"{'NaN' if values.ndim == 1 else f'{values.ndim} dimensions'}; pass the scores of a fitted method."
        )
    wanted = sorted(set(feature_numbers(targets, len(values), "targets", "feature_recovery_roc", bounded=False)))
    outside = [j for j in wanted if not 0 <= j < len(values)]
    if outside or not 0 < len(wanted) < len(values):
        what = f"{outside[0]} is not one of them" if outside else f"{len(wanted)} are targets"
        raise InputError(
            f"feature_recovery_roc compares targets with clutter among {len(values)} features, but {what}; name some "
            f"of 0 to {len(values) - 1}, not all."
        )
    truth = np.isin(np.arange(len(values)), wanted)
    # Counted here, as scikit-learn refuses the infinite scores of features that tell classes apart perfectly.
    levels, places = np.unique(-values, return_inverse=True)
    tpr, fpr = (np.append(0.0, np.cumsum(np.bincount(places[kind], minlength=len(levels))) / kind.sum())
                for kind in (truth, ~truth))  # fmt: skip
    return RecoveryCurve(fpr, tpr, np.append(np.inf, -levels), float(np.trapezoid(tpr, fpr)))


def _places(ranking: Selection | Sequence[Any]) -> dict[int, int]:
    """Return the place of every feature; smaller is better."""
    if isinstance(ranking, Selection):
        rest = np.setdiff1d(np.arange(ranking.n_features), ranking.order)
        ranking = [*ranking.order.tolist(), rest.tolist()]
    place: dict[int, int] = {}
    for at, entry in enumerate(entries(ranking, "ranking", "auc_fr")):
        shared = entry if isinstance(entry, Iterable) and not isinstance(entry, str) else [entry]
        for j in numbers_only(shared, "ranking", "auc_fr"):
            if j in place:
                raise InputError(f"auc_fr got feature {j} twice in the ranking, but each has one place; drop one.")
            place[j] = at
    return place
