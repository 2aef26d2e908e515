"""Causes or effects: what a model loses when the distribution is changed from outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import CategoricalNB

from fewer.core.graphs.network import Network
from fewer.core.records.errors import InputError, ParameterError


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
    B = _weights(weights)
    before, after = (_variances(name, values, len(B)) for name, values in (("noise", noise), ("shifted", shifted)))
    some, target = _variables(target, features, len(B))
    spread = np.linalg.inv(np.eye(len(B)) - B)
    train, test = (spread.T @ np.diag(v) @ spread for v in (before, after))
    inside = train[np.ix_(some, some)]
    # Older versions of numpy find no rank of a matrix without rows.
    if len(some) and np.linalg.matrix_rank(inside, hermitian=True) < len(some):
        raise InputError(
            f"linear_shift got features {some} that determine each other with these noises, but least squares need "
            "features that do not; leave some out, or give each a noise above 0."
        )
    slope = np.linalg.solve(inside, train[some, target])
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
    _check_shift(network, target, manipulated, n_samples, random_state)
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
        columns = _columns(network, target, name, features)
        if not columns:
            continue
        least = [network.n_levels[j] for j in columns]
        model = CategoricalNB(min_categories=least) if estimator is None else _cloned(estimator)
        model.fit(train[:, columns], train[:, y])
        scores = [accuracy_score(rows[:, y], model.predict(rows[:, columns])) for rows in (same, other)]
        out[name] = (float(scores[0]), float(scores[1]))
    return out


def _levels(network: Network, names: Sequence[str]) -> dict[str, int]:
    return {name: network.n_levels[network.number(name)] for name in names}


def _weights(given: Any) -> np.ndarray:
    try:
        weights = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            "linear_shift got weights that are no numbers in lines of equal length, but needs a square of numbers; "
            "correct them."
        ) from error
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1] or np.tril(weights).any():
        raise InputError(
            f"linear_shift got weights of shape {weights.shape}, but needs as many lines as columns, and causes before "
            "effects; sort the variables."
        )
    if not np.isfinite(weights).all():
        raise InputError("linear_shift got NaN or infinity among the weights, but needs finite ones; correct them.")
    return weights


def _variances(name: str, given: Any, n: int) -> np.ndarray:
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if values.shape != (n,) or not (np.isfinite(values) & (values >= 0)).all():
        raise InputError(
            f"linear_shift got {name}={given!r}, but needs a variance of 0 or more for each of the {n} variables; "
            "correct it."
        )
    return values


def _variables(target: Any, features: Any, n: int) -> tuple[list[int], int]:
    some = list(features) if isinstance(features, Iterable) else [features]
    for j in (target, *some):
        if not isinstance(j, Integral) or not 0 <= int(j) < n:
            raise InputError(
                f"linear_shift was asked about variable {j!r}, but variables are 0 to {n - 1}; correct the number."
            )
    if target in some or len(set(some)) < len(some):
        raise InputError(
            f"linear_shift got target {target} and features {some}, but a variable is the target or a feature, once; "
            "leave it out of the others."
        )
    return [int(j) for j in some], int(target)


def _check_shift(network: Any, target: Any, manipulated: Any, n_samples: Any, random_state: Any) -> None:
    if not isinstance(network, Network):
        raise InputError(
            f"network_shift got {type(network).__name__} as network, but draws rows of a Network; make one of tables "
            "with Network.of, or take asia_network()."
        )
    if isinstance(manipulated, str) or not isinstance(manipulated, Iterable):
        raise InputError(
            f"network_shift got manipulated={manipulated!r}, but takes a list of nodes; put it into brackets."
        )
    if target in manipulated:
        raise InputError(
            f"network_shift got {target!r} as target and as manipulated, but what is predicted must follow its causes; "
            "leave it out."
        )
    for name, value, least in (("n_samples", n_samples, 1), ("random_state", random_state, 0)):
        if not isinstance(value, Integral) or value < least:
            raise ParameterError(
                f"network_shift got {name}={value!r}, but takes a whole number of at least {least}; choose one."
            )


def _columns(network: Network, target: str, name: str, features: Any) -> list[int]:
    if isinstance(features, str) or not isinstance(features, Iterable):
        raise InputError(
            f"network_shift got the set {name!r} of {features!r}, but takes a list of nodes; put it into brackets."
        )
    columns = [network.number(feature) for feature in features]
    if network.number(target) in columns or len(set(columns)) < len(columns):
        raise InputError(
            f"network_shift got the set {name!r} with {target!r} or with a node twice, but predicts the target from "
            "other nodes, each once; leave it out."
        )
    return columns


def _cloned(estimator: Any) -> Any:
    try:
        return clone(estimator)
    except TypeError as error:
        raise ParameterError(
            f"network_shift got estimator={estimator!r}, but takes a classifier of scikit-learn; pass one, or None."
        ) from error
