"""Causes or effects: what a model loses when the distribution is changed from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import CategoricalNB

from fewer.core.graphs.network import Network
from fewer.core.records.errors import InputError


class ShiftErrors(NamedTuple):
    """Mean squared errors of a linear model, where it was learned and after the shift."""

    before: float
    after: float


def linear_shift(
    weights: Any, noise: Sequence[float], shifted: Sequence[float], target: int, features: Sequence[int]
) -> ShiftErrors:
    """Return the exact errors of least squares on some variables of a linear causal model, before and after a shift.

    Parameters
    ----------
    weights : array-like of shape (n, n)
        Entry (i, j) is what variable i does to variable j; causes come before effects.
    noise, shifted : sequences of float
        Variances of what else changes each variable: where the model is learned, and where it is used.
    target : int
        The variable to predict.
    features : sequence of int
        The variables that the model may use.

    Examples
    --------
    A cause, the target and an effect, all noises 1. More noise on the features, then on the target:

    >>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    >>> [round(linear_shift(chain, [1, 1, 1], [4, 1, 4], 1, [j]).after, 3) for j in (0, 2)]
    [1.0, 2.333]
    >>> [round(linear_shift(chain, [1, 1, 1], [1, 4, 1], 1, [j]).after, 3) for j in (0, 2)]
    [4.0, 1.0]
    """
    B = np.asarray(weights, dtype=np.float64)
    if B.ndim != 2 or B.shape[0] != B.shape[1] or np.tril(B).any():
        raise InputError(
            f"linear_shift got weights of shape {B.shape}, but needs as many lines as columns, and causes before "
            "effects; sort the variables."
        )
    spread = np.linalg.inv(np.eye(len(B)) - B)
    train, test = (spread.T @ np.diag(np.asarray(v, dtype=np.float64)) @ spread for v in (noise, shifted))
    some = list(features)
    slope = np.linalg.solve(train[np.ix_(some, some)], train[some, target])
    errors = [
        float(c[target, target] - 2.0 * slope @ c[some, target] + slope @ c[np.ix_(some, some)] @ slope)
        for c in (train, test)
    ]
    return ShiftErrors(*(round(error, 12) + 0.0 for error in errors))


def network_shift(
    network: Network,
    target: str,
    manipulated: Sequence[str],
    sets: Mapping[str, Sequence[str]] | None = None,
    *,
    n_samples: int = 5000,
    estimator: Any = None,
    random_state: int = 0,
) -> dict[str, tuple[float, float]]:
    """Return the accuracy of a classifier on sets of features of a network, before and after some are set at random.

    Parameters
    ----------
    network : Network
        Where the rows come from.
    target : str
        The node to predict.
    manipulated : sequence of str
        Nodes whose levels are afterwards drawn evenly, whatever their causes are.
    sets : mapping of str to sequence of str, optional
        Features by name of the set; by default the direct causes, the Markov blanket and all features.
    n_samples : int, default=5000
        Rows to learn from, and to test on.
    estimator : classifier, optional
        Naive Bayes of levels if None.
    random_state : int, default=0
        Seed.

    Returns
    -------
    dict
        Accuracy before and after, by set.
    """
    if target in manipulated:
        raise InputError(
            f"network_shift got {target!r} as target and as manipulated, but what is predicted must follow its causes; "
            "leave it out."
        )
    y, graph = network.number(target), network.graph
    if sets is None:
        sets = {
            "causes": [network.names[j] for j in graph.parents[y]],
            "blanket": [network.names[j] for j in graph.blanket(y)],
            "all": [name for name in network.names if name != target],
        }
    changed = network.manipulated({name: np.full(k, 1.0 / k) for name, k in _levels(network, manipulated).items()})
    seeds = np.random.default_rng(random_state).spawn(3)
    train, same, other = (made.sample(n_samples, rng) for made, rng in zip((network, network, changed), seeds))
    out = {}
    for name, features in sets.items():
        columns = [network.number(feature) for feature in features]
        if not columns:
            continue
        least = [network.n_levels[j] for j in columns]
        model = CategoricalNB(min_categories=least) if estimator is None else clone(estimator)
        model.fit(train[:, columns], train[:, y])
        scores = [accuracy_score(rows[:, y], model.predict(rows[:, columns])) for rows in (same, other)]
        out[name] = (float(scores[0]), float(scores[1]))
    return out


def _levels(network: Network, names: Sequence[str]) -> dict[str, int]:
    return {name: network.n_levels[network.number(name)] for name in names}
