"""Ordered levels: answers to a survey that act on satisfaction in different ways."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import counts, generator, numbers
from fewer.synth.synthetic import Synthetic

LEVELS = 5
# What the levels 1 to 5 of a feature add to the satisfaction.
EFFECTS = {
    "basic_weak": (-2, -2, 0, 0, 0),
    "basic_strong": (-4, -4, -4, -2, 0),
    "performance_weak": (-3, -2, 0, 2, 3),
    "performance_strong": (-5, -3, 0, 3, 5),
    "excitement_weak": (0, 0, 0, 0, 1),
    "excitement_strong": (0, 0, 0, 0, 4),
}


def make_ordinal_kano(n_samples: int = 1000, noise: float = 0.0, random_state: Any = None) -> Synthetic:
    """Make ordered levels 1 to 5 that act on an ordered class as basic needs, performance or excitement.

    Basic features only harm where they are low, excitement features only help where they are high, performance
    features do both: the kinds of Kano's model. Every kind comes weak and strong; two features are irrelevant, one
    of them uniform and one a standard normal cut into five intervals of equal width. The sum of the effects, ranked
    with ties in random order, is cut into five classes of equal size.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of samples, at least 5.
    noise : float, default=0.0
        Fraction of the samples, rounded to whole samples, that get a class at random, from 0 to 1.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
        Features hold 1 to 5, classes are 0 to 4, in their order.

    References
    ----------
    .. [1] M. Robnik-Šikonja and K. Vanhoof, "Evaluation of ordinal attributes at value level", Data Mining and
       Knowledge Discovery 14, 2007.
    """
    where = "make_ordinal_kano"
    counts(where, LEVELS, n_samples=n_samples)
    numbers(where, 0.0, 1.0, noise=noise)
    rng = generator(where, random_state)
    answers = rng.integers(1, LEVELS + 1, (n_samples, len(EFFECTS) + 1))
    normal = rng.normal(size=n_samples)
    low, high = normal.min(), normal.max()
    last = np.clip((LEVELS * (normal - low) / (high - low)).astype(np.int64), 0, LEVELS - 1) + 1
    table = np.array(list(EFFECTS.values()))
    satisfaction = table[np.arange(len(EFFECTS)), answers[:, : len(EFFECTS)] - 1].sum(axis=1)
    y = _equal_classes(satisfaction, rng)
    wrong = rng.permutation(n_samples)[: round(noise * n_samples)]
    y[wrong] = rng.integers(0, LEVELS, len(wrong))
    return Synthetic(
        np.column_stack([answers, last]).astype(float),
        y,
        (*EFFECTS, "irrelevant_uniform", "irrelevant_normal"),
        tuple(range(len(EFFECTS))),
        description=f"Five ordered classes from basic, performance and excitement features, {noise:g} class noise.",
    )


def _equal_classes(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return classes 0 to 4, ascending with the values and as equal in size as possible; ties are cut at random."""
    order = np.lexsort([rng.random(len(values)), values])
    y = np.empty(len(values), np.int64)
    y[order] = np.arange(len(values)) * LEVELS // len(values)
    return y
