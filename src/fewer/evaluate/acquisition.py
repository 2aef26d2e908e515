"""How fast acquired values bring estimated relevances near to the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from fewer.core.records.errors import InputError, ParameterError
from fewer.dispatch import contract_of


@dataclass(frozen=True, eq=False)
class RelevanceErrors:
    """Errors of estimated relevances by the number of values acquired, means over runs.

    Attributes
    ----------
    errors : ndarray of shape (n_values + 1,)
        Mean over runs of the sum over features of squared differences to the truth.
    spread : ndarray of shape (n_values + 1,)
        Standard error of this mean; NaN for one run.
    counts : ndarray of shape (n_values + 1, n_features)
        Mean number of values of every feature among those acquired so far.
    relevances : ndarray of shape (n_values + 1, n_features)
        Mean estimates.
    truth : ndarray of shape (n_features,)
        Relevances of the complete data, the mean over runs where these differ.
    """

    errors: np.ndarray
    spread: np.ndarray
    counts: np.ndarray
    relevances: np.ndarray
    truth: np.ndarray

    @property
    def normalized(self) -> np.ndarray:
        """Errors as fractions of the error at first."""
        return self.errors / self.errors[0] if self.errors[0] > 0 else self.errors.copy()

    def first_at(self, fraction: float = 0.25) -> int | None:
        """Return after how many values the error is first at most a fraction of that at first, None if never."""
        found = np.flatnonzero(self.errors <= fraction * self.errors[0])
        return int(found[0]) if len(found) else None


def relevance_error_curve(
    acquirer: Any,
    X: Any,
    y: Any = None,
    *,
    truth: Any = None,
    domains: Mapping[Any, Any] | None = None,
    n_runs: int = 100,
    random_state: int = 0,
) -> RelevanceErrors:
    """Have an acquirer ask for every value of a complete table, from nothing, several times.

    Parameters
    ----------
    acquirer : MAC, RandomAcquisition or another acquirer
        Copied for every run, with a seed of its own and without stop rules.
    X, y : array-likes, or callable for X
        Complete data with classes; or a function of the number of the run, from 0, that returns X and y, to
        have other data in every run (section 5.5 leaves open whether its synthetic data were drawn once).
    truth : array-like of shape (n_features,), optional
        True relevances; by default those that the acquirer estimates from the complete data, to which every curve then
        comes in the end.
    domains : mapping, optional
        As in ``acquirer.start``; by default the values that are there.
    n_runs : int, default=100
        How often.
    random_state : int, default=0
        Run r has the seed ``random_state + r``.

    Returns
    -------
    RelevanceErrors

    References
    ----------
    .. [1] E. Olivetti, S. Veeramachaneni and P. Avesani, "Active learning of feature relevance", in Computational
       Methods of Feature Selection, 2008, section 5.5.

    Examples
    --------
    >>> import fewer
    >>> def data(run):
    ...     made = fewer.synth.make_binary_channels(random_state=run)
    ...     return made.X, made.y
    >>> truth = fewer.synth.make_binary_channels().importance
    >>> curve = relevance_error_curve(fewer.MAC(), data, truth=truth, n_runs=20)
    >>> round(float(curve.errors[0]), 6), bool((np.diff(curve.counts[300]) < 0).all())
    (0.142242, True)
    """
    contract = contract_of(acquirer)
    if contract is None or contract.name != "acquirer":
        raise ParameterError(
            f"relevance_error_curve got {type(acquirer).__name__}, but takes what asks for values; pass for example "
            "fewer.MAC()."
        )
    if isinstance(n_runs, bool) or not isinstance(n_runs, (int, np.integer)) or n_runs < 1:
        raise ParameterError(
            f"relevance_error_curve got n_runs={n_runs!r}, but takes a whole number from 1 on; pass one."
        )
    draw: Callable[[int], tuple[Any, Any]] = X if callable(X) else lambda run: (X, y)
    errors: list[np.ndarray] = []
    # Sums, because the paths of all runs may be too much to keep.
    sums: Any = None
    full = None
    for run in range(n_runs):
        if full is None or callable(X):
            full = clone(acquirer).set_params(random_state=0).start(*draw(run), domains=domains)
        found, *more = _run(full, truth, random_state + run)
        if errors and len(found) != len(errors[0]):
            raise InputError("relevance_error_curve got data of different sizes for different runs; draw equal sizes.")
        errors.append(found)
        sums = more if sums is None else [old + new for old, new in zip(sums, more)]
    spread = np.std(errors, axis=0, ddof=1) / np.sqrt(n_runs) if n_runs > 1 else np.full(len(errors[0]), np.nan)
    return RelevanceErrors(np.mean(errors, axis=0), spread, *(part / n_runs for part in sums))


def _run(full: Any, truth: Any, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return errors, counts per feature, estimates and the truth of one run."""
    codes = full.known_levels()
    if (codes < 0).any():
        raise InputError("relevance_error_curve got missing values in X, but takes complete data; fill or drop them.")
    true = full.relevances_ if truth is None else np.asarray(truth, dtype=np.float64)
    if true.shape != full.relevances_.shape:
        raise InputError(
            f"relevance_error_curve got {true.size} true relevances of {len(full.relevances_)} features; give one each."
        )
    order, path = full.emptied(seed).disclose(codes)
    asked = np.zeros(path.shape)
    asked[np.arange(1, len(path)), order[:, 1]] = 1.0
    return ((path - true) ** 2).sum(axis=1), asked.cumsum(axis=0), path, true
