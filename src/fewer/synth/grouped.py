"""Features in groups that say the same: data on which the lasso and the elastic net differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


def make_elastic_net_groups(n_samples: int = 100, noise: float = 1.0, random_state: Any = None) -> Synthetic:
    """Make two groups of three features each, of which the first matters ten times as much.

    Z1 and Z2 are uniform on (0, 20), y is normal with mean Z1 + 0.1 Z2, and the features are Z1, -Z1, Z1, Z2, -Z2 and
    Z2, each with normal noise of variance 1/16. Within a group absolute correlations are about 0.998.

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples.
    noise : float, default=1.0
        Standard deviation of y around its mean.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Zou and T. Hastie, "Model building and feature selection with genomic data", in H. Liu and H. Motoda
       (eds.), Computational Methods of Feature Selection, 2008, section 20.4.2.
    """
    counts("make_elastic_net_groups", 2, n_samples=n_samples)
    numbers("make_elastic_net_groups", 0.0, noise=noise)
    rng = generator("make_elastic_net_groups", random_state)
    first, second = rng.uniform(0.0, 20.0, size=(2, n_samples))
    y = first + 0.1 * second + noise * rng.normal(size=n_samples)
    X = np.column_stack([first, -first, first, second, -second, second]) + 0.25 * rng.normal(size=(n_samples, 6))
    words = "Two groups of three features that are nearly the same up to sign; the first matters ten times as much."
    return Synthetic(X, y, numbered("x", 6, start=1), tuple(range(6)), task="regression", description=words)
