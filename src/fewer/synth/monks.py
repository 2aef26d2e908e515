"""The MONK's problems: three rules over six nominal attributes of a robot."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import choice, counts, flipped, generator, numbered, numbers
from fewer.synth.logic import truth_table
from fewer.synth.synthetic import Synthetic

LEVELS = (3, 3, 2, 3, 4, 2)
RELEVANT = {1: (0, 1, 4), 2: (0, 1, 2, 3, 4, 5), 3: (1, 3, 4)}
RULES = {
    1: "a1 = a2 or a5 = 1",
    2: "exactly two attributes have the value 1",
    3: "(a5 = 3 and a4 = 1) or (a5 is not 4 and a2 is not 3)",
}


def make_monks(
    problem: int = 1,
    n_samples: int | None = None,
    noise: float | None = None,
    random_state: Any = None,
) -> Synthetic:
    """Make one of the MONK's problems.

    Values of the attributes count from 1. The rules are (1) a1 = a2 or a5 = 1, (2) exactly two attributes
    have the value 1, (3) a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3.

    Parameters
    ----------
    problem : {1, 2, 3}, default=1
        Which of the three.
    n_samples : int, optional
        Number of different rows drawn from the truth table; None for all 432 in counting order.
    noise : float, optional
        Fraction of rows with the wrong class; None for the standard, 0.05 in the third problem and 0 in the
        others.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] S. Thrun et al., "The MONK's problems: a performance comparison of different learning algorithms",
       Carnegie Mellon University, 1991.
    """
    choice("make_monks", (1, 2, 3), problem=problem)
    noise = (0.05 if problem == 3 else 0.0) if noise is None else noise
    numbers("make_monks", 0.0, 1.0, noise=noise)
    rng = generator("make_monks", random_state)
    X = truth_table(LEVELS) + 1
    if n_samples is not None:
        counts("make_monks", 1, len(X), n_samples=n_samples)
        X = X[rng.permutation(len(X))[:n_samples]]
    y = flipped(_truth(X, problem).astype(np.int64), noise, 2, rng)
    words = f"MONK-{problem}: {RULES[problem]}; {noise:g} of the rows have the wrong class."
    names = numbered("a", 6, start=1)
    return Synthetic(X, y, names, RELEVANT[problem], description=words, nominal=tuple(range(6)))


def _truth(X: np.ndarray, problem: int) -> np.ndarray:
    """Return which rows belong to the class."""
    a1, a2, _, a4, a5, _ = X.T
    if problem == 1:
        return (a1 == a2) | (a5 == 1)
    if problem == 2:
        return (X == 1).sum(axis=1) == 2
    return ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
