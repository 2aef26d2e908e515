"""Category utility: how much better values are guessed if the cluster of a row is known, and decisions by it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.measures._tables import Margins, of_tables, ratio
from fewer.core.records.errors import InputError
from fewer.core.summaries.results import Counts, Moments

# The integral of the square of a normal density of spread s is 1 / (2 sqrt(pi) s).
NORMAL = 1.0 / (2.0 * np.sqrt(np.pi))


@of_tables
def category_utility(counts: Counts) -> np.ndarray:
    """Return what each feature adds to the category utility of clusters (Gluck and Corter 1985; Fisher 1987).

    (1 / K) sum_k P(C_k) [sum_v P(v | C_k)^2 - sum_v P(v)^2], with the K clusters that have rows. The utility of a
    clustering is the sum over its features.

    Parameters
    ----------
    counts : Counts or array-like
        Levels by clusters, of one feature or of several.

    Returns
    -------
    ndarray of shape (n_features,), or float for one table
        At least 0; 0 for one cluster, and for a feature that does not depend on the clusters.

    Examples
    --------
    >>> category_utility([[2, 0], [0, 2]])
    0.25
    """
    margins = Margins.of(counts)
    inside = ratio(counts.per_feature(margins.cells**2), margins.columns).sum(axis=1)
    rise = ratio(inside, margins.total) - counts.per_feature(margins.row_shares**2)
    return np.maximum(ratio(rise, margins.classes), 0.0)


def normal_category_utility(moments: Moments, acuity: float) -> np.ndarray:
    """Return what each numeric feature adds to the category utility of clusters (CLASSIT, Gennari et al. 1989).

    (1 / K) sum_k P(C_k) (1 / s_ik - 1 / s_i) / (2 sqrt(pi)), with standard deviations of the rows of a cluster and of
    all rows, none below the acuity.

    Parameters
    ----------
    moments : Moments
        Rows, means and sums of squared deviations per feature and cluster.
    acuity : float
        The smallest standard deviation that counts, above 0.

    Returns
    -------
    ndarray of shape (n_features,)
        0 for one cluster; may be negative, where most rows are in clusters that spread more than all rows.

    Examples
    --------
    >>> two = Moments(np.array([2.0, 2.0]), np.array([[-1.0, 1.0]]), np.array([[0.0, 0.0]]))
    >>> round(float(normal_category_utility(two, 0.5)[0] / NORMAL), 6)
    0.5
    """
    if not acuity > 0:
        raise InputError(
            f"normal_category_utility got acuity={acuity}, but divides by standard deviations; pass a number above 0."
        )
    weight = np.asarray(moments.weight, dtype=np.float64)
    total, here = weight.sum(), weight > 0
    if not total > 0:
        return np.zeros(len(moments.mean))
    mean = moments.mean @ weight / total
    overall = (moments.m2.sum(axis=1) + ((moments.mean - mean[:, None]) ** 2) @ weight) / total
    each = np.sqrt(moments.m2[:, here] / weight[here])
    known = (1.0 / np.maximum(each, acuity)) @ (weight[here] / total)
    return NORMAL * (known - 1.0 / np.maximum(np.sqrt(overall), acuity)) / max(int(here.sum()), 1)


def attended(gains: ArrayLike, spans: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Choose the option with the largest sum of gains, without a look at features that cannot change the choice.

    The attention of CLASSIT (Gennari 1991): features are inspected in their order, and no more are if the best option
    leads the next best by more than all features that are left could change.

    Parameters
    ----------
    gains : array-like of shape (n_rows, n_features, n_options)
        What each option gains by each feature, the most salient feature first.
    spans : array-like of shape (n_features,), optional
        By how much the gains of two options can differ at most; the largest difference in ``gains`` by default.

    Returns
    -------
    choices : ndarray of int of shape (n_rows,)
        The chosen option of every row, of equal ones the first; the same as if all features were inspected.
    inspected : ndarray of int of shape (n_rows,)
        How many features were inspected.

    Examples
    --------
    >>> choices, inspected = attended([[[5.0, 0.0], [1.0, 2.0], [0.0, 1.0]]])
    >>> choices.tolist(), inspected.tolist()
    ([0], [1])
    """
    gains = np.asarray(gains, dtype=np.float64)
    if gains.ndim != 3 or not np.isfinite(gains).all():
        raise InputError(
            f"attended got gains of shape {gains.shape}, but needs finite numbers of shape (n_rows, n_features, "
            "n_options); reshape them, and fill in what is missing."
        )
    n, d, k = gains.shape
    widest = np.ptp(gains, axis=2).max(axis=0, initial=0.0) if k else np.zeros(d)
    reach = widest if spans is None else np.asarray(spans, dtype=np.float64)
    if reach.shape != (d,) or not (reach >= widest * (1.0 - 1e-9)).all():
        raise InputError(
            f"attended got spans of shape {reach.shape}, but needs one number per feature ({d}), none below what gains "
            "differ by; raise them, or leave spans out."
        )
    left = np.append(np.cumsum(reach[::-1])[::-1], 0.0)
    sums, inspected, waiting = np.zeros((n, k)), np.zeros(n, np.int64), np.full(n, k > 1)
    for f in range(d):
        sums[waiting] += gains[waiting, f]
        inspected[waiting] = f + 1
        if k > 1 and waiting.any():
            best = np.partition(sums[waiting], k - 2, axis=1)
            # More than the rounding of the sums.
            certain = best[:, -1] - best[:, -2] > left[f + 1] + 1e-12 * np.abs(best).max(axis=1)
            waiting[np.flatnonzero(waiting)[certain]] = False
    return sums.argmax(axis=1) if k else np.zeros(n, np.int64), inspected
