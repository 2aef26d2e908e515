"""Knockoffs of numeric columns: columns that could stand in their place without telling anything new of the target."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh
from sklearn.covariance import ledoit_wolf

from fewer.core.records.errors import InputError, RequirementError
from fewer.core.views.view import View

# With fewer rows per column the sample covariance is singular, or leaves knockoffs no room.
ROWS_PER_COLUMN = 2
SALT = 2018
# A little less than the largest distance, so that what is drawn has a proper covariance.
INSIDE = 1 - 1e-6


def knockoffs_of(view: View, fixed: bool, seed: int, who: str, labels: bool = False) -> View:
    """Return a view of the same rows with a knockoff of every column, or say why there can be none.

    ``labels`` says whether numbers of the target are labels of classes.
    """
    refuse(view, fixed, who, labels)
    X = np.asarray(view.whole().X, dtype=np.float64)
    # Salted: data that were drawn with the same seed would else meet their own noise again.
    rng = np.random.default_rng((SALT, seed))
    return view.with_numbers(fixed_knockoffs(X, rng) if fixed else gaussian_knockoffs(X, rng))


def refuse(view: View, fixed: bool, who: str, labels: bool = False) -> None:
    """Raise unless rows are in memory and all columns are numbers without gaps, of rows that count alike."""
    wrong = (
        "sparse columns"
        if view.kind != "dense"
        else "nominal columns"
        if view.nominal.any()
        else "weights"
        if view.whole().weight is not None
        else "missing values"
        if not np.isfinite(view.whole().X).all()
        else ""
    )
    if wrong:
        raise RequirementError(
            f"{who} got a rule on knockoffs and {wrong}, but knockoffs are made of dense numeric columns without gaps, "
            "of rows without weights; prepare the data so, or pass 'probes:0.05'."
        )
    if fixed and view.n_rows <= 2 * view.n_features:
        raise InputError(
            f"{who} got a rule on fixed knockoffs and {view.n_rows} rows of {view.n_features} columns, but needs more "
            "than two rows per column; pass more rows, or 'knockoffs:0.1'."
        )
    if fixed and (labels or view.classes is not None):
        raise RequirementError(
            f"{who} got a rule on fixed knockoffs and classes, but these hold for a numeric target with normal errors; "
            "pass 'knockoffs:0.1'."
        )


def gaussian_knockoffs(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return model-X knockoffs of rows that are taken for Gaussian (Candes et al. 2018, section 3.1.1).

    The covariance is that of the rows; with at most two rows per column it is shrunken (Ledoit and Wolf), and what
    follows is approximate. A constant column is its own knockoff.
    """
    varies, Z = _standardised(X)
    if not varies.any():
        return np.array(X, dtype=np.float64)
    n, p = Z.shape
    R = Z.T @ Z / n if n > ROWS_PER_COLUMN * p else ledoit_wolf(Z, assume_centered=True)[0]
    scale = np.sqrt(np.diag(R))
    R = R / np.outer(scale, scale)
    s = equicorrelated(R)
    if s == 0:
        # No column has room; what went through other units and back would differ from X by rounding.
        return np.array(X, dtype=np.float64)
    # Conditional mean and covariance, eq. (3.2): z - z R^-1 D, and 2 D - D R^-1 D.
    solved = s * cho_solve(cho_factor(R), np.eye(p))
    U = Z / scale
    noise = rng.standard_normal((n, p)) @ _root(2.0 * s * np.eye(p) - s * solved)
    return _back(X, varies, (U - U @ solved + noise) * scale)


def fixed_knockoffs(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return fixed-X knockoffs (Barber and Candes 2015, eq. 1.4): the same products, each column apart from its own.

    Products are those of centred columns, so that a constant term of the target does no harm.
    """
    varies, Z = _standardised(X)
    if not varies.any():
        return np.array(X, dtype=np.float64)
    n, p = Z.shape
    Z = Z / np.sqrt(n)
    R = Z.T @ Z
    s = equicorrelated(R)
    if s == 0:
        return np.array(X, dtype=np.float64)
    solved = s * cho_solve(cho_factor(R), np.eye(p))
    # Columns that are orthogonal to the features and to the constant, in random directions.
    inside = np.column_stack([np.ones(n), Z])
    apart = np.linalg.qr(np.column_stack([inside, rng.standard_normal((n, p))]))[0][:, p + 1 :]
    made = Z - Z @ solved + apart @ _root(2.0 * s * np.eye(p) - s * solved)
    return _back(X, varies, made * np.sqrt(n))


def equicorrelated(R: np.ndarray) -> float:
    """Return by how much every knockoff can be less correlated with its feature than 1: min(1, 2 least eigenvalue)."""
    least = float(eigh(R, eigvals_only=True, subset_by_index=[0, 0])[0])
    # Columns that are sums of others leave no room; rounding would pretend some.
    return 0.0 if least < 1e-10 * len(R) else min(1.0, 2.0 * least) * INSIDE


def _standardised(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which columns vary, and these with mean 0 and variance 1."""
    # Powers of two first, so that squares neither overflow nor vanish.
    X = np.ldexp(X, -np.frexp(np.abs(X).max(axis=0))[1])
    centred = X - X.mean(axis=0)
    spread = centred.std(axis=0)
    varies = spread > 1e-14
    return varies, centred[:, varies] / spread[varies]


def _root(C: np.ndarray) -> np.ndarray:
    """Return the symmetric root of a covariance matrix."""
    values, vectors = np.linalg.eigh(C)
    return (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T


def _back(X: np.ndarray, varies: np.ndarray, made: np.ndarray) -> np.ndarray:
    """Return standardised columns in the units of X; constant columns as they are."""
    out = np.array(X, dtype=np.float64)
    size = np.frexp(np.abs(X).max(axis=0))[1]
    scaled = np.ldexp(X, -size)
    mean, spread = scaled.mean(axis=0)[varies], scaled.std(axis=0)[varies]
    out[:, varies] = np.ldexp(mean + made * spread, size[varies])
    return out
