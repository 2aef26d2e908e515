"""I-Relief beside Relief, ReliefF and Simba on data with added noise (Sun 2008, chapter 12 of the book).

Section 12.7: 50 Gaussian features are added to twonorm, ringnorm and waveform, and none or 10 % of the training
labels are changed. Weights are evaluated by the area under the curve of recovered features and by the error of k
nearest neighbours on the best features. Then sections 12.7.3 and 12.7.4: convergence by kernel width, start and
learning rate.

    python studies/irelief.py [--quick] [--runs N]

As in the text, the k of the classifier, the kernel width and the number of neighbours of ReliefF are chosen by
10-fold cross-validation on the training data (not with --quick), Simba has 5 starts and 5 passes. The text does not
say for how many features table 12.2 gives errors; the least error over all sizes is shown, which is chosen on the
test data and too low for every method, beside that for as many features as there are original ones.

What follows was seen with 5 runs per case (20 are the default, and take about 45 minutes on two busy cores).

What agrees: by the area of recovery I-Relief comes before ReliefF (level with it in one case, twonorm with wrong
labels) and ReliefF before Simba. The area of I-Relief is 0.99 to 1.00 on ringnorm and twonorm also with wrong labels,
and 0.90 to 0.92 on waveform, two of whose original features are noise. Least errors of I-Relief are within 0.6 of the
text's but for ringnorm (23.0 and 25.2; the text 22.0 and 28.1). On waveform the undamped iteration diverges at sigma
0.05 and is faster for wider kernels, from either start. Online weights are within 0.13 of the batch weights after 400
steps, within 0.002 for a = 1.

What differs: errors after ReliefF, with its neighbours chosen, grow less by wrong labels than in the text (ringnorm
25.7 beside 34.0, twonorm 3.2 beside 6.2; the text's figures are nearer to those of Relief here, 33.5 and 5.1), and in
5 runs no difference from I-Relief is significant, of four in the text at the level 0.03. KNN on clean ringnorm errs
by 36 to 38 (text 39.2), on noisy waveform with wrong labels by 16.7 (text 14.7). That sigma > 0.5 guarantees
convergence is not so: on XOR the undamped weights still jump after 100 iterations at sigma 1.

A choice that matters: the text does not say which two of the three classes of waveform are one. Here the last stands
alone, because KNN on noisy data then errs by 14.2 as in the text. `make_waveform(binary=True)` keeps the first apart:
KNN errs by 19.2, I-Relief by 13.0 and, with wrong labels, 14.7, where ReliefF is then ahead of it (area 0.89 and
0.85, least error 14.1); without wrong labels Simba is then level with ReliefF (area 0.88).
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.stats import ttest_rel

from fewer.core.measures.margins_closed import relief_margins
from fewer.core.runners.threads import ThreadRunner
from fewer.evaluate.kernel_width import select_sigma_cv
from fewer.evaluate.recovery import feature_recovery_roc
from fewer.methods.relief._soft_margins import SoftMargins
from fewer.methods.relief.irelief import FixedPoint, IRelief
from fewer.methods.relief.online_irelief import OnlineIRelief
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.simba import Simba
from fewer.synth import Synthetic, add_noise_features, flip_labels, make_ringnorm, make_twonorm, make_waveform

warnings.simplefilter("ignore")
SIZES = {"ringnorm": (400, 7000), "twonorm": (400, 7000), "waveform": (400, 4600)}
SIGMAS = (0.2, 0.5, 1.0, 2.0, 5.0)
HITS = (1, 5, 10, 20, 40)
SUBSETS = (1, 2, 3, 5, 7, 10, 12, 15, 18, 20, 21, 25, 30, 40, 50, 60, 70)
# Table 12.2, error in %: KNN on clean data, then by mislabelled share KNN on noisy data, I-Relief, ReliefF, p.
TEXT = {
    "ringnorm": (39.2, {0: (45.1, 22.0, 21.7, 0.47), 10: (44.2, 28.1, 34.0, 0.00)}),
    "twonorm": (3.1, {0: (4.8, 3.1, 3.2, 0.96), 10: (6.4, 3.7, 6.2, 0.00)}),
    "waveform": (12.6, {0: (14.2, 10.5, 11.2, 0.03), 10: (14.7, 11.2, 12.2, 0.00)}),
}
Learner = Callable[[np.ndarray, np.ndarray, "Settings"], np.ndarray]


def draw(name: str, n: int, rng: np.random.Generator) -> Synthetic:
    if name == "waveform":
        three = make_waveform(n, random_state=rng)
        return replace(three, y=(three.y == 2).astype(np.int64))
    return (make_twonorm if name == "twonorm" else make_ringnorm)(n, random_state=rng)


class Settings(NamedTuple):
    """What was chosen by cross-validation on the training data, and the seed of what is random."""

    sigma: float
    hits: int
    k: int
    seed: int


def chosen(X: np.ndarray, y: np.ndarray, seed: int, quick: bool) -> Settings:
    sigma, k, _ = select_sigma_cv(IRelief(), X, y, SIGMAS[2:3] if quick else SIGMAS, random_state=seed)
    if quick:
        return Settings(sigma, 10, k, seed)
    best = select_sigma_cv(ReliefF(), X, y, HITS, parameter="n_neighbors", n_neighbors=k, random_state=seed)
    return Settings(sigma, best.value, k, seed)


def relief(X: np.ndarray, y: np.ndarray, given: Settings) -> np.ndarray:
    return relief_margins(unit(X), y)


def relieff(X: np.ndarray, y: np.ndarray, given: Settings) -> np.ndarray:
    return ReliefF(None, n_neighbors=given.hits).fit(X, y).scores_


def simba(X: np.ndarray, y: np.ndarray, given: Settings) -> np.ndarray:
    return Simba(None, n_starts=5, n_passes=5, random_state=given.seed).fit(X, y).scores_


def irelief(X: np.ndarray, y: np.ndarray, given: Settings) -> np.ndarray:
    return IRelief(None, sigma=given.sigma).fit(X, y).scores_


def online(X: np.ndarray, y: np.ndarray, given: Settings) -> np.ndarray:
    return OnlineIRelief(None, sigma=given.sigma, random_state=given.seed).fit(X, y).scores_


LEARNERS: dict[str, Learner] = {
    "I-Relief": irelief,
    "online": online,
    "ReliefF": relieff,
    "Relief": relief,
    "Simba": simba,
}


def unit(X: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray((X - X.min(axis=0)) / np.ptp(X, axis=0))


def errors_by_size(train: tuple, test: tuple, order: np.ndarray, k: int) -> dict[int, float]:
    """Return the error in % of k nearest neighbours on the first 1, 2, 3, 5, ... features of an order."""
    (A, a), (B, b) = train, test
    errors = {}
    squares = np.zeros((len(B), len(A)), np.float32)
    for size, j in enumerate(order, 1):
        squares += np.subtract.outer(B[:, j], A[:, j]).astype(np.float32) ** 2
        if size in SUBSETS or size == len(order):
            near = np.argpartition(squares, k - 1, axis=1)[:, :k]
            errors[size] = 100.0 * float(((a[near].mean(axis=1) > 0.5) != b).mean())
    return errors


def one_run(name: str, mislabel: int, seed: int, quick: bool) -> dict[str, tuple[float, float, float]]:
    """Return area of recovery, smallest test error and that on as many features as there are original ones."""
    rng = np.random.default_rng(seed)
    n_train, n_test = SIZES[name]
    n_test = 1000 if quick else n_test
    clean = draw(name, n_train + n_test, rng)
    X, n_original = add_noise_features(clean.X, 50, rng), clean.n_features
    low, width = X[:n_train].min(axis=0), np.ptp(X[:n_train], axis=0)
    X = (X - low) / width
    y = flip_labels(clean.y[:n_train], mislabel / 100, rng)
    A, test = X[:n_train], (X[n_train:], clean.y[n_train:])
    given = chosen(A, y, seed, quick)
    train, k, everything = (A, y), given.k, np.arange(X.shape[1])
    *_, on_clean = errors_by_size((A, clean.y[:n_train]), test, everything[:n_original], k).values()
    *_, on_noisy = errors_by_size(train, test, everything, k).values()
    found = {"KNN clean": (np.nan, on_clean, np.nan), "KNN noisy": (np.nan, on_noisy, np.nan)}
    for method, learn in LEARNERS.items():
        weights = learn(A, y, given)
        area = feature_recovery_roc(weights, range(n_original)).area
        # Ties in random order: the original features come first, and would win by their numbers.
        order = np.lexsort([rng.permutation(len(weights)), -weights])
        errors = errors_by_size(train, test, order, k)
        found[method] = (area, min(errors.values()), errors[n_original])
    return found


def shown(label: str, cells: dict[str, str], last: str = "") -> str:
    """Return a line of the table: one cell per method, empty where there is none."""
    return (
        f"{label:18}" + "".join(f"{cells.get(c, ''):>14}" for c in ("KNN clean", "KNN noisy", *LEARNERS)) + f"  {last}"
    )


def recovery(runs: int, quick: bool) -> None:
    print(f"Mean of {runs} runs (the text: 20). Area under the recovery curve; the text shows curves only, the area of")
    print(
        "I-Relief largest, ReliefF second, Simba smallest. Test error in % (sd) on the number of best features with the"
    )
    print("smallest test error, as a bound, and on as many as there are original features; p of a paired t-test of the")
    print("smallest errors of I-Relief and ReliefF.\n")
    print(shown("", {c: c for c in ("KNN clean", "KNN noisy", *LEARNERS)}, "p"))
    for name in SIZES:
        for mislabel in (0, 10):
            results = [one_run(name, mislabel, 100 * seed + mislabel, quick) for seed in range(runs)]
            area, least, fixed = ({c: np.array([r[c][at] for r in results]) for c in results[0]} for at in range(3))
            p = ttest_rel(least["I-Relief"], least["ReliefF"]).pvalue if runs > 1 else np.nan
            print(shown(f"{name} 50/{mislabel}", {c: f"{area[c].mean():.3f}" for c in LEARNERS}))
            print(shown("  least error", {c: f"{e.mean():.1f} ({e.std():.1f})" for c, e in least.items()}, f"{p:.2f}"))
            print(shown("  fixed size", {c: f"{fixed[c].mean():.1f} ({fixed[c].std():.1f})" for c in LEARNERS}))
            clean, by_share = TEXT[name]
            noisy, theirs, relieff_error, p_text = by_share[mislabel]
            text = {"KNN clean": clean, "KNN noisy": noisy, "I-Relief": theirs, "ReliefF": relieff_error}
            print(shown("  the text", {c: str(v) for c, v in text.items()}, f"{p_text:.2f}"), flush=True)
    print()


def convergence(quick: bool) -> None:
    print("Iterations until the step is below 1e-5 (-: not in 100), waveform + 50 features, one draw")
    print("the text: diverges at 0.05, converges else, faster for wider kernels; a random start is hardly slower.\n")
    print(f"{'sigma':>8}{'undamped':>12}{'auto':>8}{'random start':>15}{'ends apart':>15}")
    for sigma in (0.05, 0.1, 0.2, 0.5, 1.0, 5.0):
        rng = np.random.default_rng(0)
        data = draw("waveform", 400, rng)
        soft = SoftMargins(unit(add_noise_features(data.X, 50, rng)), data.y, 2, False, sigma, ThreadRunner(1))
        ends, counts = [], []
        starts = (np.full(71, 1 / 71), np.full(71, 1 / 71), rng.random(71))
        for start, damping in zip(starts, (1.0, "auto", 1.0)):
            point = FixedPoint(soft.all_rows, damping)
            ends.append(point.solve(start))
            counts.append(str(len(point.steps)) if point.converged else "-")
        apart = f"{np.linalg.norm(ends[0] - ends[2]):.1e}"
        print(f"{sigma:8}{counts[0]:>12}{counts[1]:>8}{counts[2]:>15}{apart:>15}")
    print("\nClean XOR, 600 x 6, sigma 1: undamped, damped when needed, online (the text: converges for sigma > 0.5)")
    for seed in range(2 if quick else 5):
        X = np.random.default_rng(seed).random((600, 6))
        y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
        plain, damped = (IRelief(None, damping=damping).fit(X, y) for damping in (1.0, "auto"))
        methods = (plain, damped, OnlineIRelief(None, random_state=seed).fit(X, y))
        ends = " ".join(np.array2string(m.scores_[:3], precision=2, suppress_small=True) for m in methods)
        print(f"  step {plain.steps_[-1]:.2g} after {plain.n_iter_} | {damped.n_iter_} iterations | {ends}")


def learning_rates(runs: int) -> None:
    print("\nDistance of online from batch weights, ringnorm + 50 features (the text: close after 400 steps, any a)\n")
    print(f"{'a':>8}" + "".join(f"{steps:>8} steps" for steps in (400, 800, 4000)))
    for a in (0.25, 0.5, 0.75, 1.0):
        gaps = []
        for seed in range(runs):
            data = make_ringnorm(400, n_irrelevant=50, random_state=seed)
            target = IRelief(None).fit(data.X, data.y).scores_
            learners = (OnlineIRelief(None, decay=a, n_passes=n, tol=0.0, random_state=seed) for n in (1, 2, 10))
            gaps.append([np.linalg.norm(m.fit(data.X, data.y).scores_ - target) for m in learners])
        print(f"{a:8}" + "".join(f"{gap:14.3f}" for gap in np.mean(gaps, axis=0)))


def main(words: list[str]) -> None:
    begin, quick = time.perf_counter(), "--quick" in words
    runs = int(words[words.index("--runs") + 1]) if "--runs" in words else (2 if quick else 20)
    recovery(runs, quick)
    convergence(quick)
    learning_rates(2 if quick else runs)
    print(f"\n{time.perf_counter() - begin:.0f} seconds")


if __name__ == "__main__":
    main(sys.argv[1:])
