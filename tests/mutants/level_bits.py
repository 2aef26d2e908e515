"""Wrong readings of rows held as bits, and of values that are missing beside them."""

from __future__ import annotations

from mutant import Mutant

PLANES = "tests/core/kernels/test_level_planes.py"
GAPPED = "tests/core/kernels/test_gapped_planes.py"
CLUSTER = "tests/methods/relief/test_relief_cluster.py"
SCORES = "tests/methods/relief/test_relief_bits.py"
FEW = "tests/core/kernels/test_few_values.py"

LEVEL_BITS = [
    Mutant(
        "core/kernels/level_planes.py",
        "popcount((x[w] ^ y[w]) | (u[w] ^ v[w]))",
        "popcount((x[w] ^ y[w]) & (u[w] ^ v[w]))",
        "levels differ only where both places do",
        f"{PLANES} -k differing",
    ),
    Mutant(
        "core/kernels/level_planes.py",
        "counts = (sign * row[j] < bound) & (j != own[i])",
        "counts = (sign * row[j] <= bound) & (j != own[i])",
        "rows at the radius are near",
        f"{PLANES} -k masks",
    ),
    Mutant(
        "core/kernels/level_planes.py",
        "for w in range(last - (last - first) % 4, last):",
        "for w in range(last - (last - first) % 2, last):",
        "words beyond the last four are left out",
        f"{PLANES} -k agreements",
    ),
    Mutant(
        "core/neighbours/level_space.py",
        "alike) / (n * (n - 1.0))",
        "alike) / (n * n)",
        "rows are pairs with themselves",
        f"{PLANES} -k differing",
    ),
    Mutant(
        "core/kernels/gapped_planes.py",
        "table[u] = mean[u] - 1.0",
        "table[u] = mean[u]",
        "what bits have counted for a missing value stays",
        f"{GAPPED} -k distances",
    ),
    Mutant(
        "core/kernels/gapped_planes.py",
        "table[u] = mean[u] if both else 0.0",
        "table[u] = mean[u]",
        "features that both rows miss count twice",
        f"{GAPPED} -k distances",
    ),
    Mutant(
        "core/kernels/gapped_planes.py",
        "alike[u] = 1.0 - mean[u - known, a]",
        "alike[u] = 1.0 - mean[c if n_labels > 1 else 0, a]",
        "a missing value takes the levels of the other row's class",
        f"{GAPPED} -k marked",
    ),
    Mutant(
        "core/kernels/gapped_planes.py",
        "alike[u] = 1.0 - mean[own, u]",
        "alike[u] = 0.0",
        "a missing value differs from all",
        f"{GAPPED} -k marked",
    ),
    Mutant(
        "core/neighbours/gapped_space.py",
        "counts, counts.sum(axis=1, keepdims=True))",
        "counts, 1)",
        "a class without known values takes all levels alike",
        f"{GAPPED} -k distances",
    ),
    Mutant(
        "core/neighbours/gapped_space.py",
        "means**2 if squared else means",
        "means",
        "mean differences are not squared",
        f"{GAPPED} -k distances",
    ),
    Mutant(
        "core/kernels/few_values.py",
        "if above == above:",
        "if True:",
        "a missing value is a value between the ends",
        f"{FEW} -k steps",
    ),
    Mutant(
        "core/kernels/few_values.py",
        "np.uint8(line[i] - lowest > s)",
        "np.uint8(line[i] - lowest >= s)",
        "a value at a bound is above it",
        f"{FEW} -k turned",
    ),
    Mutant(
        "core/kernels/few_values.py",
        "np.uint8(line[i] - lowest > s)",
        "np.uint8(line[i] > lowest + s)",
        "steps are counted from rounded bounds",
        "tests/methods/relief/test_relief_steps.py",
    ),
    Mutant(
        "core/neighbours/few_valued.py",
        "for rows in (slice(0, SAMPLE), slice(SAMPLE, None)):",
        "for rows in (slice(0, SAMPLE),):",
        "rows after the first ones are not looked at",
        f"{FEW} -k between",
    ),
    Mutant(
        "core/neighbours/few_valued.py",
        "np.tile(which, m), 1.0 / m)",
        "np.tile(which, m), 1.0)",
        "every step of a number counts as the whole range",
        f"{SCORES} -k 'radius and steps'",
    ),
    Mutant(
        "core/neighbours/row_space.py",
        "flat = ramp is not None and ramp[0] >= 1.0",
        "flat = False",
        "two values differ below the ramp",
        f"{SCORES} -k ramp",
    ),
    Mutant(
        "core/views/gathered_rows.py",
        "np.result_type(*{rows.dtype for rows, _, _ in blocks})",
        "blocks[0][0].dtype",
        "all rows take the type of the first block",
        "tests/methods/relief/test_relief_gathered.py -k memory",
    ),
    Mutant(
        "core/neighbours/sums.py",
        "work(begin + a, begin + b)",
        "work(a, b)",
        "every worker looks for the neighbours of the first rows",
        f"{CLUSTER} -k 'memory and levels and ReliefF'",
    ),
    Mutant(
        "methods/relief/_radius_masks.py",
        "for first in range(begin, end, at_once):",
        "for first in range(0, end, at_once):",
        "every worker sums from the first row on",
        f"{CLUSTER} -k 'memory and levels and MultiSURF'",
    ),
    Mutant(
        "methods/relief/_radius.py",
        "return short * (end - begin) * (space.n_rows - 1)",
        "return short * (end - begin) * space.n_rows",
        "rows are pairs with themselves in the radius of all",
        "tests/methods/relief/test_relief_bits.py -k radius",
    ),
]
