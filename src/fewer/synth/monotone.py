"""Ordered classes: a feature that rises with the class, one that rises and falls, and noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


def make_monotone(
    per_class: int = 50, n_classes: int = 3, n_noise: int = 50, spread: float = 1.2, random_state: Any = None
) -> Synthetic:
    """Make ordered classes with one feature that rises with them and one that tells them apart without rising.

    The interval [0, 1] is cut into one band per class, and the first feature is uniform on the band of its class. The
    second is uniform on the lower two thirds of the interval for the lowest and for the highest class, on the upper two
    thirds for the middle one, and in between for others. Noise is uniform on the interval.

    Parameters
    ----------
    per_class : int, default=50
        Rows per class.
    n_classes : int, default=3
        Number of classes, at least 3.
    n_noise : int, default=50
        Number of irrelevant features.
    spread : float, default=1.2
        Width of the values of a class in the first two features as a multiple of that; above 1 neighbours overlap.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
        Classes are 0, 1, ... in their order.

    Notes
    -----
    The text shows its data only as a picture; the shape of the second feature is a guess. Had it two bands that hardly
    overlap, rows of neighbouring classes would differ more in it than in the first, and margins would prefer it.

    References
    ----------
    .. [1] Q. Hu, W. Pan, Y. Song and D. Yu, "Large-margin feature selection for monotonic classification", section
       4.1, 2012.
    """
    counts("make_monotone", 1, per_class=per_class)
    counts("make_monotone", 3, n_classes=n_classes)
    counts("make_monotone", 0, n_noise=n_noise)
    numbers("make_monotone", 0.0, spread=spread)
    rng = generator("make_monotone", random_state)
    y = np.repeat(np.arange(n_classes), per_class)
    place = rng.uniform(-0.5, 0.5, size=(len(y), 2)) * spread
    rising = (y + 0.5 + place[:, 0]) / n_classes
    # 0 for the outer classes, 1 for the middle one.
    height = 1.0 - np.abs(2.0 * y / (n_classes - 1) - 1.0)
    peak = (1.0 + height + 2.0 * place[:, 1]) / 3.0
    X = np.column_stack([rising, peak, rng.uniform(size=(len(y), n_noise))])
    names = ("rising", "peak", *numbered("noise", n_noise))
    words = f"{n_classes} ordered classes, one feature that rises with them, one that does not, {n_noise} of noise."
    return Synthetic(X, y, names, (0, 1), description=words)
