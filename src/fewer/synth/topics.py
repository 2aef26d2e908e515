"""Documents of several topics as counts of terms, with terms that cover others."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.synth.checks import balanced_labels, counts, generator, numbers
from fewer.synth.synthetic import Synthetic


def make_topics(
    n_samples: int = 200,
    n_classes: int = 4,
    n_general: int = 2,
    n_covered: int = 2,
    n_noise: int = 40,
    frequency: float = 0.6,
    leak: float = 0.05,
    random_state: Any = None,
) -> Synthetic:
    """Make counts of terms in documents: general terms of every topic, terms they cover, and noise.

    A document of a topic has each general term of the topic with probability ``frequency``, of other topics with
    probability ``leak``. A covered term occurs only where its general term does, in half of these documents, so that
    the general one stands for it: what the redundancy tree of chapter 16 finds. Terms that occur do so 1 + Poisson(1)
    times; noise terms follow a Zipf law and know no topic.

    Parameters
    ----------
    n_samples : int, default=200
        Number of documents.
    n_classes : int, default=4
        Number of topics.
    n_general : int, default=2
        General terms of every topic.
    n_covered : int, default=2
        Terms that every general term covers.
    n_noise : int, default=40
        Terms without topic.
    frequency : float, default=0.6
        How probable a general term is in documents of its topic.
    leak : float, default=0.05
        How probable it is in others.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic
        General terms are relevant, covered ones redundant.
    """
    where = "make_topics"
    counts(where, 2, n_samples=n_samples, n_classes=n_classes)
    counts(where, 1, n_general=n_general)
    counts(where, 0, n_covered=n_covered, n_noise=n_noise)
    numbers(where, 0.0, 1.0, frequency=frequency, leak=leak)
    rng = generator(where, random_state)
    y = balanced_labels(n_samples, n_classes, rng)
    columns: list[np.ndarray] = []
    names: list[str] = []
    relevant: list[int] = []
    redundant: dict[int, int] = {}
    for c in range(n_classes):
        for g in range(n_general):
            general = rng.random(n_samples) < np.where(y == c, frequency, leak)
            relevant.append(len(columns))
            columns.append(general)
            names.append(f"topic{c}_general{g}")
            for k in range(n_covered):
                redundant[len(columns)] = relevant[-1]
                columns.append(general & (rng.random(n_samples) < 0.5))
                names.append(f"topic{c}_general{g}_covered{k}")
    rates = 0.5 / np.arange(1, n_noise + 1)
    columns += [rng.random(n_samples) < rate for rate in rates]
    names += [f"noise{j}" for j in range(n_noise)]
    present = np.column_stack(columns)
    X = np.where(present, 1 + rng.poisson(1.0, present.shape), 0).astype(np.float64)
    words = "Counts of terms in documents of several topics; general terms cover others."
    return Synthetic(X, y, tuple(names), tuple(relevant), redundant=redundant, description=words)
