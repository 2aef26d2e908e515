"""Wrong readings in what evaluates subsets, and in the evaluation of methods."""

from __future__ import annotations

from mutant import Mutant

SUBSETS = "tests/core/criteria"
EVALUATE = "tests/evaluate"

RUNNERS = "tests/core/runners"

EVALUATORS = [
    Mutant(
        "core/criteria/sent_fits.py",
        "found[at] = results",
        "found[len(some) - 1 - at] = results",
        "portions of fits in the wrong order",
        f"{RUNNERS}/test_fits_elsewhere.py -k 'SequentialSelector'",
    ),
    Mutant(
        "core/runners/elsewhere.py",
        "size = max(1, -(-len(items) // (PORTIONS * max(1, slots))))",
        "size = max(1, len(items) // (PORTIONS * max(1, slots)) + 2)",
        "portions larger than they need be",
        f"{RUNNERS}/test_fits_elsewhere.py -k 'portions'",
    ),
    Mutant(
        "core/runners/joblib_place.py",
        "np.cumsum([-(-part.nbytes // ALIGNED) * ALIGNED for part in parts])",
        "np.cumsum([part.nbytes for part in parts])",
        "packed arrays that begin anywhere",
        f"{RUNNERS}/test_fits_elsewhere.py -k 'packed'",
    ),
    Mutant(
        "core/criteria/joint_sums.py",
        "pair = self._from_tables(j, 1)[0]",
        "pair = self._from_tables(j, 1)[0] // 2",
        "half of what a pair tells, where rows are not at hand",
        f"{RUNNERS}/test_cluster_rounds.py -k 'MRMR'",
    ),
    Mutant(
        "core/records/sized.py",
        "return object.__sizeof__(self) + sum(map(array_bytes, vars(self).values()))",
        "return object.__sizeof__(self)",
        "a block of rows that passes for a few bytes",
        "tests/core/views/test_block_sizes.py",
    ),
    Mutant(
        "core/criteria/subset_filters.py",
        "return 1.0 - ratio((total - right).astype(float), float(total))",
        "return ratio((total - right).astype(float), float(total))",
        "inconsistency instead of agreement",
        f"{SUBSETS}/test_subsets_filters.py",
    ),
    Mutant(
        "core/criteria/scatter.py",
        "* max(n - n_classes, 0) / n",
        "* max(n - 1, 0) / n",
        "the pooled covariance with n - 1",
        f"{SUBSETS}/test_subsets_filters.py -k 'scatter_against or scatter_facts'",
    ),
    Mutant(
        "core/criteria/scatter.py",
        "return np.min(pairs, axis=0)",
        "return np.max(pairs, axis=0)",
        "the farthest instead of the nearest classes",
        f"{SUBSETS}/test_subsets_filters.py -k 'scatter_against or scatter_facts'",
    ),
    Mutant(
        "core/criteria/naive_bayes.py",
        "np.log(weight + 2 * alpha)",
        "np.log(weight + alpha)",
        "Bernoulli smoothing over one level",
        f"{SUBSETS}/test_subsets_fast.py -k 'same_to_the_last_bit and bernoulli'",
    ),
    Mutant(
        "core/kernels/evaluators_bayes.py",
        "largest = spread[f, candidate] if sign > 0 else 0.0",
        "largest = 0.0",
        "smoothing without the column that joins",
        f"{SUBSETS}/test_subsets_fast.py -k '(same_to_the or join_and_leave or sizes or very_different) and gaussian'",
    ),
    Mutant(
        "core/criteria/fold_scores.py",
        "spread = float(((truth - truth.mean()) ** 2).sum())",
        "spread = float((truth**2).sum())",
        "r2 against zero instead of the mean",
        f"{SUBSETS}/test_subsets_fast.py -k test_regression",
    ),
    Mutant(
        "core/criteria/cross_validated.py",
        "top * (n_folds - f - 1)) / n_folds",
        "top * (n_folds - f - 2)) / n_folds",
        "giving up although a fold to come could help",
        f"{SUBSETS}/test_subsets_cross_validated.py -k given_up",
    ),
    Mutant(
        "evaluate/stability.py",
        "(common * d - k * k) / (k * (d - k))",
        "(common * d - k * k) / (k * d)",
        "Kuncheva's index with d instead of d - k",
        f"{EVALUATE}/test_evaluate_stability.py",
    ),
    Mutant(
        "evaluate/stability.py",
        "mean_apart = _mean_of_pairs(apart)",
        "mean_apart = apart.mean()",
        "Nogueira's variances are not unbiased",
        f"{EVALUATE}/test_evaluate_stability.py",
    ),
    Mutant(
        "evaluate/stability.py",
        "return first + second, freedom",
        "return second, freedom",
        "variance of the stability without what samples add",
        f"{EVALUATE}/test_evaluate_stability.py",
    ),
    Mutant(
        "evaluate/statistics.py",
        "test_fraction / (1.0 - test_fraction)) * np.var",
        "test_fraction) * np.var",
        "n2 / n instead of n2 / n1 in the corrected t",
        f"{EVALUATE}/test_evaluate_statistics.py",
    ),
    Mutant(
        "evaluate/statistics.py",
        "stats.f.sf(statistic, 10, 5)",
        "stats.f.sf(statistic, 5, 10)",
        "degrees of freedom of the combined F swapped",
        f"{EVALUATE}/test_evaluate_statistics.py",
    ),
    Mutant(
        "evaluate/ranks.py",
        "step = np.sqrt(wider * k * (k + 1) / (6.0 * n))",
        "step = np.sqrt(wider * k * (k - 1) / (6.0 * n))",
        "the critical difference with k - 1",
        f"{EVALUATE}/test_evaluate_statistics.py",
    ),
    Mutant(
        "evaluate/recovery.py",
        "+ 0.5 * (at_hit == at_miss)",
        "+ 1.0 * (at_hit == at_miss)",
        "a tie counts as found",
        f"{EVALUATE}/test_recovery.py",
    ),
    Mutant(
        "evaluate/headline.py",
        "(c.repeat == c.repeat[f]) & (folds != f)",
        "c.repeat == c.repeat[f]",
        "the honest score chosen by its own fold",
        f"{EVALUATE}/test_evaluate_headline.py",
    ),
    Mutant(
        "evaluate/headline.py",
        "near[np.lexsort((near, -means[near], cost[near]))[0]]",
        "near[np.lexsort((near, cost[near], -means[near]))[0]]",
        "the best instead of the cheapest within one standard error",
        f"{EVALUATE}/test_evaluate_headline.py",
    ),
    Mutant(
        "evaluate/exact.py",
        "chances[(sums**2).sum(axis=1) >= observed]",
        "chances[(sums**2).sum(axis=1) > observed]",
        "rank sums that differ more, without those that differ as much",
        f"{EVALUATE}/test_evaluate_statistics.py -k few_methods",
    ),
    Mutant(
        "evaluate/exact.py",
        "chances[: smaller + 1].sum()",
        "chances[:smaller].sum()",
        "signed ranks without the observed sum",
        f"{EVALUATE}/test_evaluate_statistics.py -k signed_ranks",
    ),
    Mutant(
        "evaluate/stability.py",
        "first, second = 4.0 * (m - 2) * of_sample / pairs",
        "first, second = 4.0 * m * of_sample / pairs",
        "the covariance of pairs counted too often",
        f"{EVALUATE}/test_evaluate_stability.py -k variance_is_that",
    ),
    Mutant(
        "core/records/rounding.py",
        "np.maximum(loose[1:], loose[:-1])",
        "0.0",
        "equal up to rounding is not equal",
        "tests/core/records/test_rounding.py",
    ),
]
