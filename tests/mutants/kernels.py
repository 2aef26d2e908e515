"""Wrong readings in compiled loops."""

from __future__ import annotations

from mutant import Mutant

K = "tests/core/kernels"
M = "tests/core/measures"
INFORMATION = "tests/methods/information"
SUBSETS = "tests/core/criteria"

KERNELS = [
    Mutant(
        "core/kernels/contingency.py",
        "wide = out[c, a, left : left + lanes]",
        "wide = out[c, last - 1 - a, left : left + lanes]",
        "levels in the other order",
        f"{K}/test_contingency.py",
    ),
    Mutant(
        "core/kernels/contingency.py",
        "BYTE_ROWS = 255",
        "BYTE_ROWS = 256",
        "a counter of one byte holds 256",
        f"{K}/test_contingency.py -k overflow",
    ),
    Mutant(
        "core/kernels/contingency.py",
        "            out[cell, 2] += w * d * d\n\n\n@kernel\ndef level_sums_sparse",
        "            out[cell, 2] += w * w * d * d\n\n\n@kernel\ndef level_sums_sparse",
        "weights squared with deviations",
        "tests/core/runners/test_contract.py -k plain_loops",
    ),
    Mutant(
        "core/kernels/moments.py",
        "step * step * seen * share",
        "step * step * share",
        "moments merged without the rows before",
        f"{K}/test_moments.py",
    ),
    Mutant(
        "core/kernels/moments.py",
        "m2[c, j - start] = zeros * mean[c, j - start] ** 2",
        "m2[c, j - start] = 0.0",
        "rows that store nothing have no spread",
        f"{K}/test_moments.py -k sparse",
    ),
    Mutant(
        "core/kernels/mixture.py",
        "TWO, ONE = 5, 2",
        "TWO, ONE = 4, 2",
        "the weight of a mixture is no parameter",
        f"{K}/test_mixture_kernel.py tests/core/discretize/test_mixtures.py {M}/test_measures_mixture.py",
    ),
    Mutant(
        "core/kernels/mixture.py",
        "single = -0.5 * n * (LOG_2_PI + 1.0)",
        "single = -0.5 * n * LOG_2_PI",
        "the likelihood of one Gaussian without its squares",
        f"{K}/test_mixture_kernel.py",
    ),
    Mutant(
        "core/kernels/mixture.py",
        "max(square - mean * mean, FLOOR)",
        "square - mean * mean + FLOOR",
        "the floor of the variance is added",
        f"{K}/test_mixture_kernel.py",
    ),
    Mutant(
        "core/kernels/cutpoints.py",
        "np.log(n - 1.0) + choices",
        "np.log(n) + choices",
        "n places for a cut, not n - 1",
        f"{K}/test_cutpoints.py",
    ),
    Mutant(
        "core/kernels/cutpoints.py",
        "(k * h / n - k1 * h1 / n1 - k2 * h2 / n2)",
        "(k * h / n - k * h1 / n1 - k * h2 / n2)",
        "all classes counted on both sides of a cut",
        f"{K}/test_cutpoints.py",
    ),
    Mutant(
        "core/kernels/column_order.py",
        "mean_rank = 0.5 * (i + k + 1)",
        "mean_rank = i + 1.0",
        "equal values share the least rank",
        f"{K}/test_ranks.py",
    ),
    Mutant(
        "core/kernels/column_order.py",
        "if values[j] < values[i]:",
        "if values[j] <= values[i]:",
        "equal values are out of order",
        f"{K}/test_ranks.py",
    ),
    Mutant(
        "core/kernels/column_order.py",
        "- y_pairs + joint - 2.0",
        "- y_pairs - 2.0",
        "pairs tied in both are taken off twice",
        f"{K}/test_ranks.py",
    ),
    Mutant(
        "core/kernels/conditional.py",
        "out[x] = out[factor[x]] + out[x // factor[x]]",
        "out[x] = np.int64(np.rint(np.log(x) * scale))",
        "logarithms rounded one by one, so that sums do not tie",
        f"{K}/test_conditional.py",
    ),
    Mutant(
        "core/kernels/alike.py",
        "best[a] = max(best[a], table[a, c])",
        "best[a] = table[a, c]",
        "the last class of a group instead of its largest",
        f"{K}/test_consistency_kernel.py",
    ),
    Mutant(
        "core/kernels/joint_cells.py",
        "sum3 += xlogx[rest]",
        "sum2 += xlogx[rest]",
        "the last level counted without classes",
        f"{INFORMATION}/test_information.py -k all_ways_of_counting",
    ),
    Mutant(
        "core/kernels/joint_cells.py",
        "both[high - 1 - low] += rest",
        "both[0] += rest",
        "the last level joins the first",
        f"{INFORMATION}/test_information.py -k all_ways_of_counting",
    ),
    Mutant(
        "core/kernels/tiles.py",
        "deviation[i] = np.sqrt(squares / n)",
        "deviation[i] = np.sqrt(squares / max(n - 1, 1))",
        "sample instead of population deviation of distances",
        f"{K}/test_distances.py -k spread",
    ),
    Mutant(
        "core/kernels/tiles.py",
        "(distance == other_distance and index > other_index)",
        "(distance == other_distance and index < other_index)",
        "of equal distances the higher number",
        f"{K}/test_distances.py -k 'lists or first_k'",
    ),
    Mutant(
        "core/kernels/tiles.py",
        "sign * share[c] / total / of_class[c]",
        "sign * share[c] / of_class[c]",
        "fractions of other classes do not add up to 1",
        f"{K}/test_distances.py -k side",
    ),
    Mutant(
        "core/kernels/distances.py",
        "out[i, j] = -left_sums[i] - right_sums[j]",
        "out[i, j] = -left_sums[i]",
        "only one of the two sums is taken off",
        f"{K}/test_distances.py -k l1_tile",
    ),
    Mutant(
        "core/kernels/margins.py",
        "g = 0 if y[i] == y[k] else 1",
        "g = 1 if y[i] == y[k] else 0",
        "hits and misses swapped",
        f"{K}/test_margins.py",
    ),
    Mutant(
        "core/kernels/margins.py",
        "tile[i - start, k - left] = -s if y[i] == y[k] else s",
        "tile[i - start, k - left] = s",
        "hits pull as misses push",
        "tests/methods/relief/test_irelief.py",
    ),
    Mutant(
        "core/kernels/dominance.py",
        "factor = sign * 0.5 / np.sqrt(distance)",
        "factor = sign / np.sqrt(distance)",
        "the whole gradient instead of half",
        "tests/methods/ordinal/test_ordinal_margins.py",
    ),
    Mutant(
        "core/kernels/level_pairs.py",
        "weight = rank_weights[begin] * inside / (end - begin)",
        "weight = rank_weights[begin]",
        "neighbours at equal distance do not share",
        f"{K}/test_level_pairs.py",
    ),
    Mutant(
        "core/kernels/encode.py",
        "below += half * (edges[below + half - 1] < x)",
        "below += half * (edges[below + half - 1] <= x)",
        "an edge belongs to the interval above",
        f"{K}/test_encode.py",
    ),
    Mutant(
        "core/kernels/evaluators_bayes.py",
        "-0.5 * np.log(2.0 * np.pi * scale[c])",
        "-np.log(2.0 * np.pi * scale[c])",
        "a density over its variance instead of its deviation",
        f"{SUBSETS}/test_subsets_fast.py -k 'same_to_the_last_bit and aussian'",
    ),
]
