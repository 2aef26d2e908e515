"""How many false discoveries the rules on knockoffs let through, and how many relevant features they find.

    python studies/knockoffs.py [--quick]

Rows are Gaussian; 20 of 50 features are in the target, with coefficients of +.35 or -.35 and normal errors of variance
1; a feature is a false discovery if its coefficient is 0, however it goes with others. For FTest the target is cut at
its median. The promise is a mean fraction of false discoveries of at most .1. Rules of `Pearson` and `FTest` are those
of the library; coefficients of ridge and lasso take its knockoffs and its threshold. Printed are the mean fraction of
false discoveries of 200 data sets with its standard error, and the fraction of relevant features that were found.

What holds. With 300 rows no mean is above the promise, for either kind of knockoffs, any of the scores and features
that correlate by .5 or .8 with their neighbours, or all by .3. Scores of single features find little: a knockoff of a
feature that goes with relevant ones goes with the target nearly as well.

What does not. With at most two rows per feature the correlation is shrunken, and where features come in blocks that
correlate by .99 the mean for Pearson can be above the promise (last line).
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.linear_model import Lasso, Ridge
from threadpoolctl import threadpool_limits

import fewer
from fewer.core.views.knockoffs import fixed_knockoffs, gaussian_knockoffs
from fewer.stop import FixedKnockoffs, Knockoffs

P, RELEVANT, FDR = 50, 20, 0.1
BLOCKS = np.kron(np.eye(P // 5), np.full((5, 5), 0.99) + 0.01 * np.eye(5))
APART = np.abs(np.subtract.outer(np.arange(P), np.arange(P)))
DESIGNS = {
    ".5^distance": 0.5**APART,
    ".8^distance": 0.8**APART,
    ".3 everywhere": np.full((P, P), 0.3) + 0.7 * np.eye(P),
}
MODELS = {"ridge": Ridge(10.0), "lasso": Lasso(0.08)}


def kept_by_model(model, fixed, X, y, rng):
    """Return what the coefficients of a linear model keep: columns and knockoffs standardised."""
    both = np.hstack([X, (fixed_knockoffs if fixed else gaussian_knockoffs)(X, rng)])
    size = np.abs(model.fit((both - both.mean(0)) / both.std(0), y - y.mean()).coef_)
    differences = size[:P] - size[P:]
    return np.flatnonzero(differences >= Knockoffs(FDR).threshold(differences))


def kept_by(score, fixed, X, y, rng):
    """Return the features that a rule keeps."""
    if score in MODELS:
        return kept_by_model(MODELS[score], fixed, X, y, rng)
    rule = (FixedKnockoffs if fixed else Knockoffs)(FDR, int(rng.integers(2**31)))
    target = (y > np.median(y)).astype(int) if score == "FTest" else y
    return fewer.get(score)(rule).fit(X, target).selection_.indices


def simulated(R, score, fixed, sets, n=300, relevant=RELEVANT, size=0.35):
    """Return the mean fraction of false discoveries, its standard error, and the fraction of relevant ones found."""
    root, wrong, found = np.linalg.cholesky(R), [], []
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((n, P)) @ root.T
        truth = rng.choice(P, relevant, replace=False)
        y = X[:, truth] @ (size * rng.choice([-1, 1], relevant)) + rng.standard_normal(n)
        kept = kept_by(score, fixed, X, y, rng)
        wrong.append(np.mean(~np.isin(kept, truth)) if len(kept) else 0.0)
        found.append(np.mean(np.isin(truth, kept)))
    return float(np.mean(wrong)), float(np.std(wrong) / np.sqrt(sets)), float(np.mean(found))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="20 data sets instead of 200")
    sets = 20 if parser.parse_args().quick else 200
    print(f"{'columns':15} {'score':8} {'knockoffs':10} {'false':>6} {'(s.e.)':>7} {'found':>6}")
    lines = [
        (name, R, score, fixed)
        for name, R in DESIGNS.items()
        for score in ("Pearson", "FTest", *MODELS)
        for fixed in (False, True)
        if not (fixed and score == "FTest")
    ]
    for name, R, score, fixed in lines:
        wrong, error, found = simulated(R, score, fixed, sets)
        print(
            f"{name:15} {score:8} {'fixed-X' if fixed else 'model-X':10} {wrong:6.3f} ({error:.3f}) {found:6.2f}",
            flush=True,
        )
    wrong, error, found = simulated(BLOCKS, "Pearson", False, sets, n=100, relevant=12, size=0.6)
    print(f"{'blocks, 100 x 50':15} {'Pearson':8} {'model-X':10} {wrong:6.3f} ({error:.3f}) {found:6.2f}")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
