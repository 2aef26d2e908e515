"""Wrong readings of measures."""

from __future__ import annotations

from mutant import Mutant

M = "tests/core/measures"

MEASURES = [
    Mutant(
        "core/kernels/exact_tables.py",
        "out[j] = min(outer_sum(below, -1, r, c, n) + outer_sum(first, 1, r, c, n), 1.0)",
        "out[j] = min(2.0 * outer_sum(first, 1, r, c, n), 1.0)",
        "Fisher's test doubles one tail",
        f"{M}/test_exact_pvalues.py -k two_by_two",
    ),
    Mutant(
        "core/measures/table_nulls.py",
        "lowest = np.floor(observed[members] / cell - 0.5 * len(self.levels))",
        "lowest = np.ceil(observed[members] / cell + 0.5 * len(self.levels))",
        "rounding on the grid makes p-values too small",
        f"{M}/test_exact_pvalues.py -k grid",
    ),
    Mutant(
        "core/kernels/exact_ranks.py",
        "factor = math.exp(log_choose(sizes[g], k))",
        "factor = 1.0",
        "equal values are taken in one way only",
        f"{M}/test_exact_pvalues.py -k ties",
    ),
    Mutant(
        "core/measures/permutations.py",
        "(reached[left] + 1.0) / (stage + 1.0)",
        "reached[left] / stage",
        "the observed order is not one of the permutations",
        f"{M}/test_exact_pvalues.py -k floor",
    ),
    Mutant(
        "core/measures/information.py",
        "_row_entropy(tables)), 1.0)",
        "_column_entropy(tables)), 1.0)",
        "gain ratio divided by the entropy of the classes",
        f"{M}/test_measures_information.py",
    ),
    Mutant(
        "core/measures/information.py",
        "ratio(2.0 * _information(tables), _row",
        "ratio(_information(tables), _row",
        "symmetrical uncertainty without its 2",
        f"{M}/test_measures_information.py",
    ),
    Mutant(
        "core/measures/information.py",
        "classes = np.maximum(tables.classes, 1)",
        "classes = np.full_like(tables.classes, counts.table.shape[1])",
        "MDL counts classes that do not occur",
        f"{M}/test_measures_information.py",
    ),
    Mutant(
        "core/measures/information.py",
        "gammaln(total + classes) - gammaln(classes)",
        "gammaln(total + 1.0)",
        "MDL without the code of the class counts",
        f"{M}/test_measures_information.py",
    ),
    Mutant(
        "core/measures/impurity.py",
        "np.maximum(tables.total - 1.0, 0.0) *",
        "tables.total *",
        "catanova with N instead of N - 1",
        f"{M}/test_measures_impurity.py",
    ),
    Mutant(
        "core/measures/impurity.py",
        "ratio(tables.average(tables.row_shares * purity)",
        "ratio(tables.average(purity)",
        "myopic relief without the fraction of equal values",
        f"{M}/test_measures_impurity.py",
    ),
    Mutant(
        "core/measures/association.py",
        "dof = np.where(n >= 3, n - 2.0, 0.0)",
        "dof = np.where(n >= 3, n - 1.0, 0.0)",
        "a correlation has n - 1 degrees of freedom",
        f"{M}/test_measures_association.py",
    ),
    Mutant(
        "core/measures/_tables.py",
        "np.maximum(self.levels - 1, 0) * np.maximum(self.classes - 1, 0)",
        "np.maximum(self.levels, 0) * np.maximum(self.classes - 1, 0)",
        "dof of tests with all levels",
        f"{M}/test_measures_association.py",
    ),
    Mutant(
        "core/measures/class_tests.py",
        "spread = (shares**2 / (pair.rows - 1.0))",
        "spread = (shares**2 / pair.rows)",
        "Welch's degrees of freedom with n instead of n - 1",
        f"{M}/test_measures_class_tests.py",
    ),
    Mutant(
        "core/measures/_scatter.py",
        "self.groups - 1, self.weight - self.groups",
        "self.groups, self.weight - self.groups",
        "F with k instead of k - 1 degrees of freedom",
        f"{M}/test_measures_class_tests.py",
    ),
    Mutant(
        "core/measures/separability.py",
        "np.sqrt(pair.mean_squares).sum(axis=1)",
        "np.sqrt(pair.mean_squares.sum(axis=1))",
        "signal to noise over the root of summed variances",
        f"{M}/test_measures_class_tests.py",
    ),
    Mutant(
        "core/measures/ordinal.py",
        "np.maximum(np.abs(excess) - 0.5, 0.0)",
        "np.abs(excess)",
        "rank sums without continuity correction",
        f"{M}/test_measures_ordinal.py",
    ),
    Mutant(
        "core/measures/ordinal.py",
        "+ ratio(triples_x * triples_y, 18.0 * pairs * (n - 2.0))",
        "",
        "the variance of Kendall's S without triples of ties",
        f"{M}/test_measures_ordinal.py",
    ),
    Mutant(
        "core/measures/redundancy.py",
        "np.asarray(pairs.diagonal(), dtype=np.float64)[rows]",
        "np.asarray(pairs.diagonal(), dtype=np.float64)[_]",
        "inclusion the other way round",
        f"{M}/test_measures_redundancy.py",
    ),
    Mutant(
        "core/measures/redundancy.py",
        "root = np.sqrt(alone[rows] * alone[columns])",
        "root = alone[rows]",
        "Phi divided by the information of one term",
        f"{M}/test_measures_redundancy.py",
    ),
    Mutant(
        "core/measures/margin.py",
        "share[other] / (1.0 - share[own]) *",
        "share[other] *",
        "fractions of the other classes do not add up to 1",
        f"{M}/test_measures_margin.py",
    ),
    Mutant(
        "core/measures/orders.py",
        "2.0 * ranks - known.sum(axis=1, keepdims=True) - 1.0",
        "2.0 * ranks - 1.0",
        "unknown values count as lowest in a centre",
        f"{M}/test_orders.py",
    ),
    Mutant(
        "core/measures/orders.py",
        "- 1.0 / (m - 1)",
        "",
        "concordance not corrected for chance",
        f"{M}/test_orders.py",
    ),
]
