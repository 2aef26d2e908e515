"""Wrong readings of borders and of axes across them."""

from __future__ import annotations

from mutant import Mutant

D = "tests/core/borders/test_decision_functions.py"
P = "tests/core/borders/test_border_points.py"
M = "tests/methods/projection/test_boundary_matrices.py"
C = "tests/methods/projection/test_border_codes.py"
E = "tests/methods/projection/test_border_edges.py"

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
    Mutant(
        "core/borders/contract.py",
        "return border if varies.all() else Along(border, varies)",
        "return border",
        "constant features have a part in normals",
        f"{E} -k constant",
    ),
    Mutant(
        "methods/projection/bvqfe.py",
        "face_volumes(code[:, wide], labels, box[wide])",
        "face_volumes(code, labels, box)",
        "areas of borders are 0 beside a constant feature",
        f"{E} -k areas",
    ),
    Mutant(
        "core/kernels/border_codes.py",
        "if not offset <= half_window:",
        "if not offset <= 2.0 * half_window:",
        "the window on each side, not half of it",
        f"{C} -k single_updates",
    ),
    Mutant(
        "methods/projection/border_pieces.py",
        "near = different & (offset <= window / 2)",
        "near = different & (offset <= window)",
        "rows within a window, not half of it",
        f"{C} -k counts_of_rows",
    ),
    Mutant(
        "methods/projection/decision_boundary.py",
        "len(parts[i]) * len(parts[j]) / len(rows) ** 2 * found",
        "found",
        "pairs of classes count alike",
        f"{M} -k pairs_of_classes",
    ),
    Mutant(
        "methods/projection/svm_decision_boundary.py",
        "total += np.mean(codes == c) * found",
        "total += found",
        "machines count alike",
        f"{E} -k machines_count",
    ),
    Mutant(
        "methods/projection/boundary_matrix.py",
        "int(np.ceil(fraction * len(rows) - 1e-9))",
        "int(fraction * len(rows))",
        "the rows of a fraction rounded down",
        f"{E} -k rounded_up",
    ),
    Mutant(
        "methods/projection/_border_axes.py",
        "self.components_ = self.axes_ / self.scale_",
        "self.components_ = self.axes_",
        "rows are not scaled before they are projected",
        f"{M} -k scaled_inside",
    ),
    Mutant(
        "core/measures/bayes_risk.py",
        "costs[places[t], places[s]]",
        "costs[places[s], places[t]]",
        "costs of the opposite error",
        f"{C} -k risk_and_rule",
    ),
]
