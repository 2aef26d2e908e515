"""Two classes that differ in one of several correlated features."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.synth.checks import counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


def make_drsvm_toy(
    n_per_class: int = 8, n_features: int = 5, correlation: float = 0.8, random_state: Any = None
) -> Synthetic:
    """Make two normal classes with equal correlations, whose means differ in the first feature only.

    Variances are 1, all correlations are equal, and the means are (1, 0, ..., 0) and (-1, 0, ..., 0). The best
    direction is proportional to (1, -a, ..., -a) with ``a = r / (1 + (n_features - 2) r)``: because of the correlation
    r every feature has a weight.

    Parameters
    ----------
    n_per_class : int, default=8
        Number of samples of each class.
    n_features : int, default=5
        Number of features, at least 2.
    correlation : float, default=0.8
        Correlation of every two features within a class, from 0 to below 1.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
        Classes are -1 and 1. All features are relevant unless the correlation is 0.

    References
    ----------
    .. [1] H. Zou and T. Hastie, "Model building and feature selection with genomic data", in: H. Liu and H. Motoda
       (eds.), Computational Methods of Feature Selection, 2008, section 20.5.2.
    """
    counts("make_drsvm_toy", 1, n_per_class=n_per_class)
    counts("make_drsvm_toy", 2, n_features=n_features)
    numbers("make_drsvm_toy", 0.0, 1.0, correlation=correlation)
    if correlation == 1:
        raise ParameterError(
            "make_drsvm_toy got correlation=1, but it must be below 1; pass for example correlation=0.8."
        )
    rng = generator("make_drsvm_toy", random_state)
    y = np.repeat([1, -1], n_per_class)
    common = rng.normal(size=(2 * n_per_class, 1))
    X = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * rng.normal(size=(2 * n_per_class, n_features))
    X[:, 0] += y
    words = "Two normal classes with equal correlations, whose means differ in the first feature."
    relevant = tuple(range(n_features)) if correlation > 0 else (0,)
    return Synthetic(X, y, numbered("x", n_features), relevant, description=words)
