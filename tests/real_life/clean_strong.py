"""Strong but honest features and plain levels: what predicts very well is no leak by that. Nothing may be flagged."""

from __future__ import annotations

import numpy as np
import pandas as pd

from real_life.case import TARGET, Answer, Case, Data, Rng, halves, names_of, noise, score


def near_perfect(rng: Rng) -> Data:
    """One marker is right in 98 % and four more of its kind in 95 to 83 %: a good test, not a leak."""
    n = 300
    y = rng.permutation(np.repeat([0, 1], n // 2))
    X = rng.normal(size=(n, 10))
    X[:, :5] += np.array([4.1, 3.3, 2.8, 2.3, 1.9]) * y[:, None]
    return Data(pd.DataFrame(X, columns=list(names_of("marker_", 10))).assign(**{TARGET: np.array(["-", "+"])[y]}))


def mushrooms(rng: Rng) -> Data:
    """Levels in single letters; the smell alone is right in 98 % of the rows, as that of real mushrooms is."""
    n = 600
    poison = rng.random(n) < 0.48
    good, bad = np.array(list("aln")), np.array(list("cfmpsy"))

    def letters(right: float, yes: np.ndarray, no: np.ndarray) -> np.ndarray:
        known = np.where(rng.random(n) < right, poison, ~poison)
        return np.where(known, rng.choice(yes, n), rng.choice(no, n))

    frame = {
        "odor": letters(0.98, bad, good),
        "spores": letters(0.88, np.array(list("hrw")), np.array(list("bknu"))),
        "gills": letters(0.8, np.array(list("be")), np.array(list("gknpw"))),
    }
    frame |= {f"cap_{j}": rng.choice(list("bcfksx")[: 3 + j % 4], n) for j in range(8)}
    return Data(pd.DataFrame(frame | {TARGET: np.where(poison, "poisonous", "edible")}))


def likert(rng: Rng) -> Data:
    """Twelve statements from 1 to 7; three of them make up the satisfaction nearly alone."""
    n = 400
    X = np.clip(np.rint(rng.normal(4, 1.6, (n, 12))), 1, 7).astype(int)
    frame = pd.DataFrame(X, columns=list(names_of("statement_", 12)))
    return Data(frame.assign(**{TARGET: halves(score(rng, *X[:, :3].T), ("unhappy", "happy"))}))


def one_hot(rng: Rng) -> Data:
    """Three columns of levels as 15 columns of zeros and ones; two colours and two shapes matter."""
    n = 600
    levels = {"color": 5, "shape": 4, "maker": 6}
    codes = {name: rng.integers(0, count, n) for name, count in levels.items()}
    frame = pd.DataFrame(
        {f"{name}_{level}": (codes[name] == level).astype(int) for name in levels for level in range(levels[name])}
    )
    color, shape = np.array([-1, 1, 0, 0, 0])[codes["color"]], np.array([-1, 1, 0, 0])[codes["shape"]]
    return Data(frame.assign(**noise(rng, n, 4), **{TARGET: halves(score(rng, color, shape))}))


CASES = (
    Case(
        near_perfect, Answer(keep=("marker_0",), noise=names_of("marker_", 5, 5)), runners=("memory", "stream", "dask")
    ),
    Case(mushrooms, Answer(keep=("odor",), noise=names_of("cap_", 8)), runners=("memory", "stream")),
    Case(likert, Answer(keep=names_of("statement_", 3), noise=names_of("statement_", 9, 3))),
    Case(
        one_hot,
        Answer(
            some=3,
            of=("color_0", "color_1", "shape_0", "shape_1"),
            noise=(*names_of("maker_", 6), *names_of("n", 4)),
        ),
        runners=("memory", "sparse"),
        seed=1,
    ),
)
