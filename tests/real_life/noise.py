"""How often `fewer.select` and `fewer.compare` find something where there is nothing.

Run ``python tests/real_life/noise.py --sets 200``. `select` promises to keep something in at most 10 % of such data
sets, `compare` to call something better than a guess in at most 5 %. Of 200 data sets that is at most 29 and 16: who
keeps the promise finds more than these with a probability below 2.5 %.
"""

from __future__ import annotations

import argparse
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import fewer

PROMISED = {"select": 0.10, "compare": 0.05, "default": 0.05}
ROWS, COLUMNS = (50, 1_000), (5, 200)
CLASSES = ("even", "uneven", "three", "numbers")


@dataclass(frozen=True)
class Noise:
    """Columns of many kinds and a target that has nothing to do with them."""

    frame: pd.DataFrame
    y: np.ndarray

    @property
    def numbers(self) -> bool:
        return self.y.dtype.kind == "f"


def _between(rng: np.random.Generator, least: int, most: int) -> int:
    """Return a number in equal ratios from the least to the most."""
    return int(np.rint(np.exp(rng.uniform(np.log(least), np.log(most)))))


def _column(rng: np.random.Generator, n: int) -> Any:
    kind = int(rng.integers(6))
    if kind == 0:
        return rng.integers(0, _between(rng, 2, 12), n)
    if kind == 1:
        return np.exp(rng.normal(0, 1, n))
    if kind == 2:
        return np.array(list("abcdefgh"))[rng.integers(0, rng.integers(2, 9), n)]
    if kind == 3:
        return rng.random(n) < 0.4
    return np.where(rng.random(n) < 0.5, 0, rng.poisson(3, n)) if kind == 4 else rng.normal(size=n)


def made(number: int) -> Noise:
    """Return data set so and so; the same one for the same number."""
    rng = np.random.default_rng([14, number])
    n, p = _between(rng, *ROWS), _between(rng, *COLUMNS)
    frame = pd.DataFrame({f"x{j}": _column(rng, n) for j in range(p)})
    kind = CLASSES[number % len(CLASSES)]
    if kind == "numbers":
        return Noise(frame, rng.normal(size=n))
    rates = {"even": (0.5, 0.5), "uneven": (0.85, 0.15), "three": (0.5, 0.3, 0.2)}[kind]
    counts = np.diff(np.rint(n * np.cumsum([0.0, *rates])).astype(int))
    return Noise(frame, rng.permutation(np.repeat(list("abc")[: len(rates)], counts)))


def keeps(noise: Noise) -> bool:
    """Return whether `select` keeps something, or keeps nothing without a word about it."""
    found = fewer.select(noise.frame, noise.y)
    return len(found) > 0 or "guess" not in f"{found!r} {found.to_json()}"


def better_than_a_guess(noise: Noise) -> bool:
    """Return whether a comparison of two methods says that something is better than a guess."""
    methods = ["MRMR", "VarianceReduction"] if noise.numbers else ["MRMR", "JMI"]
    estimator = "ridge" if noise.numbers else "naive Bayes"
    sizes = [size for size in (1, 2, 4, 8) if size <= noise.frame.shape[1]]
    found = fewer.compare(noise.frame, noise.y, methods, [estimator], sizes, cv=5, naive=False)
    return bool(found.best().beats_chance)


def better_by_default(noise: Noise) -> bool:
    """Return the same of a comparison with all defaults: many methods, three estimators, eight sizes."""
    return bool(fewer.compare(noise.frame, noise.y, naive=False).best().beats_chance)


ASKED = {"select": keeps, "compare": better_than_a_guess, "default": better_by_default}


def wrong(what: str, numbers: range) -> list[int]:
    """Return the numbers of the data sets in which something is found."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [number for number in numbers if ASKED[what](made(number))]


def bound(what: str, sets: int) -> int:
    """Return how many may be wrong; who keeps the promise exceeds it with a probability below 2.5 %."""
    return int(stats.binom.ppf(0.975, sets, PROMISED[what]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=200, help="number of data sets")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--only", choices=list(ASKED), help="ask one; default: compare without a panel, slow")
    given = parser.parse_args()
    for what in [given.only] if given.only else ["select", "compare"]:
        begin = time.process_time()
        found = wrong(what, range(given.first, given.first + given.sets))
        allowed, seconds = bound(what, given.sets), time.process_time() - begin
        kinds = ", ".join(f"{sum(i % 4 == k for i in found)} {name}" for k, name in enumerate(CLASSES))
        print(f"{what}: {len(found)} of {given.sets} (at most {allowed}; {kinds}); {seconds:.0f} s; sets {found}")


if __name__ == "__main__":
    main()
