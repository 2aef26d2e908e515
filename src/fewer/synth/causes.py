"""Small examples of what causes do to features: alone, together, and through each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


def make_spouse(n_samples: int = 1000, noise: float = 0.2, random_state: Any = None) -> Synthetic:
    """Make a feature that tells nothing about the classes alone, but much beside their common effect.

    y is -1 or 1, x1 standard normal, and x0 = y + x1 + noise: x1 is a spouse, it explains away what x0 owes to it.
    corr(x1, y) = 0, but the partial correlation given x0 is -1 / (1 + noise^2), and x0 and x1 together tell the class.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rows.
    noise : float, default=0.2
        Standard deviation of what else changes x0.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 4.1 a.
    """
    counts("make_spouse", 1, n_samples=n_samples)
    numbers("make_spouse", noise=noise)
    rng = generator("make_spouse", random_state)
    y = rng.integers(0, 2, n_samples)
    spouse = rng.normal(size=n_samples)
    effect = 2.0 * y - 1.0 + spouse + noise * rng.normal(size=n_samples)
    words = "x0 = y + x1 + noise with y = -1 or 1: alone, x1 tells nothing about y."
    edges = ((1, 0), (2, 0))
    return Synthetic(np.column_stack([effect, spouse]), y, ("x0", "x1"), (0, 1), description=words, edges=edges)


def make_chessboard(n_samples: int = 1000, size: int = 4, n_irrelevant: int = 0, random_state: Any = None) -> Synthetic:
    """Make the colours of a chessboard: both coordinates are causes, and neither tells anything alone.

    No graph is faithful to this: parents are independent of their child, each alone. An even ``size`` makes that exact.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rows.
    size : int, default=4
        Fields along a side, at least 2.
    n_irrelevant : int, default=0
        Further uniform features.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 4.1 b.
    """
    counts("make_chessboard", 1, n_samples=n_samples)
    counts("make_chessboard", 2, size=size)
    counts("make_chessboard", 0, n_irrelevant=n_irrelevant)
    rng = generator("make_chessboard", random_state)
    X = rng.uniform(0.0, size, size=(n_samples, 2 + n_irrelevant))
    y = np.floor(X[:, :2]).astype(np.int64).sum(axis=1) % 2
    edges = ((0, 2 + n_irrelevant), (1, 2 + n_irrelevant))
    words = f"The colour of a field of a board of {size} by {size}."
    return Synthetic(X, y, numbered("x", 2 + n_irrelevant), (0, 1), description=words, edges=edges)


def make_simpson(n_samples: int = 1000, strength: float = 2.0, random_state: Any = None) -> Synthetic:
    """Make two consequences of one cause: they go together, but not within the levels of the cause.

    x0 is -1 or 1, x1 = strength x0 + noise and y = strength x0 + noise, both of variance 1. The correlation of x1 and
    y is strength^2 / (strength^2 + 1), 0.8 by default, and 0 given x0: whoever does not know the cause takes x1 for
    one (Simpson's paradox).

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rows.
    strength : float, default=2.0
        What the cause does to both.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, figure 4.1 c and d.
    """
    counts("make_simpson", 1, n_samples=n_samples)
    numbers("make_simpson", strength=strength)
    rng = generator("make_simpson", random_state)
    cause = 2.0 * rng.integers(0, 2, n_samples) - 1.0
    sibling, y = strength * cause + rng.normal(size=(2, n_samples))
    words = "x1 and y are consequences of x0 and independent given it."
    edges = ((0, 1), (0, 2))
    X = np.column_stack([cause, sibling])
    return Synthetic(X, y, ("x0", "x1"), (0,), task="regression", description=words, edges=edges)
