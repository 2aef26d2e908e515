"""Wrong readings of clusters in subspaces, and of half-samples."""

from __future__ import annotations

from mutant import Mutant

U = "tests/methods/unsupervised"
SUBSPACES = [
    Mutant(
        "core/kernels/unit_counts.py",
        "for left_out in range(k - 1):",
        "for left_out in range(k - 2):",
        "one part of a join is not looked for",
        "tests/core/kernels/test_unit_counts.py",
    ),
    Mutant(
        "core/clustering/dense_units.py",
        "dense = rows > grid.least",
        "dense = rows >= grid.least",
        "a unit that only reaches the density is dense",
        f"{U}/test_clique.py",
    ),
    Mutant(
        "core/clustering/dense_units.py",
        "mean = -(-int(sizes.sum()) // len(sizes))",
        "mean = int(sizes.sum()) // len(sizes)",
        "the mean of coverages is rounded down",
        f"{U}/test_clique.py",
    ),
    Mutant(
        "core/clustering/subspaces.py",
        "found.sort(key=lambda group: (-group[0].shape[1], -group[1],",
        "found.sort(key=lambda group: (-group[1], -group[0].shape[1],",
        "the largest cluster is that of most rows",
        f"{U}/test_clique.py",
    ),
    Mutant(
        "core/clustering/low_entropy.py",
        "here = Subspace(columns, entropy, shared, shared - max(parts))",
        "here = Subspace(columns, entropy, shared, shared - min(parts))",
        "interest is gained over the worst part",
        f"{U}/test_enclus.py",
    ),
    Mutant(
        "core/clustering/projected.py",
        "others = np.delete(medoids, i)",
        "others = np.delete(medoids, 0)",
        "a medoid is its own neighbour",
        f"{U}/test_proclus.py",
    ),
    Mutant(
        "core/kernels/attribute_distances.py",
        "far = least - eta * np.log(min(mine, theirs))",
        "far = least - eta * np.log(max(mine, theirs))",
        "the smaller of two distances is taken",
        f"{U}/test_cosa.py",
    ),
    Mutant(
        "evaluate/half_comparison.py",
        "return float(nogueira(subsets, len(self.candidates)).value)",
        "return float(nogueira(subsets, len(self.names)).value)",
        "columns that cannot be chosen make choices look stable",
        "tests/evaluate/test_without_target.py -k stability",
    ),
]
