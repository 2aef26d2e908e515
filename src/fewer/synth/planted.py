"""Planted features: a few matter, some repeat them, the rest is noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.synth.checks import (
    away_from_zero,
    balanced_labels,
    counts,
    flipped,
    generator,
    numbered,
    numbers,
)
from fewer.synth.synthetic import Synthetic


def make_planted(
    n_samples: int = 200,
    n_relevant: int = 5,
    n_redundant: int = 3,
    n_duplicates: int = 2,
    n_constant: int = 1,
    n_noise: int = 20,
    n_classes: int = 2,
    shift: float = 1.0,
    blur: float = 0.3,
    flip: float = 0.0,
    nominal: bool = False,
    shuffle: bool = False,
    random_state: Any = None,
) -> Synthetic:
    """Make classes that differ in the means of a few features.

    Classes are as equal in size as possible. A relevant feature is normal with variance 1; the means of the
    classes are `shift` apart, in an order drawn for each feature. Redundant and duplicate features repeat
    the relevant ones in turn.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples.
    n_relevant, n_redundant, n_duplicates, n_constant, n_noise : int
        Number of relevant features, of copies with noise, of exact copies, of constants, of standard normal
        noise.
    n_classes : int, default=2
        Number of classes.
    shift : float, default=1.0
        Distance between the means of neighbouring classes.
    blur : float, default=0.3
        Standard deviation of the noise in redundant copies.
    flip : float, default=0.0
        Fraction of samples that get another class.
    nominal : bool, default=False
        Whether to add a relevant nominal feature with ``n_classes + 2`` levels as integer codes: with
        probability 0.6 the level is the class, else any level.
    shuffle : bool, default=False
        Whether to put the features in random order.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    Examples
    --------
    >>> s = make_planted(50, 2, n_redundant=1, n_duplicates=1, n_constant=0, n_noise=3, random_state=0)
    >>> s.names
    ('relevant0', 'relevant1', 'redundant0', 'duplicate0', 'noise0', 'noise1', 'noise2')
    >>> s.redundant
    {2: 0, 3: 0}
    """
    counts("make_planted", 1, n_samples=n_samples)
    counts("make_planted", 2, n_classes=n_classes)
    numbers("make_planted", shift=shift, blur=blur)
    numbers("make_planted", 0.0, 1.0, flip=flip)
    sizes = (n_relevant, n_redundant, n_duplicates, n_constant, n_noise)
    _check_sizes("make_planted", *sizes, nominal=nominal)
    rng = generator("make_planted", random_state)
    y = balanced_labels(n_samples, n_classes, rng)
    means = rng.permuted(np.tile(np.arange(n_classes) - (n_classes - 1) / 2, (n_relevant, 1)), axis=1) * shift
    relevant = rng.normal(size=(n_samples, n_relevant)) + means[:, y].T
    codes = None
    if nominal:
        any_level = rng.integers(0, n_classes + 2, size=n_samples)
        codes = np.where(rng.random(n_samples) < 0.6, y, any_level)
    y = flipped(y, flip, n_classes, rng)
    words = f"{n_classes} classes, means {shift:g} apart in {n_relevant} features; {flip:g} of labels flipped"
    made = _assemble(relevant, codes, y, sizes, blur, rng, "classification", words)
    return made.shuffled(rng) if shuffle else made


def make_planted_regression(
    n_samples: int = 200,
    n_relevant: int = 5,
    n_redundant: int = 3,
    n_duplicates: int = 2,
    n_constant: int = 1,
    n_noise: int = 20,
    noise: float = 0.5,
    blur: float = 0.3,
    nominal: bool = False,
    shuffle: bool = False,
    random_state: Any = None,
) -> Synthetic:
    """Make a target that is a weighted sum of a few features plus noise.

    All features are standard normal; weights have absolute values in [1, 2] and random signs.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples.
    n_relevant, n_redundant, n_duplicates, n_constant, n_noise : int
        Number of relevant features, of copies with noise, of exact copies, of constants, of standard normal
        noise.
    noise : float, default=0.5
        Standard deviation of the noise in y.
    blur : float, default=0.3
        Standard deviation of the noise in redundant copies.
    nominal : bool, default=False
        Whether to add a relevant nominal feature with four levels as integer codes, which add -2, 1, -1 and
        2 to y.
    shuffle : bool, default=False
        Whether to put the features in random order.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
    """
    counts("make_planted_regression", 1, n_samples=n_samples)
    numbers("make_planted_regression", noise=noise, blur=blur)
    sizes = (n_relevant, n_redundant, n_duplicates, n_constant, n_noise)
    _check_sizes("make_planted_regression", *sizes, nominal=nominal)
    rng = generator("make_planted_regression", random_state)
    relevant = rng.normal(size=(n_samples, n_relevant))
    y = relevant @ away_from_zero((n_relevant,), rng) + noise * rng.normal(size=n_samples)
    codes = None
    if nominal:
        codes = rng.integers(0, 4, size=n_samples)
        y = y + np.array([-2.0, 1.0, -1.0, 2.0])[codes]
    words = f"a weighted sum of {n_relevant} features plus normal noise of standard deviation {noise:g}"
    made = _assemble(relevant, codes, y, sizes, blur, rng, "regression", words)
    return made.shuffled(rng) if shuffle else made


def _check_sizes(
    where: str,
    n_relevant: int,
    n_redundant: int,
    n_duplicates: int,
    n_constant: int,
    n_noise: int,
    nominal: bool,
) -> None:
    """Raise unless the numbers of features make a data set."""
    counts(where, 0, n_relevant=n_relevant, n_redundant=n_redundant, n_duplicates=n_duplicates)
    counts(where, 0, n_constant=n_constant, n_noise=n_noise)
    if n_redundant + n_duplicates and not n_relevant:
        raise ParameterError(
            f"{where} got n_relevant=0 with {n_redundant + n_duplicates} copies, but has nothing to copy; "
            "pass n_relevant of at least 1, or no copies."
        )
    if not n_relevant + n_constant + n_noise + bool(nominal):
        raise ParameterError(f"{where} got no features at all; pass n_relevant or n_noise of at least 1.")


def _assemble(
    relevant: np.ndarray,
    codes: np.ndarray | None,
    y: np.ndarray,
    sizes: tuple[int, ...],
    blur: float,
    rng: np.random.Generator,
    task: str,
    words: str,
) -> Synthetic:
    """Put relevant features, their copies, the nominal feature, constants and noise side by side."""
    n = len(y)
    n_relevant, n_redundant, n_duplicates, n_constant, n_noise = sizes
    copied = [i % n_relevant for i in (*range(n_redundant), *range(n_duplicates))]
    copies = relevant[:, copied] if copied else np.empty((n, 0))
    copies[:, :n_redundant] += blur * rng.normal(size=(n, n_redundant))
    nominal = np.empty((n, 0)) if codes is None else codes[:, None].astype(float)
    constants = np.tile(np.arange(n_constant, dtype=float), (n, 1))
    X = np.hstack([relevant, copies, nominal, constants, rng.normal(size=(n, n_noise))])
    at_nominal = n_relevant + len(copied)
    is_nominal = () if codes is None else (at_nominal,)
    names = (
        numbered("relevant", n_relevant)
        + numbered("redundant", n_redundant)
        + numbered("duplicate", n_duplicates)
        + numbered("nominal", len(is_nominal))
        + numbered("constant", n_constant)
        + numbered("noise", n_noise)
    )
    redundant = {n_relevant + i: source for i, source in enumerate(copied)}
    return Synthetic(
        X,
        y,
        names,
        (*range(n_relevant), *is_nominal),
        redundant,
        task,
        f"Planted features: {words}.",
        is_nominal,
    )
