"""Wrong readings of models by weights of ReliefF, of constructs and of literals."""

from __future__ import annotations

from mutant import Mutant

L = "tests/methods/local"

RELIEF_MODELS = [
    Mutant(
        "methods/local/literal_relief.py",
        "spared = asked * (1.0 - near_misses)",
        "spared = asked + near_misses - 2.0 * asked * near_misses",
        "misses count both ways, as in ReliefF",
        f"{L}/test_literal_relief.py -k 'loops or table'",
    ),
    Mutant(
        "core/neighbours/bit_rows.py",
        "left = there - near.sum(axis=1)",
        "left = there",
        "tied rows take more places than are left",
        f"{L}/test_literal_relief.py -k loops",
    ),
    Mutant(
        "methods/local/_relief_model.py",
        "np.where(weights > ROUNDING, weights, 0.0)",
        "np.abs(weights)",
        "negative weights count, too",
        f"{L}/test_relief_knn.py -k selection",
    ),
    Mutant(
        "core/kernels/weighted_rows.py",
        "if_x = none[f] if y[f] != y[f] else theirs[f]",
        "if_x = theirs[f]",
        "two missing values differ as one does",
        f"{L}/test_relief_knn.py -k loops",
    ),
    Mutant(
        "core/neighbours/weighted_rows.py",
        "counted = np.sqrt(rows.weights) if squared else rows.weights",
        "counted = rows.weights",
        "weights of squared differences are squared",
        f"{L}/test_relief_knn.py -k loops",
    ),
    Mutant(
        "methods/local/_relief_growth.py",
        "    k = rules.n_neighbors\n",
        "    k = max(1, min(rules.n_neighbors, np.unique(view.whole().y, return_counts=True)[1].min() - 1))\n",
        "the rarest class of a node says how many neighbours all have",
        f"{L}/test_relief_tree.py -k rare",
    ),
    Mutant(
        "core/neighbours/relief_pairs.py",
        "per_row = min(k, view.n_rows) * max(1, view.n_classes)",
        "per_row = k * max(1, view.n_classes)",
        "few rows ask where more neighbours are wanted than there are rows",
        f"{L}/test_relief_tree.py -k more",
    ),
    Mutant(
        "core/neighbours/weighted_rows.py",
        "near = np.flatnonzero(row <= last[i])",
        "near = np.flatnonzero(row < last[i])",
        "rows as far as the last one are lost",
        f"{L}/test_relief_knn.py -k loops",
    ),
    Mutant(
        "methods/local/_relief_growth.py",
        "with_first = 2 * first >= n_here",
        "with_first = 2 * first <= n_here",
        "rows without a value go with the smaller part",
        f"{L}/test_relief_tree.py -k missing",
    ),
    Mutant(
        "core/neighbours/relief_pairs.py",
        "return np.cumsum(steps)[:-1]",
        "return np.cumsum(steps)[1:]",
        "cuts lie one place further",
        f"{L}/test_relief_tree.py -k loops",
    ),
    Mutant(
        "methods/local/_constructs.py",
        'settling = 0.0 if self.operator == "and" else 1.0',
        'settling = 1.0 if self.operator == "and" else 0.0',
        "a true part settles a conjunction",
        f"{L}/test_relief_constructs.py -k 'bits or missing'",
    ),
    Mutant(
        "methods/local/_constructs.py",
        "scaled = 1.0 - scaled",
        "pass",
        "a test and its negation are two features",
        f"{L}/test_relief_constructs.py -k 'once or bits'",
    ),
]
