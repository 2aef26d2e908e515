"""Wrong readings of borders and of axes across them."""

from __future__ import annotations

from mutant import Mutant

D = "tests/core/borders/test_decision_functions.py"
P = "tests/core/borders/test_border_points.py"
M = "tests/methods/projection/test_boundary_matrices.py"
C = "tests/methods/projection/test_border_codes.py"

BORDERS = [
    Mutant(
        "core/borders/kernel_machines.py",
        "self.dual[second - 1, mine], self.dual[first, other]",
        "self.dual[first, mine], self.dual[second - 1, other]",
        "coefficients of another pair of classes",
        f"{D} -k four-rbf",
    ),
    Mutant(
        "core/borders/perceptron_borders.py",
        "out * (1.0 - out)",
        "1.0 - out**2",
        "the slope of tanh for the logistic function",
        f"{D} -k two-mlp",
    ),
    Mutant(
        "core/borders/foot_points.py",
        "nearer = has & (way < far[active] * (1.0 - NEARER))",
        "nearer = has & (way < 0)",
        "points do not slide along the border",
        f"{P} -k ellipse",
    ),
    Mutant(
        "methods/projection/boundary_matrix.py",
        "return (one + other) / 2",
        "return one",
        "only one side counts",
        f"{M} -k sampling_agrees",
    ),
    Mutant(
        "methods/projection/boundary_matrix.py",
        'order = np.argsort(np.abs(h), kind="stable")',
        'order = np.argsort(h, kind="stable")',
        "rows far on one side are near",
        f"{M} -k svmdba_agrees",
    ),
    Mutant(
        "methods/projection/exact_boundary.py",
        "* np.abs(normals[:, axis])",
        "",
        "lines that graze the border count as much as those that cross it",
        f"{M} -k ellipse",
    ),
    Mutant(
        "core/kernels/border_codes.py",
        "code[i, f] -= step * to_i",
        "code[i, f] += step * to_i",
        "the sign that the source prints",
        f"{C} -k update_draws",
    ),
    Mutant(
        "methods/projection/bvqfe.py",
        "weights = weights * np.outer(priors[labels], priors[labels])",
        "weights = weights * priors[labels]",
        "pairs count by one class",
        f"{C} -k weighted_sum",
    ),
    Mutant(
        "methods/projection/canonical_analysis.py",
        "(about * (counts / len(rows))[:, None]).T @ about",
        "about.T @ about",
        "class means count alike",
        f"{C} -k canonical_axes_are",
    ),
]
