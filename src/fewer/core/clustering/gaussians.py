"""Mixtures of Gaussians by expectation and maximisation, from given or drawn starts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import logsumexp

from fewer.core.clustering.standard_columns import distinct_rows
from fewer.core.kernels import gaussian_em as kernels

# Iterations on a sub-sample, and the part of the rows that one holds.
SHORT, PART = 20, 0.1


@dataclass(frozen=True)
class Climb:
    """How a mixture of Gaussians is fitted.

    Attributes
    ----------
    diagonal : bool
        Whether covariances are diagonal.
    ridge : float or ndarray of shape (n_features,)
        What is added to every variance.
    tol : float
        Gain of the log-likelihood per row at which the climb ends.
    max_iter : int
        Most iterations; 0 only looks at where it starts.
    """

    diagonal: bool = False
    ridge: float | np.ndarray = 1e-6
    tol: float = 1e-4
    max_iter: int = 500


DEFAULT = Climb()


@dataclass(frozen=True, eq=False)
class Gaussians:
    """A mixture of K Gaussians and the rows it was fitted to.

    Attributes
    ----------
    weights : ndarray of shape (n_components,)
        Fractions of the components.
    means : ndarray of shape (n_components, n_features)
        Their means.
    covariances : ndarray of shape (n_components, n_features, n_features)
        Their covariances, biased, the ridge included; diagonal where that was asked for.
    memberships : ndarray of shape (n_rows, n_components)
        Probabilities of the components given each row.
    history : ndarray of shape (n_iterations + 1,)
        What each iteration maximises, see `fit_gaussians`; it never falls.
    how : Climb
        How it was fitted.
    """

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray
    memberships: np.ndarray
    history: np.ndarray
    how: Climb

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def n_parameters(self) -> int:
        """Free parameters: (K - 1) + K (d + d (d + 1) / 2), or (K - 1) + 2 K d if covariances are diagonal."""
        k, d = self.means.shape
        return k - 1 + k * (2 * d if self.how.diagonal else d + d * (d + 1) // 2)

    def log_likelihood(self, X: np.ndarray) -> float:
        """Return the sum over rows of ln sum_j weight_j N(row; mean_j, covariance_j) (book, eq. 2.3)."""
        # Without noise nothing is taken off; the ridge in the covariances stays.
        X = np.ascontiguousarray(X, dtype=np.float64)
        out = np.empty((len(X), len(self)))
        none = np.zeros(X.shape[1])
        return float(kernels.expect(X, self.weights, self.means, self.covariances, self.how.diagonal, none, out))

    def log_densities(self, X: np.ndarray) -> np.ndarray:
        """Return the log density of every row."""
        out = np.full((len(X), len(self)), -np.inf)
        for j in np.flatnonzero(self.weights > 0):
            spread = np.linalg.cholesky(self.covariances[j])
            apart = solve_triangular(spread, (X - self.means[j]).T, lower=True)
            height = np.log(self.weights[j]) - np.log(np.diag(spread)).sum() - 0.5 * X.shape[1] * np.log(2 * np.pi)
            out[:, j] = height - 0.5 * (apart**2).sum(axis=0)
        return np.asarray(logsumexp(out, axis=1))

    def bic(self, X: np.ndarray) -> float:
        """Return L - f ln(M) / 2 with f free parameters; larger is better, -1/2 times that of scikit-learn."""
        return self.log_likelihood(X) - 0.5 * self.n_parameters * float(np.log(len(X)))


def fit_gaussians(X: np.ndarray, memberships: np.ndarray, how: Climb = DEFAULT) -> Gaussians:
    """Climb from a soft or hard division of the rows.

    Covariances are those of the softly divided rows plus the ridge on the diagonal. That is the exact maximum of the
    likelihood of rows blurred by noise of that variance: the log density of every row in component j loses ridge / 2
    times the trace of the inverse covariance, next to nothing unless a component collapses. This likelihood, which is
    the plain one for ridge = 0, never falls; the plain one with a ridge could, by a rounding.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Rows, best of columns that vary about equally.
    memberships : ndarray of shape (n_rows, n_components)
        Where to start; rows sum to 1.
    how : Climb
        How it is fitted.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    k, d = np.shape(memberships)[1], X.shape[1]
    weights, means = np.empty(k), np.zeros((k, d))
    covariances = np.broadcast_to(np.eye(d), (k, d, d)).copy()
    division = np.ascontiguousarray(memberships, dtype=np.float64)
    kernels.maximise(X, division, how.diagonal, _ridges(how, d), weights, means, covariances)
    return climb(X, weights, means, covariances, how)


def climb(X: np.ndarray, weights: np.ndarray, means: np.ndarray, covariances: np.ndarray, how: Climb) -> Gaussians:
    """Climb from given components; see `fit_gaussians`."""
    weights, means, covariances = (np.array(part, dtype=np.float64) for part in (weights, means, covariances))
    memberships, history = np.empty((len(X), len(weights))), np.empty(how.max_iter + 1)
    n_iter = kernels.gaussian_em(
        X,
        how.diagonal,
        _ridges(how, X.shape[1]),
        how.tol,
        how.max_iter,
        weights,
        means,
        covariances,
        memberships,
        history,
    )
    return Gaussians(weights, means, covariances, memberships, history[: n_iter + 1].copy(), how)


def _ridges(how: Climb, n_features: int) -> np.ndarray:
    """Return the ridge of every column."""
    return np.array(np.broadcast_to(np.asarray(how.ridge, dtype=np.float64), n_features))


def started_gaussians(
    X: np.ndarray, n_components: int, n_starts: int, rng: np.random.Generator, how: Climb = DEFAULT
) -> Gaussians:
    """Climb from the best of several sub-samples (Fayyad et al.; Dy and Brodley 2004).

    Of each sub-sample of a tenth of the rows, different rows are drawn as means and a short climb is made on it; the
    components under which all rows are most likely are the start on all rows.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Rows.
    n_components : int
        How many; fewer where fewer rows differ.
    n_starts : int
        Number of sub-samples.
    rng : Generator
        Draws them: rows, so that the order of the columns does not matter.
    how : Climb
        How it is fitted.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    size = min(len(X), max(int(np.ceil(PART * len(X))), 5 * n_components))
    wide = np.atleast_2d(np.cov(X, rowvar=False, bias=True)) + how.ridge * np.eye(X.shape[1])
    wide = np.diag(np.diag(wide)) if how.diagonal else wide
    best, value = None, -np.inf
    for _ in range(n_starts):
        rows = rng.permutation(len(X))
        k = len(means := X[rows[distinct_rows(X[rows], n_components)]])
        sample = np.ascontiguousarray(X[rows[:size]])
        short = climb(sample, np.full(k, 1.0 / k), means, np.tile(wide, (k, 1, 1)), replace(how, max_iter=SHORT))
        likely = short.log_likelihood(X)
        if best is None or likely > value:
            best, value = short, likely
    assert best is not None  # one start at least
    return climb(X, best.weights, best.means, best.covariances, how)
