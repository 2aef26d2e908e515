"""How many of the features that matter a method selects, and how many that do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.result import Selection
from fewer.evaluate.features import copies_of, entries, feature_numbers, origin


class DetectionRates(NamedTuple):
    """Fraction of the relevant features that were selected, and fraction of the irrelevant ones that were."""

    detection: float
    false_alarm: float


class DetectionCurve(NamedTuple):
    """Fraction of features that were selected, for groups of features of rising importance."""

    importance: np.ndarray
    detection: np.ndarray
    n_features: np.ndarray


def detection_rates(
    selected: Selection | Iterable[int],
    relevant: Selection | Iterable[int],
    n_features: int | None = None,
    groups: Mapping[int, int] | None = None,
    *,
    out_of: str = "irrelevant",
) -> DetectionRates:
    """Return the rates of detection and of false alarms of one selection (section 7.4.2 of [1]_).

    Detection is the fraction of the relevant features that were selected. False alarm is the fraction of irrelevant
    features that were selected. The text takes means of both over 50 data sets.

    Parameters
    ----------
    selected : Selection, iterable of int, or mask
        What was selected, in any order.
    relevant : iterable of int, or mask
        Features that are known to matter.
    n_features : int, optional
        How many features there were; a `Selection` knows it.
    groups : mapping of int to int, optional
        Copies, and the feature that each repeats, such as ``Synthetic.redundant``. A relevant feature is detected if
        it or a copy of it is selected; a further copy is neither a detection nor a false alarm. Copies of irrelevant
        features are irrelevant features; a relevant feature counts for itself, even if it repeats another.
    out_of : {"irrelevant", "all"}, default="irrelevant"
        What false alarms are divided by: the number of irrelevant features, or of all.

    Returns
    -------
    DetectionRates
        ``detection`` and ``false_alarm``, both from 0 to 1.

    Notes
    -----
    For synthetic data the text divides by the number of noise variables. For its data of manufacturing steps it
    divides by all 223 steps and counts three copies of a step among the relevant ones: ``out_of="all"``, and the
    copies in ``relevant``.

    References
    ----------
    .. [1] E. Tuv, A. Borisov and K. Torkkola, "Ensemble-based variable selection using independent probes", in
       Computational Methods of Feature Selection, 2008.

    See Also
    --------
    fewer.evaluate.recovery.auc_fr : For a ranking instead of a subset.
    detection_curve : Detection against the importance of features.

    Examples
    --------
    >>> detection_rates([0, 1, 7], relevant=[0, 1, 2, 3], n_features=10)
    DetectionRates(detection=0.5, false_alarm=0.16666666666666666)
    >>> detection_rates([4, 1, 7], relevant=[0, 1, 2, 3], n_features=10, groups={4: 0}).detection
    0.5
    """
    if out_of not in ("irrelevant", "all"):
        raise ParameterError(
            f"detection_rates got out_of={out_of!r}, but knows 'irrelevant' and 'all'; pass one of the two."
        )
    n = _n_features(selected, n_features)
    chosen = set(feature_numbers(selected, n, "selected", "detection_rates"))
    wanted = set(feature_numbers(relevant, n, "relevant", "detection_rates"))
    copies = copies_of(groups, n, "detection_rates")
    origins = {j: origin(j, copies, wanted, "detection_rates") for j in range(n)}
    noise = {j for j in range(n) if origins[j] not in wanted}
    if not wanted or (not noise and out_of == "irrelevant"):
        raise InputError(
            f"detection_rates compares relevant with irrelevant features, but {len(wanted)} of {n} are relevant and "
            f"{len(noise)} irrelevant; name some, but not all, as relevant."
        )
    found = {origins[j] for j in chosen} & wanted
    alarms = len(chosen & noise) / (len(noise) if out_of == "irrelevant" else n)
    return DetectionRates(len(found) / len(wanted), alarms)


def detection_curve(
    selected: Iterable[Selection | Iterable[int]],
    importance: Iterable[Sequence[float] | np.ndarray],
    n_groups: int = 10,
) -> DetectionCurve:
    """Return how the fraction of detected features grows with their true importance (figures 7.1 to 7.3 of [1]_).

    Features of all data sets are put in order of their importance and into groups of equal size, as far as equal
    importances allow, which stay together; the curve has one point per group.

    Parameters
    ----------
    selected : sequence of Selection, of iterable of int, or of mask
        What was selected on every data set.
    importance : sequence of array-like of shape (n_features,)
        How much every feature of every data set matters; only those above 0 are detected.
    n_groups : int, default=10
        Number of groups.

    Returns
    -------
    DetectionCurve
        ``importance`` (mean of the group, rising), ``detection`` and ``n_features``, one number per group.

    References
    ----------
    .. [1] E. Tuv, A. Borisov and K. Torkkola, "Ensemble-based variable selection using independent probes", in
       Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> curve = detection_curve([[0, 1], [0]], [[3.0, 1.0, 0.0], [3.0, 1.0, 0.0]], n_groups=2)
    >>> curve.importance.tolist(), curve.detection.tolist()
    ([1.0, 3.0], [0.5, 1.0])
    """
    if not isinstance(n_groups, Integral) or isinstance(n_groups, bool) or n_groups < 1:
        raise ParameterError(f"detection_curve got n_groups={n_groups!r}, but needs a whole number from 1; pass 10.")
    subsets = entries(selected, "selected", "detection_curve")
    truths = entries(importance, "importance", "detection_curve")
    if len(subsets) != len(truths):
        raise InputError(
            f"detection_curve got {len(subsets)} selections and {len(truths)} lists of importance, but needs one of "
            "each per data set; leave none out."
        )
    amounts, detected = [], []
    for one, values in zip(subsets, truths):
        amount = _importance(values)
        there = np.zeros(len(amount), bool)
        there[feature_numbers(one, len(amount), "selected", "detection_curve")] = True
        amounts.append(amount[amount > 0])
        detected.append(there[amount > 0])
    x, hit = np.concatenate([*amounts, []]), np.concatenate([*detected, np.zeros(0, bool)])
    if not len(x):
        raise InputError("detection_curve needs features that matter, but no importance is above 0; give some that is.")
    # Equal importances share the group of the first of them.
    levels, at = np.unique(x, return_inverse=True)
    before = np.searchsorted(np.sort(x), levels)
    group = np.unique((before * n_groups // len(x))[at], return_inverse=True)[1]
    sizes = np.bincount(group)
    return DetectionCurve(np.bincount(group, x) / sizes, np.bincount(group, hit) / sizes, sizes)


def _n_features(selected: Any, n_features: int | None) -> int:
    """Return the number of features, which a plain list of numbers does not tell."""
    if isinstance(selected, Selection) and n_features is None:
        return selected.n_features
    if not isinstance(n_features, Integral) or isinstance(n_features, bool) or n_features < 1:
        raise ParameterError(
            f"detection_rates got n_features={n_features!r}, but must know how many features there were; pass a whole "
            "number from 1, or the Selection alone."
        )
    return int(n_features)


def _importance(values: Any) -> np.ndarray:
    """Return one finite number per feature."""
    try:
        amount = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"detection_curve needs one finite number per feature of every data set, but got {values!r}; give lists of "
            "numbers."
        ) from error
    if amount.ndim != 1 or not np.isfinite(amount).all():
        raise InputError(
            "detection_curve needs one finite number per feature of every data set, but got "
            f"{'NaN or infinity' if amount.ndim == 1 else f'{amount.ndim} dimensions'}; give lists of numbers."
        )
    return amount
