"""Mixtures of product distributions of levels, some of which may be missing, by expectation and maximisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.records.errors import InputError

# Rows worked on together, so that the table of rows by components by features stays small.
PIECE = 4096
# Stands for a missing level.
MISSING = -1


@dataclass(frozen=True, eq=False)
class ProductMixture:
    """P(x) = sum_m alpha_m prod_f theta_{m f x_f} (book ch. 5, section 5.4.1).

    Attributes
    ----------
    weights : ndarray of shape (n_components,)
        alpha.
    levels : ndarray of shape (n_components, n_features, most_levels)
        theta; 0 for levels that a feature does not have.
    history : ndarray of shape (n_iterations + 1,)
        Log-likelihood plus the log of the Dirichlet prior; it never falls.
    """

    weights: np.ndarray
    levels: np.ndarray
    history: np.ndarray

    def __len__(self) -> int:
        return len(self.weights)

    def log_joint(self, codes: np.ndarray) -> np.ndarray:
        """Return ln of alpha_m prod theta over the levels that are not missing, (n_rows, n_components)."""
        with np.errstate(divide="ignore"):
            logs, weights = np.log(self.levels), np.log(self.weights)
        features = np.arange(codes.shape[1])
        out = np.empty((len(codes), len(self)))
        for start in range(0, len(codes), PIECE):
            some = codes[start : start + PIECE]
            seen = some != MISSING
            parts = np.where(seen, logs[:, features, np.where(seen, some, 0)], 0.0)
            out[start : start + PIECE] = weights + parts.sum(axis=2).T
        return out

    def log_likelihood(self, codes: np.ndarray) -> float:
        """Return the sum over rows of ln P(levels that are not missing)."""
        return float(_log_totals(self.log_joint(codes)).sum())

    def memberships(self, codes: np.ndarray) -> np.ndarray:
        """Return the probabilities of the components given each row (eq. 5.20); alpha where all is missing."""
        joint = self.log_joint(codes)
        return np.exp(joint - _log_totals(joint)[:, None])

    def missing_levels(self, codes: np.ndarray, feature: int) -> np.ndarray:
        """Return P(level of a feature | the levels of each row that are not missing) (eq. 5.12), (n_rows, levels)."""
        others = np.array(codes)
        others[:, feature] = MISSING
        return self.memberships(others) @ self.levels[:, feature]

    @property
    def marginals(self) -> np.ndarray:
        """P(level of each feature), (n_features, most_levels)."""
        return np.tensordot(self.weights, self.levels, axes=1)


def fit_product_mixture(
    codes: np.ndarray,
    n_levels: np.ndarray,
    n_components: int = 1,
    *,
    start: ProductMixture | np.ndarray | None = None,
    laplace: float = 1.0,
    n_starts: int = 5,
    tol: float = 1e-6,
    max_iter: int = 500,
    rng: np.random.Generator | int | None = 0,
) -> ProductMixture:
    """Fit a mixture of products; missing levels are left out of every sum, as if they were missing at random.

    Parameters
    ----------
    codes : ndarray of int of shape (n_rows, n_features)
        Level numbers from 0, -1 where missing. No rows give the prior.
    n_levels : ndarray of int of shape (n_features,)
        Levels of every feature.
    n_components : int, default=1
        Number of components; 1 is naive Bayes, and found in one step.
    start : ProductMixture or ndarray of shape (n_components, n_features, most_levels), optional
        A model to start from, or level probabilities with equal weights; otherwise these are drawn, because equal ones
        never part.
    laplace : float, default=1.0
        Added to the count of every level: the mode under a Dirichlet prior with parameter laplace + 1.
    n_starts : int, default=5
        How often the climb is started; the best is kept.
    tol : float, default=1e-6
        Gain per row at which a climb ends.
    max_iter : int, default=500
        Most iterations.
    rng : Generator or int, default=0
        Draws the starts.

    Returns
    -------
    ProductMixture
    """
    codes, n_levels = np.asarray(codes, dtype=np.int64), np.asarray(n_levels, dtype=np.int64)
    if codes.min(initial=0) < MISSING or (codes.size and (codes.max(axis=0) >= n_levels).any()):
        raise InputError(
            f"fit_product_mixture got level numbers from {codes.min()} to {codes.max()}, but takes -1 for missing and "
            "0 to n_levels - 1 of each feature; pass such numbers."
        )
    rng = np.random.default_rng(rng)
    best: ProductMixture | None = None
    for _ in range(1 if n_components == 1 or start is not None else n_starts):
        begin = _drawn(n_levels, n_components, rng) if start is None else start
        found = _climbed(codes, n_levels, begin, laplace, tol, max_iter)
        if best is None or found.history[-1] > best.history[-1]:
            best = found
    assert best is not None  # one start at least
    return best


def _log_totals(joint: np.ndarray) -> np.ndarray:
    """Return ln of the sums over columns; scipy's function takes ten times as long for few rows."""
    largest = joint.max(axis=1)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(joint - shift[:, None]).sum(axis=1)) + shift


def _drawn(n_levels: np.ndarray, n_components: int, rng: np.random.Generator) -> np.ndarray:
    """Return uniformly drawn distributions of the levels of every feature."""
    out = rng.exponential(size=(n_components, len(n_levels), int(n_levels.max(initial=1))))
    out *= np.arange(out.shape[2]) < n_levels[:, None]
    return out / out.sum(axis=2, keepdims=True)


def _climbed(
    codes: np.ndarray,
    n_levels: np.ndarray,
    start: ProductMixture | np.ndarray,
    laplace: float,
    tol: float,
    max_iter: int,
) -> ProductMixture:
    if isinstance(start, ProductMixture):
        model = start
    else:
        model = ProductMixture(np.full(len(start), 1.0 / len(start)), np.array(start, dtype=np.float64), np.empty(0))
    n = len(codes)
    there = np.arange(model.levels.shape[2]) < n_levels[:, None]
    history: list[float] = []
    while True:
        joint = model.log_joint(codes)
        totals = _log_totals(joint)
        # A prior without smoothing is flat.
        prior = laplace * float(np.log(model.levels[:, there]).sum()) if laplace > 0 else 0.0
        history.append(float(totals.sum()) + prior)
        if len(history) > max_iter or (len(history) > 1 and history[-1] - history[-2] <= tol * max(n, 1)):
            return ProductMixture(model.weights, model.levels, np.array(history))
        model = _next(codes, np.exp(joint - totals[:, None]), there, laplace, model)


def _next(
    codes: np.ndarray, parts: np.ndarray, there: np.ndarray, laplace: float, before: ProductMixture
) -> ProductMixture:
    """Return the model that is best for given memberships: smoothed frequencies of the levels that are not missing."""
    d, v = there.shape
    rows, features = np.nonzero(codes != MISSING)
    cells = features * v + codes[rows, features]
    counts = np.stack([np.bincount(cells, part[rows], d * v) for part in parts.T]).reshape(-1, d, v) + laplace * there
    sums = counts.sum(axis=2, keepdims=True)
    levels = np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), before.levels)
    weights = parts.mean(axis=0) if len(codes) else before.weights
    return ProductMixture(weights, levels, np.empty(0))


@dataclass(frozen=True, eq=False)
class ClassMixtures:
    """One mixture of products per class: P(c, x) = P(c) P(x | c), with P(c) = (n_c + 1) / (n + C).

    Attributes
    ----------
    priors : ndarray of shape (n_classes,)
        P(c).
    mixtures : tuple of ProductMixture
        P(x | c).
    """

    priors: np.ndarray
    mixtures: tuple[ProductMixture, ...]

    @classmethod
    def of(
        cls,
        codes: np.ndarray,
        classes: np.ndarray,
        n_classes: int,
        n_levels: np.ndarray,
        n_components: int = 1,
        laplace: float = 1.0,
        rng: np.random.Generator | int | None = 0,
    ) -> ClassMixtures:
        """Fit the mixture of every class to its own rows; a class without rows has the prior alone."""
        rng = np.random.default_rng(rng)
        sizes = np.bincount(classes, minlength=n_classes)
        mixtures = tuple(
            fit_product_mixture(codes[classes == c], n_levels, n_components, laplace=laplace, rng=rng)
            for c in range(n_classes)
        )
        return cls((sizes + 1.0) / (len(classes) + n_classes), mixtures)

    def relevance(self) -> np.ndarray:
        """Return the mutual information of every feature with the class under the model, in nats (eq. 5.10)."""
        return model_mutual_information(self.priors, np.stack([mixture.marginals for mixture in self.mixtures]))


def model_mutual_information(priors: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Return the mutual information of features with the class from P(c) and P(level | c), in nats (eq. 5.10).

    Parameters
    ----------
    priors : ndarray of shape (n_classes,)
        P(c).
    given : ndarray of shape (n_classes, n_features, most_levels)
        P(level | c); 0 for levels that a feature does not have.

    Notes
    -----
    Eq. 5.8 of the paper is the joint entropy of feature and class as printed; the entropy of the feature is meant, as
    in eq. 5.10. The sum is taken as sum_c P(c) sum_x q ln(q / mean), which loses no digits where the information is
    small.

    Examples
    --------
    >>> flip = np.array([[[0.9, 0.1]], [[0.1, 0.9]]])
    >>> round(float(model_mutual_information(np.array([0.5, 0.5]), flip)[0]), 6)
    0.368064
    """
    mean = np.broadcast_to(np.tensordot(priors, given, axes=1), given.shape)
    ratio = np.divide(given, mean, out=np.ones(given.shape), where=(given > 0) & (mean > 0))
    return np.maximum(np.tensordot(priors, (given * np.log(ratio)).sum(axis=2), axes=1), 0.0)
