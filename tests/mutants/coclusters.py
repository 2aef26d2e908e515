"""Wrong readings of clusterers by direction, of co-clusters and of pairs of rows."""

from __future__ import annotations

from mutant import Mutant

BLOCKS = "tests/methods/unsupervised/test_coclusters.py"
PAIRS = "tests/methods/semisupervised/test_pair_clusterers.py"

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
        "(g, other_h) if stays >= goes - TOLERANCE * abs(goes) else (other_g, h)",
        "(g, other_h)",
        "the first of a pair always keeps its best group",
        PAIRS,
    ),
    Mutant(
        "core/clustering/normalized_cut.py",
        "crossing / volume + crossing / (degree.sum() - volume)",
        "crossing / volume",
        "a cut is measured by one of its sides",
        "tests/methods/unsupervised/test_click.py -k value",
    ),
    Mutant(
        "core/reading/pairs.py",
        "pairs[(pairs >= 0).all(axis=1)]",
        "pairs[(pairs >= 0).any(axis=1)]",
        "a pair that lost one row is kept",
        "tests/core/reading/test_pairs.py",
    ),
]
