"""Wrong readings of the small filters."""

from __future__ import annotations

from mutant import Mutant

PAIRS = "tests/core/kernels/test_pair_kernels.py"
SCORES = "tests/methods/univariate/test_small_filters.py"
SURVIVAL = "tests/methods/univariate/test_survival_scores.py"
UNITS = "tests/methods/test_constrained.py"
GROUPS = "tests/methods/hygiene/test_correlation_groups.py"

SMALL_FILTERS = [
    Mutant(
        "core/kernels/rank_steps.py",
        "total += 2.0 * np.float64(_pair_sum(values, start, stop)) / (stop - start)",
        "total += np.float64(_pair_sum(values, start, stop)) / (stop - start)",
        "steps within equal rows count half",
        f"{PAIRS} -k steps",
    ),
    Mutant(
        "core/kernels/near_counts.py",
        "        times[_within(a_sorted, ranks[q], scales[0], radius)] -= 1",
        "        times[_within(a_sorted, ranks[q], scales[1], radius)] -= 1",
        "distances in the unit of the other column",
        f"{SCORES} -k near",
    ),
    Mutant(
        "core/kernels/near_counts.py",
        "        times[own if radius > 0.0 else equal] += 1",
        "        times[own] += 1",
        "equal rows of pairs count as k",
        f"{PAIRS} -k near",
    ),
    Mutant(
        "core/kernels/near_counts.py",
        "own, k_here = values[starts[c] : starts[c + 1]], min(k, sizes[c] - 1)",
        "own, k_here = values[starts[c] : starts[c + 1]], min(k, sizes[c])",
        "a row is a neighbour of itself",
        f"{PAIRS} -k classes",
    ),
    Mutant(
        "core/kernels/distance_products.py",
        "ys[i] <= ys[j]):",
        "ys[i] < ys[j]):\n            pass\n        if j >= right or (i < middle and xs[i] <= xs[j]):",
        "merged by the wrong column",
        f"{PAIRS} -k distances",
    ),
    Mutant(
        "core/kernels/gaussian_pairs.py",
        "if pairs % 2 == 1 or",
        "if pairs % 2 == 0 or",
        "the median of an even number is one of them",
        f"{PAIRS} -k median",
    ),
    Mutant(
        "methods/univariate/_distances.py",
        "(n - 2, (n - 1) * (n - 2), n * (n - 3))",
        "(n - 2, n * (n - 2), n * (n - 3))",
        "the correction divides by n",
        f"{SCORES} -k distance",
    ),
    Mutant(
        "methods/univariate/_gaussian_blocks.py",
        "means = (sums + 1.0) / n",
        "means = sums / n",
        "means of a kernel without its diagonal",
        f"{SCORES} -k hsic",
    ),
    Mutant(
        "methods/univariate/chatterjee.py",
        "ndtr(-z)",
        "2.0 * ndtr(-np.abs(z))",
        "a two-sided p-value",
        f"{SCORES} -k xi",
    ),
    Mutant(
        "core/measures/evidence_weights.py",
        "HALF = 0.5",
        "HALF = 1.0",
        "a whole row is added",
        f"{SCORES} -k value",
    ),
    Mutant(
        "methods/hygiene/population_stability.py",
        "before = data.rows(np.flatnonzero(~now))",
        "before = data",
        "bins of all rows, not of the reference",
        f"{GROUPS} -k stability",
    ),
    Mutant(
        "methods/hygiene/correlation_filter.py",
        "return [-far, near]",
        "return [near]",
        "pairs are tied",
        f"{GROUPS} -k plain",
    ),
    Mutant(
        "core/criteria/column_similarity.py",
        "fewest = np.minimum(self.levels, levels) - 1.0",
        "fewest = np.maximum(self.levels, levels) - 1.0",
        "V by the larger number of levels",
        f"{GROUPS} -k plain",
    ),
    Mutant(
        "methods/univariate/_distances.py",
        "if abs(left) <= ROUNDING * n * sum(terms):",
        "if abs(left) <= 0.0:",
        "rounding is taken for dependence",
        f"{SCORES} -k row",
    ),
    Mutant(
        "core/kernels/near_counts.py",
        "NEARER = 1.0 - 1e-9",
        "NEARER = 1.0",
        "rows are nearer by rounding",
        f"{SCORES} -k tenths",
    ),
    Mutant(
        "core/kernels/gaussian_pairs.py",
        "            high *= 0.5",
        "            break",
        "medians far below the range are not found",
        f"{SCORES} -k digits",
    ),
    Mutant(
        "methods/univariate/_gaussian_blocks.py",
        "((n - 1.0) ** 2 * (n + 1) * (n - 2))",
        "((n - 1.0) ** 2 * n * (n - 2))",
        "the variance over permutations divides by n",
        f"{SCORES} -k hsic",
    ),
    Mutant(
        "core/measures/risk_sets.py",
        "int(rows.starts[0])",
        "0",
        "rows that are never at risk cost digits",
        f"{SURVIVAL} -k never",
    ),
    Mutant(
        "methods/constrained.py",
        "while before < len(found.indices) < wanted:",
        "while False:",
        "methods do not add to their own set",
        f"{UNITS} -k adds",
    ),
]
