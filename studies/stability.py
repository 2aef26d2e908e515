"""How often the interval of Nogueira's stability covers the true value, and random subsets are called stable.

    python studies/stability.py [--quick]

Subsets of d features are drawn independently, either each feature for itself with its probability (any size), or of
one size, features with larger probabilities first on average. flat: all features alike, the true stability is 0; few
strong: one feature in 20 with probability .9, the others hardly ever; graded: from .01 to .6; signal: one in five with
.6; strong and sure: one in 20 with .99; sparse: three features on average, at random; two states: one feature in 20
with .95, or as many others, by a fair coin. The true value is that of 10,000 further subsets. Printed are the coverage
of the 95 % interval where one is given, the fraction of samples for which one is given, and, for flat and sparse, how
often subsets are called stable: the whole interval above 0. `text` is the coverage of the interval of the text: the
normal quantile and the variance of theorem 7.

What holds. From five samples on the coverage lies between .90 and .98, up to the error of 400 repetitions (.015), for
flat, graded and signal, and for few strong ones of any size or among 500 features. Where all pairs share about five
features, as little as an interval is given for, it may be .99. Random subsets are called stable in 2 % or less, where
an interval of 95 % allows 2.5. With five samples the text's interval covers .55 to .85 of the true values, but for
random subsets of any size; of these it covers .98 and more from 30 samples on. Sparse subsets of 500 features have no
interval with ten samples or fewer.

What does not. Where features are chosen nearly always and the size is fixed, the rare samples that miss one decide
about the variance, and samples without such a miss do not know of it: strong and sure at one size, and few strong
features of 50 or 200 at one size. The interval is left out where fewer than two samples differ from the rest, which is
most of these; where one is given, it covers .6 to .7 of the true values at worst (50 features, 30 samples), and all
where it is given only to samples that saw such a miss. Nor does it hold for two states: coverage is .8 to 1 for a fair
coin, and where one state is seen in one of five or ten samples, .6 to .8 until about 30 samples have shown both.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.stats import norm
from threadpoolctl import threadpool_limits

from fewer.evaluate.stability import Stability, nogueira

SAMPLES, FEATURES = (2, 3, 5, 10, 30, 100), (50, 200, 500)
SETTINGS = ("flat", "graded", "signal", "few strong", "strong and sure", "sparse", "two states")


def probabilities(setting: str, d: int) -> np.ndarray:
    """Return how likely each feature is to be chosen."""
    p = np.full(d, 0.1 if setting == "flat" else 0.05 if d < 100 else 2.0 / d)
    if setting == "sparse":
        return np.full(d, 3.0 / d)
    if setting == "two states":
        k, p = max(2, d // 20), np.full((2, d), 1.0 / d)
        p[0, :k] = p[1, k : 2 * k] = 0.95
        return p
    if setting == "signal":
        p[: d // 5] = 0.6
    if setting == "graded":
        return np.linspace(0.01, 0.6, d)
    if setting == "few strong":
        p[: d // 20] = 0.9
    if setting == "strong and sure":
        p[:] = 0.005
        p[: max(2, d // 20)] = 0.99
    return p


def draw(rng: np.random.Generator, m: int, p: np.ndarray, one_size: bool) -> np.ndarray:
    """Return m subsets as masks."""
    if p.ndim == 2:
        p = p[rng.integers(0, 2, m)]
    if not one_size:
        return rng.random((m, p.shape[-1])) < p
    size = round(float(p.sum(axis=-1).mean()))
    worth = rng.gumbel(size=(m, p.shape[-1])) + np.log(p / (1.0 - p))
    return worth >= np.partition(worth, -size, axis=1)[:, -size][:, None]


def of_the_text(Z: np.ndarray, value: float) -> float:
    """Return half the width of the interval of corollary 8: theorem 7 and the normal quantile."""
    m, d = Z.shape
    shares, sizes = Z.mean(axis=0), Z.sum(axis=1)
    size = shares.sum()
    own = Z @ shares / d - sizes * size / d**2 + value / 2 * (2 * size * sizes / d**2 - sizes / d - size / d + 1)
    return float(norm.ppf(0.975) * np.sqrt(4 / m * (own / (size / d * (1 - size / d))).var()))


def line(rng: np.random.Generator, m: int, p: np.ndarray, one_size: bool, true: float, times: int) -> str:
    """Return coverage, fraction with an interval, and rejections of 0."""
    found: list[Stability] = []
    text = 0
    for _ in range(times):
        Z = draw(rng, m, p, one_size)
        one = nogueira(Z)
        found.append(one)
        text += abs(one.value - true) <= of_the_text(Z, one.value)
    given = [one for one in found if one.low == one.low]
    covered = np.mean([one.low <= true <= one.high for one in given]) if given else np.nan
    stable = f"{np.mean([one.low > 0 for one in found]):7.3f}" if true == 0 else f"{'':7}"
    return f"{m:>8} {covered:>9.3f} {len(given) / times:>6.2f} {stable} {text / times:>7.3f}"


def main() -> None:
    """Print one line per setting, number of features, way of drawing and number of samples."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="50 repetitions instead of 400")
    times = 50 if parser.parse_args().quick else 400
    rng = np.random.default_rng(0)
    print(f"{'setting':>15} {'d':>4} {'size':>5} {'true':>6}", end="")
    print(f" {'samples':>8} {'coverage':>9} {'given':>6} {'stable':>7} {'text':>7}")
    for setting in SETTINGS:
        for d in FEATURES:
            p = probabilities(setting, d)
            for one_size in (False, True):
                many = [nogueira(draw(rng, 1000, p, one_size)).value for _ in range(10)]
                true = 0.0 if setting in ("flat", "sparse") else float(np.mean(many))
                for m in SAMPLES:
                    start = f"{setting:>15} {d:>4} {'one' if one_size else 'any':>5} {true:>6.3f}"
                    print(start, line(rng, m, p, one_size, true, times), flush=True)


if __name__ == "__main__":
    # The matrices are small: threads would only wait for each other.
    with threadpool_limits(1):
        main()
