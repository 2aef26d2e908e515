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
        "_once(c.lacking), -1)",
        "_once(c.lacking), 1)",
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
    Mutant(
        "core/measures/term_rates.py",
        "np.where(cells.fp == 0, xi, cells.fp)",
        "cells.fp + xi",
        "the back-off of the probability ratio is added to all counts",
        f"{M} -k back_off_of_the_probability_ratio",
    ),
    Mutant(
        "core/measures/term_rates.py",
        "np.where(inside == size, size - least, inside)",
        "inside",
        "counts of all documents are not backed off",
        f"{M} -k plain_formulas",
    ),
    Mutant(
        "core/measures/term_rates.py",
        "cells.where_two_sides(cells.tp - cells.fp)",
        "cells.where_telling(cells.tp - cells.fp)",
        "a term of all documents has no accuracy",
        f"{M} -k do_not_lead",
    ),
    Mutant(
        "core/measures/term_scores.py",
        "else size / float(n_documents), found",
        "else size / size.sum(), found",
        "weights of several labels add up to 1",
        f"{T} -k several_labels",
    ),
    Mutant(
        "core/measures/term_tables.py",
        "entr(share) + entr(1.0 - share)",
        "entr(share)",
        "information is normalized by presence alone",
        f"{M} -k at_once",
    ),
    Mutant(
        "core/measures/term_prediction.py",
        "int(np.argmax(train.sizes))",
        "int(np.argmin(train.sizes))",
        "documents without the term get the rarest class",
        f"{M} -k single_term",
    ),
    Mutant(
        "core/measures/spread_lists.py",
        "left = np.where(alive, shares, 0.0)",
        "left = np.where(alive, 1.0, 0.0)",
        "turns are drawn alike",
        f"{T} -k turns",
    ),
    Mutant(
        "methods/text/_term_selector.py",
        "counts.holding <= high",
        "counts.holding < high",
        "the most documents are too many",
        f"{T} -k limits",
    ),
    Mutant(
        "methods/text/_term_selector.py",
        "{name: numbers[terms] for",
        "{name: terms for",
        "subsets number the terms within the limits",
        f"{T} -k whole",
    ),
    Mutant(
        "methods/text/_term_criteria.py",
        'weights = weights if self.aggregate in (None, "weighted") else used.astype(np.float64)',
        "weights = used.astype(np.float64)",
        "inclusion is weighted alike",
        f"{T} -k inclusion",
    ),
    Mutant(
        "core/summaries/fold_counts.py",
        "(self.several and lines[0] != lines[1])",
        "False",
        "all documents of one batch are added to a label of another",
        f"{S} -k sentences",
    ),
]
