"""Two-Gaussian mixtures of single features, and the on/off states that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.discretize.cuts import Cuts
from fewer.core.discretize.discretizer import Discretizer, columns_of
from fewer.core.kernels.mixture import fit_columns
from fewer.core.records.params import Interval

# Columns fitted together.
TOGETHER = 64


@dataclass(frozen=True, eq=False)
class Mixtures:
    """One mixture of at most two Gaussians per feature.

    Attributes
    ----------
    weight, mean, variance : ndarray of shape (n_features, 2)
        The components, the one with the smaller mean first; means less the origin, in units of ``unit``. A feature best
        described by one Gaussian has weight 1 and 0; mean and variance of the absent component are NaN.
    two_states : ndarray of bool, shape (n_features,)
        Whether two components describe the feature better than one.
    n_iter : ndarray of int64, shape (n_features,)
        Iterations that the best start took.
    origin : ndarray of shape (n_features,)
        The smallest value of every feature, which the others may differ little from.
    unit : ndarray of shape (n_features,)
        A power of two of the size of the range of every feature, whose square may be out of range.
    """

    weight: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    two_states: np.ndarray
    n_iter: np.ndarray
    origin: np.ndarray
    unit: np.ndarray

    def cuts(self) -> Cuts:
        """Return the values at which the more probable component changes; level 1 is the one with the larger mean."""
        edges, outside_is_one = self.crossings()
        cuts = Cuts.from_table(edges, np.isfinite(edges))
        n_edges = np.diff(cuts.offsets)
        flip = np.repeat(outside_is_one & (n_edges == 2), n_edges + 1)
        return replace(cuts, states=(cuts.states % 2) ^ flip.astype(np.uint16), n_levels=np.minimum(n_edges, 1) + 1)

    def crossings(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the ascending points where both components are equally probable, (n_features, 2), NaN for none.

        Also returns whether component 1 is the more probable one outside of two such points. They are the roots of
        ln(w1 N1) - ln(w0 N0) = a t^2 + b t + c with t = x - mean of component 0, in units of the larger deviation.
        """
        w, (v0, v1) = self.weight, self.variance.T
        scale = np.sqrt(np.maximum(v0, v1))
        shift = (self.mean[:, 1] - self.mean[:, 0]) / scale
        with np.errstate(divide="ignore", invalid="ignore"):
            a = 0.5 * scale**2 * (1.0 / v0 - 1.0 / v1)
            b = shift * scale**2 / v1
            c = np.log(w[:, 1] / w[:, 0]) + 0.5 * np.log(v0 / v1) - 0.5 * shift * b
            # The root that is not small is found without cancellation, the other from their product c/a; b is not
            # negative because the means are ordered. Without a double root: there the states do not change.
            q = -0.5 * (b + np.sqrt(np.where(b**2 > 4 * a * c, b**2 - 4 * a * c, np.nan)))
            roots = np.sort(np.column_stack([np.where(a == 0, np.nan, q / a), c / q]), axis=1)
            points = self.origin[:, None] + (self.mean[:, :1] + roots * scale[:, None]) * self.unit[:, None]
        points[~self.two_states | (points[:, 0] == points[:, 1])] = np.nan
        return points, a > 0


class MixtureLevels(Discretizer):
    """Cut each feature into two states, off and on, by a mixture of two Gaussians.

    The state of a value is the component with the larger posterior probability, state 1 being the one with the larger
    mean. The components have their own variances, so a state may own two intervals. A feature that one Gaussian
    describes better (Bayesian information criterion), or with no more than five values, has one level.

    Parameters
    ----------
    max_iter : int, default=200
        Most iterations per start.
    tol : float, default=1e-6
        A start ends when the log-likelihood per value grows by less.

    Attributes
    ----------
    cuts_ : Cuts
        Edges and levels of every feature.
    weights_, means_, variances_ : ndarray of shape (n_features, 2)
        The components, the one with the smaller mean first; NaN where a feature has one component.
    n_components_ : ndarray of shape (n_features,)
        1 or 2.
    n_iter_ : int
        Most iterations that the best start of a feature took.

    Notes
    -----
    The paper [1]_ fits by expectation and maximisation and leaves starts, degenerate solutions and the choice of one
    component open. Here the starts divide the values at the median and at the two quartiles and the best likelihood
    wins; the variance of a component is at least a thousandth of the variance of the feature, without which the
    likelihood has no maximum. Sample weights play no part. Quantiles of a feature with few values are not those of its
    mirror image, so that the mixtures of x and -x may then differ.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", section 2.1, eq. 6.1-6.3, in A Practical Approach to
       Microarray Data Analysis, 2003.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [0.4], [9.6], [9.7], [9.8], [9.9], [10.0]]
    >>> MixtureLevels().fit_transform(X).ravel().tolist()
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    """

    _parameter_constraints: dict = {
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, max_iter: int = 200, tol: float = 1e-6) -> None:
        self.max_iter = max_iter
        self.tol = tol

    def _learn(self, data: Any) -> Cuts:
        return self._mixtures(data).cuts()

    def _store(self, data: Any) -> None:
        self._validate_params()
        mixtures = self._mixtures(data)
        unit = mixtures.unit[:, None]
        with np.errstate(over="ignore"):
            self.weights_, self.variances_ = mixtures.weight, mixtures.variance * unit * unit
        self.means_ = mixtures.mean * unit + mixtures.origin[:, None]
        self.n_components_ = 1 + mixtures.two_states.astype(np.int64)
        self.n_iter_ = int(mixtures.n_iter.max(initial=1))
        self.cuts_ = mixtures.cuts()

    def _mixtures(self, data: Any) -> Mixtures:
        return fit_mixtures(data.whole().X, data.run, self.max_iter, self.tol, ~data.nominal)


class FoundLevels(Discretizer):
    """Cut each feature where it was cut before, whatever the rows and the target.

    Parameters
    ----------
    found : Cuts
        Edges and levels of every feature.
    """

    def __init__(self, found: Cuts) -> None:
        self.found = found

    def _learn(self, data: Any) -> Cuts:
        return self.found


def fit_mixtures(
    X: Any, run: Any, max_iter: int = 200, tol: float = 1e-6, wanted: np.ndarray | None = None
) -> Mixtures:
    """Fit a mixture of two Gaussians to every feature, by itself.

    Parameters
    ----------
    X : ndarray or CSC matrix of shape (n_rows, n_features)
        Numbers; missing values are left out.
    run : Runner
        Its threads share the features.
    max_iter : int, default=200
        Most iterations per start.
    tol : float, default=1e-6
        A start ends when the log-likelihood per value grows by less.
    wanted : ndarray of bool, optional
        The features to fit; others are left with one component of NaN.
    """
    d = X.shape[1]
    weight, mean, variance = np.zeros((d, 2)), np.full((d, 2), np.nan), np.full((d, 2), np.nan)
    weight[:, 0] = 1.0
    two_states, n_iter, origin, unit = np.zeros(d, dtype=bool), np.zeros(d, dtype=np.int64), np.zeros(d), np.ones(d)

    def work(start: int, stop: int) -> None:
        columns = np.sort(columns_of(X, start, stop), axis=1)
        if wanted is not None:
            columns[~wanted[start:stop]] = np.nan
        origin[start:stop] = np.nan_to_num(columns[:, 0])
        columns -= origin[start:stop, None]
        # Powers of two change no digit, and nothing if squares are in range anyway.
        power = np.frexp(np.nanmax(columns, axis=1, initial=0.0))[1] - 1
        columns, unit[start:stop] = np.ldexp(columns, -power[:, None]), np.ldexp(1.0, power)
        results = (array[start:stop] for array in (weight, mean, variance, two_states, n_iter))
        fit_columns(columns, max_iter, float(tol), *results)

    run.scan(work, d, TOGETHER)
    return Mixtures(weight, mean, variance, two_states, n_iter, origin, unit)
