"""Wrong readings of scores of terms."""

from __future__ import annotations

from mutant import Mutant

M, S, T = "tests/core/measures/test_term_scores.py", "tests/core/summaries/test_term_counts.py", "tests/methods/text"

TERM_SCORES = [
    Mutant(
        "core/measures/term_rates.py",
        "return np.clip(ratio(inside, size), eps, 1.0 - eps)",
        "return np.clip(ratio(inside, size), eps, 1.0)",
        "rates of 1 have infinite quantiles",
        f"{M} -k verified",
    ),
    Mutant(
        "core/measures/term_rates.py",
        "side = np.sign(cells.tp * cells.negative - cells.fp * cells.positive)",
        "side = np.sign(cells.tp - cells.fp)",
        "sides are told by counts instead of rates",
        f"{M} -k signs",
    ),
    Mutant(
        "core/measures/term_inclusion.py",
        "part - (times + shape) * np.log1p(size * scale)",
        "part - times * np.log1p(size * scale)",
        "the prior of a mean count is not integrated",
        f"{M} -k by_counts",
    ),
    Mutant(
        "core/measures/term_inclusion.py",
        "(c.holding, c.lacking, -1)",
        "(c.holding, c.lacking, 1)",
        "the common rate speaks for inclusion",
        f"{M} -k by_presence",
    ),
    Mutant(
        "core/measures/term_tables.py",
        "_part(size - with_term, total - holding, size, total)",
        "0.0",
        "documents without the term tell nothing",
        f"{M} -k at_once",
    ),
    Mutant(
        "core/summaries/fold_counts.py",
        "return (whole - self.inside([fold]) for fold in range(self.n_folds))",
        "return (whole for fold in range(self.n_folds))",
        "test folds stay in their training parts",
        f"{S} -k training",
    ),
    Mutant(
        "core/summaries/fold_counts.py",
        "documents = np.zeros(shape, narrowest(sizes))",
        "documents = np.zeros(shape, self.documents.dtype)",
        "counters of batches overflow",
        f"{S} -k never_overflow",
    ),
    Mutant(
        "core/measures/spread_lists.py",
        "np.arange(n) * n_classes + k",
        "np.arange(n) + k",
        "classes do not take turns",
        f"{T} -k turns",
    ),
    Mutant(
        "methods/text/_class_tree.py",
        'duplicates == "both" or k not in taken',
        "True",
        "a class under two children is counted under both",
        f"{T} -k under_two_children",
    ),
]
