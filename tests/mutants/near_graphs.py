"""Wrong readings of graphs of near rows and of the scores on them."""

from __future__ import annotations

from mutant import Mutant

G = "tests/core/neighbours/test_row_graph.py"
S = "tests/methods/unsupervised/test_graph_scores.py"
E = "tests/methods/unsupervised/test_equal_eigenvalues.py"
P = "tests/methods/semisupervised/test_partly_labelled.py"

GRAPH_SCORES = [
    Mutant(
        "core/neighbours/row_graph.py",
        "pairs, at = pairs[times == 2], at[times == 2]",
        "pairs, at = pairs[times == 1], at[times == 1]",
        "rows are joined if only one is near the other",
        f"{G} -k oracle",
    ),
    Mutant(
        "core/neighbours/near_rows.py",
        "order = np.lexsort((others, away, rows))",
        "order = np.lexsort((-others, away, rows))",
        "of equally far rows the higher number wins",
        f"{G} -k ties",
    ),
    Mutant(
        "core/neighbours/row_points.py",
        "slack = (min(d, CHUNK) + 16) * 2.0**-24 + ROUNDED",
        "slack = 0.0",
        "products in single precision are believed",
        f"{G} -k nearest_rows",
    ),
    Mutant(
        "core/neighbours/laplacian.py",
        "row_bounds.add_columns(X, begin, end, share, base, low, high, mean)",
        "row_bounds.add_columns(X, begin, end, (share > 0) / (share > 0).sum(), base, low, high, mean)",
        "the mean does not count degrees",
        f"{S} -k double_sums",
    ),
    Mutant(
        "methods/unsupervised/spec.py",
        "total = (along**2) @ (2.0 - values) - 2.0 * shift**2 * graph.degree.sum()",
        "total = (along**2) @ (2.0 - values)",
        "the constant function counts",
        f"{S} -k spectrum",
    ),
    Mutant(
        "core/neighbours/laplacian.py",
        'return scipy.linalg.eigh(A.toarray() - BELOW * np.outer(first, first), driver="evd")',
        'return scipy.linalg.eigh(A.toarray(), driver="evd")',
        "the known function is found a second time",
        f"{E} -k hang_together",
    ),
    Mutant(
        "methods/unsupervised/spec.py",
        "values, vectors = _whole_spaces(graph, max(self.n_clusters, joined))",
        "values, vectors = smooth_functions(graph, max(self.n_clusters, joined))",
        "of functions of one eigenvalue some are taken",
        f"{E} -k taken_together",
    ),
    Mutant(
        "methods/semisupervised/sselect.py",
        "counts[_side(-mean, far), :, np.arange(d)] += zeros.T",
        "counts[_side(mean, far), :, np.arange(d)] += zeros.T",
        "zeros of sparse columns are on the other side",
        f"{P} -k sparse_columns",
    ),
    Mutant(
        "core/records/target_kinds.py",
        "return label == str(UNLABELLED)",
        "return False",
        "-1 as text is a class",
        f"{P} -k all_forms",
    ),
    Mutant(
        "core/reading/io/columns.py",
        "if roles.target is not None and not roles.partly:",
        "if roles.target is not None:",
        "rows of a file without a label are dropped",
        f"{P} -k files_keep",
    ),
    Mutant(
        "methods/unsupervised/_standing_out.py",
        "graph = options.graph(view, X[:, np.flatnonzero(group != g)])",
        "graph = options.graph(view, X)",
        "a feature takes part in the graph on which it is scored",
        "tests/methods/unsupervised/test_unlabelled_recipe.py -k graph_of_the_others",
    ),
]
