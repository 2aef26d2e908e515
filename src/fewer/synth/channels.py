"""Classes seen through noisy channels: features whose relevance is known exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.synth.checks import counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


def make_binary_channels(
    n_per_class: int = 100, p: Sequence[float] = (0.9, 0.7, 0.5), random_state: Any = None
) -> Synthetic:
    """Make two classes of equal size, and bits that each repeat the class with a known probability.

    P(feature f = class) = p_f, independently given the class. The mutual information of feature and class, ln 2 + p
    ln p + (1 - p) ln(1 - p), is kept as ``importance``: 0.368064, 0.082283 and 0 nats by default.

    Parameters
    ----------
    n_per_class : int, default=100
        Rows of each class.
    p : array-like of float, default=(0.9, 0.7, 0.5)
        Probabilities that a bit is that of the class; 0.5 is noise.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] E. Olivetti, S. Veeramachaneni and P. Avesani, "Active learning of feature relevance", in Computational
       Methods of Feature Selection, 2008, section 5.5.1.

    Examples
    --------
    >>> [round(g, 6) for g in make_binary_channels(random_state=0).importance]
    [0.368064, 0.082283, 0.0]
    """
    counts("make_binary_channels", 1, n_per_class=n_per_class)
    if isinstance(p, str) or np.ndim(p) != 1 or not len(p):
        raise ParameterError(
            f"make_binary_channels got p={p!r}, but takes a list of probabilities; pass for example p=[0.9, 0.5]."
        )
    for one in p:
        numbers("make_binary_channels", 0.0, 1.0, p=one)
    rng = generator("make_binary_channels", random_state)
    chances = np.array(p, dtype=np.float64)
    y = np.repeat([0, 1], n_per_class)
    same = rng.random((2 * n_per_class, len(chances))) < chances
    importance = tuple(float(np.log(2.0) + _xlogx(q) + _xlogx(1.0 - q)) for q in chances)
    words = f"Bits that are those of the class with probability {', '.join(f'{q:g}' for q in chances)}."
    relevant = tuple(int(f) for f in np.flatnonzero(chances != 0.5))
    X = np.where(same, y[:, None], 1 - y[:, None])
    # An exact 0 must not become a rounding error.
    known = tuple(g if q != 0.5 else 0.0 for g, q in zip(importance, chances))
    every = tuple(range(len(chances)))
    return Synthetic(X, y, numbered("f", len(chances)), relevant, description=words, nominal=every, importance=known)


def _xlogx(x: float) -> float:
    return float(x * np.log(x)) if x > 0 else 0.0
