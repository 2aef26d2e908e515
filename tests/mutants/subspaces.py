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
    Mutant(
        "core/clustering/low_entropy.py",
        "return cells - 1 - sum(level - 1 for level in levels)",
        "return (levels[0] - 1) * (levels[1] - 1)",
        "chance is that of pairs, whatever the number of columns",
        f"{U}/test_enclus.py -k independent",
    ),
    Mutant(
        "core/clustering/dense_units.py",
        "int(np.count_nonzero(np.arange(1, n + 1) / n <= density))",
        "density * n",
        "a fraction is exceeded by rounding",
        f"{U}/test_clique.py -k rounding",
    ),
    Mutant(
        "core/clustering/attribute_weights.py",
        "kept = max(n - n_clusters, int((tree[:, 2] <= 0).sum()))",
        "kept = n - n_clusters",
        "equal rows are parted",
        f"{U}/test_cosa.py -k as_many",
    ),
    Mutant(
        "evaluate/without_target.py",
        "reasons = {one.feature: one.kind for",
        "reasons = {data.names[one.number]: one.kind for",
        "a date of a file stands for the last column",
        "tests/evaluate/test_without_target.py -k dates",
    ),
    Mutant(
        "evaluate/half_samples.py",
        "return rng.uniform(along.min(axis=0), along.max(axis=0), along.shape) @ axes",
        "return rng.permuted(along, axis=0) @ axes",
        "the reference keeps the groups of single columns",
        "tests/evaluate/test_without_target.py -k reference",
    ),
]
