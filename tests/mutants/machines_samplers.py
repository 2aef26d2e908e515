"""Wrong readings of support vector rankers, the tree filter, Winnow and the samplers."""

from __future__ import annotations

from mutant import Mutant

EMBEDDED = "tests/methods/embedded"
SVM, R2W2 = f"{EMBEDDED}/test_svm_rankers.py", f"{EMBEDDED}/test_r2w2.py"
TREE, WINNOW, GIBBS = f"{EMBEDDED}/test_tree_filter.py", f"{EMBEDDED}/test_winnow.py", f"{EMBEDDED}/test_spike_slab.py"

MACHINES_SAMPLERS = [
    Mutant(
        "methods/embedded/_svm_grams.py",
        "standing = self.means if means else np.zeros(self.n_left)",
        "standing = np.zeros(self.n_left)",
        "0 in place of the mean stands in for a feature",
        SVM,
    ),
    Mutant(
        "methods/embedded/_svm_grams.py",
        "-4.0 * self.gamma * (squares",
        "4.0 * self.gamma * (squares",
        "a Gaussian kernel that grows with the scale",
        R2W2,
    ),
    Mutant(
        "methods/embedded/rm_ranker.py",
        "return np.abs(gram.slopes(weights))",
        "return gram.slopes(weights)",
        "a derivative below 0 counts least",
        SVM,
    ),
    Mutant(
        "methods/embedded/_svm_machines.py",
        "np.concatenate([epsilon - target, -epsilon - target])",
        "np.concatenate([epsilon - target, epsilon - target])",
        "errors to one side cost nothing",
        SVM,
    ),
    Mutant(
        "methods/embedded/_svm_selector.py",
        "scores[self.gram.still] = -np.inf",
        "scores[self.gram.still] = 0.0",
        "a column with one value outlives features that count below 0",
        SVM,
    ),
    Mutant(
        "core/kernels/svm_follow.py",
        "row, scale = inverse[s], u[s] / (1.0 - part)",
        "row, scale = inverse[s], u[s] / (1.0 + part)",
        "the inverse of a sum in place of a difference",
        "tests/core/kernels/test_svm_follow.py",
    ),
    Mutant(
        "core/kernels/svm_follow.py",
        "        if not 0.0 < new < upper[free[t]]:\n            return False\n",
        "",
        "entries leave their bounds",
        "tests/core/kernels/test_svm_follow.py",
    ),
    Mutant(
        "methods/embedded/_r2w2_descent.py",
        "K = gram.matrix + np.eye(len(self.y)) / self.C",
        "K = gram.matrix + np.eye(len(self.y)) * self.C",
        "a large C that forgives",
        R2W2,
    ),
    Mutant(
        "methods/embedded/r2w2.py",
        "self.left = np.flatnonzero(varies)",
        "self.left = np.arange(len(varies))",
        "columns with one value have scales",
        f"{R2W2} -k one_value",
    ),
    Mutant(
        "methods/embedded/_tree_splits.py",
        "low, high, missing_low = high, low, len(high) < len(right)",
        "pass",
        "rows of a mirrored column on the wrong sides",
        TREE,
    ),
    Mutant(
        "methods/embedded/tree_filter.py",
        "return (y - y.mean()) / y.std()",
        "return y - y.mean()",
        "a leaf costs in units of the range",
        TREE,
    ),
    Mutant(
        "methods/embedded/tree_filter.py",
        "scores[:, best].std(ddof=1) / np.sqrt(len(splits))",
        "scores[:, best].std(ddof=1)",
        "one standard deviation in place of one standard error",
        TREE,
    ),
    Mutant(
        "core/kernels/winnow.py",
        " or total < FALLEN * max(before, facts[PEAK])",
        "",
        "a sum of weights without digits",
        WINNOW,
    ),
    Mutant(
        "core/kernels/winnow.py",
        "        if abs(value) <= rounding:\n            value = 0.0\n",
        "",
        "rounding decides ties",
        WINNOW,
    ),
    Mutant(
        "core/kernels/winnow.py",
        "exp(rate * sign * data[at] * np.sign(theta[j]))",
        "exp(rate * sign * data[at])",
        "weights move away from the row where theta is negative",
        WINNOW,
    ),
    Mutant(
        "methods/embedded/winnow.py",
        "if state.made_for != mine:",
        "if state.made_for[:2] != mine[:2]:",
        "weights of another variant are written into",
        f"{WINNOW} -k made_for",
    ),
    Mutant(
        "methods/embedded/spike_slab.py",
        "return np.log((k + 1) / (n - k))",
        "return np.log((k + 1) / (n - k + 1))",
        "odds of sizes that are not equally probable",
        GIBBS,
    ),
    Mutant(
        "core/kernels/gibbs.py",
        "variance = scale / rng.standard_gamma(0.5 * (n_rows - 1 + size))",
        "variance = scale / rng.standard_gamma(0.5 * (n_rows + size))",
        "the flat intercept costs no degree of freedom",
        GIBBS,
    ),
    Mutant(
        "core/kernels/gibbs.py",
        "return odds - 0.5 * log(slab * precision) + 0.5 * r * r / precision",
        "return odds - 0.5 * log(precision) + 0.5 * r * r / precision",
        "wide slabs cost nothing",
        GIBBS,
    ),
    Mutant(
        "core/kernels/latent.py",
        "a, b = 1.0 / WIDE, -before / WIDE",
        "a, b = 1.0, -before",
        "an intercept with a prior variance of 1",
        GIBBS,
    ),
    Mutant(
        "methods/embedded/_gibbs.py",
        'elif course.columns["R-hat"][worst] > AGREED:',
        "elif False:",
        "chains that drift are not said",
        GIBBS,
    ),
]
