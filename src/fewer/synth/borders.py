"""Classes with known borders between them: three rectangles, mixtures of normals."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import balanced_labels, counts, generator
from fewer.synth.synthetic import Synthetic

# Lower and upper ends of both features; the first is class 0, the others half of class 1 each.
RECTANGLES = np.array([[[-0.2, 9.8], [-0.2, 1.8]], [[-9.8, 0.2], [-0.2, 1.8]], [[-0.2, 9.8], [-1.8, 0.2]]])
# Of each class two components of equal weight: means, and variances.
MEANS = np.array([[[0, 0, 0], [0, 0, 0]], [[5, 0, 0], [-5, 0, 0]], [[0, 5, 0], [0, -5, 0]]], dtype=np.float64)
VARIANCES = np.array([[4, 4, 9], [2, 2, 9], [9, 2, 9]], dtype=np.float64)


def make_three_rectangles(n_samples: int = 2000, random_state: Any = None) -> Synthetic:
    r"""Make two classes that are uniform on rectangles, with a short and a long piece of border.

    Class 0 is uniform on [-0.2, 9.8] x [-0.2, 1.8], class 1 half on [-9.8, 0.2] x [-0.2, 1.8] and half on
    [-0.2, 9.8] x [-1.8, 0.2]. The border is taken to be :math:`\min(x_1, x_2) = 0`; the boundary matrix has 0.15909 on
    x1 and 0.84091 on x2 [1]_, which `three_rectangles_density` and `fewer.measures.edbfm_exact` give.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of samples; both classes are equally frequent, up to one.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    Notes
    -----
    The source prints [-9.8, -0.2] for the first rectangle of class 1; its eigenvalues are those of [-9.8, 0.2]. Class 0
    is denser where rectangles overlap, so that the border of the source is not quite that of Bayes rule.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 6.4.1, Fig. 6.5.
    """
    counts("make_three_rectangles", 1, n_samples=n_samples)
    rng = generator("make_three_rectangles", random_state)
    y = balanced_labels(n_samples, 2, rng)
    which = np.where(y == 0, 0, rng.integers(1, 3, n_samples))
    ends = RECTANGLES[which]
    X = ends[:, :, 0] + rng.random((n_samples, 2)) * (ends[:, :, 1] - ends[:, :, 0])
    words = "One uniform rectangle against two, with a long border along x1 and a short one along x2."
    return Synthetic(X, y, ("x1", "x2"), (0, 1), description=words, importance=(0.15909, 0.84091))


def three_rectangles_density(X: Any) -> np.ndarray:
    """Return prior times density of both classes of `make_three_rectangles`, (n_rows, 2)."""
    rows = np.asarray(X, dtype=np.float64)[:, None, :]
    inside = ((rows >= RECTANGLES[:, :, 0]) & (rows <= RECTANGLES[:, :, 1])).all(axis=2)
    each = 0.5 * inside / np.prod(RECTANGLES[:, :, 1] - RECTANGLES[:, :, 0], axis=1)
    return np.stack([each[:, 0], 0.5 * (each[:, 1] + each[:, 2])], axis=1)


def make_lee_landgrebe(n_samples: int = 1500, random_state: Any = None) -> Synthetic:
    r"""Make three classes of equal means in three dimensions, of which two tell them apart.

    Class 0 is N(0, diag(4, 4, 9)); class 1 is half N((5, 0, 0), diag(2, 2, 9)) and half N((-5, 0, 0), diag(2, 2, 9));
    class 2 is half N((0, 5, 0), diag(9, 2, 9)) and half N((0, -5, 0), diag(9, 2, 9)) [1]_. The error of Bayes rule is
    about 0.1412; the boundary matrix has 0.557 on x2, 0.443 on x1 and 0 on x3.

    Parameters
    ----------
    n_samples : int, default=1500
        Number of samples; the classes are equally frequent, up to one.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 6.5.1.
    """
    counts("make_lee_landgrebe", 1, n_samples=n_samples)
    rng = generator("make_lee_landgrebe", random_state)
    y = balanced_labels(n_samples, 3, rng)
    side = rng.integers(0, 2, n_samples)
    X = MEANS[y, side] + rng.normal(size=(n_samples, 3)) * np.sqrt(VARIANCES[y])
    words = "Three classes with means at the origin; two features tell them apart, the third is noise."
    return Synthetic(X, y, ("x1", "x2", "x3"), (0, 1), description=words, importance=(0.443, 0.557, 0.0))


def lee_landgrebe_density(X: Any) -> np.ndarray:
    """Return prior times density of the three classes of `make_lee_landgrebe`, (n_rows, 3)."""
    rows = np.asarray(X, dtype=np.float64)[:, None, None, :]
    squares = ((rows - MEANS) ** 2 / VARIANCES[:, None, :]).sum(axis=3)
    scale = np.sqrt(np.prod(2 * np.pi * VARIANCES, axis=1))
    return np.exp(-0.5 * squares).mean(axis=2) / scale / 3.0
