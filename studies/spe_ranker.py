"""The SPE ranker beside the Gram-Schmidt ranker on targets made of polynomials (Quevedo, Bahamonde, Luaces 2007).

Section 4.4 of the text: AUC-FR of rankings of features whose relevance is known, as redundancy, the number of
irrelevant features and the degree of the target grow. The text uses 30 data sets per point and shows curves without
numbers; here are fewer data sets (first argument, 10 by default), and the curves of the text are given in words.

    python studies/spe_ranker.py [data sets per point]

What agrees, with 10 data sets per point: SPE is best where features have copies and rises with their number, SM rises
too and stays below, SPE without redundancy falls; SPE is flat in the number of irrelevant features and SM falls by more
than a tenth; SM loses most between degree 1 and 4.

What differs: for degree 1 the text has SM above SPE, here SPE is level with it or slightly above. The text has SPE
almost constant in the degree; here it remains the best but falls as SM does, from 0.9 to 0.63. The text does not say
how large the constants b_j of the polynomial are. The generator takes them as large as the coefficients; larger ones
would make the target closer to a linear one. Powers hardly help: the ranking by plain correlation is as good as that
with the degree of the target.

RM, DM and R2W2, two data sets per point (two minutes in all): as in the text, RM and DM rise with up to three copies
and R2W2 falls, R2W2 is flat in the number of irrelevant features (0.81 from 50 to 250), and RM and DM are among the
best for degree 1 and fall with it. Otherwise than there, SPE stays above RM and DM where there are copies, without
copies the three are best, where the text has RM and DM below the rest, and R2W2 is the lowest for degree 4.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

import fewer
from fewer.evaluate.recovery import auc_fr
from fewer.synth import make_polynomial

Places = list[Any]
NOISES = (0.0, 0.05)


def spe(X: np.ndarray, y: np.ndarray, degree: int) -> Places:
    return fewer.SPERanker(degree=degree).fit(X, y).selection_.order.tolist()


def spe_without_redundancy(X: np.ndarray, y: np.ndarray, degree: int) -> Places:
    return fewer.SPERanker(degree=degree, redundancy=False).fit(X, y).selection_.order.tolist()


def sm(X: np.ndarray, y: np.ndarray, degree: int) -> Places:
    """Rank features by the first of their powers that is chosen; those never chosen share the last place."""
    ranked = fewer.GramSchmidtRanker(None, degree=degree).fit(X, y).selection_
    return [*ranked.indices.tolist(), ranked.order[len(ranked) :].tolist()]


def f_test(X: np.ndarray, y: np.ndarray, degree: int) -> Places:
    return fewer.FTest(None).fit(X, y).selection_.order.tolist()


def spe_of_degree_one(X: np.ndarray, y: np.ndarray, degree: int) -> Places:
    return spe(X, y, 1)


def rm(X: np.ndarray, y: np.ndarray, degree: int) -> Places:
    return fewer.RMRanker(1, degree=degree).fit(X, y).selection_.order.tolist()


def dm(X: np.ndarray, y: np.ndarray, degree: int) -> Places:
    return fewer.DMRanker(1, degree=degree).fit(X, y).selection_.order.tolist()


def r2w2(X: np.ndarray, y: np.ndarray, degree: int) -> Places:
    return fewer.R2W2(None, degree=degree).fit(X, y).selection_.order.tolist()


# The text takes the best C of four per experiment for RM and DM; here each has its own by default.
RANKERS: dict[str, Callable[[np.ndarray, np.ndarray, int], Places]] = {
    "SPE": spe,
    "SPE w/o GS": spe_without_redundancy,
    "SPE d=1": spe_of_degree_one,
    "SM": sm,
    "F test": f_test,
    "RM": rm,
    "DM": dm,
    "R2W2": r2w2,
}
BLOCKS: dict[str, tuple[str, dict[str, tuple], str]] = {
    "redundancy (figure 2)": (
        "n_copies",
        {"n_features": (50, 100), "degree": (1, 2), "n_copies": (0, 1, 2, 3, 4)},
        "SPE among the best and rising with redundancy, SM rising, SPE w/o GS falling.",
    ),
    "irrelevant features (figure 4)": (
        "n_features",
        {"n_features": (50, 100, 150, 200, 250), "degree": (1, 2), "n_copies": (0, 1)},
        "SPE best and almost flat in m, SM falling notably.",
    ),
    "degree (figure 6)": (
        "degree",
        {"n_features": (50, 100), "degree": (1, 2, 3, 4), "n_copies": (0, 1)},
        "SM among the best for degree 1 and clearly falling, SPE best above and almost constant.",
    ),
}


def median_areas(point: dict[str, Any], n_sets: int, seed: int) -> dict[str, float]:
    """Return the median AUC-FR of every ranker over some data sets of one point of the problem space."""
    areas: dict[str, list[float]] = {name: [] for name in RANKERS}
    for rng in np.random.default_rng(seed).spawn(n_sets):
        # Shuffled, because ties go to the lower number and the generator puts the relevant features first.
        data = make_polynomial(**point, random_state=rng).shuffled(rng)
        for name, rank in RANKERS.items():
            areas[name].append(auc_fr(rank(data.X, data.y, point["degree"]), data.relevant, data.redundant))
    return {name: float(np.median(values)) for name, values in areas.items()}


def block_means(values: dict[str, tuple], along: str, n_sets: int) -> dict[Any, dict[str, float]]:
    """Return the mean over all points of the median areas, for every value of one parameter."""
    space = {"n_samples": (50, 100), "n_relevant": (5, 10), "noise": NOISES, **values}
    found: dict[Any, list[dict[str, float]]] = {value: [] for value in values[along]}
    for seed, setting in enumerate(product(*space.values())):
        point = dict(zip(space, setting))
        found[point[along]].append(median_areas(point, n_sets, seed))
    return {
        value: {name: float(np.mean([p[name] for p in points])) for name in RANKERS} for value, points in found.items()
    }


def main(n_sets: int = 10) -> None:
    begin = time.perf_counter()
    print(f"Mean over the points of a block of the median AUC-FR of {n_sets} data sets (the text: 30).\n")
    for title, (along, values, words) in BLOCKS.items():
        table = block_means(values, along, n_sets)
        print(f"{title}\n  the text: {words}")
        print("  " + f"{along:12}" + "".join(f"{name:>12}" for name in RANKERS))
        for value, row in table.items():
            print("  " + f"{value:<12}" + "".join(f"{area:12.3f}" for area in row.values()))
        print()
    print(f"{time.perf_counter() - begin:.0f} seconds")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
