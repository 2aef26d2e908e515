"""Wrong readings of clusterers by direction, of co-clusters and of pairs of rows."""

from __future__ import annotations

from mutant import Mutant

BLOCKS = "tests/methods/unsupervised/test_coclusters.py"
PAIRS = "tests/methods/semisupervised/test_pair_clusterers.py"
LIMITS = "tests/methods/semisupervised/test_pair_limits.py"
LABELS = "tests/methods/semisupervised/test_label_pairs.py"

COCLUSTERS = [
    Mutant(
        "core/clustering/information_blocks.py",
        "    worth[missing > 0.5] = -np.inf\n",
        "",
        "a group without what a row has is not infinitely far",
        BLOCKS,
    ),
    Mutant(
        "core/clustering/bregman_blocks.py",
        "-float(self.Z.shape[0] * (off**2).sum())",
        "float(self.Z.shape[0] * (off**2).sum())",
        "means of columns are added to the loss of sparse rows",
        f"{BLOCKS} -k losses",
    ),
    Mutant(
        "core/clustering/by_label.py",
        "(counts[labels] > 1) & (misfit > least)",
        "misfit > least",
        "a row that is alone is taken for an empty group",
        "tests/core/clustering/test_by_label.py",
    ),
    Mutant(
        "core/clustering/apart.py",
        "if not np.isfinite(goes) or stays >= goes - TOLERANCE * abs(goes):",
        "if True:",
        "the first of a pair always keeps its best group",
        PAIRS,
    ),
    Mutant(
        "core/clustering/apart.py",
        "rest_first, rest_second = _without(first, g), _without(second, g)",
        "rest_first, rest_second = _without(first, g), second",
        "a pair shares the group that is left for one of them",
        LIMITS,
    ),
    Mutant(
        "core/clustering/directions.py",
        "own[bound] = kept[np.arange(len(bound)), new[bound]]",
        "pass",
        "how badly a unit fits is known of its nearest centre, not of the one it was sent to",
        LIMITS,
    ),
    Mutant(
        "core/views/label_pairs.py",
        "cannot * (everything - together)",
        "cannot * everything",
        "rows of one label are drawn apart, too",
        LABELS,
    ),
    Mutant(
        "core/clustering/normalized_cut.py",
        "crossing / volume + crossing / (degree.sum() - volume)",
        "crossing / volume",
        "a cut is measured by one of its sides",
        "tests/methods/unsupervised/test_click.py -k value",
    ),
    Mutant(
        "core/views/pairs.py",
        "here = (pairs >= 0).all(axis=1)",
        "here = (pairs >= 0).any(axis=1)",
        "a pair that lost one row is kept",
        "tests/core/views/test_row_pairs.py",
    ),
]
