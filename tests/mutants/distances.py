"""Wrong readings of entropies of distances, dependence, medoids and category utility."""

from __future__ import annotations

from mutant import Mutant

U = "tests/methods/unsupervised"

DISTANCES = [
    Mutant(
        "core/kernels/pair_entropy.py",
        "out[c] = np.sqrt(before + work[size + at + 1])",
        "out[c] = np.sqrt(before + work[size + at])",
        "a removed feature stays in the distance",
        f"{U}/test_distance_entropy.py -k backward",
    ),
    Mutant(
        "core/kernels/pair_entropy.py",
        "(r - U[i, m] * U[j, m] * size / (size - 1.0))",
        "(r - U[i, m] * U[j, m])",
        "rows that lose a feature keep their means",
        f"{U}/test_distance_entropy.py -k backward",
    ),
    Mutant(
        "methods/unsupervised/_distance_entropy.py",
        "np.log(2.0) * n_pairs / np.where(apart, total, 1.0)",
        "np.log(2.0) / np.where(apart, largest, 1.0)",
        "similarity is a half at the largest distance",
        f"{U}/test_distance_entropy.py -k forward",
    ),
    Mutant(
        "core/kernels/dependence.py",
        "squares += 2 * counts[u] + 1",
        "squares += 2 * counts[u]",
        "squares of counts lose the counts",
        f"{U}/test_feature_dependence.py -k grouped",
    ),
    Mutant(
        "methods/unsupervised/feature_dependence.py",
        ".sum(axis=1) / max(d - 1, 1)",
        ".sum(axis=1) / max(d, 1)",
        "a feature counts among its others",
        f"{U}/test_feature_dependence.py -k loops",
    ),
    Mutant(
        "methods/unsupervised/_medoids.py",
        "member[medoids] = medoids",
        "pass",
        "a medoid joins the group of its copy",
        f"{U}/test_feature_clustering.py",
    ),
    Mutant(
        "core/measures/category.py",
        "return np.maximum(ratio(rise, margins.classes), 0.0)",
        "return np.maximum(ratio(rise, margins.levels), 0.0)",
        "divided by the levels, not by the clusters",
        f"{U}/test_category_utility.py -k 'loops or facts'",
    ),
    Mutant(
        "core/measures/category.py",
        "> left[f + 1] + 1e-12",
        "> 0.5 * left[f + 1] + 1e-12",
        "attention ends while features that are left could change the choice",
        f"{U}/test_category_utility.py -k early",
    ),
]
